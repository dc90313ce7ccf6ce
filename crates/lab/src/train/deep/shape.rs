//! The shapes that can be trained besides networks of one layer.

use sanban_engine::nnue::file::Deep;
use sanban_engine::nnue::halfkp::FV_SCALE;
use sanban_engine::nnue::network::{Affine, Tail};
use sanban_engine::nnue::reader::{Shapes, chain, padded};
use sanban_engine::nnue::{Features, Network, halfkp};
use std::fmt;

/// Value of a pawn in the files' units, of 100 centipawns.
const PAWN: f32 = 90.0;
/// The name of our own shape.
const PAIRS: &str = "pairs";
/// Outputs of the first two dense layers of our own shape.
const LAYERS: [usize; 2] = [16, 32];

/// A network with a wide first layer and three dense layers.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The name in `--shape`.
    pub name: &'static str,
    /// The inputs.
    pub features: &'static Features,
    /// Neurons per side.
    pub hidden: usize,
    /// The community's file format; `None` for our own, whose dense layers read products of pairs of neurons.
    pub file: Option<&'static halfkp::Shape>,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.name, self.hidden)
    }
}

impl Shape {
    /// The names: our own, then the community's in the order of their size.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(PAIRS).chain(halfkp::SHAPES.iter().filter_map(|file| file.nickname))
    }

    /// The shape of this name; our own has these inputs and this number of neurons per side.
    pub fn find(name: &str, features: &'static Features, hidden: usize) -> Option<Self> {
        if name == PAIRS {
            return Some(Self { name: PAIRS, features, hidden, file: None });
        }
        let file = halfkp::SHAPES.iter().find(|file| file.nickname == Some(name))?;
        Some(Self { name: file.nickname?, features: file.inputs, hidden: file.hidden, file: Some(file) })
    }

    /// Are the inputs of the dense layers products of pairs of neurons?
    pub fn pairs(&self) -> bool {
        self.file.is_none()
    }

    /// Inputs and outputs of the dense layers.
    pub fn dense(&self) -> Shapes {
        self.file.map_or_else(|| chain(self.hidden, LAYERS), halfkp::Shape::dense)
    }

    /// The integer of an output of 1.0 in the file, if 1.0 means `scale` centipawns.
    pub fn one(&self, scale: f32) -> f32 {
        scale * PAWN / 100.0 * FV_SCALE as f32
    }

    /// Does one of our own networks have this shape?
    pub fn is_of(&self, network: &Network) -> bool {
        let Tail::Dense(dense) = &network.tail else { return false };
        let fits = |(layer, (inputs, outputs)): (&Affine, _)| {
            (layer.inputs(), layer.outputs()) == (padded(inputs), usize::next_multiple_of(outputs, 8))
        };
        dense.pairs && network.first.hidden == self.hidden && dense.layers.iter().zip(self.dense()).all(fits)
    }

    /// The bytes of the network file. `origin`: what the network was trained from.
    pub fn to_bytes(&self, weights: &halfkp::Weights, scale: f32, origin: String) -> Vec<u8> {
        match self.file {
            Some(file) => weights.to_bytes(file),
            None => Deep { weights, scale: scale.round() as i32, origin }.to_bytes(self.features),
        }
    }
}
