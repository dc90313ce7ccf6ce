//! Perfect play from the table.

use super::index::{CHICK, ELEPHANT, GIRAFFE, HEN, Slot, flip_set};
use super::table::Table;
use crate::solved::Value;
use crate::solved::line::{self, Values};
use crate::{Oracle, OracleError};
use sanban_rules::dobutsu::{Kind, Position};
use sanban_rules::{Color, Move, MoveList, Position as _, Score, Verdict};
use std::path::Path;
use std::sync::Arc;

/// The position from the point of view of the side to move; `None` after the capture of a lion.
pub fn slot<const MATE: bool>(pos: &Position<MATE>) -> Option<Slot> {
    let sides = [pos.side(), !pos.side()];
    // The board is flipped for white, so that white's pieces move towards rank a.
    let white = pos.side() == Color::White;
    let lion = |color| pos.lion(color).map(|sq| sq as u8 ^ if white { 3 } else { 0 });
    let mut slot = Slot::new([lion(sides[0])?, lion(sides[1])?]);
    let kinds =
        [(ELEPHANT, Kind::Elephant), (GIRAFFE, Kind::Giraffe), (CHICK, Kind::Chick), (HEN, Kind::Hen)];
    for (place, kind) in kinds {
        for (i, color) in sides.into_iter().enumerate() {
            let set = pos.pieces_of(color, kind);
            slot.toggle(place + i, if white { flip_set(set) } else { set });
            if place != HEN {
                slot.gain(place + i, pos.hand_count(color, kind) as u32);
            }
        }
    }
    Some(slot)
}

/// The value of a position in the table; `None` if a lion entered the last row illegally and was not captured.
pub fn solved<const MATE: bool>(pos: &Position<MATE>, table: &Table) -> Option<Value> {
    match pos.result_on_board() {
        Some(Verdict::Loss) => return Some(Value::Loss(0)),
        Some(_) => return None,
        None => {}
    }
    let lion = pos.lion(!pos.side())?;
    if pos.attackers(pos.side(), lion) != 0 {
        return Some(Value::Win(1));
    }
    table.value(&slot(pos)?)
}

/// The solution of a game, if its table is loaded.
#[derive(Clone, Debug, Default)]
pub struct Solution<const MATE: bool>(Option<Arc<Table>>);

impl<const MATE: bool> Solution<MATE> {
    /// Creates the solution from the table of the game.
    pub fn new(table: Arc<Table>) -> Self {
        Self(Some(table))
    }
}

impl<const MATE: bool> Oracle<Position<MATE>> for Solution<MATE> {
    const OPTION: Option<&'static str> = Some("DobutsuTable");

    fn open(path: &Path) -> Result<Self, OracleError> {
        let table = Table::load(path, MATE).map_err(OracleError::new)?;
        Ok(Self::new(Arc::new(table)))
    }

    fn solution(&self, pos: &Position<MATE>) -> Option<(Score, Vec<Move>)> {
        line::solution(pos, self.0.as_deref()?, pos.rules().max_moves)
    }
}

impl<const MATE: bool> Values<Position<MATE>> for Table {
    const LONGEST: usize = 200;

    fn value(&self, pos: &Position<MATE>) -> Option<Value> {
        solved(pos, self)
    }

    /// The moves that the search generates, which exclude pointless ones, or all legal moves if it generates none.
    fn candidates(&self, pos: &Position<MATE>) -> MoveList {
        let mut moves = MoveList::new();
        pos.noisy(&mut moves);
        pos.quiet(&mut moves);
        if moves.is_empty() {
            pos.legal(&mut moves);
        }
        moves
    }
}
