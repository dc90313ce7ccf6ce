//! The interface of an implementation of the arithmetic, and the scalar implementation.

use crate::nnue::layers;
use crate::nnue::layers::Weight;

type Shift<W> = fn(&mut [i16], &[i16], &[W], &[W]);
type ShiftTwo<W> = fn(&mut [i16], &[i16], [&[W]; 2], [&[W]; 2]);
type Affine = fn(&[u8], &[i8], &[i32], &mut [i32]);

/// Operations on rows of the first layer's weights.
#[derive(Clone, Copy)]
pub struct RowKernels<W: 'static> {
    /// See [`layers::add`].
    pub add: fn(&mut [i16], &[W]),
    /// See [`layers::sub`].
    pub sub: fn(&mut [i16], &[W]),
    /// See [`layers::shift`].
    pub shift: Shift<W>,
    /// See [`layers::shift_two`].
    pub shift_two: ShiftTwo<W>,
}

/// An implementation of the arithmetic. All implementations give bit-identical results. The numbers of neurons and
/// inputs are multiples of 32, the numbers of outputs multiples of 8.
pub struct Kernels {
    /// The name, for display.
    pub name: &'static str,
    /// For weights of 8 bits.
    pub narrow: RowKernels<i8>,
    /// For weights of 16 bits.
    pub wide: RowKernels<i16>,
    /// See [`layers::clip`].
    pub clip: fn(&[i16], &mut [u8]),
    /// See [`layers::pair`].
    pub pair: fn(&[i16], &mut [u8]),
    /// See [`layers::affine`].
    pub affine: Affine,
}

impl<W: Weight> RowKernels<W> {
    /// Scalar code; the compiler may vectorise it.
    pub const SCALAR: Self =
        Self { add: layers::add, sub: layers::sub, shift: layers::shift, shift_two: layers::shift_two };
}

/// Scalar code; the compiler may vectorise it.
pub static SCALAR: Kernels = Kernels {
    name: "scalar",
    narrow: RowKernels::SCALAR,
    wide: RowKernels::SCALAR,
    clip: layers::clip,
    pair: layers::pair,
    affine: layers::affine,
};
