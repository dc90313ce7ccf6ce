//! Code shared by the implementations with vectors of four 32-bit numbers.

use crate::nnue::layers::TOGETHER;

/// Number of outputs in a vector.
const LANES: usize = 4;

/// Iterates over the outputs of an affine layer in groups of four: their destination, their biases, and every block of
/// inputs with its weights.
#[inline]
pub(super) fn lanes4<'a>(
    input: &'a [u8],
    weights: &'a [i8],
    bias: &'a [i32],
    out: &'a mut [i32],
) -> impl Iterator<
    Item = (&'a mut [i32; LANES], &'a [i32; LANES], impl Iterator<Item = ([u8; TOGETHER], &'a [i8; 16])>),
> {
    let outputs = bias.len();
    let inputs = input.as_chunks::<TOGETHER>().0;
    assert!(outputs.is_multiple_of(LANES) && outputs == out.len());
    assert!(weights.len() == inputs.len() * outputs * TOGETHER);
    let vectors = out.as_chunks_mut::<LANES>().0.iter_mut().zip(bias.as_chunks::<LANES>().0);
    vectors.enumerate().map(move |(group, (out, bias))| {
        let columns = weights.chunks_exact(outputs * TOGETHER);
        let weights = columns.map(move |column| &column.as_chunks::<16>().0[group]);
        (out, bias, inputs.iter().copied().zip(weights))
    })
}
