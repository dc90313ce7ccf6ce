//! Positions and engines of a game that is only known at run time.
//!
//! [`AnyPosition`] is a position of one of the seven games, [`AnyEngine`] searches such positions. Programs that know
//! their game at compile time use its types directly ([`Shogi`](crate::Shogi) and [`Searcher`](crate::Searcher)).

mod engine;
mod position;

pub use engine::{AnyEngine, WrongGame};
pub use position::{AnyPosition, AsBoard, Board};
