//! Move histories: statistics from earlier nodes that are used to order, prune and reduce the moves of later nodes.

use crate::params::Params;
use arrayvec::ArrayVec;
use sanban_rules::{Color, Move, Score, SearchPosition};
use sanban_system::memory::Memory;
use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;

/// Maximum absolute value of an entry, for each table.
const BUTTERFLY_LIMIT: i32 = 7183;
const CAPTURE_LIMIT: i32 = 10_692;
const CONTINUATION_LIMIT: i32 = 30_000;
const PAWN_LIMIT: i32 = 8192;
const TT_MOVE_LIMIT: i32 = 8192;

/// Number of rows of the butterfly table: one for every bit pattern of a move.
const BUTTERFLIES: usize = 1 << 16;
/// Number of rows of the pawn history.
const PAWN_ROWS: usize = 1 << 9;
/// Number of plies from the root that each have a separate butterfly table (the low-ply history).
pub(super) const LOW_PLIES: usize = 5;
/// Initial value of every entry of the continuation history: an unknown move is assumed to be bad.
const CONTINUATION_START: i16 = -523;
const PAWN_START: i16 = -1238;
const CAPTURE_START: i16 = -678;
const LOW_PLY_START: i16 = 98;
/// Maximum number of changed low-ply entries that are reset individually before the next search.
const LOW_CHANGES: usize = 1 << 12;

/// Weights of the moves one to six plies before in updates of the continuation history, in 1024ths.
const CONTINUATION_WEIGHTS: [i32; 6] = [1157, 648, 288, 576, 140, 441];

/// A move as an index of the continuation history: side, piece and destination. The default is no move (before the
/// root, or a null move).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Step(u32);

impl Step {
    /// Whether this is the index of no move.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// A hash of a pair of moves.
    #[inline]
    pub fn pair(self, other: Self) -> u64 {
        let pair = u64::from(self.0) << 32 | u64::from(other.0);
        pair.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// The moves one to six plies before a node, most recent first.
pub(super) type Steps = [Step; 6];

/// Adds a bonus to an entry, scaled down as the entry approaches the limit.
#[inline]
pub(super) fn gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    // The change alone may not fit in 16 bits.
    *entry = (i32::from(*entry) + bonus - i32::from(*entry) * bonus.abs() / limit) as i16;
}

/// The history tables of one thread.
pub(super) struct History<P> {
    /// Scores by side and move.
    butterfly: Box<[i16]>,
    /// Scores by ply and move, near the root.
    low_ply: Box<[i16]>,
    /// The entries of `low_ply` that this search has changed, up to the capacity.
    low_changed: ArrayVec<u32, LOW_CHANGES>,
    /// Scores by side, piece, destination and victim.
    capture: Box<[i16]>,
    /// Scores by earlier move, piece and destination.
    continuation: Memory<i16>,
    /// For each earlier move, whether its row has changed since the last [`History::clear`]. In a short game, few rows
    /// change.
    continued: Box<[bool]>,
    /// Scores by pawn structure, side, piece and destination.
    pawn: Memory<i16>,
    /// Score of the TT moves: positive if they have mostly been the best moves.
    tt_move: i16,
    game: PhantomData<fn(P)>,
}

/// The history rows for the quiet moves of one node.
#[derive(Clone, Copy)]
pub(super) struct QuietRows<'a> {
    butterfly: &'a [i16],
    low_ply: Option<(&'a [i16], f32)>,
    pawn: &'a [i16],
    /// Continuation histories of the moves one, two, three, four and six plies before.
    after: [&'a [i16]; 5],
}

impl QuietRows<'_> {
    /// The ordering score of a quiet move.
    #[inline(always)]
    pub fn order<P: SearchPosition>(&self, pos: &P, mv: Move) -> i32 {
        let piece_to = pos.piece_to(mv);
        let after: i32 = self.after.iter().map(|row| i32::from(row[piece_to])).sum();
        let low = self.low_ply.map_or(0, |(row, share)| Self::low(row[butterfly(mv)], share));
        2 * i32::from(self.butterfly[butterfly(mv)]) + 2 * i32::from(self.pawn[piece_to]) + after + low
    }

    /// [`QuietRows::order`] for all drops of one kind, by destination; `mv` is one of them.
    #[inline]
    pub fn order_drops<P: SearchPosition>(&self, pos: &P, mv: Move, order: &mut [i32; Move::SQUARES]) {
        // Moves and rows are indexed by destination, so this is a plain sum over all squares.
        let squares = P::FILES * P::RANKS;
        let (first, row) = (butterfly(mv) - mv.to(), pos.piece_to(mv) - mv.to());
        let order = &mut order[..squares];
        let [butterfly, pawn] = [&self.butterfly[first..][..squares], &self.pawn[row..][..squares]];
        let [a, b, c, d, e] = self.after.each_ref().map(|after| &after[row..][..squares]);
        for to in 0..squares {
            let after = [a, b, c, d, e].iter().map(|after| i32::from(after[to])).sum::<i32>();
            order[to] = 2 * i32::from(butterfly[to]) + 2 * i32::from(pawn[to]) + after;
        }
        if let Some((low_ply, share)) = self.low_ply {
            for (order, &low) in order.iter_mut().zip(&low_ply[first..][..squares]) {
                *order += Self::low(low, share);
            }
        }
    }

    /// The contribution of the low-ply history: eight times the entry, divided by `share`, which grows with the ply.
    /// For such small numbers, floating-point division gives the exact integer quotient, and the compiler vectorises
    /// it.
    #[inline(always)]
    fn low(entry: i16, share: f32) -> i32 {
        (f32::from(entry) * 8.0 / share) as i32
    }

    /// The ordering score of a quiet evasion.
    #[inline]
    pub fn evasion<P: SearchPosition>(&self, pos: &P, mv: Move) -> i32 {
        i32::from(self.butterfly[butterfly(mv)]) + i32::from(self.after[0][pos.piece_to(mv)])
    }
}

/// The history of one move, used to prune or reduce it.
#[derive(Clone, Copy, Default)]
pub(super) struct MoveHistory {
    /// Score for pruning: for a quiet move, the sum of its continuation histories after the last two moves and its pawn
    /// history.
    pub prune: i32,
    /// The butterfly history of a quiet move.
    pub butterfly: i32,
    /// Score for reductions.
    pub stat_score: i32,
}

impl MoveHistory {
    /// The history of a noisy move that gains `gain` centipawns.
    #[inline]
    pub fn noisy(capture: i32, gain: Score, p: &Params) -> Self {
        Self { prune: capture, butterfly: 0, stat_score: p.capture_stat_gain * gain / 128 + capture }
    }
}

#[inline]
fn butterfly(mv: Move) -> usize {
    usize::from(mv.bits())
}

/// Allocates a table that is accessed randomly. With huge pages, most reads need no page walk.
fn large_table(len: usize, start: i16) -> Memory<i16> {
    let len = len.next_multiple_of(Memory::<i16>::PER_PAGE);
    let mut table = Memory::lazy(len).unwrap_or_else(|| handle_alloc_error(Layout::new::<i16>()));
    table.fill(start);
    table
}

impl<P: SearchPosition> History<P> {
    /// Number of rows of the continuation history: one for no move, and those of both sides.
    const STEPS: usize = 1 + 2 * P::PIECE_TOS;

    pub fn new() -> Self {
        Self {
            butterfly: vec![0; 2 * BUTTERFLIES].into(),
            low_ply: vec![LOW_PLY_START; LOW_PLIES * BUTTERFLIES].into(),
            low_changed: ArrayVec::new(),
            capture: vec![CAPTURE_START; 2 * P::PIECE_TOS * P::VICTIMS].into(),
            continuation: large_table(Self::STEPS * P::PIECE_TOS, CONTINUATION_START),
            continued: vec![false; Self::STEPS].into(),
            pawn: large_table(PAWN_ROWS * 2 * P::PIECE_TOS, PAWN_START),
            tt_move: 0,
            game: PhantomData,
        }
    }

    /// Clears all histories except the low-ply history, which [`History::new_search`] resets.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(CAPTURE_START);
        for (row, changed) in self.continuation.chunks_mut(P::PIECE_TOS).zip(&mut self.continued) {
            if std::mem::take(changed) {
                row.fill(CONTINUATION_START);
            }
        }
        self.pawn.fill(PAWN_START);
        self.tt_move = 0;
    }

    /// Prepares for a new search: resets the low-ply history, which belongs to another root.
    pub fn new_search(&mut self) {
        if self.low_changed.is_full() {
            self.low_ply.fill(LOW_PLY_START);
        }
        for at in self.low_changed.drain(..) {
            self.low_ply[at as usize] = LOW_PLY_START;
        }
    }

    /// The continuation history index of a legal move.
    #[inline]
    pub fn step(pos: &P, mv: Move) -> Step {
        Step((1 + pos.side().index() * P::PIECE_TOS + pos.piece_to(mv)) as u32)
    }

    #[inline]
    fn follows(step: Step, piece_to: usize) -> usize {
        step.0 as usize * P::PIECE_TOS + piece_to
    }

    /// The piece and destination of a move, as one index.
    #[inline]
    fn piece_to(step: Step) -> usize {
        (step.0 as usize).wrapping_sub(1) % P::PIECE_TOS
    }

    #[inline]
    fn pawn_row(pawns: u64, side: Color) -> usize {
        ((pawns >> (64 - PAWN_ROWS.ilog2())) as usize * 2 + side.index()) * P::PIECE_TOS
    }

    /// The histories of the quiet moves of a node.
    #[inline]
    pub fn quiet_rows(&self, side: Color, ply: usize, pawns: u64, before: &Steps) -> QuietRows<'_> {
        let row = |i: usize| &self.continuation[Self::follows(before[i], 0)..][..P::PIECE_TOS];
        let after = [row(0), row(1), row(2), row(3), row(5)];
        QuietRows {
            butterfly: &self.butterfly[side.index() * BUTTERFLIES..][..BUTTERFLIES],
            low_ply: (ply < LOW_PLIES)
                .then(|| (&self.low_ply[ply * BUTTERFLIES..][..BUTTERFLIES], (1 + ply) as f32)),
            pawn: &self.pawn[Self::pawn_row(pawns, side)..][..P::PIECE_TOS],
            after,
        }
    }

    /// The history of a quiet move.
    #[inline]
    pub fn quiet(&self, pos: &P, mv: Move, pawns: u64, before: &Steps) -> MoveHistory {
        let (side, piece_to) = (pos.side(), pos.piece_to(mv));
        let after: i32 =
            before[..2].iter().map(|&step| i32::from(self.continuation[Self::follows(step, piece_to)])).sum();
        let butterfly = i32::from(self.butterfly[side.index() * BUTTERFLIES + butterfly(mv)]);
        let pawn = i32::from(self.pawn[Self::pawn_row(pawns, side) + piece_to]);
        MoveHistory { prune: after + pawn, butterfly, stat_score: 2 * butterfly + after }
    }

    /// Adds a bonus (or a malus, if negative) to the histories of a quiet move.
    pub fn reward_quiet(&mut self, p: &Params, pos: &P, mv: Move, node: &QuietNode, bonus: i32) {
        let (side, piece_to) = (pos.side(), pos.piece_to(mv));
        self.reward_butterfly(side, mv, bonus);
        if node.ply < LOW_PLIES {
            let at = node.ply * BUTTERFLIES + butterfly(mv);
            gravity(&mut self.low_ply[at], bonus * p.low_ply_share / 1024, BUTTERFLY_LIMIT);
            let _ = self.low_changed.try_push(at as u32);
        }
        self.reward_continuation(&node.before, node.in_check, piece_to, bonus * p.continuation_share / 1024);
        let share = if bonus > 0 { p.pawn_bonus_share } else { p.pawn_malus_share };
        let entry = &mut self.pawn[Self::pawn_row(node.pawns, side) + piece_to];
        gravity(entry, bonus * share / 1024, PAWN_LIMIT);
    }

    /// Updates only the butterfly table.
    #[inline]
    pub fn reward_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        gravity(&mut self.butterfly[side.index() * BUTTERFLIES + butterfly(mv)], bonus, BUTTERFLY_LIMIT);
    }

    /// Updates only the pawn history, for a move of `side`.
    #[inline]
    pub fn reward_pawn(&mut self, side: Color, step: Step, pawns: u64, bonus: i32) {
        let entry = &mut self.pawn[Self::pawn_row(pawns, side) + Self::piece_to(step)];
        gravity(entry, bonus, PAWN_LIMIT);
    }

    /// Updates only the continuation history. In check, only the last two moves are used.
    pub fn reward_continuation(&mut self, before: &Steps, in_check: bool, piece_to: usize, bonus: i32) {
        for (i, (&step, weight)) in before.iter().zip(CONTINUATION_WEIGHTS).enumerate() {
            if in_check && i >= 2 {
                break;
            }
            if !step.is_none() {
                self.continued[step.0 as usize] = true;
                let bonus = bonus * weight / 1024 + if i == 0 { 88 } else { 0 };
                gravity(&mut self.continuation[Self::follows(step, piece_to)], bonus, CONTINUATION_LIMIT);
            }
        }
    }

    /// Updates the continuation history of a move that was made after the moves `before`.
    #[inline]
    pub fn reward_made(&mut self, before: &Steps, in_check: bool, step: Step, bonus: i32) {
        self.reward_continuation(before, in_check, Self::piece_to(step), bonus);
    }

    #[inline]
    fn capture_row(side: Color, piece_to: usize, victim: usize) -> usize {
        (side.index() * P::PIECE_TOS + piece_to) * P::VICTIMS + victim
    }

    /// The history of a noisy move.
    #[inline]
    pub fn noisy(&self, pos: &P, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_row(pos.side(), pos.piece_to(mv), pos.victim(mv))])
    }

    /// Adds a bonus (or a malus, if negative) to the history of a noisy move.
    pub fn reward_noisy(&mut self, pos: &P, mv: Move, bonus: i32) {
        let row = Self::capture_row(pos.side(), pos.piece_to(mv), pos.victim(mv));
        gravity(&mut self.capture[row], bonus, CAPTURE_LIMIT);
    }

    /// Adds a bonus to the history of a noisy move that `side` made.
    pub fn reward_made_noisy(&mut self, side: Color, step: Step, victim: usize, bonus: i32) {
        let row = Self::capture_row(side, Self::piece_to(step), victim);
        gravity(&mut self.capture[row], bonus, CAPTURE_LIMIT);
    }

    /// The TT move history: positive if TT moves have mostly been the best moves.
    #[inline]
    pub fn tt_move(&self) -> i32 {
        i32::from(self.tt_move)
    }

    /// Adds a bonus (or a malus, if negative) to the TT move history.
    #[inline]
    pub fn reward_tt_move(&mut self, bonus: i32) {
        gravity(&mut self.tt_move, bonus, TT_MOVE_LIMIT);
    }
}

/// The inputs shared by the quiet moves of a node.
#[derive(Clone, Copy)]
pub(super) struct QuietNode {
    pub ply: usize,
    pub in_check: bool,
    /// Key of the pawns.
    pub pawns: u64,
    pub before: Steps,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_never_leaves_its_range() {
        let mut entry = 0;
        for _ in 0..1000 {
            gravity(&mut entry, 9000, BUTTERFLY_LIMIT);
        }
        assert!(i32::from(entry) <= BUTTERFLY_LIMIT && i32::from(entry) > BUTTERFLY_LIMIT * 9 / 10);
        for _ in 0..1000 {
            gravity(&mut entry, -700, BUTTERFLY_LIMIT);
        }
        assert!(i32::from(entry) >= -BUTTERFLY_LIMIT && i32::from(entry) < 0);
    }
}
