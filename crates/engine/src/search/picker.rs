//! Move picker: returns the moves of a node one at a time, most promising first, and generates them as late as
//! possible.

use super::worker::Worker;
use crate::Game;
use arrayvec::ArrayVec;
use sanban_rules::{Move, MoveList, Score, SearchPosition};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateNoisy,
    Noisy,
    GenerateQuiet,
    GoodQuiet,
    BadNoisy,
    BadQuiet,
    Done,
}

/// The moves that a picker returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    /// All moves: good captures, good quiet moves, bad captures, bad quiet moves.
    All,
    /// All evasions: captures, then quiet moves.
    Evasions,
    /// Noisy moves.
    Noisy,
    /// Noisy moves that win at least this many centipawns in the exchange.
    NoisyFrom(Score),
}

/// A move and its rank packed into one word that sorts by rank: the rank in the upper half, the move's bits in the
/// lower.
type Ranked = i32;

/// An empty entry: the lowest rank, and no move.
const GAP: Ranked = Ranked::MIN;
/// Number of moves compared at a time.
const CHUNK: usize = 16;
/// Divisor of the history scores of quiet moves, so that they fit in a rank.
const QUIET_UNIT: i32 = 8;

#[inline]
fn ranked(mv: Move, rank: i32) -> Ranked {
    rank.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) << 16 | i32::from(mv.bits())
}

#[inline]
fn unranked(ranked: Ranked) -> Option<Move> {
    Move::from_bits(ranked as u16)
}

/// The move picker of one node.
pub(super) struct Picker {
    stage: Stage,
    wants: Wants,
    tt_move: Option<Move>,
    skip_quiets: bool,
    /// The remaining moves, with gaps in place of removed moves and at the end of the last chunk.
    moves: ArrayVec<Ranked, { 600usize.next_multiple_of(CHUNK) }>,
    /// Bad noisy moves, kept for later.
    bad: MoveList,
    at: usize,
}

impl Picker {
    #[inline]
    fn with(tt_move: Option<Move>, wants: Wants) -> Self {
        Self {
            stage: Stage::TtMove,
            wants,
            tt_move,
            skip_quiets: false,
            moves: ArrayVec::new(),
            bad: MoveList::new(),
            at: 0,
        }
    }

    /// Creates a picker for all moves. The TT move must be legal.
    #[inline]
    pub fn new(tt_move: Option<Move>, in_check: bool) -> Self {
        Self::with(tt_move, if in_check { Wants::Evasions } else { Wants::All })
    }

    /// Creates a picker for noisy moves that win at least `threshold` centipawns in the exchange. The TT move must be
    /// one of them.
    #[inline]
    pub fn noisy_from(tt_move: Option<Move>, threshold: Score) -> Self {
        Self::with(tt_move, Wants::NoisyFrom(threshold))
    }

    /// Creates a picker for noisy moves, or for all moves when in check.
    #[inline]
    pub fn qsearch(tt_move: Option<Move>, in_check: bool) -> Self {
        Self::with(tt_move, if in_check { Wants::Evasions } else { Wants::Noisy })
    }

    /// Skips all quiet moves from now on.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns the next move.
    pub fn next<G: Game>(&mut self, worker: &Worker<G>, ply: usize) -> Option<Move> {
        let pos = &worker.pos;
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateNoisy;
            if self.tt_move.is_some() {
                return self.tt_move;
            }
        }
        if self.stage == Stage::GenerateNoisy {
            self.generate_noisy(worker);
            self.stage = Stage::Noisy;
        }
        if self.stage == Stage::Noisy {
            while let Some(ranked) = self.best(GAP) {
                let Some(mv) = unranked(ranked) else { continue };
                match self.wants {
                    Wants::Evasions | Wants::Noisy => return Some(mv),
                    Wants::NoisyFrom(threshold) if pos.see_ge(mv, threshold) => return Some(mv),
                    Wants::NoisyFrom(_) => {}
                    // Moves with a good history may lose a little.
                    Wants::All if pos.see_ge(mv, -(ranked >> 16) / worker.p().good_noisy_divisor) => {
                        return Some(mv);
                    }
                    Wants::All => self.bad.push(mv),
                }
            }
            self.stage = match self.wants {
                Wants::All | Wants::Evasions => Stage::GenerateQuiet,
                Wants::Noisy | Wants::NoisyFrom(_) => Stage::Done,
            };
        }
        if self.stage == Stage::GenerateQuiet {
            self.moves.clear();
            if !self.skip_quiets {
                self.generate_quiet(worker, ply);
            }
            self.stage = Stage::GoodQuiet;
        }
        if self.stage == Stage::GoodQuiet {
            let worst = match self.wants {
                Wants::All => (worker.p().good_quiet / QUIET_UNIT) << 16,
                _ => GAP,
            };
            if let Some(mv) = self.quiet(worst) {
                return Some(mv);
            }
            self.stage = Stage::BadNoisy;
        }
        if self.stage == Stage::BadNoisy {
            if let Some(&mv) = self.bad.get(self.at) {
                self.at += 1;
                return Some(mv);
            }
            self.stage = Stage::BadQuiet;
        }
        if self.stage == Stage::BadQuiet {
            if let Some(mv) = self.quiet(GAP) {
                return Some(mv);
            }
            self.stage = Stage::Done;
        }
        None
    }

    /// Removes and returns the best remaining quiet move, if it ranks above `worst` and quiet moves are not skipped.
    #[inline]
    fn quiet(&mut self, worst: Ranked) -> Option<Move> {
        while !self.skip_quiets
            && let Some(ranked) = self.best(worst)
        {
            let mv = unranked(ranked);
            if mv != self.tt_move {
                return mv;
            }
        }
        None
    }

    /// Removes and returns the best remaining move, if it ranks above `worst`.
    #[inline]
    fn best(&mut self, worst: Ranked) -> Option<Ranked> {
        let (chunks, _) = self.moves.as_chunks_mut::<CHUNK>();
        // Two plain passes over whole chunks, which the compiler vectorises.
        let wide =
            chunks.iter().fold([GAP; CHUNK], |best, chunk| std::array::from_fn(|i| best[i].max(chunk[i])));
        let best = wide.into_iter().fold(GAP, Ranked::max);
        if best <= worst {
            return None;
        }
        for chunk in chunks {
            // One bit for each equal entry.
            let found =
                chunk.iter().enumerate().fold(0_u32, |bits, (i, &r)| bits | u32::from(r == best) << i);
            if found != 0 {
                chunk[found.trailing_zeros() as usize % CHUNK] = GAP;
                return Some(best);
            }
        }
        None
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
        let (pos, history, p) = (&worker.pos, &worker.history, worker.p());
        pos.noisy(&mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            self.moves.push(ranked(mv, pos.gain(mv) * p.noisy_gain + history.noisy(pos, mv)));
        }
        self.fill();
    }

    fn generate_quiet<G: Game>(&mut self, worker: &Worker<G>, ply: usize) {
        let mut list = MoveList::new();
        let (pos, p) = (&worker.pos, worker.p());
        pos.quiet(&mut list);
        let rows = worker.quiet_rows(ply);
        if self.wants == Wants::Evasions {
            self.moves.extend(list.iter().map(|&mv| ranked(mv, rows.evasion(pos, mv) / QUIET_UNIT)));
        } else {
            let info = pos.check_info();
            let (mut kind, mut drops) = (None, [0; Move::SQUARES]);
            for &mv in &list {
                let history = if mv.is_drop() {
                    // Drops of one kind are adjacent in the list.
                    if kind != Some(mv.kind()) {
                        kind = Some(mv.kind());
                        rows.order_drops(pos, mv, &mut drops);
                    }
                    drops[mv.to()]
                } else {
                    rows.order(pos, mv)
                };
                // A check that does not lose much is tried early.
                let check = pos.gives_check_with(&info, mv) && pos.see_ge(mv, -p.check_see);
                self.moves.push(ranked(mv, (history + if check { p.check_bonus } else { 0 }) / QUIET_UNIT));
            }
        }
        self.fill();
    }
}
