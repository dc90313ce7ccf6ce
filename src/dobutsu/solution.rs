//! Perfect play from a table.
//!
//! The table knows no history. Repetitions that the game can reach within two plies are seen here: a draw by the third
//! occurrence is avoided by the side that wins and taken by the side that loses. Beyond that a won line repeats
//! nothing, because the distance to its end shrinks with every ply.

use super::index::{CHICK, ELEPHANT, GIRAFFE, HEN, Slot, flip_set};
use super::piece::Kind;
use super::position::Position;
use super::table::{Table, Value};
use crate::base::score::{mate_in, mated_in};
use crate::base::{Color, Move, MoveList, Score};
use crate::game::Verdict;

/// No shortest win is longer.
const MAX_LINE: usize = 200;

impl<const MATE: bool> Position<MATE> {
    /// The position as the side to move sees it; `None` after the capture of a lion.
    pub fn slot(&self) -> Option<Slot> {
        let sides = [self.side, !self.side];
        // Upside down, white's pieces move towards rank a.
        let white = self.side == Color::White;
        let lion = |color| self.lion(color).map(|sq| sq as u8 ^ if white { 3 } else { 0 });
        let mut slot = Slot::new([lion(sides[0])?, lion(sides[1])?]);
        let kinds =
            [(ELEPHANT, Kind::Elephant), (GIRAFFE, Kind::Giraffe), (CHICK, Kind::Chick), (HEN, Kind::Hen)];
        for (place, kind) in kinds {
            for (i, color) in sides.into_iter().enumerate() {
                let set = self.pieces_of(color, kind);
                slot.toggle(place + i, if white { flip_set(set) } else { set });
                if place != HEN {
                    slot.gain(place + i, self.hand_count(color, kind) as u32);
                }
            }
        }
        Some(slot)
    }

    /// The value of this position by the table; `None` where a lion entered against the rules and stayed.
    pub fn solved(&self, table: &Table) -> Option<Value> {
        match self.result_on_board() {
            Some(Verdict::Loss) => return Some(Value::Loss(0)),
            Some(_) => return None,
            None => {}
        }
        let lion = self.lion(!self.side)?;
        if self.attackers(self.side, lion) != 0 {
            return Some(Value::Win(1));
        }
        table.value(&self.slot()?)
    }

    /// Score and best line, see `game::Position::solution`.
    pub fn solution(&self) -> Option<(Score, Vec<Move>)> {
        let table = self.rules.table.clone()?;
        if self.verdict(0).is_some() {
            return None;
        }
        let mut pos = self.clone();
        let (first, value) = pos.best(&table)?;
        let max_moves = self.rules.max_moves;
        let in_time = |plies: u8| max_moves == 0 || self.game_ply + usize::from(plies) <= max_moves;
        let score = match value {
            Value::Win(plies) if in_time(plies) => mate_in(usize::from(plies)),
            Value::Loss(plies) if in_time(plies) => mated_in(usize::from(plies)),
            _ => 0,
        };
        let mut line = vec![first];
        pos.make(first, &mut ());
        // A draw has no end: its line is a move and the answer.
        let length = if value == Value::Draw { 2 } else { MAX_LINE };
        while line.len() < length && pos.verdict(0).is_none() {
            let Some((mv, _)) = pos.best(&table) else { break };
            line.push(mv);
            pos.make(mv, &mut ());
        }
        Some((score, line))
    }

    /// The best move and its value. Among drawing moves: the one that leaves the opponent most ways to go wrong.
    fn best(&mut self, table: &Table) -> Option<(Move, Value)> {
        // Those that make sense, as the search has them; where none does, any.
        let mut moves = MoveList::new();
        self.noisy(&mut moves);
        self.quiet(&mut moves);
        if moves.is_empty() {
            self.legal(&mut moves);
        }
        let mut best: Option<((i32, i32), Move, Value)> = None;
        for mv in moves {
            self.make(mv, &mut ());
            let answer = self.answer(table);
            self.unmake();
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
    fn answer(&mut self, table: &Table) -> Option<(Value, i32)> {
        match self.verdict(0) {
            Some(Verdict::Loss) => return Some((Value::Win(1), 0)),
            Some(Verdict::Win) => return Some((Value::Loss(1), 0)),
            Some(_) => return Some((Value::Draw, 0)),
            None => {}
        }
        let value = self.solved(table)?;
        if let Value::Win(plies) = value {
            return Some((Value::Loss(plies + 1), 0));
        }
        let (mut repeats, mut slips, mut moves) = (false, 0, MoveList::new());
        self.legal(&mut moves);
        for &mv in &moves {
            self.make(mv, &mut ());
            repeats |= self.verdict(0) == Some(Verdict::Draw);
            slips += i32::from(matches!(self.solved(table), Some(Value::Win(_))));
            self.unmake();
        }
        match value {
            Value::Loss(plies) if !repeats => Some((Value::Win(plies + 1), 0)),
            _ => Some((Value::Draw, slips * 1_000 / (moves.len() as i32).max(1))),
        }
    }
}
