//! The first layer, updated lazily: a move only records the changed placements; sums are computed when a score is
//! requested, from the nearest earlier position that has them, or from a cache indexed by king bucket.

use super::aligned::Aligned;
use super::layers;
use super::network::{Between, Network, Sides, Tail};
use super::simd::{self, Kernels};
use arrayvec::ArrayVec;
use sanban_rules::score::MAX_PLY;
use sanban_rules::{Color, Observer, Placement, Position, Score};
use std::sync::Arc;

/// Maximum number of placements that one move adds or removes.
const CHANGES: usize = 4;

/// The changes of a move, and the state of the sums after it.
#[derive(Clone, Default)]
struct Frame {
    put: ArrayVec<Placement, CHANGES>,
    take: ArrayVec<Placement, CHANGES>,
    /// King bucket of each perspective.
    bucket: [u8; 2],
    /// For each perspective, whether its bucket has changed with the move, so that the sums must be refreshed.
    turned: [bool; 2],
    /// For each perspective, whether its sums have been computed.
    ready: [bool; 2],
}

/// The placements in the last refreshed sums of one perspective and bucket.
#[derive(Clone)]
struct Cached {
    present: Vec<u64>,
    missing: usize,
}

/// The outputs of a network's first layer along a line of moves.
pub struct Accumulator {
    network: Arc<Network>,
    kernels: &'static Kernels,
    frames: Vec<Frame>,
    /// `[frame][perspective][neuron]`.
    values: Aligned,
    /// `[perspective][bucket]`; the sums of each entry are in `cached`.
    cache: Vec<Cached>,
    cached: Aligned,
    seen: Vec<u64>,
    between: Box<Between>,
}

impl Accumulator {
    /// Creates an accumulator without a position.
    pub fn new(network: Arc<Network>) -> Self {
        Self::with(network, simd::best())
    }

    /// Like [`Accumulator::new`], with a specific implementation of the arithmetic.
    pub fn with(network: Arc<Network>, kernels: &'static Kernels) -> Self {
        let (hidden, features) = (network.first.hidden, network.features);
        let words = features.placements.div_ceil(64);
        let entries = 2 * features.buckets;
        let mut cached = Aligned::zeros(entries * hidden);
        for sums in cached.chunks_exact_mut(hidden) {
            sums.copy_from_slice(&network.first.bias);
        }
        Self {
            kernels,
            frames: vec![Frame::default()],
            values: Aligned::zeros((MAX_PLY + 2) * 2 * hidden),
            cache: vec![Cached { present: vec![0; words], missing: 0 }; entries],
            cached,
            seen: vec![0; words],
            between: Box::default(),
            network,
        }
    }

    /// Clears the line of moves and starts from this position.
    pub fn reset<P: Position>(&mut self, pos: &P) {
        let mut frame = Frame::default();
        let features = self.network.features;
        pos.placements(|placement| {
            if let Some((color, bucket)) = features.king(placement) {
                frame.bucket[color.index()] = bucket;
            }
        });
        self.frames.clear();
        self.frames.push(frame);
        // Computed immediately, because the search may not need this position's score, and all positions below start
        // from these sums.
        for color in Color::ALL {
            self.refresh(pos, color, 0);
        }
    }

    /// Called before a move is made.
    #[inline]
    pub fn push(&mut self) {
        let bucket = self.frames.last().map_or([0; 2], |frame| frame.bucket);
        self.frames.push(Frame { bucket, ..Frame::default() });
        if self.frames.len() * 2 * self.network.first.hidden > self.values.len() {
            self.grow();
        }
    }

    /// Doubles the capacity, for lines longer than a search can have, such as whole games.
    #[cold]
    fn grow(&mut self) {
        let mut values = Aligned::zeros(2 * self.values.len());
        values[..self.values.len()].copy_from_slice(&self.values);
        self.values = values;
    }

    /// Called after the last move is unmade.
    pub fn pop(&mut self) {
        self.frames.pop();
    }

    /// The score in centipawns for the side to move.
    pub fn evaluate<P: Position>(&mut self, pos: &P) -> Score {
        self.output(pos, Network::score)
    }

    /// The output in the network's own units.
    pub fn raw<P: Position>(&mut self, pos: &P) -> Score {
        self.output(pos, Network::raw)
    }

    /// The output of the network for the current sums.
    #[inline]
    fn output<P: Position>(
        &mut self,
        pos: &P,
        say: impl Fn(&Network, &Kernels, Sides, &mut Between) -> Score,
    ) -> Score {
        self.update(pos);
        // Not checked at every node, because the check takes longer than the evaluation.
        debug_assert!(
            !pos.game_ply().is_multiple_of(16)
                || Color::ALL.iter().all(|&color| self.sums_are_right(pos, color)),
            "wrong sums: {}",
            pos.sfen()
        );
        let (us, them) = top(&self.values, self.frames.len(), self.network.first.hidden, pos.side());
        let set = match &self.network.tail {
            Tail::Stacks(stacks) => stacks.buckets.choose(pos, buckets(&self.frames, pos.side())),
            _ => 0,
        };
        let sides = Sides { us, them, set };
        say(&self.network, self.kernels, sides, &mut self.between)
    }

    /// Brings the sums of both perspectives up to date.
    pub fn update<P: Position>(&mut self, pos: &P) {
        for color in Color::ALL {
            self.bring_up(pos, color);
        }
    }

    /// The sums of `side` and of the other side, as of the last update.
    pub fn sums(&self, side: Color) -> (&[i16], &[i16]) {
        top(&self.values, self.frames.len(), self.network.first.hidden, side)
    }

    /// Whether the sums of a perspective match the position, for assertions.
    fn sums_are_right<P: Position>(&self, pos: &P, color: Color) -> bool {
        let (first, features) = (&self.network.first, self.network.features);
        let [bucket, _] = buckets(&self.frames, color);
        let (mut sums, mut inputs) = (first.bias.to_vec(), 0);
        pos.placements(|placement| {
            if let Some(row) = features.row(color, bucket, placement) {
                layers::add(&mut sums, &first.row(row));
                inputs += 1;
            }
        });
        for _ in inputs..features.full.unwrap_or(0) {
            layers::add(&mut sums, &first.row(features.filler(bucket)));
        }
        sums == self.sums(color).0
    }

    fn bring_up<P: Position>(&mut self, pos: &P, color: Color) {
        let c = color.index();
        let top = self.frames.len().saturating_sub(1);
        let mut base = top;
        while !self.frames[base].ready[c] {
            if self.frames[base].turned[c] || base == 0 {
                self.refresh(pos, color, top);
                // The sums are carried back, so that other lines from these frames need no refresh.
                (base + 1..=top).rev().for_each(|at| self.carry(color, at, true));
                return;
            }
            base -= 1;
        }
        for at in base + 1..=top {
            self.carry(color, at, false);
        }
    }

    /// Computes the sums of frame `at` from those of the previous frame or, with `back`, those of the previous frame
    /// from those of frame `at`.
    fn carry(&mut self, color: Color, at: usize, back: bool) {
        let (network, kernels) = (&*self.network, self.kernels);
        let (c, hidden) = (color.index(), network.first.hidden);
        let frame = &self.frames[at];
        let (table, first) = network.features.view(color, frame.bucket[c]);
        let row = |p: Placement| network.first.row_or_zero(table[p.index()], first);
        let (before, after) = self.values.split_at_mut(at * 2 * hidden);
        let before = &mut before[((at - 1) * 2 + c) * hidden..][..hidden];
        let after = &mut after[c * hidden..][..hidden];
        let (to, from, put, take) = if back {
            (before, &*after, &frame.take, &frame.put)
        } else {
            (after, &*before, &frame.put, &frame.take)
        };
        match (&put[..], &take[..]) {
            (&[a], &[s]) => network.first.shift(kernels, to, from, row(a), row(s)),
            (&[a, b], &[r, s]) => {
                network.first.shift_two(kernels, to, from, [a, b].map(row), [r, s].map(row));
            }
            (put, take) => {
                to.copy_from_slice(from);
                put.iter().for_each(|&p| network.first.add(kernels, to, row(p)));
                take.iter().for_each(|&p| network.first.sub(kernels, to, row(p)));
            }
        }
        self.frames[at - usize::from(back)].ready[c] = true;
    }

    /// Computes the sums of the position from the cached ones of the same bucket.
    fn refresh<P: Position>(&mut self, pos: &P, color: Color, top: usize) {
        let (network, kernels) = (&*self.network, self.kernels);
        let (features, hidden) = (network.features, network.first.hidden);
        let frame = &mut self.frames[top];
        let bucket = frame.bucket[color.index()];
        frame.ready[color.index()] = true;
        self.seen.fill(0);
        let (seen, mut inputs) = (&mut self.seen, 0);
        pos.placements(|p| {
            if features.row(color, bucket, p).is_some() {
                seen[p.index() / 64] |= 1 << (p.index() % 64);
                inputs += 1;
            }
        });
        let entry = color.index() * features.buckets + usize::from(bucket);
        let cached = &mut self.cache[entry];
        let sums = &mut self.cached[entry * hidden..][..hidden];
        for (word, (now, before)) in seen.iter().zip(&mut cached.present).enumerate() {
            let mut changed = now ^ *before;
            *before = *now;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let placement = Placement((word * 64) as u16 + bit as u16);
                let Some(row) = features.row(color, bucket, placement) else { continue };
                if now >> bit & 1 != 0 {
                    network.first.add(kernels, sums, row);
                } else {
                    network.first.sub(kernels, sums, row);
                }
            }
        }
        let missing = features.full.map_or(0, |full| full.saturating_sub(inputs));
        let filler = features.filler(bucket);
        for _ in cached.missing..missing {
            network.first.add(kernels, sums, filler);
        }
        for _ in missing..cached.missing {
            network.first.sub(kernels, sums, filler);
        }
        cached.missing = missing;
        self.values[(top * 2 + color.index()) * hidden..][..hidden].copy_from_slice(sums);
    }
}

/// The king buckets of `side` and of the other side in the last frame.
fn buckets(frames: &[Frame], side: Color) -> [u8; 2] {
    let [black, white] = frames.last().map_or([0; 2], |frame| frame.bucket);
    if side == Color::Black { [black, white] } else { [white, black] }
}

/// The sums of `side` and of the other side in the last frame.
fn top(values: &[i16], frames: usize, hidden: usize, side: Color) -> (&[i16], &[i16]) {
    let last = &values[frames.saturating_sub(1) * 2 * hidden..][..2 * hidden];
    let (black, white) = last.split_at(hidden);
    if side == Color::Black { (black, white) } else { (white, black) }
}

impl Observer for Accumulator {
    #[inline]
    fn put(&mut self, placement: Placement) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.put.push(placement);
        if let Some((color, bucket)) = self.network.features.king(placement) {
            frame.turned[color.index()] |= bucket != frame.bucket[color.index()];
            frame.bucket[color.index()] = bucket;
        }
    }

    #[inline]
    fn take(&mut self, placement: Placement) {
        if let Some(frame) = self.frames.last_mut() {
            frame.take.push(placement);
        }
    }
}
