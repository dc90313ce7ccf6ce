//! One thread's search: its position, evaluator and memory.

use super::correction::{CorrectionHistory, Listener, PartTable};
use super::frame::{Pv, Stack};
use super::history::{History, Step};
use super::root::RootMove;
use super::shared::Shared;
use super::tt::TtEntry;
use crate::nnue::NetworkChoice;
use crate::params::Params;
use crate::{Evaluator, Game};
use sanban_rules::score::{MAX_EVAL, MAX_PLY, SUPERIOR, mate_in, mated_in};
use sanban_rules::{Color, Move, Position, Score, SearchPosition, Verdict};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Number of nodes between two checks of the clock.
const CHECK_INTERVAL: u32 = 256;

/// The state that a thread keeps from one search to the next.
pub(super) struct Memory<G: Game> {
    pub eval: G::Evaluator,
    pub history: History<G::Position>,
    correction_history: CorrectionHistory,
    parts: PartTable,
    stack: Stack,
    pvs: Box<[Pv]>,
    /// Whether a search has used the tables; otherwise they are still in their initial state.
    used: bool,
}

impl<G: Game> Memory<G> {
    pub fn new(network: &NetworkChoice) -> Self {
        Self {
            eval: G::evaluator(network),
            history: History::new(),
            correction_history: CorrectionHistory::new(),
            parts: PartTable::new::<G::Position>(),
            stack: Stack::new(),
            pvs: vec![Pv::new(); MAX_PLY + 4].into(),
            used: false,
        }
    }

    /// Prepares for a new game.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.history.clear();
            self.correction_history.clear();
        }
    }
}

/// One thread of one search.
pub(super) struct Worker<'a, G: Game> {
    pub pos: G::Position,
    pub eval: &'a mut G::Evaluator,
    pub history: &'a mut History<G::Position>,
    pub correction_history: &'a mut CorrectionHistory,
    parts: &'a PartTable,
    pub stack: &'a mut Stack,
    /// The principal variation from each ply.
    pub pvs: &'a mut [Pv],
    pub shared: &'a Shared<'a>,
    pub roots: Vec<RootMove>,
    /// Index of the line being searched (MultiPV); the root moves before this index belong to finished lines.
    pub line: usize,
    pub nodes: u64,
    /// First ply at which null moves are allowed while a cut-off is being verified; otherwise 0.
    pub null_from: usize,
    /// Depth of this iteration in plies.
    pub depth: u32,
    /// Deepest ply of this iteration.
    pub seldepth: usize,
    /// Width of the window at the root.
    pub root_delta: Score,
    /// The principal variation of the last complete iteration.
    pub last_pv: Vec<Move>,
    /// When lines were last reported.
    pub reported: Duration,
    /// The search must stop: unwind without storing anything.
    pub stopped: bool,
    /// The value of a draw for black and white.
    pub draw: [Score; 2],
    /// Index of the thread, from 0.
    pub index: usize,
    /// When the thread last checked the clock.
    looked: Duration,
    countdown: u32,
    /// Node count at which this thread must claim more nodes.
    node_limit: u64,
    params: &'a Params,
}

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(
        root: &G::Position,
        memory: &'a mut Memory<G>,
        shared: &'a Shared<'a>,
        index: usize,
        params: &'a Params,
    ) -> Self {
        memory.used = true;
        memory.eval.reset(root);
        memory.stack.clear();
        memory.stack[0].keys = memory.parts.keys(root);
        memory.history.new_search();
        let us = shared.limits.side.unwrap_or(root.side());
        let value = shared.settings.draw_value[us.index()];
        let draw = Color::ALL.map(|side| if side == us { value } else { -value });
        Self {
            pos: root.clone(),
            eval: &mut memory.eval,
            history: &mut memory.history,
            correction_history: &mut memory.correction_history,
            parts: &memory.parts,
            stack: &mut memory.stack,
            pvs: &mut memory.pvs,
            shared,
            roots: shared.moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            line: 0,
            nodes: 0,
            null_from: 0,
            depth: 0,
            seldepth: 0,
            root_delta: 1,
            last_pv: Vec::new(),
            reported: Duration::ZERO,
            stopped: false,
            draw,
            index,
            looked: shared.timer.elapsed(),
            countdown: CHECK_INTERVAL,
            node_limit: shared.budget.initial(index),
            params,
        }
    }

    /// The parameters: constants or, with the feature `tune`, the current values.
    #[inline]
    pub fn p(&self) -> &'a Params {
        if cfg!(feature = "tune") { self.params } else { &G::PARAMS }
    }

    /// Makes a legal move in both the position and the evaluator.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        self.shared.tt.prefetch(self.pos.key_after(mv));
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.step = History::step(&self.pos, mv);
        frame.noisy = self.pos.is_noisy(mv);
        frame.victim = self.pos.victim(mv);
        let keys = frame.keys;
        self.nodes += 1;
        self.shared.counters[self.index].set(self.nodes);
        self.eval.push();
        let below = &mut self.stack[ply + 1];
        below.keys = keys;
        let keys = &mut below.keys;
        self.pos.make(mv, &mut Listener { table: self.parts, keys, evaluator: self.eval });
        self.correction_history.prefetch(&self.context(ply + 1));
    }

    /// Undoes the move.
    #[inline]
    pub fn unmake(&mut self) {
        self.pos.unmake();
        self.eval.pop();
    }

    /// Makes a null move.
    pub fn make_null(&mut self, ply: usize) {
        let frame = &mut self.stack[ply];
        (frame.mv, frame.step, frame.noisy) = (None, Step::default(), false);
        let keys = frame.keys;
        self.stack[ply + 1].keys = keys;
        self.nodes += 1;
        self.shared.counters[self.index].set(self.nodes);
        self.pos.make_null();
        self.shared.tt.prefetch(self.pos.key());
    }

    /// Undoes a null move.
    pub fn unmake_null(&mut self) {
        self.pos.unmake_null();
    }

    /// Stores an entry for the current position in the transposition table.
    #[inline]
    pub fn store(&self, ply: usize, entry: TtEntry) {
        self.shared.tt.store(self.pos.key(), ply, entry);
    }

    /// Updates the network's accumulator while the TT entry is being fetched, if the table is too large for the caches.
    /// Most nodes need the accumulator.
    #[inline]
    pub fn update_eval(&mut self) {
        if self.shared.tt.is_far() {
            self.eval.update(&self.pos);
        }
    }

    /// The evaluation, clamped to its range.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        self.eval.evaluate(&self.pos).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The score of a verdict of the rules on the current position.
    pub fn judge(&self, verdict: Verdict, ply: usize) -> Score {
        match verdict {
            Verdict::Win => mate_in(ply + usize::from(G::WINS_WITH_A_MOVE)),
            Verdict::Loss => mated_in(ply),
            Verdict::Draw => self.draw[self.pos.side().index()],
            Verdict::Superior => SUPERIOR,
            Verdict::Inferior => -SUPERIOR,
        }
    }

    /// Sets the principal variation of this ply to `mv`, followed by that of the next ply.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(mv);
        pv.extend(below[0].iter().copied().take(MAX_PLY));
    }

    /// Returns whether the search must end. Must be called once per node.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        if self.nodes >= self.node_limit {
            self.claim_nodes();
        }
        self.countdown -= 1;
        if self.countdown == 0 {
            self.countdown = CHECK_INTERVAL;
            self.check_time();
        }
        self.stopped
    }

    #[cold]
    fn claim_nodes(&mut self) {
        let claimed = self.shared.budget.claim();
        self.node_limit = self.nodes + claimed;
        if claimed == 0 {
            self.stopped = true;
            self.shared.over.store(true, Relaxed);
        }
    }

    /// Checks the clock and the signals.
    fn check_time(&mut self) {
        self.looked = self.shared.timer.look(self.looked);
        if self.shared.timer.is_up(self.shared.signals) {
            self.shared.over.store(true, Relaxed);
        }
        self.stopped |= self.shared.is_over();
    }
}
