//! The source of the weights of an evaluation.

use std::path::{Path, PathBuf};

/// The source of the weights of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum NetworkSource {
    /// The embedded network.
    #[default]
    Embedded,
    /// No network: the hand-written evaluation.
    Handwritten,
    /// A network file.
    File {
        /// The file.
        path: PathBuf,
        /// The divisor of the output, for files that do not contain one (16 is usual).
        fv_scale: i32,
    },
}

impl NetworkSource {
    /// The word that users enter instead of a file name for [`NetworkSource::Handwritten`].
    pub const HANDWRITTEN: &'static str = "handwritten";

    /// The source that a user names: a file, or the word `handwritten`.
    pub fn named(path: &Path, fv_scale: i32) -> Self {
        if path == Path::new(Self::HANDWRITTEN) { Self::Handwritten } else { Self::file(path, fv_scale) }
    }

    /// A network file.
    pub fn file(path: impl Into<PathBuf>, fv_scale: i32) -> Self {
        Self::File { path: path.into(), fv_scale }
    }

    /// The path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::Embedded | Self::Handwritten => None,
        }
    }
}
