//! The positions that can occur after each move of a game with gaps: a graph whose paths are the completions.

use super::demands::Demands;
use super::reach::Reach;
use super::sketch::{Helpful, Owing, owing};
use super::words::{Style, Word, meant};
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Move, Position as _};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

/// Maximum number of positions in a layer of a complete graph.
const MOST_NODES: usize = 60_000;
/// Maximum number of edges of a complete graph.
const MOST_EDGES: usize = 1_000_000;
/// Numbers of positions to keep in each layer of an incomplete graph; each is tried if the previous one does not lead
/// to the end.
const WIDTHS: [usize; 4] = [60, 250, 1000, 4000];
/// Maximum number of positions to rate, for all widths together.
const MOST_RATED: usize = 400_000;
/// Number of moves to consider in a position in addition to those that are needed for the known moves.
const OTHERS: usize = 8;

/// A hasher that returns the key, which is already a hash.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type Keys = HashMap<u64, u32, BuildHasherDefault<KeyHasher>>;

/// An edge of the graph: the positions before and after a move, the move, and its cost, which depends on the word read
/// for it, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub parent: u32,
    pub child: u32,
    pub mv: Move,
    pub cost: f32,
}

/// The positions after a certain number of moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The first edge to each position; `None` for the start position.
    pub first: Vec<Option<(u32, Move)>>,
    /// The key of each position.
    pub keys: Vec<u64>,
    /// All edges to the positions.
    pub ways: Vec<Way>,
}

impl Layer {
    /// The layer of the start position.
    pub fn start(pos: &Position) -> Self {
        Self { first: vec![None], keys: vec![pos.key()], ways: vec![] }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Keeps the marked positions, in order.
    pub fn retain(&mut self, keep: &[bool]) {
        let mut number = vec![u32::MAX; self.len()];
        let mut next = 0;
        for (index, &keep) in keep.iter().enumerate() {
            if keep {
                number[index] = next;
                self.first[next as usize] = self.first[index];
                self.keys[next as usize] = self.keys[index];
                next += 1;
            }
        }
        self.first.truncate(next as usize);
        self.keys.truncate(next as usize);
        self.ways.retain_mut(|way| {
            way.child = number[way.child as usize];
            way.child != u32::MAX
        });
    }
}

/// A position that can be moved from node to node of a graph.
pub(super) struct Walker {
    pub pos: Position,
    /// The node of each layer on the path to the current node.
    path: Vec<u32>,
    moves: Vec<(u32, Move)>,
}

impl Walker {
    pub fn new(pos: Position) -> Self {
        Self { pos, path: vec![0], moves: vec![] }
    }

    /// Moves the position to a node of a layer.
    pub fn go(&mut self, layers: &[Layer], layer: usize, node: u32) {
        self.moves.clear();
        let (mut at, mut node) = (layer, node);
        while self.path.get(at) != Some(&node) {
            let Some((parent, mv)) = layers[at].first[node as usize] else { break };
            self.moves.push((node, mv));
            (at, node) = (at - 1, parent);
        }
        while self.path.len() > at + 1 {
            self.path.pop();
            self.pos.unmake();
        }
        for &(node, mv) in self.moves.iter().rev() {
            self.pos.make(mv, &mut ());
            self.path.push(node);
        }
    }
}

/// A game to restore.
pub(super) struct Task {
    /// The words of the moves; `None` for a missing move.
    pub words: Vec<Option<Word>>,
    pub style: Style,
    pub start: Position,
    /// For each missing move, the demands of the known moves after its gap.
    demands: Vec<Option<Demands>>,
}

impl Task {
    pub fn new(start: Position, words: Vec<Option<Word>>) -> Self {
        let style = Style::of(&words);
        let first = start.side();
        let side = |at: usize| if at.is_multiple_of(2) { first } else { !first };
        let mut demands: Vec<Option<Demands>> = vec![None; words.len()];
        for at in (0..words.len()).rev().filter(|&at| words[at].is_none()) {
            demands[at] = match words.get(at + 1) {
                Some(None) => demands[at + 1].clone(),
                _ => {
                    let run: Vec<&Word> = words[at + 1..].iter().map_while(Option::as_ref).collect();
                    Some(Demands::new(&run, side(at + 1), Reach::get()))
                }
            };
        }
        Self { words, style, start, demands }
    }

    /// Number of missing moves from here to the next known move, by side.
    fn left(&self, at: usize, side: Color) -> [usize; 2] {
        let lost = self.words[at..].iter().take_while(|word| word.is_none()).count();
        let mut out = [lost / 2; 2];
        out[side.index()] = lost.div_ceil(2);
        out
    }

    /// Returns whether a position after a missing move may have a completion.
    pub fn is_possible(&self, pos: &Position, at: usize) -> bool {
        let Some(demands) = at.checked_sub(1).and_then(|before| self.demands[before].as_ref()) else {
            return true;
        };
        demands.can_be_met(pos, self.left(at, pos.side()))
    }

    /// The moves to consider, each with the cost of its word.
    pub fn moves(&self, pos: &Position, at: usize) -> Vec<(Move, f32)> {
        match &self.words[at] {
            Some(word) => meant(pos, word, self.style),
            None => pos.legal_moves().iter().map(|&mv| (mv, 0.0)).collect(),
        }
    }

    /// An estimate of the number of moves that are needed before the known moves can be made, and these moves.
    pub fn owing(&self, pos: &Position, at: usize) -> (Owing, Helpful) {
        owing(pos, &self.words[at..], self.style, Reach::get())
    }

    pub fn cost(&self, pos: &Position, at: usize) -> f32 {
        self.owing(pos, at).0.cost()
    }

    /// The moves to consider in a gap: those that are needed for the known moves, and a few others.
    fn promising(&self, pos: &Position, at: usize) -> Vec<Move> {
        let (owing, helpful) = self.owing(pos, at);
        let side = pos.side();
        let left = (at..self.words.len()).step_by(2).filter(|&at| self.words[at].is_none()).count();
        let (mut out, mut others): (Vec<Move>, Vec<Move>) =
            pos.legal_moves().iter().partition(|&&mv| helpful.has(pos, mv));
        let spare = left > owing.owed[side.index()] as usize;
        let wanted = if spare || out.is_empty() { OTHERS } else { OTHERS / 4 };
        // The choice depends on the position, but is reproducible.
        others.sort_by_cached_key(|&mv| pos.key_after(mv));
        out.extend(others.into_iter().take(wanted));
        out
    }

    pub fn lost_from(&self, at: usize) -> usize {
        self.words[at..].iter().filter(|word| word.is_none()).count()
    }
}

#[derive(Default)]
struct Expansion {
    layer: Layer,
    /// The index of each position by its key; `u32::MAX` if it has no completion.
    nodes: Keys,
}

impl Expansion {
    /// Adds moves from the walker's position.
    fn add(&mut self, task: &Task, walker: &mut Walker, at: usize, parent: u32, moves: Vec<(Move, f32)>) {
        let next = &mut self.layer;
        for (mv, cost) in moves {
            let key = walker.pos.key_after(mv);
            let child = *self.nodes.entry(key).or_insert_with(|| {
                walker.pos.make(mv, &mut ());
                let possible = task.is_possible(&walker.pos, at + 1);
                walker.pos.unmake();
                if !possible {
                    return u32::MAX;
                }
                next.first.push(Some((parent, mv)));
                next.keys.push(key);
                next.keys.len() as u32 - 1
            });
            if child != u32::MAX {
                next.ways.push(Way { parent, child, mv, cost });
            }
        }
    }
}

pub(super) struct Graph {
    /// The layers: one more than the number of moves, unless no position can be continued.
    pub layers: Vec<Layer>,
    /// Whether a layer was too large to be kept completely.
    pub cut: bool,
}

impl Graph {
    /// Builds the graph up to the last layer that has positions. The time limit affects only slow machines; on others,
    /// the other limits are reached first.
    pub fn build(task: &Task, until: Instant) -> Self {
        let mut best = match Self::whole(task, until) {
            Some(whole) => return whole,
            None => Self { layers: vec![Layer::start(&task.start)], cut: true },
        };
        let mut rated = 0;
        for width in WIDTHS {
            let next = Self::narrow(task, width, &mut rated, until);
            if next.layers.len() > best.layers.len() {
                best = next;
            }
            if best.layers.len() > task.words.len() || rated >= MOST_RATED || Instant::now() >= until {
                break;
            }
        }
        best
    }

    /// The graph with all positions; `None` if there are too many.
    fn whole(task: &Task, until: Instant) -> Option<Self> {
        let mut walker = Walker::new(task.start.clone());
        let mut layers = vec![Layer::start(&task.start)];
        let mut edges = 0;
        for at in 0..task.words.len() {
            let mut expansion = Expansion::default();
            for node in 0..layers[at].len() as u32 {
                if edges + expansion.layer.ways.len() > MOST_EDGES
                    || expansion.layer.len() > MOST_NODES
                    || node % 64 == 63 && Instant::now() > until
                {
                    return None;
                }
                walker.go(&layers, at, node);
                let moves = task.moves(&walker.pos, at);
                expansion.add(task, &mut walker, at, node, moves);
            }
            if expansion.layer.len() == 0 {
                break;
            }
            edges += expansion.layer.ways.len();
            layers.push(expansion.layer);
        }
        Some(Self { layers, cut: false })
    }

    /// The graph with the most promising positions of each layer of a gap.
    fn narrow(task: &Task, width: usize, rated: &mut usize, until: Instant) -> Self {
        let mut walker = Walker::new(task.start.clone());
        let mut out = Self { layers: vec![Layer::start(&task.start)], cut: true };
        for at in 0..task.words.len() {
            let mut expansion = Expansion::default();
            let lost = task.words[at].is_none();
            for node in 0..out.layers[at].len() as u32 {
                if node % 64 == 63 && (*rated >= MOST_RATED || Instant::now() > until) {
                    break;
                }
                walker.go(&out.layers, at, node);
                let moves = if lost {
                    let moves = task.promising(&walker.pos, at);
                    *rated += moves.len();
                    moves.into_iter().map(|mv| (mv, 0.0)).collect()
                } else {
                    task.moves(&walker.pos, at)
                };
                expansion.add(task, &mut walker, at, node, moves);
            }
            let mut next = expansion.layer;
            if next.len() == 0 {
                break;
            }
            if lost && next.len() > width {
                let mut costs: Vec<(f32, u32)> = Vec::with_capacity(next.len());
                for (node, first) in next.first.iter().enumerate() {
                    let Some((parent, mv)) = *first else { continue };
                    walker.go(&out.layers, at, parent);
                    walker.pos.make(mv, &mut ());
                    costs.push((task.cost(&walker.pos, at + 1), node as u32));
                    walker.pos.unmake();
                }
                costs.sort_by(|one, two| one.0.total_cmp(&two.0));
                let mut keep = vec![false; next.len()];
                costs.iter().take(width).for_each(|&(_, node)| keep[node as usize] = true);
                next.retain(&keep);
            }
            out.layers.push(next);
        }
        out
    }

    /// Removes the positions that do not lead to the last layer.
    pub fn prune(&mut self) {
        for layer in (1..self.layers.len()).rev() {
            let mut keep = vec![false; self.layers[layer - 1].len()];
            self.layers[layer].ways.iter().for_each(|way| keep[way.parent as usize] = true);
            self.layers[layer - 1].retain(&keep);
            // The indices of the parents have changed.
            let mut number = Vec::with_capacity(keep.len());
            let mut next = 0;
            for keep in keep {
                number.push(next);
                next += u32::from(keep);
            }
            let layer = &mut self.layers[layer];
            layer.ways.iter_mut().for_each(|way| way.parent = number[way.parent as usize]);
            for first in layer.first.iter_mut().flatten() {
                first.0 = number[first.0 as usize];
            }
        }
    }
}
