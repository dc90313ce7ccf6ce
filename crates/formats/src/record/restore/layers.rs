//! The positions that can occur after each move of a game with gaps: a graph whose paths are the completions.

use super::demands::Demands;
use super::reach::Reach;
use super::sketch::owing;
use super::words::{Style, Word, meant};
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Move, Position as _};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

/// Most positions of a layer, and most moves of the graph.
const MOST_NODES: usize = 60_000;
const MOST_EDGES: usize = 1_500_000;
/// Number of positions to keep of a layer that is too large: at least and at most.
const KEPT: (f64, f64) = (60.0, 6000.0);
/// Assumed seconds per position before the first measurement.
const EACH: f64 = 0.0005;

/// The hash of a key is the key.
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

/// An edge to a position: the previous position and the move, with the cost of the word or the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub parent: u32,
    pub child: u32,
    pub mv: Move,
    pub cost: f32,
}

/// The positions after some number of moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The first edge to each position except the start.
    pub first: Vec<Option<(u32, Move)>>,
    /// The key of each position.
    pub keys: Vec<u64>,
    /// All edges to the positions.
    pub ways: Vec<Way>,
}

impl Layer {
    /// The start.
    pub fn start(pos: &Position) -> Self {
        Self { first: vec![None], keys: vec![pos.key()], ways: vec![] }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Keeps some positions, in their order.
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

/// A position that walks from node to node of a graph.
pub(super) struct Walker {
    pub pos: Position,
    /// The node of each layer on the path to this one.
    path: Vec<u32>,
    moves: Vec<(u32, Move)>,
}

impl Walker {
    pub fn new(pos: Position) -> Self {
        Self { pos, path: vec![0], moves: vec![] }
    }

    /// Goes to a node of a layer.
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

/// The game that is restored.
pub(super) struct Task {
    /// `None` is a missing move.
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

    /// Missing moves from here to the next known one, by side.
    fn left(&self, at: usize, side: Color) -> [usize; 2] {
        let lost = self.words[at..].iter().take_while(|word| word.is_none()).count();
        let mut out = [lost / 2; 2];
        out[side.index()] = lost.div_ceil(2);
        out
    }

    /// Can a position after a missing move be completed?
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

    /// An estimate of the remaining cost of a position.
    pub fn cost(&self, pos: &Position, at: usize) -> f32 {
        owing(pos, &self.words[at..], self.style, Reach::get()).cost()
    }

    pub fn lost_from(&self, at: usize) -> usize {
        self.words[at..].iter().filter(|word| word.is_none()).count()
    }
}

/// Number of positions to keep of a layer, by the time that each takes.
fn kept(task: &Task, layer: usize, each: f64, until: Instant) -> usize {
    let left = until.saturating_duration_since(Instant::now()).as_secs_f64();
    let share = left / (task.lost_from(layer) + 1) as f64;
    (share / each).clamp(KEPT.0, KEPT.1) as usize
}

/// The graph of a game.
pub(super) struct Graph {
    /// One more than the moves, unless no position can continue.
    pub layers: Vec<Layer>,
    /// Was a layer too large to be kept completely?
    pub cut: bool,
}

impl Graph {
    /// Builds the graph as far as positions can continue, at the latest until the given time.
    pub fn build(task: &Task, until: Instant) -> Self {
        let mut walker = Walker::new(task.start.clone());
        let mut out = Self { layers: vec![Layer::start(&task.start)], cut: false };
        let (mut edges, mut each, mut at) = (0, EACH, 0);
        while at < task.words.len() {
            let begin = Instant::now();
            let left = until.saturating_duration_since(begin);
            let most = if out.cut { usize::MAX } else { MOST_EDGES - MOST_EDGES.min(edges) };
            let Some(next) = out.expand(task, &mut walker, at, most, begin + left / 3) else {
                // Too many to keep all of them: reduce the previous layer.
                out.cut = true;
                out.narrow(task, &mut walker, at, kept(task, at, each, until), until);
                continue;
            };
            if next.len() == 0 {
                break;
            }
            edges += next.ways.len();
            out.layers.push(next);
            if out.cut && task.words[at].is_none() {
                out.narrow(task, &mut walker, at + 1, kept(task, at + 1, each, until), until);
                each = each.midpoint(begin.elapsed().as_secs_f64() / out.layers[at].len() as f64);
            }
            at += 1;
        }
        out
    }

    /// The positions after the next move; `None` if there are too many or the time is over. If the graph is cut, the
    /// positions found so far are used instead.
    fn expand(
        &self,
        task: &Task,
        walker: &mut Walker,
        at: usize,
        most: usize,
        until: Instant,
    ) -> Option<Layer> {
        let mut next = Layer::default();
        let mut keys = Keys::default();
        for node in 0..self.layers[at].len() as u32 {
            let over = next.ways.len() > most || next.len() > MOST_NODES && !self.cut;
            if over || node % 16 == 15 && Instant::now() > until {
                if self.cut {
                    break;
                }
                return None;
            }
            walker.go(&self.layers, at, node);
            for (mv, cost) in task.moves(&walker.pos, at) {
                let key = walker.pos.key_after(mv);
                let child = match keys.get(&key) {
                    Some(&child) => child,
                    None => {
                        walker.pos.make(mv, &mut ());
                        let possible = task.is_possible(&walker.pos, at + 1);
                        walker.pos.unmake();
                        let child = if possible { next.len() as u32 } else { u32::MAX };
                        keys.insert(key, child);
                        if possible {
                            next.first.push(Some((node, mv)));
                            next.keys.push(key);
                        }
                        child
                    }
                };
                if child != u32::MAX {
                    next.ways.push(Way { parent: node, child, mv, cost });
                }
            }
        }
        Some(next)
    }

    /// Keeps the most promising positions of the last layer.
    fn narrow(&mut self, task: &Task, walker: &mut Walker, layer: usize, kept: usize, until: Instant) {
        let count = self.layers[layer].len();
        if count <= kept {
            return;
        }
        let mut rated: Vec<(f32, u32)> = Vec::with_capacity(count);
        for node in 0..count as u32 {
            if node % 256 == 255 && Instant::now() > until {
                break;
            }
            walker.go(&self.layers, layer, node);
            rated.push((task.cost(&walker.pos, layer), node));
        }
        rated.sort_by(|one, two| one.0.total_cmp(&two.0));
        let mut keep = vec![false; count];
        rated.iter().take(kept).for_each(|&(_, node)| keep[node as usize] = true);
        self.layers[layer].retain(&keep);
        // The walker may be at a node that was removed or renumbered.
        *walker = Walker::new(task.start.clone());
    }

    /// Removes nodes that do not lead to the last layer.
    pub fn prune(&mut self) {
        for layer in (1..self.layers.len()).rev() {
            let mut keep = vec![false; self.layers[layer - 1].len()];
            self.layers[layer].ways.iter().for_each(|way| keep[way.parent as usize] = true);
            self.layers[layer - 1].retain(&keep);
            // The parents have new numbers.
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
