//! The shapes of networks of several layers that can be trained.

use sanban_engine::nnue::file::Deep;
use sanban_engine::nnue::halfkp::FV_SCALE;
use sanban_engine::nnue::network::{Affine, Tail};
use sanban_engine::nnue::reader::{Shapes, chain, padded};
use sanban_engine::nnue::{Features, Network, halfkp};
use std::fmt;

/// The value of 100 centipawns in the units of the community's files.
const PAWN: f32 = 90.0;
const PAIRS: &str = "pairs";
/// Outputs of the first two dense layers of Sanban's own shape.
const LAYERS: [usize; 2] = [16, 32];

/// A network with a wide first layer and three dense layers.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The name in `--shape`.
    pub name: &'static str,
    pub features: &'static Features,
    /// Neurons per side.
    pub hidden: usize,
    /// The file format of the shogi community; `None` for Sanban's own, whose dense layers read products of pairs of
    /// neurons.
    pub file: Option<&'static halfkp::Shape>,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.name, self.hidden)
    }
}

impl Shape {
    /// The names: Sanban's own shape, then those of the community by size.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(PAIRS).chain(halfkp::SHAPES.iter().filter_map(|file| file.nickname))
    }

    /// The shape with this name. Sanban's own shape has these inputs and this number of neurons per side.
    pub fn find(name: &str, features: &'static Features, hidden: usize) -> Option<Self> {
        if name == PAIRS {
            return Some(Self { name: PAIRS, features, hidden, file: None });
        }
        let file = halfkp::SHAPES.iter().find(|file| file.nickname == Some(name))?;
        Some(Self { name: file.nickname?, features: file.inputs, hidden: file.hidden, file: Some(file) })
    }

    /// Returns whether the inputs of the dense layers are products of pairs of neurons.
    pub fn pairs(&self) -> bool {
        self.file.is_none()
    }

    pub fn dense(&self) -> Shapes {
        self.file.map_or_else(|| chain(self.hidden, LAYERS), halfkp::Shape::dense)
    }

    /// The integer for an output of 1.0 in the file, if 1.0 means `scale` centipawns.
    pub fn one(&self, scale: f32) -> f32 {
        scale * PAWN / 100.0 * FV_SCALE as f32
    }

    /// Returns whether a network in Sanban's own format has this shape.
    pub fn is_of(&self, network: &Network) -> bool {
        let Tail::Dense(dense) = &network.tail else { return false };
        let fits = |(layer, (inputs, outputs)): (&Affine, _)| {
            (layer.inputs(), layer.outputs()) == (padded(inputs), usize::next_multiple_of(outputs, 8))
        };
        dense.pairs && network.first.hidden == self.hidden && dense.layers.iter().zip(self.dense()).all(fits)
    }

    /// The bytes of the network file. `origin`: a description of the training data.
    pub fn to_bytes(&self, weights: &halfkp::Weights, scale: f32, origin: String) -> Vec<u8> {
        match self.file {
            Some(file) => weights.to_bytes(file),
            None => Deep { weights, scale: scale.round() as i32, origin }.to_bytes(self.features),
        }
    }
}
