//! What an implementation of the arithmetic offers, and the one without vectors.

use crate::nnue::layers;

type Shift = fn(&mut [i16], &[i16], &[i16], &[i16]);
type ShiftTwo = fn(&mut [i16], &[i16], [&[i16]; 2], [&[i16]; 2]);
type Affine = fn(&[u8], &[i8], &[i32], &mut [i32]);

/// One implementation of the arithmetic. All give the same bits. Numbers of neurons and inputs are multiples
/// of 32, of outputs of 8.
pub struct Kernels {
    /// What it uses, for humans.
    pub name: &'static str,
    /// See [`layers::add`].
    pub add: fn(&mut [i16], &[i16]),
    /// See [`layers::sub`].
    pub sub: fn(&mut [i16], &[i16]),
    /// See [`layers::shift`].
    pub shift: Shift,
    /// See [`layers::shift_two`].
    pub shift_two: ShiftTwo,
    /// See [`layers::screlu`].
    pub screlu: fn(&[i16], &[i16], u32) -> i32,
    /// See [`layers::clip`].
    pub clip: fn(&[i16], &mut [u8]),
    /// See [`layers::pair`].
    pub pair: fn(&[i16], &mut [u8]),
    /// See [`layers::affine`].
    pub affine: Affine,
}

/// No vectors but those the compiler finds.
pub static SCALAR: Kernels = Kernels {
    name: "scalar",
    add: layers::add,
    sub: layers::sub,
    shift: layers::shift,
    shift_two: layers::shift_two,
    screlu: layers::screlu,
    clip: layers::clip,
    pair: layers::pair,
    affine: layers::affine,
};
