//! A shogi training position, as other tools store it.

use sanban_rules::Move;
use sanban_rules::shogi::Position;

#[derive(Clone)]
pub struct Entry {
    /// The position; includes the game ply.
    pub pos: Position,
    /// Centipawns for the side to move.
    pub score: i16,
    pub mv: Option<Move>,
    /// 1 if the side to move won, -1 if it lost, 0 for a draw.
    pub result: i8,
}
