//! Hands out the moves of a node one by one, the promising ones first, and generates as late as possible.

use super::history::Step;
use super::worker::Worker;
use crate::base::{Move, MoveList, Score};
use crate::game::{Game, Position};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    GenerateNoisy,
    Noisy,
    Refutations,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// A move and its rank in one word that compares by rank: rank in the upper half, the move's bits in the lower.
type Ranked = i32;

/// Where a move was taken out, or never was: the lowest rank, and no move.
const GAP: Ranked = Ranked::MIN;
/// Moves looked at in one go.
const CHUNK: usize = 16;
/// History that weighs as much as a centipawn of gain.
const GAIN: i32 = 8;

#[inline]
fn ranked(mv: Move, rank: i32) -> Ranked {
    rank.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) << 16 | i32::from(mv.bits())
}

#[inline]
fn unranked(ranked: Ranked) -> Option<Move> {
    Move::from_bits(ranked as u16)
}

/// The moves of one node.
pub(super) struct Picker {
    stage: Stage,
    table: Option<Move>,
    /// Refutations and the counter-move, each once; those that may not be handed out are `None`.
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    quiets: bool,
    bad_noisy: bool,
    /// Noisy moves that win less than this in the exchange are bad, in centipawns.
    threshold: Score,
    /// The moves before the node, for the history.
    before: [Step; 3],
    /// Those not handed out yet among gaps, of which some fill the last chunk.
    moves: ArrayVec<Ranked, { 600usize.next_multiple_of(CHUNK) }>,
    /// Bad noisy moves, put off.
    bad: MoveList,
    at: usize,
}

impl Picker {
    /// All moves. The table's move must be legal.
    #[inline]
    pub fn new(
        table: Option<Move>,
        killers: [Option<Move>; 2],
        counter: Option<Move>,
        before: [Step; 3],
    ) -> Self {
        let counter = counter.filter(|_| !killers.contains(&counter));
        Self {
            stage: Stage::Table,
            table,
            refutations: [killers[0], killers[1], counter],
            next_refutation: 0,
            quiets: true,
            bad_noisy: true,
            threshold: 0,
            before,
            moves: ArrayVec::new(),
            bad: MoveList::new(),
            at: 0,
        }
    }

    /// Noisy moves that win at least `threshold` centipawns in the exchange.
    pub fn noisy(table: Option<Move>, threshold: Score) -> Self {
        let mut picker = Self::new(table, [None; 2], None, [Step::default(); 3]);
        (picker.quiets, picker.bad_noisy, picker.threshold) = (false, false, threshold);
        picker
    }

    /// Noisy moves that lose nothing in the exchange; all moves in check.
    pub fn quiescence(table: Option<Move>, in_check: bool, before: [Step; 3]) -> Self {
        let mut picker = Self::new(table, [None; 2], None, before);
        (picker.quiets, picker.bad_noisy) = (in_check, in_check);
        picker
    }

    /// No more quiet moves, please.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move.
    pub fn next<G: Game>(&mut self, worker: &Worker<G>) -> Option<Move> {
        let pos = &worker.pos;
        if self.stage == Stage::Table {
            self.stage = Stage::GenerateNoisy;
            if self.table.is_some() {
                return self.table;
            }
        }
        if self.stage == Stage::GenerateNoisy {
            self.generate_noisy(worker);
            self.stage = Stage::Noisy;
        }
        if self.stage == Stage::Noisy {
            while let Some(ranked) = self.best() {
                let Some(mv) = unranked(ranked) else { continue };
                if pos.see_ge(mv, self.threshold) {
                    return Some(mv);
                }
                self.bad.push(mv);
            }
            self.stage = Stage::Refutations;
        }
        if self.stage == Stage::Refutations {
            while self.quiets && self.next_refutation < self.refutations.len() {
                let slot = &mut self.refutations[self.next_refutation];
                self.next_refutation += 1;
                *slot = slot.filter(|&mv| Some(mv) != self.table && !pos.is_noisy(mv) && pos.is_legal(mv));
                if slot.is_some() {
                    return *slot;
                }
            }
            self.stage = Stage::GenerateQuiet;
        }
        if self.stage == Stage::GenerateQuiet {
            if self.quiets {
                self.generate_quiet(worker);
            }
            self.stage = Stage::Quiet;
        }
        if self.stage == Stage::Quiet {
            let [a, b, c] = self.refutations;
            let known = [None, self.table, a, b, c];
            while self.quiets
                && let Some(ranked) = self.best()
            {
                let mv = unranked(ranked);
                if !known.contains(&mv) {
                    return mv;
                }
            }
            self.stage = if self.bad_noisy { Stage::BadNoisy } else { Stage::Done };
        }
        if self.stage == Stage::BadNoisy {
            if let Some(&mv) = self.bad.get(self.at) {
                self.at += 1;
                return Some(mv);
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// Takes out the best of the moves that are left.
    #[inline]
    fn best(&mut self) -> Option<Ranked> {
        let (chunks, _) = self.moves.as_chunks_mut::<CHUNK>();
        // Two plain passes over whole chunks: the compiler makes them wide.
        let wide =
            chunks.iter().fold([GAP; CHUNK], |best, chunk| std::array::from_fn(|i| best[i].max(chunk[i])));
        let best = wide.into_iter().fold(GAP, Ranked::max);
        if best == GAP {
            return None;
        }
        let chunk =
            chunks.iter_mut().find(|chunk| chunk.iter().fold(false, |found, &r| found | (r == best)))?;
        *chunk.iter_mut().find(|&&mut r| r == best)? = GAP;
        Some(best)
    }

    /// Fills the last chunk with gaps.
    #[inline]
    fn fill(&mut self) {
        while !self.moves.len().is_multiple_of(CHUNK) {
            self.moves.push(GAP);
        }
    }

    fn generate_noisy<G: Game>(&mut self, worker: &Worker<G>) {
        let mut list = MoveList::new();
        let (pos, history) = (&worker.pos, &worker.history);
        pos.noisy(&mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.table) {
            self.moves.push(ranked(mv, pos.gain(mv) * GAIN + history.noisy(pos, mv)));
        }
        self.fill();
    }

    fn generate_quiet<G: Game>(&mut self, worker: &Worker<G>) {
        let mut list = MoveList::new();
        let (pos, history) = (&worker.pos, &worker.history);
        pos.quiet(&mut list);
        let history = history.quiets(pos.side(), &self.before);
        self.moves.clear();
        self.moves.extend(list.iter().map(|&mv| ranked(mv, history.of(pos, mv))));
        self.fill();
    }
}
