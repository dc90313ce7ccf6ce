//! A dense layer whose weights are quantised as in the file but stored as floating-point numbers; it processes eight
//! positions at a time.

use sanban_engine::nnue::network::Affine;

/// Number of positions that are processed together, and of adjacent neurons.
pub const LANES: usize = 8;
/// A number for each of eight positions, or the weights of eight neurons.
pub type Lanes = [f32; LANES];

/// The fixed-point value of 1.0 between the layers.
pub const ONE: f32 = 127.0;
/// Maximum absolute weight in a file.
const LARGEST: f32 = 127.0;

/// A dense layer as it will be in the file. Sums of products are below 2^24 except in rare cases, and therefore exact.
#[derive(Clone, Default)]
pub struct Layer {
    inputs: usize,
    outputs: usize,
    /// The fixed-point value of 1.0 in the weights of the layer.
    unit: f32,
    /// `[output / 8][input][output % 8]`.
    forward: Vec<Lanes>,
    /// `[input / 8][output][input % 8]`.
    backward: Vec<Lanes>,
    /// The biases, padded like the outputs.
    bias: Vec<Lanes>,
}

/// The gradients of a layer's parameters, in the layout of `forward` and `bias`. The inputs are padded to a multiple of
/// [`LANES`].
#[derive(Clone, Default)]
pub struct Gradients {
    weights: Vec<Lanes>,
    bias: Vec<Lanes>,
}

#[inline(always)]
fn add_product(sums: Lanes, x: f32, weights: &Lanes) -> Lanes {
    // Without the instruction, `mul_add` is a function call.
    let fused = cfg!(any(target_feature = "fma", target_feature = "neon"));
    std::array::from_fn(|i| if fused { x.mul_add(weights[i], sums[i]) } else { x * weights[i] + sums[i] })
}

/// Returns `out[position][neuron]`, the sums of the products of inputs and weights.
#[inline]
fn products(x: &[Lanes], weights: &[Lanes]) -> [Lanes; LANES] {
    let mut sums = [[0.0; LANES]; LANES];
    for (x, w) in x.iter().zip(weights) {
        for p in 0..LANES {
            sums[p] = add_product(sums[p], x[p], w);
        }
    }
    sums
}

impl Layer {
    /// Creates a layer with zero weights. `unit`: the fixed-point value of 1.0 in the weights.
    pub fn new((inputs, outputs): (usize, usize), unit: f32) -> Self {
        let (input_blocks, blocks) = (inputs.div_ceil(LANES), outputs.div_ceil(LANES));
        Self {
            inputs,
            outputs,
            unit,
            forward: vec![[0.0; LANES]; blocks * inputs],
            backward: vec![[0.0; LANES]; input_blocks * blocks * LANES],
            bias: vec![[0.0; LANES]; blocks],
        }
    }

    /// Number of parameters: weights `[output][input]`, then biases.
    pub fn size(&self) -> usize {
        (self.inputs + 1) * self.outputs
    }

    /// Maximum absolute weight that the file can hold.
    pub fn largest(&self) -> f32 {
        LARGEST / self.unit
    }

    /// The weights and biases as integers, from the parameters.
    pub fn integers(&self, params: &[f32]) -> (Vec<i8>, Vec<i32>) {
        let (weights, bias) = params.split_at(self.inputs * self.outputs);
        let weights = weights.iter().map(|&w| self.weight(w) as i8).collect();
        (weights, bias.iter().map(|&b| self.offset(b) as i32).collect())
    }

    pub fn take(&self, params: &mut [f32], known: &Affine) {
        let (weights, bias) = params.split_at_mut(self.inputs * self.outputs);
        for (output, row) in weights.chunks_exact_mut(self.inputs).enumerate() {
            for (input, w) in row.iter_mut().enumerate() {
                *w = f32::from(known.weight(output, input)) / self.unit;
            }
        }
        for (output, b) in bias.iter_mut().enumerate() {
            *b = known.bias(output) as f32 / (self.unit * ONE);
        }
    }

    fn weight(&self, w: f32) -> f32 {
        (w * self.unit).round_ties_even().clamp(-LARGEST, LARGEST)
    }

    fn offset(&self, b: f32) -> f32 {
        (b * self.unit * ONE).round_ties_even()
    }

    pub fn set(&mut self, params: &[f32]) {
        let (weights, bias) = params.split_at(self.inputs * self.outputs);
        let padded = self.padded();
        for (o, (row, &b)) in weights.chunks_exact(self.inputs).zip(bias).enumerate() {
            self.bias[o / LANES][o % LANES] = self.offset(b);
            for (i, &w) in row.iter().enumerate() {
                let w = self.weight(w);
                self.forward[o / LANES * self.inputs + i][o % LANES] = w;
                self.backward[i / LANES * padded + o][i % LANES] = w;
            }
        }
    }

    /// Number of outputs, padded to a multiple of [`LANES`].
    pub fn padded(&self) -> usize {
        self.bias.len() * LANES
    }

    fn padded_inputs(&self) -> usize {
        self.inputs.next_multiple_of(LANES)
    }

    /// A buffer for the outputs of the layer, by output and position.
    pub fn outputs(&self) -> Vec<Lanes> {
        vec![[0.0; LANES]; self.padded()]
    }

    pub fn inputs(&self) -> Vec<Lanes> {
        vec![[0.0; LANES]; self.padded_inputs()]
    }

    /// Computes the sums of the outputs from inputs in units of 1 / [`ONE`].
    pub fn run(&self, x: &[Lanes], out: &mut [Lanes]) {
        let blocks = self.forward.chunks_exact(self.inputs).zip(&self.bias);
        for ((weights, bias), out) in blocks.zip(out.as_chunks_mut::<LANES>().0) {
            let sums = products(&x[..self.inputs], weights);
            for p in 0..LANES {
                (0..LANES).for_each(|j| out[j][p] = sums[p][j] + bias[j]);
            }
        }
    }

    /// Computes the gradients of the inputs from those of the outputs, all in units of 1.0.
    pub fn back(&self, gradients: &[Lanes], out: &mut [Lanes]) {
        let share = 1.0 / self.unit;
        let blocks = self.backward.chunks_exact(self.padded());
        for (weights, out) in blocks.zip(out.as_chunks_mut::<LANES>().0) {
            let sums = products(gradients, weights);
            for p in 0..LANES {
                (0..LANES).for_each(|j| out[j][p] = sums[p][j] * share);
            }
        }
    }

    pub fn gradients(&self) -> Gradients {
        Gradients {
            weights: vec![[0.0; LANES]; self.padded_inputs() * self.bias.len()],
            bias: vec![[0.0; LANES]; self.bias.len()],
        }
    }

    pub fn learn(&self, x: &[Lanes], gradients: &[Lanes], sums: &mut Gradients) {
        let blocks = sums.weights.chunks_exact_mut(self.padded_inputs()).zip(&mut sums.bias);
        for ((weights, bias), gradients) in blocks.zip(gradients.as_chunks::<LANES>().0) {
            let mut by_position = [[0.0; LANES]; LANES];
            for (j, gradients) in gradients.iter().enumerate() {
                (0..LANES).for_each(|p| by_position[p][j] = gradients[p]);
                bias[j] += gradients.iter().sum::<f32>();
            }
            // A block of inputs at a time, which the compiler keeps in registers.
            for (block, x) in weights.as_chunks_mut::<LANES>().0.iter_mut().zip(x.as_chunks::<LANES>().0) {
                let mut sums = *block;
                for (p, gradients) in by_position.iter().enumerate() {
                    for (sums, x) in sums.iter_mut().zip(x) {
                        *sums = add_product(*sums, x[p], gradients);
                    }
                }
                *block = sums;
            }
        }
    }

    /// Adds the gradients to `out`, in the order of the parameters.
    pub fn collect(&self, sums: &Gradients, out: &mut [f32]) {
        let (weights, bias) = out.split_at_mut(self.inputs * self.outputs);
        for (o, (row, b)) in weights.chunks_exact_mut(self.inputs).zip(bias).enumerate() {
            *b += sums.bias[o / LANES][o % LANES];
            for (i, w) in row.iter_mut().enumerate() {
                *w += sums.weights[o / LANES * self.padded_inputs() + i][o % LANES] / ONE;
            }
        }
    }
}

impl Gradients {
    pub fn clear(&mut self) {
        self.weights.fill([0.0; LANES]);
        self.bias.fill([0.0; LANES]);
    }
}
