//! Newer community files ("SFNN without PSQT"): inputs of all pieces relative to a side's king, products of pairs of
//! neurons, and several sets of dense layers. The inputs and neurons are derived from the size of the first layer, the
//! rest from the text of the header, or from the file size if only one shape fits.
//!
//! ```text
//! u32 hash of the inputs; biases, then weights [input][neuron], each compressed:
//!     "COMPRESSED_LEB128", u32 bytes, numbers with 7 bits per byte, lowest bits first
//! if the sets also depend on the progress of a game: u32 hash, i32 bias, i32 weights[king][piece]
//! for each set: u32 hash, then three layers: i32 bias[output], i8 weights[output][input, padded to a multiple of 32]
//! ```

use super::buckets::{Buckets, Scheme};
use super::error::FormatError;
use super::feature_transformer::FeatureTransformer;
use super::features::Features;
use super::inputs::shogi::{HALFKA_HM1, HALFKA_HM2, HALFKA1, HALFKA2, HALFKP, HALFKP_VM};
use super::network::{MAX_INPUTS, MAX_OUTPUTS, Network, Stack, Stacks, Tail};
use super::reader::{self, Reader, Shapes};
use once_cell::sync::Lazy;

/// The bytes that mark the start of compressed numbers.
const MAGIC: &[u8] = b"COMPRESSED_LEB128";
/// The number of neurons per side is a multiple of this.
const STEP: usize = 64;
/// The inputs and their names in YaneuraOu's editions.
static INPUTS: [(&Lazy<Features>, &str); 6] = [
    (&HALFKA_HM2, "halfkahm2"),
    (&HALFKA2, "halfka2"),
    (&HALFKA_HM1, "halfkahm1"),
    (&HALFKA1, "halfka1"),
    (&HALFKP_VM, "halfkpvm"),
    (&HALFKP, "halfkp"),
];
/// Shapes to try if the description in the file names none that fits.
const USUAL: [[usize; 2]; 3] = [[15, 32], [7, 64], [15, 64]];

/// The layers after the first.
struct Shape {
    /// Number of outputs of each of the first two dense layers.
    layers: [usize; 2],
    /// For networks whose first dense layer is not fully connected: the number of inputs that all outputs
    /// share, the number of inputs in each group, and the number of groups.
    shards: Option<[usize; 3]>,
    scheme: Scheme,
}

impl Shape {
    /// The shape named in the text of a header, such as `Network=SFNN_HALFKA2_1024_7_64_C0_S128X8_K3K3{`.
    fn named(text: &str) -> Option<Self> {
        let name = text.split_once("Network=")?.1.split('{').next()?.to_ascii_lowercase();
        let name = if name == "sfnn-1536" { "sfnn_halfkahm2_1536_15_32_k3k3" } else { &name };
        let mut words = name.split('_').peekable();
        words.next().filter(|&word| word == "sfnn")?;
        let [first, second] = [words.nth(2)?, words.next()?].map(|word| word.parse().ok());
        let layers = [first?, second?];
        let mut number =
            |letter| words.next_if(|word| word.starts_with(letter)).map(|word| word[1..].to_string());
        let shards = match number('c') {
            Some(common) => {
                let shards = number('s')?;
                let (each, parts) = shards.split_once('x')?;
                Some([common.parse().ok()?, each.parse().ok()?, parts.parse().ok()?])
            }
            None => None,
        };
        let scheme = Scheme::named(&words.collect::<Vec<_>>().join("_"))?;
        Some(Self { layers, shards, scheme })
    }

    /// Whether one output of the first dense layer is added to the result.
    fn shortcut(&self) -> bool {
        self.layers[0] % 8 == 7
    }

    /// Numbers of inputs and outputs of the dense layers that follow `hidden` neurons.
    fn dense(&self, hidden: usize) -> Shapes {
        let [first, second] = self.layers;
        [(hidden, first + usize::from(self.shortcut())), (2 * first, second), (second, 1)]
    }

    /// Whether the shape takes this number of bytes and is supported.
    fn fits(&self, hidden: usize, bytes: usize) -> bool {
        let [first, second] = self.layers;
        let small = (1..=MAX_OUTPUTS / 2).contains(&first) && (1..=MAX_OUTPUTS).contains(&second);
        if !small || !(first.is_multiple_of(8) || self.shortcut()) {
            return false;
        }
        let dense = self.dense(hidden);
        let parts = self.shards.is_none_or(|[common, each, parts]| {
            let sum = parts.checked_mul(each).and_then(|shards| shards.checked_add(common));
            sum == Some(hidden) && dense[0].1.is_multiple_of(parts)
        });
        let set = 4 + reader::bytes(&dense);
        let progress = self.scheme.progress_numbers().map_or(0, |numbers| 4 * (1 + numbers));
        parts && progress + self.scheme.buckets() * set == bytes
    }

    /// Whether an output of the first dense layer is connected to an input.
    fn sees(&self, outputs: usize, output: usize, input: usize) -> bool {
        self.shards.is_none_or(|[common, each, parts]| {
            input.checked_sub(common).is_none_or(|shard| shard / each == output * parts / outputs)
        })
    }

    fn label(&self) -> String {
        let [first, second] = self.layers;
        let shards = self.shards.map(|[common, each, parts]| format!("-c{common}-s{each}x{parts}"));
        format!("{first}-{second}{}{}", shards.unwrap_or_default(), self.scheme.label())
    }
}

/// Whether a compressed first layer follows, after its hash.
pub fn is_next(reader: &Reader) -> bool {
    reader.0.get(4..).is_some_and(|bytes| bytes.starts_with(MAGIC))
}

/// Parses the part of a file after the text of the header.
pub fn parse(mut reader: Reader, text: &str, fv_scale: i32, origin: &str) -> Result<Network, FormatError> {
    reader.take(4)?;
    let bias = compressed(&mut reader, MAX_INPUTS)?;
    let hidden = bias.len();
    if hidden == 0 || !hidden.is_multiple_of(STEP) {
        return Err(format!("{hidden} neurons per side, expected a multiple of {STEP}").into());
    }
    let most = INPUTS.iter().map(|(features, _)| features.rows).max().unwrap_or(0);
    let weights = compressed(&mut reader, most * hidden)?;
    let Some(&(features, name)) = INPUTS.iter().find(|(features, _)| features.rows * hidden == weights.len())
    else {
        let known: Vec<String> =
            INPUTS.iter().map(|(features, name)| format!("{} ({name})", features.rows)).collect();
        let found = weights.len() as f64 / hidden as f64;
        return Err(format!("weights for {found} inputs, expected one of {}", known.join(", ")).into());
    };
    let shape = shape(text, hidden, reader.0.len())?;
    let progress = shape.scheme.progress_numbers().map(|numbers| {
        reader.take(4)?;
        reader.numbers(numbers)
    });
    let buckets = Buckets::new(shape.scheme, features, progress.transpose()?);
    let [one, two, three] = shape.dense(hidden);
    let stacks: Result<Vec<Stack>, FormatError> = (0..shape.scheme.buckets())
        .map(|_| {
            reader.take(4)?;
            let one = reader.affine_where(one, |output, input| shape.sees(one.1, output, input))?;
            Ok(Stack { layers: [one, reader.affine(two)?, reader.affine(three)?] })
        })
        .collect();
    Ok(Network {
        name: format!("{origin} SFNN-{name}-{hidden}-{} FV_SCALE {fv_scale}", shape.label()),
        features,
        first: FeatureTransformer::new(&bias, &weights),
        tail: Tail::Stacks(Stacks {
            stacks: stacks?,
            buckets,
            squared: shape.layers[0],
            shortcut: shape.shortcut(),
            fv_scale,
        }),
    })
}

/// Finds the shape that takes this number of bytes after the first layer.
fn shape(text: &str, hidden: usize, bytes: usize) -> Result<Shape, FormatError> {
    if let Some(shape) = Shape::named(text).filter(|shape| shape.fits(hidden, bytes)) {
        return Ok(shape);
    }
    let usual = USUAL
        .iter()
        .flat_map(|&layers| Scheme::all().map(move |scheme| Shape { layers, shards: None, scheme }));
    let mut fitting: Vec<Shape> = usual.filter(|shape| shape.fits(hidden, bytes)).collect();
    let text = text.escape_default().take(200).collect::<String>();
    match fitting.pop() {
        None => {
            Err(format!("{bytes} bytes of dense layers fit neither a known shape nor the header: {text}")
                .into())
        }
        Some(shape) if fitting.is_empty() => Ok(shape),
        Some(shape) => {
            let labels: Vec<String> = fitting.iter().chain([&shape]).map(Shape::label).collect();
            let labels = labels.join(", ");
            Err(format!("the dense layers could be {labels}, but the header names none: {text}").into())
        }
    }
}

/// Reads compressed numbers, at most `most`.
fn compressed(reader: &mut Reader, most: usize) -> Result<Vec<i16>, FormatError> {
    if reader.take(MAGIC.len())? != MAGIC {
        return Err("expected compressed numbers".into());
    }
    let bytes = reader.numbers(1)?[0] as u32 as usize;
    let bytes = reader.take(bytes)?;
    let mut out = Vec::with_capacity(most.min(bytes.len()));
    let (mut value, mut shift) = (0i32, 0);
    for &byte in bytes {
        if shift > 14 || out.len() == most {
            return Err(format!(
                "a compressed number has more than 16 bits, or there are more than {most} numbers"
            )
            .into());
        }
        value |= i32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            // The highest data bit of the last byte is the sign.
            let signed = if byte & 0x40 == 0 { value } else { value - (1 << shift) };
            out.push(i16::try_from(signed).map_err(|_| format!("{signed} does not fit in 16 bits"))?);
            (value, shift) = (0, 0);
        }
    }
    if shift > 0 { Err("the last compressed number is truncated".into()) } else { Ok(out) }
}
