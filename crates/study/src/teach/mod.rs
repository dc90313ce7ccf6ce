//! Teaching: names of openings and castles, and reasons for and against moves.
//!
//! `names` finds openings and castles from a table. `teacher` collects verified `facts` about a move, using
//! `material`, `exchange`, `ends`, `refutation`, `aspects` and either `tactics` (shogi) or `plain` (the other games). `words` turns facts into
//! sentences (`causes`: those about gains in lines), using `notation` for moves and squares and `texts` for the words of
//! each language.

pub mod aspects;
mod causes;
mod ends;
pub mod exchange;
pub mod facts;
pub mod gain;
mod korean;
mod language;
pub mod material;
pub mod names;
pub mod notation;
mod plain;
pub mod proof;
pub mod refutation;
pub mod tactics;
pub mod teacher;
mod texts;
pub mod words;

pub use facts::Fact;
pub use language::{Language, Sentences};
pub use teacher::Teacher;
pub use texts::{level_name, piece_name, text, text_in};
pub use words::sentence;
