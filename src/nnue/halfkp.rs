//! The community's `nn.bin` files of the classic family (Nasu 2018, YaneuraOu): HalfKP or K+P inputs and three dense
//! layers. The text in the file is unreliable: the shape follows from the size.

use super::error::FormatError;
use super::features::Features;
use super::inputs::shogi::{HALFKP, KP};
use super::network::{Affine, Dense, First, Network, Tail};
use once_cell::sync::Lazy;

/// What the outputs of these networks are divided by where nobody says otherwise.
pub const FV_SCALE: i32 = 16;

const VERSION: u32 = 0x7AF3_2F16;
/// Longest text in a header.
const MAX_TEXT: usize = 4096;

/// A known shape.
struct Shape {
    inputs: &'static Lazy<Features>,
    name: &'static str,
    hidden: usize,
    layers: [usize; 2],
}

const fn shape(name: &'static str, hidden: usize, first: usize, second: usize) -> Shape {
    Shape { inputs: &HALFKP, name, hidden, layers: [first, second] }
}

static SHAPES: [Shape; 10] = [
    shape("HalfKP", 256, 32, 32),
    shape("HalfKP", 512, 16, 32),
    shape("HalfKP", 512, 8, 64),
    shape("HalfKP", 512, 8, 96),
    shape("HalfKP", 512, 32, 32),
    shape("HalfKP", 768, 16, 64),
    shape("HalfKP", 1024, 8, 32),
    shape("HalfKP", 1024, 8, 64),
    shape("HalfKP", 1024, 8, 96),
    Shape { inputs: &KP, name: "K+P", hidden: 256, layers: [32, 32] },
];

const fn padded(n: usize) -> usize {
    n.div_ceil(32) * 32
}

impl Shape {
    /// Inputs and outputs of the dense layers.
    fn dense(&self) -> [(usize, usize); 3] {
        let [first, second] = self.layers;
        [(2 * self.hidden, first), (first, second), (second, 1)]
    }

    /// Bytes of all weights.
    fn bytes(&self) -> usize {
        let dense: usize = self.dense().iter().map(|&(i, o)| o * (4 + padded(i))).sum();
        2 * self.hidden * (1 + self.inputs.rows) + dense
    }
}

/// Does it start like such a file?
pub fn is_header(bytes: &[u8]) -> bool {
    bytes.starts_with(&VERSION.to_le_bytes())
}

/// Reads such a file. An error says what was expected and found.
pub fn parse(bytes: &[u8], fv_scale: i32, origin: &str) -> Result<Network, FormatError> {
    if fv_scale < 1 {
        return Err(format!("FV_SCALE {fv_scale}, expected 1 or more").into());
    }
    let mut reader = Reader(bytes);
    let header = reader.numbers(3)?;
    if header[0] as u32 != VERSION {
        return Err("not a network file (no header that is known)".into());
    }
    let text = header[2] as u32 as usize;
    if text > MAX_TEXT {
        return Err(format!("a description of {text} bytes, expected at most {MAX_TEXT}").into());
    }
    let text = String::from_utf8_lossy(reader.take(text)?).to_string();
    if text.contains("SCReLU") || token(&text, "qa=").is_some_and(|unit| unit != 127) {
        return Err(format!(
            "an activation that is not known ({}), expected clipped ReLU up to 127",
            text.escape_default().take(100).collect::<String>()
        )
        .into());
    }
    let rest = reader.0.len();
    // Some writers leave out the two numbers that stand before each part.
    let fits = |shape: &&Shape| rest == shape.bytes() || rest == shape.bytes() + 8;
    let Some(shape) = SHAPES.iter().find(fits) else {
        let known: Vec<String> =
            SHAPES.iter().map(|shape| format!("{} ({})", shape.label(), shape.bytes() + 8)).collect();
        return Err(format!("{rest} bytes of weights fit no known shape: {}", known.join(", ")).into());
    };
    let hashes = rest == shape.bytes() + 8;
    if hashes {
        reader.take(4)?;
    }
    let bias = reader.shorts(shape.hidden)?;
    let first = First::new(&bias, &reader.shorts(shape.hidden * shape.inputs.rows)?);
    if hashes {
        reader.take(4)?;
    }
    let [one, two, three] = shape.dense();
    let layers = [reader.affine(one)?, reader.affine(two)?, reader.affine(three)?];
    let fv_scale = token(&text, "fv_scale=").filter(|&n| n > 0).unwrap_or(fv_scale);
    Ok(Network {
        name: format!("{origin} {} FV_SCALE {fv_scale}", shape.label()),
        features: shape.inputs,
        first,
        tail: Tail::Dense(Dense { layers, fv_scale }),
    })
}

impl Shape {
    fn label(&self) -> String {
        format!("{} {}x2-{}-{}", self.name, self.hidden, self.layers[0], self.layers[1])
    }
}

/// The number after a word of the description.
fn token(text: &str, word: &str) -> Option<i32> {
    let (_, rest) = text.split_once(word)?;
    let digits: &str = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], FormatError> {
        let (head, rest) = self
            .0
            .split_at_checked(n)
            .ok_or_else(|| format!("{n} more bytes expected, {} found", self.0.len()))?;
        self.0 = rest;
        Ok(head)
    }

    fn shorts(&mut self, n: usize) -> Result<Vec<i16>, FormatError> {
        Ok(self.take(2 * n)?.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b)).collect())
    }

    fn numbers(&mut self, n: usize) -> Result<Vec<i32>, FormatError> {
        Ok(self.take(4 * n)?.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect())
    }

    fn affine(&mut self, (inputs, outputs): (usize, usize)) -> Result<Affine, FormatError> {
        let inputs_padded = padded(inputs);
        let bias = self.numbers(outputs)?;
        let mut weights: Vec<i8> = self.take(outputs * inputs_padded)?.iter().map(|&b| b as i8).collect();
        // Whatever stands in the padding is not part of the network.
        for row in weights.chunks_exact_mut(inputs_padded) {
            row[inputs..].fill(0);
        }
        Ok(Affine::new(&bias, &weights))
    }
}
