//! Perfect play from a table.
//!
//! The table ignores history. Repetitions that the game can reach within two plies are detected here: a draw by the
//! third occurrence is avoided by the winning side and taken by the losing side. Beyond that a won line repeats
//! nothing, because the distance to its end shrinks with every ply.

use super::index::{CHICK, ELEPHANT, GIRAFFE, HEN, Slot, flip_set};
use super::table::{Table, Value};
use crate::{Oracle, OracleError};
use sanban_rules::dobutsu::{Kind, Position};
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Color, Move, MoveList, Position as _, Score, Verdict};
use std::path::Path;
use std::sync::Arc;

/// No shortest win is longer.
const MAX_LINE: usize = 200;

/// The position from the point of view of the side to move; `None` after the capture of a lion.
pub fn slot<const MATE: bool>(pos: &Position<MATE>) -> Option<Slot> {
    let sides = [pos.side(), !pos.side()];
    // Upside down, white's pieces move towards rank a.
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

/// The value of a position by the table; `None` where a lion entered against the rules and stayed.
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

/// The solution of a game, where its table is open.
#[derive(Clone, Debug, Default)]
pub struct Solution<const MATE: bool>(Option<Arc<Table>>);

impl<const MATE: bool> Solution<MATE> {
    /// The solution by a table, which must be that of the game.
    #[must_use]
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
        let table = self.0.as_deref()?;
        if pos.verdict(0).is_some() {
            return None;
        }
        let max_moves = pos.rules().max_moves;
        let in_time = |plies: u8| max_moves == 0 || pos.game_ply() + usize::from(plies) <= max_moves;
        let mut line_pos = pos.clone();
        let (first, value) = best(&mut line_pos, table)?;
        let score = match value {
            Value::Win(plies) if in_time(plies) => mate_in(usize::from(plies)),
            Value::Loss(plies) if in_time(plies) => mated_in(usize::from(plies)),
            _ => 0,
        };
        let mut line = vec![first];
        line_pos.make(first, &mut ());
        // A draw has no end: its line is a move and the answer.
        let length = if value == Value::Draw { 2 } else { MAX_LINE };
        while line.len() < length && line_pos.verdict(0).is_none() {
            let Some((mv, _)) = best(&mut line_pos, table) else { break };
            line.push(mv);
            line_pos.make(mv, &mut ());
        }
        Some((score, line))
    }
}

/// The best move and its value. Among drawing moves: the one that leaves the opponent most ways to go wrong.
fn best<const MATE: bool>(pos: &mut Position<MATE>, table: &Table) -> Option<(Move, Value)> {
    // The sensible moves, as the search generates them; if there are none, any.
    let mut moves = MoveList::new();
    pos.noisy(&mut moves);
    pos.quiet(&mut moves);
    if moves.is_empty() {
        pos.legal(&mut moves);
    }
    let mut best: Option<((i32, i32), Move, Value)> = None;
    for mv in moves {
        pos.make(mv, &mut ());
        let answer = answer(pos, table);
        pos.unmake();
        let (value, slips) = answer?;
        let rank = match value {
            Value::Win(plies) => 1_000 - i32::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i32::from(plies) - 1_000,
        };
        if best.is_none_or(|(top, ..)| (rank, slips) > top) {
            best = Some(((rank, slips), mv, value));
        }
    }
    best.map(|(_, mv, value)| (mv, value))
}

/// The value of the move that led here for the side that made it, and for a draw the permille of answers that lose.
fn answer<const MATE: bool>(pos: &mut Position<MATE>, table: &Table) -> Option<(Value, i32)> {
    match pos.verdict(0) {
        Some(Verdict::Loss) => return Some((Value::Win(1), 0)),
        Some(Verdict::Win) => return Some((Value::Loss(1), 0)),
        Some(_) => return Some((Value::Draw, 0)),
        None => {}
    }
    let value = solved(pos, table)?;
    if let Value::Win(plies) = value {
        return Some((Value::Loss(plies + 1), 0));
    }
    let (mut repeats, mut slips, mut moves) = (false, 0, MoveList::new());
    pos.legal(&mut moves);
    for &mv in &moves {
        pos.make(mv, &mut ());
        repeats |= pos.verdict(0) == Some(Verdict::Draw);
        slips += i32::from(matches!(solved(pos, table), Some(Value::Win(_))));
        pos.unmake();
    }
    match value {
        Value::Loss(plies) if !repeats => Some((Value::Win(plies + 1), 0)),
        _ => Some((Value::Draw, slips * 1_000 / (moves.len() as i32).max(1))),
    }
}
