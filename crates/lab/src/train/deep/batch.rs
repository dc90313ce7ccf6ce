//! The positions of a batch, arranged for the first layer: each position has two entries, one per side, and entries
//! with the same king bucket are adjacent. So the weights of a tile that they need fit into the L1 and L2 caches,
//! regardless of the size of the layer.

use super::row_index::{Entries, RowIndex};
use crate::train::samples::{Label, Samples};
use arrayvec::ArrayVec;
use rayon::prelude::*;
use sanban_engine::nnue::Features;
use sanban_engine::nnue::features::NONE;
use sanban_rules::Placement;
use std::ops::Range;

/// Number of entries that are processed together.
pub const CHUNK: usize = 1024;
/// Maximum number of inputs of a position.
const WIDTH: usize = 40;
/// Number of positions per task.
const TASK: usize = 512;

/// The rows of an entry within its group.
type Rows = ArrayVec<u16, WIDTH>;

#[derive(Clone)]
struct Found {
    label: Label,
    group: [u8; 2],
    rows: [Rows; 2],
}

#[derive(Default)]
pub struct Chunk {
    /// The batch indices of the entries.
    pub places: Range<usize>,
    /// The entries by row, numbered from the first entry of the chunk.
    pub users: RowIndex,
}

#[derive(Default)]
pub struct Group {
    /// The chunks of the group; only the first `filled` are in use.
    chunks: Vec<Chunk>,
    filled: usize,
    /// The rows of at least one entry.
    pub used: Vec<u16>,
}

impl Group {
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks[..self.filled]
    }
}

#[derive(Default)]
pub struct Batch {
    found: Vec<Found>,
    groups: Vec<Group>,
    /// The rows of the entries, by batch index.
    rows: Vec<Rows>,
    /// The number of the entry at each batch index: twice the position, plus the side.
    entries: Vec<u32>,
    /// The batch index of each entry, by number.
    places: Vec<u32>,
}

/// The rows of adjacent entries.
struct Part<'a>(&'a [Rows]);

impl Entries for Part<'_> {
    #[inline]
    fn each(&self, mut f: impl FnMut(usize, u16)) {
        for (entry, rows) in self.0.iter().enumerate() {
            rows.iter().for_each(|&row| f(row.into(), entry as u16));
        }
    }
}

/// The number of rows of a group, and the number of groups. Buckets that differ only in their view share their rows.
pub fn groups(features: &Features) -> (usize, usize) {
    let rows = if features.stride == 0 { features.rows } else { features.stride };
    (rows, features.rows / rows)
}

/// The bucket of each side. If both views are equally valid for the square of a king, `coin` decides.
fn buckets(features: &Features, placements: &[Placement], coin: u64) -> [u8; 2] {
    let mut buckets = [0; 2];
    for &p in placements {
        if let Some((color, bucket)) = features.king(p) {
            let both = features.views == 2
                && features.row(color, bucket & !1, p) == features.row(color, bucket | 1, p);
            let turned = both && coin >> color.index() & 1 != 0;
            buckets[color.index()] = if turned { bucket ^ 1 } else { bucket };
        }
    }
    buckets
}

fn look_up(features: &Features, samples: &Samples, index: usize, coin: u64) -> Found {
    let (placements, label) = samples.get(index);
    let placements: ArrayVec<Placement, WIDTH> = placements.take(WIDTH).collect();
    let buckets = buckets(features, &placements, coin);
    let mut group = [0; 2];
    let rows = [0, 1].map(|side| {
        let color = if side == 0 { label.side } else { !label.side };
        let bucket = buckets[color.index()];
        let (table, first) = features.view(color, bucket);
        group[side] = (first / groups(features).0) as u8;
        let mut rows: Rows = placements.iter().map(|p| table[p.index()]).filter(|&row| row != NONE).collect();
        // Every missing piece is represented by the first row.
        let missing = features.full.map_or(0, |full| full.saturating_sub(rows.len()));
        rows.extend((0..missing).map(|_| 0));
        rows
    });
    Found { label, group, rows }
}

impl Batch {
    /// Finds the rows of positions. If both views of the board are equally valid, `coin` decides.
    pub fn find(
        &mut self,
        features: &Features,
        samples: &Samples,
        order: &[u32],
        coin: impl Fn(u32) -> u64 + Sync,
    ) {
        let task = |order: &[u32]| -> Vec<Found> {
            order.iter().for_each(|&index| samples.prefetch(index as usize));
            order.iter().map(|&index| look_up(features, samples, index as usize, coin(index))).collect()
        };
        self.found.clear();
        self.found.par_extend(order.par_chunks(TASK).flat_map_iter(task));
        self.sort(features);
    }

    fn sort(&mut self, features: &Features) {
        let (width, count) = groups(features);
        let mut starts = vec![0u32; count + 1];
        let entries =
            || self.found.iter().enumerate().flat_map(|(n, f)| [0, 1].map(|side| (2 * n + side, f)));
        for (entry, found) in entries() {
            starts[usize::from(found.group[entry % 2]) + 1] += 1;
        }
        (0..count).for_each(|at| starts[at + 1] += starts[at]);
        let total = 2 * self.found.len();
        self.rows.resize(total, Rows::new());
        self.entries.resize(total, 0);
        self.places.resize(total, 0);
        let mut next = starts.clone();
        for (entry, found) in entries() {
            let place = &mut next[usize::from(found.group[entry % 2])];
            self.rows[*place as usize] = found.rows[entry % 2].clone();
            self.entries[*place as usize] = entry as u32;
            self.places[entry] = *place;
            *place += 1;
        }
        self.groups.resize_with(count, Group::default);
        let rows = &self.rows;
        self.groups.par_iter_mut().enumerate().for_each(|(at, group)| {
            let (from, to) = (starts[at] as usize, starts[at + 1] as usize);
            group.filled = (to - from).div_ceil(CHUNK);
            if group.chunks.len() < group.filled {
                group.chunks.resize_with(group.filled, Chunk::default);
            }
            let mut seen = vec![false; width];
            for (part, chunk) in group.chunks[..group.filled].iter_mut().enumerate() {
                let first = from + part * CHUNK;
                chunk.places = first..(first + CHUNK).min(to);
                chunk.users.find(width, &Part(&rows[chunk.places.clone()]));
                chunk.users.rows().iter().for_each(|&row| seen[usize::from(row)] = true);
            }
            group.used.clear();
            group.used.extend((0..width as u16).filter(|&row| seen[usize::from(row)]));
        });
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    pub fn label(&self, position: usize) -> &Label {
        &self.found[position].label
    }

    /// The batch indices of the two entries of a position.
    pub fn places(&self, position: usize) -> [usize; 2] {
        [0, 1].map(|side| self.places[2 * position + side] as usize)
    }

    /// The rows of the entry at a batch index.
    pub fn rows(&self, place: usize) -> &[u16] {
        &self.rows[place]
    }

    /// The group of the entry at a batch index.
    pub fn group(&self, place: usize) -> usize {
        let entry = self.entry(place);
        self.found[entry / 2].group[entry % 2].into()
    }

    /// The number of the entry at a batch index: twice the position, plus the side.
    pub fn entry(&self, place: usize) -> usize {
        self.entries[place] as usize
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }
}
