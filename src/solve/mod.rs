//! The complete solution of a small game.
