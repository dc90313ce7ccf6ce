//! Reads numbers from the front of a byte slice, for network files.

use super::error::FormatError;
use super::network::Affine;

/// The byte in front of a number that does not fit into one.
const WIDE: i8 = i8::MIN;

/// Appends numbers, those from -127 to 127 as one byte, the others as `WIDE` and two bytes. Almost all weights are
/// small.
pub fn pack(values: &[i16], out: &mut Vec<u8>) {
    for value in values {
        match i8::try_from(*value) {
            Ok(short) if short != WIDE => out.push(short as u8),
            _ => {
                out.push(WIDE as u8);
                out.extend(value.to_le_bytes());
            }
        }
    }
}

/// The bytes that have not been read yet.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// Returns the next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], FormatError> {
        let (head, rest) = self
            .0
            .split_at_checked(n)
            .ok_or_else(|| format!("{n} more bytes expected, {} found", self.0.len()))?;
        self.0 = rest;
        Ok(head)
    }

    /// Reads 16-bit numbers.
    pub fn shorts(&mut self, n: usize) -> Result<Vec<i16>, FormatError> {
        Ok(self.take(2 * n)?.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b)).collect())
    }

    /// Reads numbers written by [`pack`].
    pub fn packed(&mut self, n: usize) -> Result<Vec<i16>, FormatError> {
        // Each number takes at least a byte, so a short file is refused before memory is reserved.
        let mut bytes = self.0.iter();
        let mut out = Vec::with_capacity(n.min(bytes.len()));
        for read in 0..n {
            let mut next =
                || bytes.next().copied().ok_or_else(|| format!("{} more weights expected", n - read));
            out.push(match next()? as i8 {
                WIDE => i16::from_le_bytes([next()?, next()?]),
                short => short.into(),
            });
        }
        self.0 = bytes.as_slice();
        Ok(out)
    }

    /// Reads 32-bit numbers.
    pub fn numbers(&mut self, n: usize) -> Result<Vec<i32>, FormatError> {
        Ok(self.take(4 * n)?.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect())
    }

    /// Reads a dense layer with these numbers of inputs and outputs.
    pub fn affine(&mut self, shape: (usize, usize)) -> Result<Affine, FormatError> {
        self.affine_where(shape, |_, _| true)
    }

    /// Reads three dense layers.
    pub fn layers(&mut self, [one, two, three]: Shapes) -> Result<[Affine; 3], FormatError> {
        Ok([self.affine(one)?, self.affine(two)?, self.affine(three)?])
    }

    /// Reads a dense layer with these numbers of inputs and outputs, and keeps only the selected connections.
    pub fn affine_where(
        &mut self,
        (inputs, outputs): (usize, usize),
        wanted: impl Fn(usize, usize) -> bool,
    ) -> Result<Affine, FormatError> {
        let inputs_padded = padded(inputs);
        let bias = self.numbers(outputs)?;
        let mut weights: Vec<i8> = self.take(outputs * inputs_padded)?.iter().map(|&b| b as i8).collect();
        // The padding is not part of the network.
        for (output, row) in weights.chunks_exact_mut(inputs_padded).enumerate() {
            for (_, weight) in row.iter_mut().enumerate().filter(|&(i, _)| i >= inputs || !wanted(output, i))
            {
                *weight = 0;
            }
        }
        Ok(Affine::new(&bias, &weights))
    }
}

/// Inputs and outputs of three fully connected layers.
pub type Shapes = [(usize, usize); 3];

/// The shapes of three dense layers, given the number of inputs and the numbers of outputs of the first two layers.
pub fn chain(inputs: usize, [first, second]: [usize; 2]) -> Shapes {
    [(inputs, first), (first, second), (second, 1)]
}

/// Number of bytes of dense layers in a file.
pub fn bytes(shapes: &Shapes) -> usize {
    shapes.iter().map(|&(inputs, outputs)| outputs * (4 + padded(inputs))).sum()
}

/// The number of inputs of a dense layer, padded to a multiple of 32.
pub const fn padded(inputs: usize) -> usize {
    inputs.div_ceil(32) * 32
}
