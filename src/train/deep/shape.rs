//! What can be trained besides networks of one layer.

use crate::nnue::Features;
use crate::nnue::halfkp::{self, FV_SCALE};
use std::fmt;

/// Value of a pawn in the files' units, of 100 centipawns.
const PAWN: f32 = 90.0;

/// A network of a wide first layer and three dense ones.
#[derive(Clone, Copy)]
pub struct Shape {
    /// What it is asked for by.
    pub name: &'static str,
    /// What its file is.
    pub file: &'static halfkp::Shape,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Shape {
    /// The names, in the order of their size.
    pub fn names() -> impl Iterator<Item = &'static str> {
        halfkp::SHAPES.iter().filter_map(|file| file.nickname)
    }

    /// The shape of this name.
    pub fn find(name: &str) -> Option<Self> {
        let file = halfkp::SHAPES.iter().find(|file| file.nickname == Some(name))?;
        Some(Self { name: file.nickname?, file })
    }

    /// What its inputs are.
    pub fn features(&self) -> &'static Features {
        self.file.inputs
    }

    /// Neurons a side.
    pub fn hidden(&self) -> usize {
        self.file.hidden
    }

    /// Inputs and outputs of the dense layers.
    pub fn dense(&self) -> [(usize, usize); 3] {
        self.file.dense()
    }

    /// What an output of 1.0 is in the file, where it stands for so many centipawns.
    pub fn one(&self, scale: f32) -> f32 {
        scale * PAWN / 100.0 * FV_SCALE as f32
    }
}
