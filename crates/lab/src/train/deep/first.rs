//! The first layer during training. Rows of the same piece for different king squares share a common part, which learns
//! from all of them; the file contains only the sums.

use super::batch::{Batch, CHUNK};
use super::dense::ONE;
use crate::train::adam::{Step, follow};
use rayon::prelude::*;
use sanban_engine::nnue;
use sanban_system::prefetch;

/// Number of adjacent neurons in a tile: two cache lines of every row of first-layer weights.
pub const TILE: usize = 32;
/// One value per neuron of a tile.
pub type Tile = [f32; TILE];

/// Bound of both parts of a weight: the sum of 40 weights and a bias fits into 16 bits.
const CLIP: f32 = 3.0;

/// Number of values in a cache line.
pub const LINE: usize = 16;
/// Gradients are prefetched this many batch indices ahead.
const AHEAD: usize = 16;

/// The size of a first layer. Its parameters: the common part `[tile][row]`, if there are several groups; then
/// `[tile][group][row]`; then the biases.
#[derive(Clone, Copy)]
pub struct First {
    /// Neurons per side.
    pub hidden: usize,
    /// Rows of a group.
    pub width: usize,
    pub groups: usize,
}

/// The parameters of one tile, or their optimiser state.
struct Part<'a> {
    common: &'a mut [Tile],
    own: &'a mut [Tile],
    bias: &'a mut Tile,
}

/// A weight quantised as in the file, from its two parts.
#[inline]
fn integer(common: f32, own: f32) -> f32 {
    ((common + own) * ONE).round_ties_even()
}

impl First {
    fn common(&self) -> usize {
        if self.groups == 1 { 0 } else { self.width * self.hidden }
    }

    fn own(&self) -> usize {
        self.groups * self.width * self.hidden
    }

    pub fn size(&self) -> usize {
        self.common() + self.own() + self.hidden
    }

    /// Number of randomly initialised parameters: the common part, or all.
    pub fn seeded(&self) -> usize {
        if self.groups == 1 { self.own() } else { self.common() }
    }

    fn tiles(&self) -> usize {
        self.hidden / TILE
    }

    /// The common rows and the rows of the groups in a tile.
    fn look<'a>(&self, params: &'a [f32], tile: usize) -> (&'a [Tile], &'a [Tile]) {
        let (common, rest) = params.split_at(self.common());
        let own = rest[..self.own()].as_chunks::<TILE>().0;
        let common = common.as_chunks::<TILE>().0;
        let width = if common.is_empty() { 0 } else { self.width };
        (
            &common[tile * width..][..width],
            &own[tile * self.groups * self.width..][..self.groups * self.width],
        )
    }

    fn parts<'a>(&self, params: &'a mut [f32]) -> Vec<Part<'a>> {
        let (common, rest) = params.split_at_mut(self.common());
        let (own, bias) = rest.split_at_mut(self.own());
        let mut common = common.as_chunks_mut::<TILE>().0.chunks_mut(self.width);
        let own = own.as_chunks_mut::<TILE>().0.chunks_mut(self.groups * self.width);
        let bias = bias[..self.hidden].as_chunks_mut::<TILE>().0;
        own.zip(bias)
            .map(|(own, bias)| Part { common: common.next().unwrap_or_default(), own, bias })
            .collect()
    }

    /// The biases, quantised as in the file.
    pub fn bias(&self, params: &[f32]) -> Vec<f32> {
        let bias = &params[self.common() + self.own()..][..self.hidden];
        bias.iter().map(|&b| integer(b, 0.0)).collect()
    }

    /// The weights of a row, quantised as in the file.
    pub fn row(&self, params: &[f32], group: usize, row: usize) -> impl Iterator<Item = f32> {
        (0..self.tiles()).flat_map(move |tile| {
            let (common, own) = self.look(params, tile);
            let common = common.get(row).copied().unwrap_or([0.0; TILE]);
            let own = own[group * self.width + row];
            (0..TILE).map(move |j| integer(common[j], own[j]))
        })
    }

    /// Sets the parameters of a layer without groups from a network.
    pub fn take(&self, params: &mut [f32], known: &nnue::FeatureTransformer) {
        let (weights, bias) = params.split_at_mut(self.own());
        for (at, weights) in weights.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let row = &known.row(at % self.width)[at / self.width * TILE..];
            weights.iter_mut().zip(row).for_each(|(w, &known)| *w = f32::from(known) / ONE);
        }
        bias.iter_mut().zip(&known.bias[..]).for_each(|(b, &known)| *b = f32::from(known) / ONE);
    }

    /// Computes the sums of all entries of a batch, quantised as in the file: `[tile][batch index]`.
    pub fn forward(&self, params: &[f32], batch: &Batch, sums: &mut Vec<Tile>) {
        let entries = 2 * batch.len();
        sums.resize(self.tiles() * entries, [0.0; TILE]);
        let bias = self.bias(params);
        sums.par_chunks_mut(entries.max(1)).enumerate().for_each(|(tile, sums)| {
            let (common, own) = self.look(params, tile);
            let bias = bias.as_chunks::<TILE>().0[tile];
            let mut rows = vec![[0.0; TILE]; self.width];
            for (group, own) in batch.groups().iter().zip(own.chunks(self.width)) {
                for &row in &group.used {
                    let row = usize::from(row);
                    let common = common.get(row).copied().unwrap_or([0.0; TILE]);
                    (0..TILE).for_each(|j| rows[row][j] = integer(common[j], own[row][j]));
                }
                for place in group.chunks().iter().flat_map(|chunk| chunk.places.clone()) {
                    let mut sum = bias;
                    for &row in batch.rows(place) {
                        let row = &rows[usize::from(row)];
                        (0..TILE).for_each(|j| sum[j] += row[j]);
                    }
                    sums[place] = sum;
                }
            }
        });
    }

    /// Updates the parameters with the gradients of a batch. `gradients`: the gradients of the sums, by entry and
    /// neuron; `steps`: for each group, the steps of its rows in use; `step`: the step of all other parameters.
    pub fn learn(
        &self,
        [params, mean, square]: [&mut [f32]; 3],
        batch: &Batch,
        gradients: &[f32],
        steps: &[Vec<Step>],
        step: Step,
    ) {
        let parts = self.parts(params).into_iter().zip(self.parts(mean)).zip(self.parts(square));
        let gradients = gradients.as_chunks::<TILE>().0;
        let parts: Vec<_> = parts.enumerate().collect();
        parts.into_par_iter().for_each(|(tile, ((params, mean), square))| {
            let mut by_row = vec![[0.0; TILE]; self.width];
            let mut by_common = vec![[0.0; TILE]; params.common.len()];
            let mut by_bias = [0.0; TILE];
            let mut near = vec![[0.0; TILE]; CHUNK];
            for (at, (group, steps)) in batch.groups().iter().zip(steps).enumerate() {
                group.used.iter().for_each(|&row| by_row[usize::from(row)] = [0.0; TILE]);
                for chunk in group.chunks() {
                    for (near, place) in near.iter_mut().zip(chunk.places.clone()) {
                        // The gradients of a group's entries are scattered in memory.
                        if place + AHEAD < chunk.places.end {
                            let next = &gradients[batch.entry(place + AHEAD) * self.tiles() + tile];
                            next.as_chunks::<LINE>().0.iter().for_each(prefetch);
                        }
                        *near = gradients[batch.entry(place) * self.tiles() + tile];
                        (0..TILE).for_each(|j| by_bias[j] += near[j]);
                    }
                    chunk.users.each(|row, entries| {
                        let mut sum = by_row[row];
                        for &entry in entries {
                            let gradient = &near[usize::from(entry) % CHUNK];
                            (0..TILE).for_each(|j| sum[j] += gradient[j]);
                        }
                        by_row[row] = sum;
                    });
                }
                for (&row, step) in group.used.iter().zip(steps) {
                    let row = usize::from(row);
                    if let Some(common) = by_common.get_mut(row) {
                        (0..TILE).for_each(|j| common[j] += by_row[row][j]);
                    }
                    let own = at * self.width + row;
                    let numbers = (&mut params.own[own], &mut mean.own[own], &mut square.own[own]);
                    follow(numbers.0, numbers.1, numbers.2, &by_row[row], *step, CLIP);
                }
            }
            let common = params.common.iter_mut().zip(mean.common).zip(square.common);
            for (((params, mean), square), gradients) in common.zip(&by_common) {
                follow(params, mean, square, gradients, step, CLIP);
            }
            follow(params.bias, mean.bias, square.bias, &by_bias, step, f32::INFINITY);
        });
    }
}
