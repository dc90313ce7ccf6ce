//! What a board to play on needs to know: one question in JSON, one answer in JSON, for every game.
//!
//! A page draws pieces and takes clicks; everything that is a rule is answered here. [`ask`] answers what can be said
//! at once (a position with its legal moves, why a move is not one of them), [`Engine`] what takes thought. Nothing here
//! knows where the page is: a server on the same machine and a WebAssembly module call the same functions.

mod ask;
mod cells;
mod engine;
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
