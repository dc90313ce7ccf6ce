//! Propagates values back through a book, across transpositions and cycles. A cycle counts as a draw.
//!
//! A side that can reach a leaf that is better than a draw does so. A cycle that neither side can profitably leave is a
//! draw by repetition. So leaves are processed from the best for black down to the draw, and then likewise for white. A
//! position gets its value from the first move processed if the gaining side is to move, and from the last one
//! otherwise. Perpetual check counts as a draw, since repetitions are left to the search.

use rayon::prelude::*;
use sanban_formats::book::collection::{Collection, Page};
use sanban_rules::score::DECISIVE;
use sanban_rules::{AnyPosition, Color, Score};
use std::collections::{BinaryHeap, HashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The position after the move, if it is in the graph.
    pub to: Option<u32>,
    /// Value for black; for moves with `to` it is the propagated value.
    pub value: Score,
    /// Depth that the value is based on.
    pub depth: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    sides: Vec<Color>,
    /// The end of each position's range in `edges`; the first range begins at 0.
    ends: Vec<u32>,
    edges: Vec<Edge>,
}

impl Graph {
    /// Adds a position with its moves, of which there must be at least one.
    pub fn push(&mut self, side: Color, edges: impl IntoIterator<Item = Edge>) {
        self.sides.push(side);
        self.edges.extend(edges);
        self.ends.push(self.edges.len() as u32);
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The moves of a position. Positions are numbered from 0 in the order in which they were added.
    pub fn moves(&self, node: usize) -> &[Edge] {
        &self.edges[self.range(node)]
    }

    /// The side to move in each position.
    pub fn sides(&self) -> &[Color] {
        &self.sides
    }

    fn range(&self, node: usize) -> std::ops::Range<usize> {
        let begin = if node == 0 { 0 } else { self.ends[node - 1] };
        begin as usize..self.ends[node] as usize
    }

    /// Propagates the values of the leaves backwards and returns the values of the positions for black. `draw` is the
    /// value of a cycle. Mate distances grow by one ply per move.
    pub fn solve(&mut self, draw: Score) -> Vec<Score> {
        let owners: Vec<u32> =
            (0..self.sides.len()).flat_map(|node| self.range(node).map(move |_| node as u32)).collect();
        let back = Back::new(self);
        let mut values: Vec<Option<(Score, u32)>> = vec![None; self.sides.len()];
        for gains in Color::ALL {
            // The value from the point of view of the side that gains.
            let seen = |value: Score| if gains == Color::Black { value } else { -value };
            let mut left: Vec<u32> =
                (0..self.sides.len()).map(|node| self.range(node).len() as u32).collect();
            let mut heap: BinaryHeap<(Score, u32, std::cmp::Reverse<u32>)> = BinaryHeap::new();
            let leaves = self.edges.iter().zip(0u32..).filter(|(edge, _)| edge.to.is_none());
            heap.extend(
                leaves
                    .filter(|(edge, _)| seen(edge.value) > seen(draw))
                    .map(|(edge, at)| (seen(edge.value), edge.depth, std::cmp::Reverse(at))),
            );
            while let Some((value, depth, std::cmp::Reverse(at))) = heap.pop() {
                let node = owners[at as usize] as usize;
                if values[node].is_some() {
                    continue;
                }
                left[node] -= 1;
                if self.sides[node] != gains && left[node] > 0 {
                    continue;
                }
                values[node] = Some((seen(value), depth));
                let value = farther(value);
                for &edge in back.edges(node) {
                    if values[owners[edge as usize] as usize].is_none() {
                        heap.push((value, depth.saturating_add(1), std::cmp::Reverse(edge)));
                    }
                }
            }
        }
        for edge in &mut self.edges {
            match edge.to.map(|to| values[to as usize]) {
                Some(Some((value, depth))) => {
                    (edge.value, edge.depth) = (farther(value), depth.saturating_add(1))
                }
                Some(None) => edge.value = draw,
                None => {}
            }
        }
        values.into_iter().map(|known| known.map_or(draw, |(value, _)| value)).collect()
    }
}

/// The value one ply earlier, where mates are one ply farther away.
pub fn farther(value: Score) -> Score {
    match value {
        _ if value > DECISIVE => value - 1,
        _ if value < -DECISIVE => value + 1,
        _ => value,
    }
}

/// The moves that lead to each position.
struct Back {
    ends: Vec<u32>,
    edges: Vec<u32>,
}

impl Back {
    fn new(graph: &Graph) -> Self {
        let targets =
            || graph.edges.iter().zip(0u32..).filter_map(|(edge, at)| Some((edge.to? as usize, at)));
        let mut ends = vec![0u32; graph.sides.len() + 1];
        targets().for_each(|(to, _)| ends[to + 1] += 1);
        for node in 1..ends.len() {
            ends[node] += ends[node - 1];
        }
        let mut next = ends.clone();
        let mut edges = vec![0; ends.last().copied().unwrap_or(0) as usize];
        for (to, at) in targets() {
            edges[next[to] as usize] = at;
            next[to] += 1;
        }
        Self { ends, edges }
    }

    fn edges(&self, node: usize) -> &[u32] {
        &self.edges[self.ends[node] as usize..self.ends[node + 1] as usize]
    }
}

/// The data of a position that a graph needs: its key, the side to move, and the keys of the positions after its moves.
type Around = (u64, Color, Vec<u64>);

/// The graph of a book. Every position with moves has a node, in the order of the book.
pub fn graph(book: &Collection) -> Graph {
    let start = AnyPosition::new(book.game());
    let pages: Vec<(&str, &Page)> = book.pages().filter(|(_, page)| !page.moves.is_empty()).collect();
    let around = |&(sfen, page): &(&str, &Page)| -> Around {
        // The SFEN was written from a valid position.
        let Ok(pos) = start.with_sfen(sfen) else { return (0, Color::Black, vec![0; page.moves.len()]) };
        (pos.key(), pos.side(), page.moves.iter().map(|known| pos.key_after(known.mv)).collect())
    };
    // If no threads can be started, positions are processed one after the other.
    let around: Vec<Around> = match rayon::ThreadPoolBuilder::new().build() {
        Ok(threads) => threads.install(|| pages.par_iter().map(around).collect()),
        Err(_) => pages.iter().map(around).collect(),
    };
    let keys: HashMap<u64, u32> = around.iter().zip(0..).map(|((key, ..), node)| (*key, node)).collect();
    let mut graph = Graph::default();
    for ((_, page), (_, side, after)) in pages.iter().zip(&around) {
        graph.push(
            *side,
            page.moves.iter().zip(after).map(|(known, key)| Edge {
                to: keys.get(key).copied(),
                value: if *side == Color::Black { known.score } else { -known.score },
                depth: known.depth,
            }),
        );
    }
    graph
}

/// Gives every move that leads to a position of the book the value propagated back from that position, and sorts the
/// moves of each position by value. `draw` is the value of a cycle for black.
pub fn minimax(book: &mut Collection, draw: Score) {
    let mut graph = graph(book);
    graph.solve(draw);
    let mut edges = graph.edges.iter();
    let mut sides = graph.sides.iter();
    for (_, page) in book.pages_mut().filter(|(_, page)| !page.moves.is_empty()) {
        let Some(&side) = sides.next() else { break };
        for (known, edge) in page.moves.iter_mut().zip(&mut edges) {
            known.score = if side == Color::Black { edge.value } else { -edge.value };
            known.depth = edge.depth;
        }
        page.moves.sort_by_key(|known| std::cmp::Reverse(known.score));
    }
}
