//! Our own network files: a header of 96 bytes, then the weights, all numbers little-endian.
//!
//! ```text
//!  0  8  magic "SANBANNN"      8  4  version, 2 or 3     12  4  input set        16  4  rows
//! 20  4  neurons per side     24  4  output buckets, 1   28  4  shift            32  4  unit
//! 36  4  SCALE                40 48  training data, text                         88  8  checksum (FNV-1a) of the rest
//! 96     i16 bias[neurons], i16 weights[rows][neurons], i16 output[2 * neurons], i32 output bias
//! ```
//!
//! Version 3 has three dense layers after products of pairs of neurons, like those of an `nn.bin`: offsets 28 and 32
//! contain the numbers of outputs of the first two, and the output weights are replaced by `i32 bias[output]`, `i8
//! weights[output][input, padded to a multiple of 32]` for each layer.

use super::aligned::Aligned;
use super::error::FormatError;
use super::feature_transformer::FeatureTransformer;
use super::features::Features;
use super::halfkp;
use super::layers::ONE;
use super::network::{self, MAX_OUTPUTS, Network, Own, Tail};
use super::reader::{self, Reader, chain};
use crate::NetworkError;
use sanban_system::{checksum, read_whole};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

const MAGIC: &[u8; 8] = b"SANBANNN";
const FLAT: u32 = 2;
const DEEP: u32 = 3;
const HEADER: usize = 96;
/// Range of the text about the training data in the header.
const ORIGIN: std::ops::Range<usize> = 40..88;
/// Maximum number of neurons per side.
const MAX_HIDDEN: usize = 1024;
/// Maximum size of a file in bytes; the largest known shapes have 213 million weights of one or two bytes each.
const LARGEST: u64 = 512 << 20;
/// Maximum shift: the additional bits of precision that the first layer may have compared with [`ONE`].
pub const MAX_SHIFT: u32 = 7;
/// Largest fixed-point value of 1.0 in the output weights.
pub const MAX_UNIT: u32 = 1 << 14;
/// Largest sum of the absolute output weights, so that the sum over both perspectives fits in 32 bits.
pub const MOST_OUTPUT: i64 = i32::MAX as i64 / (ONE as i64 * ONE as i64);

/// The weights of one of our own networks, as the trainer exports them.
pub struct Weights {
    /// Neurons per side, a multiple of 32.
    pub hidden: usize,
    /// Biases of the first layer.
    pub bias: Vec<i16>,
    /// Weights of the first layer, `[row][neuron]`.
    pub weights: Vec<i16>,
    /// Output weights, those of the side to move first. The sum of their absolute values is at most [`MOST_OUTPUT`].
    pub output: Vec<i16>,
    /// Output bias in units of `ONE * ONE * unit`.
    pub output_bias: i32,
    /// The values of the first layer are in units of `1 / (ONE << shift)`.
    pub shift: u32,
    /// The fixed-point value of 1.0 in the output weights.
    pub unit: i32,
    /// The value of an output of 1.0, in centipawns.
    pub scale: i32,
    /// Text about the training data, at most 48 bytes.
    pub origin: String,
}

impl Weights {
    /// The bytes of a file with this input set.
    pub fn to_bytes(&self, features: &Features) -> Vec<u8> {
        let mut payload = Vec::new();
        for values in [&self.bias, &self.weights, &self.output] {
            payload.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        }
        payload.extend(self.output_bias.to_le_bytes());
        let (rows, hidden, unit) = (features.rows as u32, self.hidden as u32, self.unit as u32);
        let numbers = [FLAT, features.id, rows, hidden, 1, self.shift, unit, self.scale as u32];
        whole(numbers, &self.origin, &payload)
    }

    /// The network with these weights.
    pub fn into_network(self, features: &'static Features, name: String) -> Network {
        Network {
            name,
            features,
            first: FeatureTransformer::new(&self.bias, &self.weights),
            tail: Tail::Own(Own {
                weights: Aligned::copy_of(&self.output),
                bias: self.output_bias,
                shift: self.shift,
                unit: self.unit,
                scale: self.scale,
            }),
        }
    }
}

/// The weights of one of our own networks with dense layers.
pub struct Deep<'a> {
    /// The weights and biases.
    pub weights: &'a halfkp::Weights,
    /// The value of an output of 1.0 during training, in centipawns.
    pub scale: i32,
    /// Text about the training data, at most 48 bytes.
    pub origin: String,
}

impl Deep<'_> {
    /// The bytes of a file with this input set.
    pub fn to_bytes(&self, features: &Features) -> Vec<u8> {
        let (hidden, outputs) = (self.weights.bias.len(), |at: usize| self.weights.layers[at].1.len());
        let layers @ [first, second] = [outputs(0), outputs(1)];
        let mut payload = Vec::new();
        for values in [&self.weights.bias, &self.weights.weights] {
            payload.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        }
        self.weights.put_layers(&chain(hidden, layers), &mut payload);
        let numbers = [features.rows, hidden, 1, first, second].map(|n| n as u32);
        let [rows, hidden, buckets, first, second] = numbers;
        let numbers = [DEEP, features.id, rows, hidden, buckets, first, second, self.scale as u32];
        whole(numbers, &self.origin, &payload)
    }
}

/// A file with these numbers in the header and this payload.
fn whole(numbers: [u32; 8], origin: &str, payload: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    let mut origin = origin.as_bytes().to_vec();
    origin.resize(ORIGIN.len(), 0);
    out.extend(origin);
    out.extend(checksum(payload).to_le_bytes());
    out.extend(payload);
    out
}

/// Whether the bytes start with the header of one of our own networks.
pub fn is_own(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Whether a file starts with the header of one of our own networks or of a community network.
pub fn is_network(file: &mut File) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = file.rewind().and_then(|()| file.read_exact(&mut start));
    read.is_ok() && (is_own(&start) || halfkp::is_header(&start))
}

/// Parses one of our own networks. `origin` is its source, used in its name.
///
/// # Errors
/// The bytes are not a valid network.
pub fn parse(bytes: &[u8], features: &'static Features, origin: &str) -> Result<Network, FormatError> {
    if halfkp::is_header(bytes) {
        return Err("an nn.bin file, which only shogi supports".into());
    }
    if !is_own(bytes) {
        let start: String = bytes.iter().take(8).map(|byte| format!(" {byte:02x}")).collect();
        return Err(format!(
            "not a network file: {} bytes, first bytes:{}; expected \"{}\" or the header of an nn.bin",
            bytes.len(),
            if start.is_empty() { " none" } else { &start },
            String::from_utf8_lossy(MAGIC)
        )
        .into());
    }
    let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
        return Err(format!("{} bytes, shorter than the header ({HEADER} bytes)", bytes.len()).into());
    };
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let expect = |what: &str, found: u32, expected: u32| {
        if found == expected { Ok(()) } else { Err(format!("{what} {found}, expected {expected}")) }
    };
    let version = number(8);
    if version != FLAT && version != DEEP {
        return Err(format!("version {version}, expected {FLAT} or {DEEP}").into());
    }
    expect("input set", number(12), features.id)
        .map_err(|error| format!("{error}: a network for a different game"))?;
    expect("rows", number(16), features.rows as u32)?;
    expect("output buckets", number(24), 1)?;
    let (hidden, scale) = (number(20) as usize, number(36));
    if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(32) {
        return Err(format!("{hidden} neurons, expected a multiple of 32 up to {MAX_HIDDEN}").into());
    }
    let stored = header[88..96].iter().rev().fold(0, |sum, &b| sum << 8 | u64::from(b));
    let text = String::from_utf8_lossy(&header[ORIGIN]).trim_end_matches('\0').escape_default().to_string();
    let body = Body { payload, stored, hidden, numbers: [number(28), number(32), scale], features };
    let name = |rest: &str| {
        format!("{origin} ({}->{hidden})x2->{rest} {text}", features.rows).trim_end().to_string()
    };
    if version == DEEP { body.deep(name) } else { body.flat(name, text.clone()) }
}

/// The bytes after the header, and the shape that the header declares.
struct Body<'a> {
    payload: &'a [u8],
    /// The checksum in the header.
    stored: u64,
    hidden: usize,
    /// The numbers at offsets 28, 32 and 36.
    numbers: [u32; 3],
    features: &'static Features,
}

impl Body<'_> {
    /// Checks the length and the checksum. `rest`: the expected number of bytes after the first layer.
    fn check(&self, rest: usize) -> Result<(), FormatError> {
        let (found, hidden) = (self.payload.len(), self.hidden);
        let size = 2 * hidden * (1 + self.features.rows) + rest;
        if found != size {
            let (found, size) = (HEADER + found, HEADER + size);
            return Err(format!("{found} bytes, expected {size} for {hidden} neurons").into());
        }
        if checksum(self.payload) == self.stored {
            Ok(())
        } else {
            Err("damaged: the checksum does not match".into())
        }
    }

    fn flat(self, name: impl Fn(&str) -> String, origin: String) -> Result<Network, FormatError> {
        let (hidden, [shift, unit, scale]) = (self.hidden, self.numbers);
        if shift > MAX_SHIFT || !(1..=MAX_UNIT).contains(&unit) || !(1..=10_000).contains(&scale) {
            return Err(format!("shift {shift}, unit {unit} or scale {scale} is out of range").into());
        }
        self.check(2 * 2 * hidden + 4)?;
        let mut reader = Reader(self.payload);
        let (bias, weights) = (reader.shorts(hidden)?, reader.shorts(self.features.rows * hidden)?);
        let (output, output_bias) = (reader.shorts(2 * hidden)?, reader.numbers(1)?[0]);
        let sum: i64 = output.iter().map(|&w| i64::from(w).abs()).sum();
        if sum > MOST_OUTPUT {
            return Err(
                format!("the absolute output weights sum to {sum}, expected at most {MOST_OUTPUT}").into()
            );
        }
        let (unit, scale) = (unit as i32, scale as i32);
        let weights = Weights { hidden, bias, weights, output, output_bias, shift, unit, scale, origin };
        Ok(weights.into_network(self.features, name("1")))
    }

    fn deep(self, name: impl Fn(&str) -> String) -> Result<Network, FormatError> {
        let (hidden, [first, second, _]) = (self.hidden, self.numbers);
        let layers = [first, second].map(|outputs| outputs as usize);
        if layers.iter().any(|outputs| !(1..=MAX_OUTPUTS).contains(outputs)) {
            return Err(format!(
                "dense layers with {first} and {second} outputs, expected 1 to {MAX_OUTPUTS}"
            )
            .into());
        }
        let dense = chain(hidden, layers);
        self.check(reader::bytes(&dense))?;
        let mut reader = Reader(self.payload);
        let (bias, weights) = (reader.shorts(hidden)?, reader.shorts(self.features.rows * hidden)?);
        let layers = reader.layers(dense)?;
        Ok(Network {
            name: name(&format!("{first}->{second}->1")),
            features: self.features,
            first: FeatureTransformer::new(&bias, &weights),
            tail: Tail::Dense(network::Dense { layers, pairs: true, fv_scale: halfkp::FV_SCALE }),
        })
    }
}

/// Reads a network file: one of our own for these inputs or, if `fv_scale` is given, a community network.
///
/// # Errors
/// The file cannot be read, or its content is invalid.
pub fn load(path: &Path, own: &'static Features, fv_scale: Option<i32>) -> Result<Network, NetworkError> {
    decode(path, &read_whole(path, LARGEST)?, own, fv_scale)
}

/// Like [`load`], for the bytes of a file.
///
/// # Errors
/// See [`load`].
pub fn decode(
    path: &Path,
    bytes: &[u8],
    own: &'static Features,
    fv_scale: Option<i32>,
) -> Result<Network, NetworkError> {
    let origin = path.display().to_string();
    let network = match fv_scale {
        Some(fv_scale) if halfkp::is_header(bytes) => halfkp::parse(bytes, fv_scale, &origin),
        _ => parse(bytes, own, &origin),
    };
    network.map_err(|problem| NetworkError::Format { path: path.into(), problem: problem.to_string() })
}
