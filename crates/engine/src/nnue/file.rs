//! Our own network files: a header of 96 bytes, then the weights, all numbers little-endian.
//!
//! ```text
//!  0  8  magic "SANBANNN"      8  4  version 4           12  4  input set        16  4  rows
//! 20  4  neurons per side     24  4  output buckets, 1   28  4  outputs of the first dense layer
//! 32  4  outputs of the second dense layer               36  4  centipawns for an output of 1.0 during training
//! 40 48  training data, text  88  8  checksum (FNV-1a) of the rest
//! 96     bias[neurons], weights[rows][neurons], each number one byte (i8) or, outside -127..=127, the byte -128 and an
//!        i16; then for each of three dense layers: i32 bias[output], i8 weights[output][input, padded to a multiple
//!        of 32]
//! ```
//!
//! In version 3, which is still read, `bias` and `weights` are `i16`: the same network takes almost twice the space.
//!
//! The dense layers are like those of an `nn.bin`; their inputs are products of pairs of neurons.

use super::error::FormatError;
use super::feature_transformer::FeatureTransformer;
use super::features::Features;
use super::halfkp;
use super::network::{Dense, MAX_OUTPUTS, Network, Tail};
use super::reader::{self, Reader, chain};
use crate::NetworkError;
use sanban_system::{checksum, read_whole};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

const MAGIC: &[u8; 8] = b"SANBANNN";
const VERSION: u32 = 4;
/// The version in which all weights of the first layer take 16 bits.
const WIDE: u32 = 3;
/// The version of networks of one layer, which are no longer supported.
const ONE_LAYER: u32 = 2;
const HEADER: usize = 96;
/// Range of the text about the training data in the header.
const ORIGIN: std::ops::Range<usize> = 40..88;
/// Maximum number of neurons per side.
const MAX_HIDDEN: usize = 1024;
/// Maximum size of a file in bytes; the largest known shapes have 213 million weights of one or two bytes each.
const LARGEST: u64 = 512 << 20;
/// One of our own networks, as the trainer exports it.
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
            reader::pack(values, &mut payload);
        }
        self.weights.put_layers(&chain(hidden, layers), &mut payload);
        let numbers = [features.rows, hidden, 1, first, second].map(|n| n as u32);
        let [rows, hidden, buckets, first, second] = numbers;
        let numbers = [VERSION, features.id, rows, hidden, buckets, first, second, self.scale as u32];
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
    if number(8) == ONE_LAYER {
        return Err(
            "a network of one layer, which is no longer supported; `sanban train` makes a new one".into()
        );
    }
    if number(8) != WIDE {
        expect("version", number(8), VERSION)?;
    }
    expect("input set", number(12), features.id)
        .map_err(|error| format!("{error}: a network for a different game"))?;
    expect("rows", number(16), features.rows as u32)?;
    expect("output buckets", number(24), 1)?;
    let hidden = number(20) as usize;
    if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(32) {
        return Err(format!("{hidden} neurons, expected a multiple of 32 up to {MAX_HIDDEN}").into());
    }
    let outputs @ [first, second] = [28, 32].map(|at| number(at) as usize);
    if outputs.iter().any(|outputs| !(1..=MAX_OUTPUTS).contains(outputs)) {
        return Err(
            format!("dense layers with {first} and {second} outputs, expected 1 to {MAX_OUTPUTS}").into()
        );
    }
    if header[88..96] != checksum(payload).to_le_bytes() {
        return Err("damaged: the checksum does not match".into());
    }
    let text = String::from_utf8_lossy(&header[ORIGIN]).trim_end_matches('\0').escape_default().to_string();
    let name = format!("{origin} ({}->{hidden})x2->{first}->{second}->1 {text}", features.rows);
    let mut reader = Reader(payload);
    let shorts = if number(8) == WIDE { Reader::shorts } else { Reader::packed };
    let (bias, weights) = (shorts(&mut reader, hidden)?, shorts(&mut reader, features.rows * hidden)?);
    let layers = reader.layers(chain(hidden, outputs))?;
    if !reader.0.is_empty() {
        return Err(format!("{} bytes after the weights of {hidden} neurons", reader.0.len()).into());
    }
    Ok(Network {
        name: name.trim_end().into(),
        features,
        first: FeatureTransformer::new(&bias, &weights),
        tail: Tail::Dense(Dense { layers, pairs: true, fv_scale: halfkp::FV_SCALE }),
    })
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
