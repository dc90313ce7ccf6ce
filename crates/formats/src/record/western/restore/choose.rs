//! Chooses between the completions of a game with the help of a judge.

use super::layers::{Graph, Keys, Layer, Task, Walker, Way};
use crate::record::judge::Judge;
use sanban_rules::Move;
use std::collections::HashSet;
use std::time::Instant;

/// The logarithm of the probability of a move that the judge has not rated.
const UNKNOWN: f32 = -3.0;
/// Number of known moves after a gap that are also judged, because they respond to the moves in the gap.
const EVIDENCE: usize = 8;
/// The weight of a position's estimated remaining cost. The logarithm of the cost is used, because the estimate is
/// sometimes far too high.
const OWING: f32 = 1.0;
/// Minimum and maximum number of positions to keep after each move.
const KEPT: (usize, usize) = (6, 400);
/// Maximum difference between the best position and the others that are kept after a known move, as the logarithm of a
/// probability.
const MARGIN: f32 = 9.0;

/// Chooses a path through a graph or, without a graph, through all promising positions, and returns its moves.
pub(super) fn choose(
    task: &Task,
    graph: Option<&Graph>,
    judge: &mut dyn Judge,
    until: Instant,
) -> Option<Vec<Move>> {
    let allowed: Option<Vec<HashSet<u64>>> =
        graph.map(|graph| graph.layers.iter().map(|layer| layer.keys.iter().copied().collect()).collect());
    let mut walk = Choice {
        task,
        allowed,
        left: judge.positions(),
        judge,
        until,
        layers: vec![Layer::start(&task.start)],
        weights: vec![vec![0.0]],
    };
    let mut walker = Walker::new(task.start.clone());
    for at in 0..task.words.len() {
        walk.step(&mut walker, at)?;
    }
    walk.finish()
}

struct Choice<'a, 'j> {
    task: &'a Task,
    /// The keys of the positions allowed after each number of moves.
    allowed: Option<Vec<HashSet<u64>>>,
    judge: &'j mut dyn Judge,
    until: Instant,
    /// Number of positions that may still be judged.
    left: usize,
    layers: Vec<Layer>,
    /// Logarithms of the weights of the positions of each layer.
    weights: Vec<Vec<f32>>,
}

impl Choice<'_, '_> {
    /// Number of positions to keep so that the judge can examine all of them.
    fn width(&self, at: usize) -> usize {
        let to_judge = (at..self.task.words.len()).filter(|&at| self.is_judged(at)).count();
        (self.left / (to_judge + 1)).clamp(KEPT.0, KEPT.1)
    }

    /// Returns whether a move is judged: a missing move, or a known move shortly after a gap.
    fn is_judged(&self, at: usize) -> bool {
        self.task.words[at.saturating_sub(EVIDENCE)..=at].iter().any(Option::is_none)
    }

    fn chances(&mut self, walker: &Walker, moves: &[Move]) -> Option<Vec<f32>> {
        if self.left == 0 || Instant::now() >= self.until {
            return None;
        }
        self.left -= 1;
        self.judge.chances(&walker.pos, moves).filter(|chances| chances.len() == moves.len())
    }

    /// The moves to consider in a position, each with its cost and the estimated cost of the continuation.
    fn moves(&self, walker: &mut Walker, at: usize) -> Vec<(Move, f32, f32)> {
        let task = self.task;
        let moves = task.moves(&walker.pos, at).into_iter();
        if let Some(allowed) = &self.allowed {
            let moves = moves.filter(|&(mv, _)| allowed[at + 1].contains(&walker.pos.key_after(mv)));
            return moves.map(|(mv, cost)| (mv, cost, 0.0)).collect();
        }
        let mut out: Vec<(Move, f32, f32)> = Vec::new();
        for (mv, cost) in moves {
            walker.pos.make(mv, &mut ());
            if task.is_possible(&walker.pos, at + 1) {
                let rest = if task.words[at].is_none() {
                    OWING * task.cost(&walker.pos, at + 1).ln_1p()
                } else {
                    0.0
                };
                out.push((mv, cost, rest));
            }
            walker.pos.unmake();
        }
        out
    }

    fn step(&mut self, walker: &mut Walker, at: usize) -> Option<()> {
        let mut next = Layer::default();
        let mut weights: Vec<f32> = Vec::new();
        let mut rests: Vec<f32> = Vec::new();
        let mut keys = Keys::default();
        let count = self.layers[at].len();
        let judged = self.is_judged(at);
        for node in 0..count as u32 {
            walker.go(&self.layers, at, node);
            let moves = self.moves(walker, at);
            let words: Vec<Move> = moves.iter().map(|moves| moves.0).collect();
            let ask = judged && !words.is_empty() && (words.len() > 1 || count > 1);
            let chances = if ask { self.chances(walker, &words) } else { None };
            for (index, &(mv, cost, rest)) in moves.iter().enumerate() {
                // If nothing is judged, all known moves are equally probable.
                let unknown = if ask || self.task.words[at].is_none() { UNKNOWN } else { 0.0 };
                let chance = chances.as_ref().map_or(unknown, |chances| chances[index]) - cost;
                let weight = self.weights[at][node as usize] + chance;
                let key = walker.pos.key_after(mv);
                let child = *keys.entry(key).or_insert_with(|| {
                    next.first.push(Some((node, mv)));
                    next.keys.push(key);
                    weights.push(f32::NEG_INFINITY);
                    rests.push(rest);
                    weights.len() as u32 - 1
                });
                let known = &mut weights[child as usize];
                *known = sum(*known, weight);
                next.ways.push(Way { parent: node, child, mv, cost: chance });
            }
        }
        if weights.is_empty() {
            return None;
        }
        let value = |index: usize| weights[index] - rests[index];
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&one, &two| value(two).total_cmp(&value(one)));
        // A known move leaves no choice, so positions that it makes improbable can be dropped.
        let margin = if self.task.words[at].is_some() { MARGIN } else { f32::INFINITY };
        let least = value(order[0]) - margin;
        let mut keep = vec![false; weights.len()];
        let kept = order.iter().take(self.width(at + 1)).take_while(|&&index| value(index) >= least);
        kept.for_each(|&index| keep[index] = true);
        next.retain(&keep);
        let mut kept = keep.iter();
        weights.retain(|_| kept.next() == Some(&true));
        self.layers.push(next);
        self.weights.push(weights);
        Some(())
    }

    /// The moves of the best path.
    fn finish(self) -> Option<Vec<Move>> {
        let Self { task, layers, weights, .. } = self;
        let last = weights.last()?;
        let best = (0..last.len()).max_by(|&one, &two| last[one].total_cmp(&last[two]))?;
        let (mut node, mut moves) = (best as u32, Vec::new());
        for at in (0..task.words.len()).rev() {
            let rate = |way: &Way| weights[at][way.parent as usize] + way.cost;
            let own = layers[at + 1].ways.iter().filter(|way| way.child == node);
            let way = own.max_by(|one, two| rate(one).total_cmp(&rate(two)))?;
            moves.push(way.mv);
            node = way.parent;
        }
        moves.reverse();
        Some(moves)
    }
}

/// The logarithm of the sum of two weights, which are given as logarithms.
fn sum(one: f32, two: f32) -> f32 {
    let (more, less) = if one > two { (one, two) } else { (two, one) };
    if less == f32::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
}
