//! One thread's search: its position, evaluator and memory.

use super::clock::Timer;
use super::frame::{Frame, Pv};
use super::history::{History, Step};
use super::root::RootMove;
use super::shared::Shared;
use crate::base::score::{MAX_EVAL, MAX_PLY, SUPERIOR, mate_in, mated_in};
use crate::base::{Color, Move, Score};
use crate::game::{Evaluator, Game, Position, Verdict};
use crate::params::Params;
use std::time::Duration;

/// Nodes between two looks at the clock.
const PATIENCE: u32 = 256;

/// What a thread keeps from one search to the next.
pub(super) struct Memory<G: Game> {
    pub eval: G::Evaluator,
    pub history: History<G::Position>,
    frames: Box<[Frame]>,
    pvs: Box<[Pv]>,
    /// Has a search been here? Until then nobody touches the tables: the system puts memory near the thread that is the
    /// first to write (on machines where some of it is far).
    used: bool,
}

impl<G: Game> Memory<G> {
    pub fn new(network: &G::Network) -> Self {
        Self {
            eval: G::evaluator(network),
            history: History::new(),
            frames: vec![Frame::default(); MAX_PLY + 4].into(),
            pvs: vec![Pv::new(); MAX_PLY + 4].into(),
            used: false,
        }
    }

    /// A new game begins.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.history.clear();
        }
    }
}

/// One thread of one search.
pub(super) struct Worker<'a, G: Game> {
    pub pos: G::Position,
    pub eval: &'a mut G::Evaluator,
    pub history: &'a mut History<G::Position>,
    pub frames: &'a mut [Frame],
    /// Best line from each ply, as far as it is known.
    pub pvs: &'a mut [Pv],
    pub shared: &'a Shared<'a>,
    /// The clock; only the first thread has one.
    pub timer: Option<Timer>,
    pub roots: Vec<RootMove>,
    /// The root move that leads the line being searched (MultiPV); those before it are done.
    pub line: usize,
    pub nodes: u64,
    /// Null moves are tried from this ply on (a cut is being verified), 0 for everywhere.
    pub null_from: usize,
    /// Depth of this iteration in plies.
    pub depth: u32,
    /// Deepest ply of this iteration.
    pub seldepth: usize,
    /// When lines were last reported.
    pub reported: Duration,
    /// Time is up: unwind without storing anything.
    pub stopped: bool,
    /// What a draw is worth for black and white.
    pub draw: [Score; 2],
    index: usize,
    patience: u32,
    node_limit: u64,
    #[cfg(feature = "tune")]
    pub params: Params,
}

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(
        root: &G::Position,
        memory: &'a mut Memory<G>,
        shared: &'a Shared<'a>,
        index: usize,
        timer: Option<Timer>,
        #[cfg(feature = "tune")] params: Params,
    ) -> Self {
        memory.used = true;
        memory.eval.reset(root);
        memory.frames.fill(Frame::default());
        let us = shared.limits.side.unwrap_or(root.side());
        let value = shared.settings.draw_value[us.index()];
        let draw = Color::ALL.map(|side| if side == us { value } else { -value });
        // With one thread the limit is exact; several look at the sum now and then.
        let alone = shared.counters.len() == 1;
        let node_limit = shared.limits.nodes.filter(|_| alone).unwrap_or(u64::MAX);
        Self {
            pos: root.clone(),
            eval: &mut memory.eval,
            history: &mut memory.history,
            frames: &mut memory.frames,
            pvs: &mut memory.pvs,
            shared,
            timer,
            roots: shared.moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            line: 0,
            nodes: 0,
            null_from: 0,
            depth: 0,
            seldepth: 0,
            reported: Duration::ZERO,
            stopped: false,
            draw,
            index,
            patience: PATIENCE,
            node_limit,
            #[cfg(feature = "tune")]
            params,
        }
    }

    /// The parameters: constants that fold into the code.
    #[cfg(not(feature = "tune"))]
    #[inline]
    pub fn p(&self) -> &'static Params {
        &G::PARAMS
    }

    /// The parameters, as they are set now.
    #[cfg(feature = "tune")]
    #[inline]
    pub fn p(&self) -> &Params {
        &self.params
    }

    /// Makes a legal move: the one place where position and evaluator move together.
    #[inline]
    pub fn make(&mut self, mv: Move, ply: usize) {
        self.frames[ply].mv = Some(mv);
        self.frames[ply].step = History::step(&self.pos, mv);
        self.nodes += 1;
        self.shared.counters[self.index].set(self.nodes);
        self.shared.table.prefetch(self.pos.key_after(mv));
        self.eval.push();
        self.pos.make(mv, self.eval);
    }

    /// Takes it back.
    #[inline]
    pub fn unmake(&mut self) {
        self.pos.unmake();
        self.eval.pop();
    }

    /// Passes, though the rules do not allow it.
    pub fn make_null(&mut self, ply: usize) {
        self.frames[ply].mv = None;
        self.frames[ply].step = Step::default();
        self.nodes += 1;
        self.shared.counters[self.index].set(self.nodes);
        self.pos.make_null();
        self.shared.table.prefetch(self.pos.key());
    }

    /// The evaluation, in its range.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        self.eval.evaluate(&self.pos).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The moves one, two and four plies before this one.
    #[inline]
    pub fn steps(&self, ply: usize) -> [Step; 3] {
        [1, 2, 4].map(|back| ply.checked_sub(back).map_or(Step::default(), |i| self.frames[i].step))
    }

    /// What a rule's verdict on the current position is worth.
    pub fn judge(&self, verdict: Verdict, ply: usize) -> Score {
        match verdict {
            Verdict::Win => mate_in(ply + 1),
            Verdict::Loss => mated_in(ply),
            Verdict::Draw => self.draw[self.pos.side().index()],
            Verdict::Superior => SUPERIOR,
            Verdict::Inferior => -SUPERIOR,
        }
    }

    /// The line from this ply starts with `mv` and goes on as the next ply has it.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(mv);
        pv.extend(below[0].iter().copied().take(MAX_PLY));
    }

    /// Must the search come home? To be asked once a node.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        self.patience -= 1;
        if self.patience == 0 {
            self.patience = PATIENCE;
            self.look_up();
        }
        self.stopped
    }

    /// Looks at the clock and listens.
    fn look_up(&mut self) {
        if let Some(timer) = &mut self.timer {
            let limit = self.shared.limits.nodes;
            if timer.is_up(self.shared.signals) || limit.is_some_and(|limit| self.shared.nodes() >= limit) {
                self.shared.over.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
        self.stopped |= self.shared.is_over();
    }
}
