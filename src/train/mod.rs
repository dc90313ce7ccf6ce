//! Self-play and training.
