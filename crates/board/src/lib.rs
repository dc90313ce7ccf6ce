//! The rules and the engine behind a graphical board, for every game.
//!
//! The page draws pieces and handles clicks; everything that depends on the rules is answered here. [`ask`] answers a
//! [`Question`] that needs no search (a position with its legal moves, why a move is illegal); [`BoardEngine`] runs a
//! [`Search`]. Nothing here depends on where the page runs: a local server and a WebAssembly module call the same
//! functions. JSON is read by [`Question::read`] and written by [`answer_json`] and [`line_json`]; between them, values
//! are typed.

#![deny(unsafe_code)]

mod ask;
mod engine;
mod error;
mod game_view;
mod number;
mod question;
mod records;
mod report;
mod slices;
mod solve;
mod teach;
mod tree;
mod view;
pub mod wasm;
mod wire;

pub use ask::{Answer, Asked, ask};
pub use engine::{BestMove, BoardEngine, Found, FoundLine, MateFound, OnLine, Search, Task};
pub use error::BoardError;
pub use question::{Attempt, Export, Go, MateQuestion, Place, Players, Question, Review, Reviewed, Source};
pub use records::{Loaded, Written};
pub use report::{JudgedMove, Report, SideReport, Sides};
pub use slices::Slices;
pub use solve::Solved;
pub use teach::{LevelName, NamedMove, ProblemText};
pub use tree::{Node, Study};
pub use view::{End, MadeMove, View};
pub use wire::{WireScore, answer_json, line_json};
