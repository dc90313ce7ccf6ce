//! The community's newer files ("SFNN without PSQT"): inputs of all pieces before the own king, products of pairs of
//! neurons, and dense layers of which there is a set for each of nine regions of both kings. The shape follows from the
//! numbers of the first layer and from the size of what follows.
//!
//! ```text
//! u32 hash of the inputs; biases, then weights [input][neuron], each compressed:
//!     "COMPRESSED_LEB128", u32 bytes, numbers of 7 bits a byte, the lowest first
//! for each set: u32 hash, then three layers: i32 bias[output], i8 weights[output][input, filled up to a multiple of 32]
//! ```

use super::error::FormatError;
use super::features::Features;
use super::inputs::shogi::{HALFKA, HALFKA_HM};
use super::network::{First, Network, Stack, Stacks, Tail};
use super::reader::{Reader, padded};
use crate::shogi::square::RANKS;

/// How compressed numbers begin.
const MAGIC: &[u8] = b"COMPRESSED_LEB128";
/// Neurons a side that are known.
const NEURONS: [usize; 2] = [1024, 1536];
/// Outputs of the first two dense layers; the first has one more, which is added to the result.
const LAYERS: [[usize; 2]; 3] = [[15, 32], [7, 64], [15, 64]];
/// How many sets there may be: one, or one for each third of the board that either king is in.
const SETS: [usize; 2] = [9, 1];

/// Does such a first layer follow, after its hash?
pub fn is_next(reader: &Reader) -> bool {
    reader.0.get(4..).is_some_and(|bytes| bytes.starts_with(MAGIC))
}

/// Reads what follows the text of the header.
pub fn parse(mut reader: Reader, fv_scale: i32, origin: &str) -> Result<Network, FormatError> {
    reader.take(4)?;
    let bias = compressed(&mut reader, NEURONS[1])?;
    let hidden = bias.len();
    if !NEURONS.contains(&hidden) {
        return Err(format!("{hidden} neurons a side, expected {} or {}", NEURONS[0], NEURONS[1]).into());
    }
    let inputs: [(&'static Features, &str); 2] = [(&HALFKA_HM, "HalfKA_hm"), (&HALFKA, "HalfKA")];
    let most = inputs.iter().map(|(features, _)| features.rows).max().unwrap_or(0);
    let weights = compressed(&mut reader, most * hidden)?;
    let Some(&(features, name)) = inputs.iter().find(|(features, _)| features.rows * hidden == weights.len())
    else {
        let [(mirrored, _), (whole, _)] = inputs;
        let (found, one, two) = (weights.len() as f64 / hidden as f64, mirrored.rows, whole.rows);
        return Err(format!("weights of {found} inputs, expected {one} or {two}").into());
    };
    let rest = reader.0.len();
    let bytes = |[first, second]: [usize; 2]| {
        let dense = [(hidden, first + 1), (2 * first, second), (second, 1)];
        4 + dense.iter().map(|&(inputs, outputs)| outputs * (4 + padded(inputs))).sum::<usize>()
    };
    let shapes = || LAYERS.iter().flat_map(|&layers| SETS.map(|sets| (layers, sets)));
    let Some((layers, sets)) = shapes().find(|&(layers, sets)| sets * bytes(layers) == rest) else {
        let known: Vec<String> = shapes()
            .map(|(layers, sets)| format!("{sets} of {}-{} ({})", layers[0], layers[1], sets * bytes(layers)))
            .collect();
        let known = known.join(", ");
        return Err(format!("{rest} bytes of dense layers fit no known shape: {known}").into());
    };
    let [first, second] = layers;
    let stacks: Result<Vec<Stack>, FormatError> = (0..sets)
        .map(|_| {
            reader.take(4)?;
            let layers = [(hidden, first + 1), (2 * first, second), (second, 1)];
            let [one, two, three] = layers;
            Ok(Stack { layers: [reader.affine(one)?, reader.affine(two)?, reader.affine(three)?] })
        })
        .collect();
    let thirds = (0..features.buckets).map(|bucket| (bucket / features.views % RANKS / 3) as u8).collect();
    Ok(Network {
        name: format!("{origin} {name} {hidden}x2-{first}-{second}x{sets} FV_SCALE {fv_scale}"),
        features,
        first: First::new(&bias, &weights),
        tail: Tail::Stacks(Stacks { stacks: stacks?, thirds, squared: first, fv_scale }),
    })
}

/// Compressed numbers, at most so many.
fn compressed(reader: &mut Reader, most: usize) -> Result<Vec<i16>, FormatError> {
    if reader.take(MAGIC.len())? != MAGIC {
        return Err("no compressed numbers where they were expected".into());
    }
    let bytes = reader.numbers(1)?[0] as u32 as usize;
    let bytes = reader.take(bytes)?;
    let mut out = Vec::with_capacity(most.min(bytes.len()));
    let (mut value, mut shift) = (0i32, 0);
    for &byte in bytes {
        if shift > 14 || out.len() == most {
            return Err(
                format!("compressed numbers of more than 16 bits, or more than {most} of them").into()
            );
        }
        value |= i32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            // The highest bit of the last byte is the sign.
            let signed = if byte & 0x40 == 0 { value } else { value - (1 << shift) };
            out.push(i16::try_from(signed).map_err(|_| format!("{signed} is not a number of 16 bits"))?);
            (value, shift) = (0, 0);
        }
    }
    if shift > 0 { Err("the last compressed number is cut".into()) } else { Ok(out) }
}
