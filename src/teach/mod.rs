//! Teaching: names of openings and castles, and reasons for and against moves.
//!
//! `names` finds openings and castles from a table. `teacher` collects verified `facts` about a move, using
//! `material`, `exchange`, `ends` and either `tactics` (shogi) or `plain` (the other games). `words` turns facts into
//! sentences, using `notation` for moves and squares.

mod ends;
pub mod exchange;
pub mod facts;
mod language;
pub mod material;
pub mod names;
pub mod notation;
mod plain;
pub mod proof;
pub mod tactics;
pub mod teacher;
pub mod words;

pub use facts::Fact;
pub use language::{Language, piece_name};
use sanban_engine::Game;
use sanban_rules::{
    Dobutsu, DobutsuMate, Janggi, JanggiCasual, JanggiModern, JanggiTraditional, Move, Score, Shogi,
};
use tactics::Tactic;
pub use teacher::Teacher;
pub use words::sentence;

/// A game with teaching support.
pub trait Teach: Game {
    /// Smallest loss of material that matters even in a decided game, in centipawns: about the value of a minor piece.
    const WEIGHTY: Score = 250;

    /// The tactics that a legal move is an example of. `previous`: the position before the last move, if known.
    fn tactics(pos: &Self::Position, _previous: Option<&Self::Position>, mv: Move) -> Vec<Tactic> {
        plain::tactics(pos, mv)
    }
}

impl Teach for Shogi {
    const WEIGHTY: Score = 500;

    fn tactics(pos: &Self::Position, previous: Option<&Self::Position>, mv: Move) -> Vec<Tactic> {
        tactics::tactics(pos, previous, mv)
    }
}

impl Teach for Janggi {}
impl Teach for JanggiCasual {}
impl Teach for JanggiTraditional {}
impl Teach for JanggiModern {}
impl Teach for Dobutsu {}
impl Teach for DobutsuMate {}
