//! Hand-written evaluations.
