//! What earlier nodes taught about moves: tables of small numbers that order the moves of later ones, and that correct
//! the static evaluation.

use crate::base::{Color, Move, Score};
use crate::game::Position;
use std::marker::PhantomData;

/// Largest absolute value of a history entry.
pub(super) const LIMIT: i32 = 1 << 13;

/// Rows of the butterfly table: origin or hand kind, destination, and whether it is a drop.
const BUTTERFLIES: usize = 1 << 15;
/// Rows of the correction history.
const CORRECTIONS: usize = 1 << 14;
/// Entries of the correction history are centipawns times this.
const GRAIN: i32 = 64;
/// Largest correction in centipawns.
const MOST: i32 = 128;
/// What happened four plies ago counts less by this divisor.
const LONG_AGO: i32 = 2;

/// A move in the memory of the continuation history: the side that made it, its piece and its destination. The default is
/// no move (before the root, or a null move).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Step(usize);

/// The history tables of one thread.
pub(super) struct History<P> {
    /// By side, origin and destination.
    butterfly: Box<[i16]>,
    /// By side, piece, destination and victim.
    capture: Box<[i16]>,
    /// By an earlier move, and piece and destination.
    continuation: Box<[i16]>,
    /// Quiet answers, by the move before.
    counter: Box<[Option<Move>]>,
    /// By side and structure.
    correction: Box<[i16]>,
    game: PhantomData<fn(P)>,
}

/// The rows of the history that concern the quiet moves of one node.
pub(super) struct Quiets<'a> {
    butterfly: &'a [i16],
    after: [&'a [i16]; 3],
}

impl Quiets<'_> {
    /// How well a quiet move has done.
    #[inline]
    pub fn of<P: Position>(&self, pos: &P, mv: Move) -> i32 {
        let piece_to = pos.piece_to(mv);
        let [one, two, four] = self.after.map(|row| i32::from(row[piece_to]));
        i32::from(self.butterfly[butterfly(mv)]) + one + two + four / LONG_AGO
    }
}

/// Moves an entry towards the bonus; the nearer it is to the limit, the less.
#[inline]
fn pull(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

#[inline]
fn butterfly(mv: Move) -> usize {
    let bits = mv.bits() as usize;
    ((bits >> 15) << 14) + (bits & 0x3FFF)
}

impl<P: Position> History<P> {
    /// Rows of moves that can be continued: none, and those of either side.
    const STEPS: usize = 1 + 2 * P::PIECE_TOS;

    pub fn new() -> Self {
        Self {
            butterfly: vec![0; 2 * BUTTERFLIES].into(),
            capture: vec![0; 2 * P::PIECE_TOS * P::VICTIMS].into(),
            continuation: vec![0; Self::STEPS * P::PIECE_TOS].into(),
            counter: vec![None; Self::STEPS].into(),
            correction: vec![0; 2 * CORRECTIONS].into(),
            game: PhantomData,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(None);
        self.correction.fill(0);
    }

    /// How a legal move is remembered by those that follow it.
    #[inline]
    pub fn step(pos: &P, mv: Move) -> Step {
        Step(1 + pos.side().index() * P::PIECE_TOS + pos.piece_to(mv))
    }

    #[inline]
    fn follows(step: Step, piece_to: usize) -> usize {
        step.0 * P::PIECE_TOS + piece_to
    }

    /// What is known of the quiet moves of a node, after the moves one, two and four plies before it.
    #[inline]
    pub fn quiets(&self, side: Color, before: &[Step; 3]) -> Quiets<'_> {
        let after = before.map(|step| &self.continuation[Self::follows(step, 0)..][..P::PIECE_TOS]);
        Quiets { butterfly: &self.butterfly[side.index() * BUTTERFLIES..][..BUTTERFLIES], after }
    }

    /// How well a quiet move has done after the moves one, two and four plies before.
    #[inline]
    pub fn quiet(&self, pos: &P, mv: Move, before: &[Step; 3]) -> i32 {
        self.quiets(pos.side(), before).of(pos, mv)
    }

    /// A quiet move did well (or, with a negative bonus, badly).
    pub fn reward_quiet(&mut self, pos: &P, mv: Move, before: &[Step; 3], bonus: i32) {
        pull(&mut self.butterfly[pos.side().index() * BUTTERFLIES + butterfly(mv)], bonus);
        let piece_to = pos.piece_to(mv);
        for (i, &step) in before.iter().enumerate() {
            let share = if i == 2 { bonus / LONG_AGO } else { bonus };
            pull(&mut self.continuation[Self::follows(step, piece_to)], share);
        }
    }

    #[inline]
    fn noisy_row(pos: &P, mv: Move) -> usize {
        (pos.side().index() * P::PIECE_TOS + pos.piece_to(mv)) * P::VICTIMS + pos.victim(mv)
    }

    /// How well a noisy move has done.
    #[inline]
    pub fn noisy(&self, pos: &P, mv: Move) -> i32 {
        i32::from(self.capture[Self::noisy_row(pos, mv)])
    }

    /// A noisy move did well (or, with a negative bonus, badly).
    pub fn reward_noisy(&mut self, pos: &P, mv: Move, bonus: i32) {
        pull(&mut self.capture[Self::noisy_row(pos, mv)], bonus);
    }

    /// The quiet move that refuted the move `before` last.
    #[inline]
    pub fn counter(&self, before: Step) -> Option<Move> {
        self.counter[before.0]
    }

    /// A quiet move refuted the move `before`.
    pub fn set_counter(&mut self, before: Step, mv: Move) {
        self.counter[before.0] = Some(mv);
    }

    #[inline]
    fn correction_row(pos: &P) -> usize {
        pos.side().index() * CORRECTIONS + (pos.structure_key() >> (64 - CORRECTIONS.ilog2())) as usize
    }

    /// What searches of positions with this structure found the static evaluation to lack, in centipawns.
    #[inline]
    pub fn correction(&self, pos: &P) -> Score {
        i32::from(self.correction[Self::correction_row(pos)]) / GRAIN
    }

    /// A search `depth` plies deep found the (corrected) evaluation to lack `difference` centipawns.
    pub fn correct(&mut self, pos: &P, difference: Score, depth: i32) {
        let entry = &mut self.correction[Self::correction_row(pos)];
        let most = MOST * GRAIN;
        let bonus = (difference * depth * GRAIN / 64).clamp(-most / 4, most / 4);
        *entry = (i32::from(*entry) + bonus - i32::from(*entry) * bonus.abs() / most) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_never_leaves_its_range() {
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, 9000);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10);
        for _ in 0..1000 {
            pull(&mut entry, -700);
        }
        assert!(i32::from(entry) >= -LIMIT && i32::from(entry) < 0);
    }

    #[test]
    fn board_moves_and_drops_have_rows_of_their_own() {
        let (a, b) = (butterfly(Move::board(3, 7)), butterfly(Move::drop(3, 7)));
        assert!(a != b && a < BUTTERFLIES && b < BUTTERFLIES);
    }
}
