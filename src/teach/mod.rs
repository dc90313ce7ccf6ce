//! What a teacher says about games: names of what is played, and reasons for and against moves.
//!
//! `names` finds openings and castles by a table; `facts` collects what is true of a move, `exchange` and `tactics` help
//! it, and `words` makes sentences of facts. A sentence is made of nothing but verified facts.

pub mod exchange;
pub mod facts;
pub mod names;
pub mod tactics;
pub mod words;

pub use facts::{Fact, Teacher};
use sanban_engine::Game;
use sanban_rules::{
    Dobutsu, DobutsuMate, Janggi, JanggiCasual, JanggiModern, JanggiTraditional, Move, Shogi,
};
use tactics::Tactic;
pub use words::{Language, sentence};

/// A game that can be taught.
pub trait Teach: Game {
    /// The tactics that a legal move is an example of. `previous`: the position before the last move, where it is known.
    fn tactics(_pos: &Self::Position, _previous: Option<&Self::Position>, _mv: Move) -> Vec<Tactic> {
        Vec::new()
    }
}

impl Teach for Shogi {
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
