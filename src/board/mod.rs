//! The rules and the engine behind a graphical board: questions and answers in JSON, for every game.
//!
//! The page draws pieces and handles clicks; everything that depends on the rules is answered here. [`ask`] answers
//! questions that need no search (a position with its legal moves, why a move is illegal); [`Engine`] answers those
//! that do. Nothing here depends on where the page runs: a local server and a WebAssembly module call the same
//! functions.

mod ask;
mod cells;
mod engine;
mod number;
mod place;
mod records;
mod report;
mod shown;
mod slices;
mod teach;
mod tree;
mod truth;
mod view;

pub use ask::{Asked, ask};
pub use engine::{Engine, Tell};
pub use slices::Slices;
pub use truth::Truth;
