//! Positions and engines of a game that is known only at run time.
//!
//! [`AnyPosition`] is a position of one of the seven games, [`AnyEngine`] searches such positions, [`SolvedTables`]
//! contains the values of solved games. Programs that know their game at compile time use its types directly
//! ([`Shogi`](crate::Shogi) and [`Searcher`](crate::Searcher)).

mod engine;
mod position;
mod tables;

pub use engine::{AnyEngine, WrongGame};
#[cfg(feature = "program")]
pub(crate) use position::each_board;
pub use position::{AnyPosition, AsBoard, Board};
pub use tables::SolvedTables;
