//! Positions and engines of a game that is known at run time only.
//!
//! [`AnyPosition`] is a position of one of the seven games, [`AnyEngine`] searches such positions. Programs that know
//! their game use its types directly ([`Shogi`](crate::Shogi) and [`Searcher`](crate::Searcher)).

mod engine;
mod position;

pub use engine::{AnyEngine, WrongGame};
pub use position::{AnyPosition, AsBoard, Board};
