//! The only place that names every game.
