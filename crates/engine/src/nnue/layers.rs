//! The reference implementation of the network arithmetic, which every faster implementation must match.

/// A weight of the first layer, of 8 or 16 bits.
pub trait Weight: Copy + Into<i16> {}

impl Weight for i8 {}
impl Weight for i16 {}

/// Adds a row of weights to an accumulator (16-bit, wrapping).
pub fn add<W: Weight>(acc: &mut [i16], row: &[W]) {
    for (a, &w) in acc.iter_mut().zip(row) {
        *a = a.wrapping_add(w.into());
    }
}

/// Subtracts a row of weights from an accumulator (16-bit, wrapping).
pub fn sub<W: Weight>(acc: &mut [i16], row: &[W]) {
    for (a, &w) in acc.iter_mut().zip(row) {
        *a = a.wrapping_sub(w.into());
    }
}

/// `to = from + add - sub`: a move without a capture.
pub fn shift<W: Weight>(to: &mut [i16], from: &[i16], add: &[W], sub: &[W]) {
    for (((t, f), &a), &s) in to.iter_mut().zip(from).zip(add).zip(sub) {
        *t = f.wrapping_add(a.into()).wrapping_sub(s.into());
    }
}

/// `to = from + add[0] + add[1] - sub[0] - sub[1]`: a capture.
pub fn shift_two<W: Weight>(to: &mut [i16], from: &[i16], add: [&[W]; 2], sub: [&[W]; 2]) {
    let rows = add[0].iter().zip(add[1]).zip(sub[0]).zip(sub[1]);
    for ((t, f), (((&a, &b), &r), &s)) in to.iter_mut().zip(from).zip(rows) {
        *t = f.wrapping_add(a.into()).wrapping_add(b.into()).wrapping_sub(r.into()).wrapping_sub(s.into());
    }
}

/// Clipped ReLU of an accumulator: 0 to 127.
pub fn clip(acc: &[i16], out: &mut [u8]) {
    for (o, a) in out.iter_mut().zip(acc) {
        *o = (*a).clamp(0, 127) as u8;
    }
}

/// Clipped ReLU of a hidden layer whose weights are in 64ths.
pub fn clip_shifted(sums: &[i32], out: &mut [u8]) {
    for (o, s) in out.iter_mut().zip(sums) {
        *o = (s >> 6).clamp(0, 127) as u8;
    }
}

/// Products of pairs of neurons, one from each half, after the clipped ReLU: 0 to 126.
pub fn pair(acc: &[i16], out: &mut [u8]) {
    let (first, second) = acc.split_at(acc.len() / 2);
    for ((o, a), b) in out.iter_mut().zip(first).zip(second) {
        *o = (((*a).clamp(0, 127) * (*b).clamp(0, 127)) >> 7) as u8;
    }
}

/// Squares of the outputs of a hidden layer whose weights are in 64ths, limited to 127.
pub fn square_shifted(sums: &[i32], out: &mut [u8]) {
    for (o, s) in out.iter_mut().zip(sums) {
        *o = (i64::from(*s).pow(2) >> 19).min(127) as u8;
    }
}

/// Number of inputs whose weights for one output are adjacent in memory.
pub const TOGETHER: usize = 4;

/// `out[o] = bias[o] + sum over i of weight(i, o) * input[i]`, with the weights as `[input / 4][output][input % 4]`, so
/// that a vector has one lane per output and no horizontal sums are needed. Inputs are at most 127, so that two
/// products fit in 16 bits.
pub fn affine(input: &[u8], weights: &[i8], bias: &[i32], out: &mut [i32]) {
    out.copy_from_slice(bias);
    let (inputs, columns) = (input.as_chunks::<TOGETHER>().0, weights.chunks_exact(TOGETHER * bias.len()));
    for (input, column) in inputs.iter().zip(columns) {
        for (out, weights) in out.iter_mut().zip(column.as_chunks::<TOGETHER>().0) {
            let products = weights.iter().zip(input).map(|(&w, &x)| i32::from(w) * i32::from(x));
            *out = products.fold(*out, i32::wrapping_add);
        }
    }
}
