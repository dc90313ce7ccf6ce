//! Community `nn.bin` files of the classic family (Nasu 2018, YaneuraOu): HalfKP or K+P inputs and three dense layers.
//! The text in the file is unreliable, so the shape is derived from the size.
//!
//! ```text
//! u32 version, u32 hash of both parts, u32 length of the text, text
//! u32 hash of the inputs, i16 bias[neurons], i16 weights[input][neuron]
//! u32 hash of the layers, then for each: i32 bias[output], i8 weights[output][input, padded to a multiple of 32]
//! ```

use super::error::FormatError;
use super::feature_transformer::FeatureTransformer;
use super::features::Features;
use super::inputs::shogi::{HALFKP, KP};
use super::network::{Dense, Network, Tail};
use super::reader::{Reader, Shapes, bytes, chain, padded};
use super::sfnn;
use once_cell::sync::Lazy;

/// The default divisor of the outputs of these networks.
pub const FV_SCALE: i32 = 16;

const VERSION: u32 = 0x7AF3_2F16;
/// Maximum length of the text in a header, in bytes.
const MAX_TEXT: usize = 4096;

/// A known network shape.
pub struct Shape {
    /// The inputs.
    pub inputs: &'static Lazy<Features>,
    /// The name of the inputs in the text of a file.
    name: &'static str,
    hash: u32,
    /// Neurons per side.
    pub hidden: usize,
    /// Outputs of the first two dense layers.
    pub layers: [usize; 2],
    /// The name of the shape in `--shape`, if it can be trained.
    pub nickname: Option<&'static str>,
}

const fn shape(hidden: usize, first: usize, second: usize, nickname: Option<&'static str>) -> Shape {
    let (name, hash) = ("HalfKP(Friend)", 0x5D69_D5B8);
    Shape { inputs: &HALFKP, name, hash, hidden, layers: [first, second], nickname }
}

/// The shapes that can be read; those with a nickname can also be written.
pub static SHAPES: [Shape; 10] = [
    shape(256, 32, 32, Some("halfkp-256")),
    shape(512, 16, 32, Some("halfkp-512")),
    shape(512, 8, 64, None),
    shape(512, 8, 96, None),
    shape(512, 32, 32, None),
    shape(768, 16, 64, None),
    shape(1024, 8, 32, Some("halfkp-1024")),
    shape(1024, 8, 64, None),
    shape(1024, 8, 96, None),
    Shape {
        inputs: &KP,
        name: "K+P",
        hash: 0x3F57_17FF,
        hidden: 256,
        layers: [32, 32],
        nickname: Some("kp-256"),
    },
];

impl Shape {
    /// Inputs and outputs of the dense layers.
    pub fn dense(&self) -> Shapes {
        chain(2 * self.hidden, self.layers)
    }

    fn bytes(&self) -> usize {
        2 * self.hidden * (1 + self.inputs.rows) + bytes(&self.dense())
    }

    fn label(&self) -> String {
        let name = self.name.trim_end_matches("(Friend)");
        format!("{name} {}x2-{}-{}", self.hidden, self.layers[0], self.layers[1])
    }

    /// The header text of files with this shape.
    fn text(&self) -> String {
        let inputs = 2 * self.hidden;
        let mut network = format!("InputSlice[{inputs}(0:{inputs})]");
        for (at, (inputs, outputs)) in self.dense().into_iter().enumerate() {
            network = format!("AffineTransform[{outputs}<-{inputs}]({network})");
            if at < 2 {
                network = format!("ClippedReLU[{outputs}]({network})");
            }
        }
        format!("Features={}[{}->{}x2],Network={network}", self.name, self.inputs.rows, self.hidden)
    }

    /// The hashes of both parts.
    fn hashes(&self) -> [u32; 2] {
        let inputs = 2 * self.hidden as u32;
        let mut network = 0xEC42_E90D ^ inputs;
        for (at, (_, outputs)) in self.dense().into_iter().enumerate() {
            network = 0xCC03_DAE4u32.wrapping_add(outputs as u32) ^ network.rotate_right(1);
            if at < 2 {
                network = network.wrapping_add(0x538D_24C7);
            }
        }
        [self.hash ^ inputs, network]
    }
}

/// The weights of a network, as the trainer exports them.
pub struct Weights {
    /// Biases of the first layer.
    pub bias: Vec<i16>,
    /// Weights of the first layer, `[row][neuron]`.
    pub weights: Vec<i16>,
    /// Weights `[output][input]` and biases of each dense layer.
    pub layers: [(Vec<i8>, Vec<i32>); 3],
}

impl Weights {
    /// The bytes of a file with this shape.
    pub fn to_bytes(&self, shape: &Shape) -> Vec<u8> {
        let (text, [inputs, network]) = (shape.text(), shape.hashes());
        let mut out = Vec::with_capacity(20 + text.len() + shape.bytes());
        out.extend([VERSION, inputs ^ network, text.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
        out.extend(text.bytes());
        out.extend(inputs.to_le_bytes());
        out.extend(self.bias.iter().chain(&self.weights).flat_map(|w| w.to_le_bytes()));
        out.extend(network.to_le_bytes());
        self.put_layers(&shape.dense(), &mut out);
        out
    }

    /// Appends the dense layers with these numbers of inputs and outputs.
    pub(super) fn put_layers(&self, dense: &Shapes, out: &mut Vec<u8>) {
        for ((weights, bias), &(inputs, _)) in self.layers.iter().zip(dense) {
            out.extend(bias.iter().flat_map(|b| b.to_le_bytes()));
            for row in weights.chunks(inputs) {
                out.extend(row.iter().map(|&w| w as u8));
                out.extend(std::iter::repeat_n(0, padded(inputs) - inputs));
            }
        }
    }
}

/// Whether the bytes start with the header of an `nn.bin` file.
pub fn is_header(bytes: &[u8]) -> bool {
    bytes.starts_with(&VERSION.to_le_bytes())
}

/// Parses an `nn.bin` file.
///
/// # Errors
/// The bytes are not a valid network.
pub fn parse(bytes: &[u8], fv_scale: i32, origin: &str) -> Result<Network, FormatError> {
    if fv_scale < 1 {
        return Err(format!("FV_SCALE {fv_scale}, expected 1 or more").into());
    }
    let mut reader = Reader(bytes);
    let header = reader.numbers(3)?;
    if header[0] as u32 != VERSION {
        return Err("not a network file (unknown header)".into());
    }
    let text = header[2] as u32 as usize;
    if text > MAX_TEXT {
        return Err(format!("a header text of {text} bytes, expected at most {MAX_TEXT}").into());
    }
    let text = String::from_utf8_lossy(reader.take(text)?).to_string();
    let fv_scale = token(&text, "fv_scale=").filter(|&n| n > 0).unwrap_or(fv_scale);
    if sfnn::is_next(&reader) {
        return sfnn::parse(reader, &text, fv_scale, origin);
    }
    if text.contains("SCReLU") || token(&text, "qa=").is_some_and(|unit| unit != 127) {
        return Err(format!(
            "unknown activation ({}), expected clipped ReLU up to 127",
            text.escape_default().take(100).collect::<String>()
        )
        .into());
    }
    let rest = reader.0.len();
    // Some writers omit the hashes before the two parts.
    let fits = |shape: &&Shape| rest == shape.bytes() || rest == shape.bytes() + 8;
    let Some(shape) = SHAPES.iter().find(fits) else {
        let known: Vec<String> =
            SHAPES.iter().map(|shape| format!("{} ({})", shape.label(), shape.bytes() + 8)).collect();
        return Err(format!(
            "{rest} bytes of weights match no known architecture (known: {})",
            known.join(", ")
        )
        .into());
    };
    let hashes = rest == shape.bytes() + 8;
    if hashes {
        reader.take(4)?;
    }
    let bias = reader.shorts(shape.hidden)?;
    let first = FeatureTransformer::new(&bias, &reader.shorts(shape.hidden * shape.inputs.rows)?);
    if hashes {
        reader.take(4)?;
    }
    let layers = reader.layers(shape.dense())?;
    Ok(Network {
        name: format!("{origin} {} FV_SCALE {fv_scale}", shape.label()),
        features: shape.inputs,
        first,
        tail: Tail::Dense(Dense { layers, pairs: false, fv_scale }),
    })
}

/// The number that follows `word` in the text of a header.
fn token(text: &str, word: &str) -> Option<i32> {
    let (_, rest) = text.split_once(word)?;
    let digits: &str = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
