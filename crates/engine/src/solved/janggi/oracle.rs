//! Perfect play from a folder of tables.
//!
//! The tables ignore history. Repetitions that the game can reach within two plies are detected here: a draw by the
//! third occurrence is avoided by the winning side and taken by the losing side.

use super::store::Tables;
use super::table::Value;
use crate::{Oracle, OracleError};
use sanban_rules::janggi::{Pass, Position};
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Move, Position as _, Score, Verdict};
use std::path::Path;
use std::sync::Arc;

/// No shortest win is longer.
const MAX_LINE: usize = 250;

/// The endings of a folder, for both pass rules, where one is open.
#[derive(Clone, Debug, Default)]
pub struct Endings(Option<Arc<[Tables; 2]>>);

impl Endings {
    /// The tables for the rules of a position; `None` if these rules have no tables.
    fn tables(&self, pos: &Position) -> Option<&Tables> {
        let [literal, free] = self.0.as_deref()?;
        let rules = pos.rules();
        match rules.pass {
            _ if rules.bikjang || rules.counting => None,
            Pass::Literal => Some(literal),
            Pass::Free => Some(free),
            Pass::Forced => None,
        }
    }
}

impl Oracle<Position> for Endings {
    const OPTION: Option<&'static str> = Some("JanggiTables");

    fn open(path: &Path) -> Result<Self, OracleError> {
        if !path.is_dir() {
            return Err(OracleError::new(format!("{}: expected a folder of tables", path.display())));
        }
        let tables = [Pass::Literal, Pass::Free].map(|pass| Tables::new(path, pass));
        Ok(Self(Some(Arc::new(tables))))
    }

    fn solution(&self, pos: &Position) -> Option<(Score, Vec<Move>)> {
        let tables = self.tables(pos)?;
        if pos.verdict(0).is_some() {
            return None;
        }
        let mut line_pos = pos.clone();
        let (first, value) = best(&mut line_pos, tables)?;
        let max_moves = pos.rules().max_moves;
        let in_time = |plies: u8| max_moves == 0 || pos.game_ply() + usize::from(plies) <= max_moves;
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
            let Some((mv, _)) = best(&mut line_pos, tables) else { break };
            line.push(mv);
            line_pos.make(mv, &mut ());
        }
        Some((score, line))
    }
}

/// The value of a position. A file that cannot be used is reported in the log.
fn value(pos: &Position, tables: &Tables) -> Option<Value> {
    tables.value(pos).unwrap_or_else(|error| {
        log::warn!("{error}");
        None
    })
}

/// The best move and its value; `None` if there is no move or a table is missing. Among drawing moves: the one that
/// leaves the opponent most ways to go wrong.
fn best(pos: &mut Position, tables: &Tables) -> Option<(Move, Value)> {
    value(pos, tables)?;
    let mut best: Option<((i32, i32), Move, Value)> = None;
    for mv in pos.legal_moves() {
        pos.make(mv, &mut ());
        let answer = answer(pos, tables);
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
fn answer(pos: &mut Position, tables: &Tables) -> Option<(Value, i32)> {
    match pos.verdict(0) {
        Some(Verdict::Loss) => return Some((Value::Win(1), 0)),
        Some(Verdict::Win) => return Some((Value::Loss(1), 0)),
        Some(_) => return Some((Value::Draw, 0)),
        None => {}
    }
    let here = value(pos, tables)?;
    if let Value::Win(plies) = here {
        return Some((Value::Loss(plies + 1), 0));
    }
    let (mut repeats, mut slips) = (false, 0);
    let moves = pos.legal_moves();
    for &mv in &moves {
        pos.make(mv, &mut ());
        repeats |= pos.verdict(0) == Some(Verdict::Draw);
        slips += i32::from(matches!(value(pos, tables), Some(Value::Win(_))));
        pos.unmake();
    }
    match here {
        Value::Loss(plies) if !repeats => Some((Value::Win(plies + 1), 0)),
        _ => Some((Value::Draw, slips * 1_000 / (moves.len() as i32).max(1))),
    }
}
