//! The network in floating point, and the training target.

pub use super::samples::sigmoid;
use super::samples::{Label, LabelKind, Samples};
use arrayvec::ArrayVec;
use sanban_engine::nnue::Features;
use sanban_engine::nnue::features::NONE;
use sanban_engine::search::Bound;
use sanban_rules::{Placement, Rng};

/// Maximum absolute first-layer weight: 40 such weights and a bias fit in 16 bits if 1.0 is twice `layers::ONE`.
pub const CLIP: f32 = 1.98;
/// Number of adjacent neurons in a tile: two cache lines of every row of first-layer weights.
pub const TILE: usize = 32;

/// All parameters in one array: first-layer weights `[tile][row][neuron of the tile]`, first-layer biases, output
/// weights (those of the side to move first), output bias.
#[derive(Clone)]
pub struct Model {
    /// Neurons per side, a multiple of 32.
    pub hidden: usize,
    /// Rows of the first layer.
    pub rows: usize,
    /// The parameters.
    pub params: Vec<f32>,
}

/// The training target of positions.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Centipawns for an output of 1.0.
    pub scale: f32,
    /// Weight of the game's result relative to the search score, 0 to 1.
    pub wdl: f32,
}

impl Target {
    /// Expected result for the side to move, 0 to 1.
    pub fn of(&self, label: &Label) -> f32 {
        let score = sigmoid(f32::from(label.score) / self.scale);
        match label.kind {
            LabelKind::Game { result } => self.wdl * result + (1.0 - self.wdl) * score,
            LabelKind::Score(_) => score,
        }
    }

    /// The error of an output, which is an expected result. An output that satisfies a bound has no error.
    pub fn error(&self, label: &Label, out: f32) -> f32 {
        let error = out - self.of(label);
        match label.kind {
            LabelKind::Score(Bound::Lower) => error.min(0.0),
            LabelKind::Score(Bound::Upper) => error.max(0.0),
            LabelKind::Game { .. } | LabelKind::Score(Bound::Exact) => error,
        }
    }
}

impl Model {
    /// Number of parameters.
    pub fn size(features: &Features, hidden: usize) -> usize {
        features.rows * hidden + hidden + 2 * hidden + 1
    }

    /// Creates a model with random weights that depend only on the seed.
    pub fn new(features: &Features, hidden: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let rows = features.rows;
        let mut params = vec![0.0; Self::size(features, hidden)];
        let mut fill = |values: &mut [f32], spread: f32| {
            values.iter_mut().for_each(|v| *v = (2.0 * rng.unit() as f32 - 1.0) * spread);
        };
        // About 40 inputs are active in a position.
        fill(&mut params[..rows * hidden], 1.0 / 40f32.sqrt());
        fill(&mut params[rows * hidden + hidden..][..2 * hidden], 1.0 / (2.0 * hidden as f32).sqrt());
        Self { hidden, rows, params }
    }

    /// All parameters except the first-layer weights: first-layer biases, output weights, output bias.
    pub fn rest(&self) -> (&[f32], &[f32], f32) {
        let (bias, rest) = self.params[self.rows * self.hidden..].split_at(self.hidden);
        let (output, last) = rest.split_at(2 * self.hidden);
        (bias, output, last[0])
    }

    /// Mutable version of [`Self::rest`].
    pub fn rest_mut(&mut self) -> (&mut [f32], &mut [f32], &mut f32) {
        let (bias, rest) = self.params[self.rows * self.hidden..].split_at_mut(self.hidden);
        let (output, last) = rest.split_at_mut(2 * self.hidden);
        (bias, output, &mut last[0])
    }

    /// The first-layer weights of a tile, by row.
    pub fn tile(&self, tile: usize) -> &[[f32; TILE]] {
        self.params[tile * self.rows * TILE..][..self.rows * TILE].as_chunks().0
    }

    /// A first-layer weight.
    pub fn weight(&self, row: usize, neuron: usize) -> f32 {
        self.tile(neuron / TILE)[row][neuron % TILE]
    }

    /// Mutable version of [`Self::weight`].
    pub fn weight_mut(&mut self, row: usize, neuron: usize) -> &mut f32 {
        &mut self.params[(neuron / TILE * self.rows + row) * TILE + neuron % TILE]
    }
}

/// The bucket of each side. If both views are equally valid for the square of a king, `coin` decides.
pub fn buckets(features: &Features, placements: &[Placement], coin: u64) -> [u8; 2] {
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

/// The rows of a position's inputs, for the side to move and for the other side.
#[derive(Clone, Default)]
pub struct Rows(Vec<[u16; 2]>);

impl Rows {
    /// Finds the rows and the label of a position; for `coin`, see [`buckets`].
    pub fn find(&mut self, features: &Features, samples: &Samples, index: usize, coin: u64) -> Label {
        let (placements, label) = samples.get(index);
        let placements: ArrayVec<Placement, 64> = placements.take(64).collect();
        let buckets = buckets(features, &placements, coin);
        let views = [label.side, !label.side].map(|color| features.view(color, buckets[color.index()]));
        self.0.clear();
        for p in &placements {
            let rows = views.map(|(table, _)| table[p.index()]);
            if !rows.contains(&NONE) {
                self.0.push([0, 1].map(|side| rows[side] + views[side].1 as u16));
            }
        }
        label
    }

    /// Pairs of rows, for the side to move and for the other side.
    pub fn pairs(&self) -> &[[u16; 2]] {
        &self.0
    }
}
