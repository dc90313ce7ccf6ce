//! The weights of a network, and its output for two accumulators.

use super::aligned::Aligned;
use super::buckets::Buckets;
use super::feature_transformer::FeatureTransformer;
use super::features::Features;
use super::layers::{TOGETHER, clip_shifted, square_shifted};
use super::simd::Kernels;
use sanban_rules::Score;
use sanban_rules::score::MAX_EVAL;

/// An immutable network, shared between threads.
pub struct Network {
    /// Origin and shape, as text.
    pub name: String,
    /// The inputs.
    pub features: &'static Features,
    /// The first layer.
    pub first: FeatureTransformer,
    /// The remaining layers.
    pub tail: Tail,
}

/// The layers after the first one.
pub enum Tail {
    /// Three dense layers: community networks and our own.
    Dense(Dense),
    /// Newer community networks: products of neurons, and several sets of dense layers.
    Stacks(Stacks),
}

/// Three dense layers with clipped ReLUs between them.
pub struct Dense {
    /// The layers, in order.
    pub layers: [Affine; 3],
    /// Whether the inputs are products of pairs of neurons instead of the neurons.
    pub pairs: bool,
    /// Divisor of the output.
    pub fv_scale: i32,
}

/// Dense layers after products of pairs of neurons, in several sets.
pub struct Stacks {
    /// The sets.
    pub stacks: Vec<Stack>,
    /// Selects the set for a position.
    pub buckets: Buckets,
    /// Number of outputs of the first dense layer whose squares and values are the inputs of the second.
    pub squared: usize,
    /// Whether the following output of the first dense layer is added to the result.
    pub shortcut: bool,
    /// Divisor of the output.
    pub fv_scale: i32,
}

/// One set of dense layers.
pub struct Stack {
    /// The layers, in order.
    pub layers: [Affine; 3],
}

/// A dense layer.
pub struct Affine {
    /// Number of inputs, a multiple of 32.
    inputs: usize,
    /// One bias per output, padded to a multiple of 8.
    bias: Vec<i32>,
    /// See [`layers::affine`](super::layers::affine).
    weights: Aligned<i8>,
}

impl Affine {
    /// Creates a layer from biases and weights (`[output][input]`). The number of inputs must be a multiple of 32.
    pub fn new(bias: &[i32], weights: &[i8]) -> Self {
        let inputs = weights.len() / bias.len();
        let outputs = bias.len().next_multiple_of(8);
        let mut columns = Aligned::zeros(inputs * outputs);
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            for (block, row) in row.chunks_exact(TOGETHER).enumerate() {
                columns[(block * outputs + output) * TOGETHER..][..TOGETHER].copy_from_slice(row);
            }
        }
        let mut padded = bias.to_vec();
        padded.resize(outputs, 0);
        Self { inputs, bias: padded, weights: columns }
    }

    /// Number of inputs, padded to a multiple of 32.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The bias of an output.
    pub fn bias(&self, output: usize) -> i32 {
        self.bias[output]
    }

    /// The weight of an input for an output.
    pub fn weight(&self, output: usize, input: usize) -> i8 {
        self.weights[(input / TOGETHER * self.outputs() + output) * TOGETHER + input % TOGETHER]
    }

    /// Number of outputs, padded with zeros to a multiple of 8.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Computes the outputs from the first [`Affine::inputs`] elements of `inputs`.
    pub fn run(&self, kernels: &Kernels, inputs: &[u8], outputs: &mut [i32]) {
        (kernels.affine)(&inputs[..self.inputs], &self.weights, &self.bias, &mut outputs[..self.outputs()]);
    }
}

/// Maximum number of inputs of a dense layer.
pub const MAX_INPUTS: usize = 4096;
/// Maximum number of outputs of a dense layer.
pub const MAX_OUTPUTS: usize = 128;

/// Buffers between the dense layers, reused so that they need not be cleared for each evaluation.
pub struct Between {
    wide: Aligned<u8>,
    narrow: [Aligned<u8>; 2],
    sums: Aligned<i32>,
}

impl Default for Between {
    fn default() -> Self {
        let narrow = [Aligned::zeros(MAX_OUTPUTS), Aligned::zeros(MAX_OUTPUTS)];
        Self { wide: Aligned::zeros(MAX_INPUTS), narrow, sums: Aligned::zeros(MAX_OUTPUTS) }
    }
}

impl Dense {
    /// The network's output before the division by `fv_scale`.
    fn output(&self, kernels: &Kernels, Sides { us, them, .. }: Sides, between: &mut Between) -> i32 {
        let [first, second, third] = &self.layers;
        let Between { wide, narrow: [one, two], sums } = between;
        if self.pairs {
            let half = us.len() / 2;
            (kernels.pair)(us, &mut wide[..half]);
            (kernels.pair)(them, &mut wide[half..us.len()]);
        } else {
            (kernels.clip)(us, &mut wide[..us.len()]);
            (kernels.clip)(them, &mut wide[us.len()..2 * us.len()]);
        }
        // Inputs beyond the outputs of the previous layer have weights of zero.
        first.run(kernels, wide, sums);
        clip_shifted(&sums[..first.outputs()], one);
        second.run(kernels, one, sums);
        clip_shifted(&sums[..second.outputs()], two);
        third.run(kernels, two, sums);
        sums[0]
    }
}

impl Stacks {
    /// The network's output before the division by `fv_scale`.
    fn output(&self, kernels: &Kernels, sides: Sides, between: &mut Between) -> i32 {
        let [first, second, third] = &self.stacks[sides.set].layers;
        let Between { wide, narrow: [one, two], sums } = between;
        let half = sides.us.len() / 2;
        (kernels.pair)(sides.us, &mut wide[..half]);
        (kernels.pair)(sides.them, &mut wide[half..2 * half]);
        first.run(kernels, wide, sums);
        let direct = if self.shortcut { sums[self.squared] } else { 0 };
        square_shifted(&sums[..self.squared], one);
        clip_shifted(&sums[..self.squared], &mut one[self.squared..]);
        one[2 * self.squared..].fill(0);
        second.run(kernels, one, sums);
        clip_shifted(&sums[..second.outputs()], two);
        third.run(kernels, two, sums);
        sums[0].wrapping_add(direct)
    }
}

/// The outputs of the first layer for both sides.
#[derive(Clone, Copy)]
pub struct Sides<'a> {
    /// The sums of the side to move.
    pub us: &'a [i16],
    /// The sums of the other side.
    pub them: &'a [i16],
    /// The set of dense layers for the position, if there are several.
    pub set: usize,
}

/// Value of a pawn in the units of community networks.
const PAWN: i64 = 90;

impl Network {
    /// The score in centipawns for the side to move.
    pub fn score(&self, kernels: &Kernels, sides: Sides, between: &mut Between) -> Score {
        match &self.tail {
            Tail::Dense(dense) => centipawns(dense.output(kernels, sides, between), dense.fv_scale),
            Tail::Stacks(stacks) => centipawns(stacks.output(kernels, sides, between), stacks.fv_scale),
        }
    }

    /// The output in the network's own units, divided by `fv_scale` and truncated.
    pub fn raw(&self, kernels: &Kernels, sides: Sides, between: &mut Between) -> Score {
        match &self.tail {
            Tail::Dense(dense) => dense.output(kernels, sides, between) / dense.fv_scale,
            Tail::Stacks(stacks) => stacks.output(kernels, sides, between) / stacks.fv_scale,
        }
    }
}

/// Converts the output of a community network to centipawns.
fn centipawns(out: i32, fv_scale: i32) -> Score {
    let value = i64::from(out) * 100 / (i64::from(fv_scale) * PAWN);
    value.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL)) as Score
}
