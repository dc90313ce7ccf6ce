//! Vocabulary that every game shares: sides, moves, scores, sets of squares, lines and keys.

pub mod available;
pub mod bitboard;
pub mod checksum;
pub mod claim;
pub mod clip;
#[allow(unsafe_code)]
pub mod clock;
pub mod color;
pub mod input;
pub mod journal;
pub mod keys;
pub mod lines;
#[allow(unsafe_code)]
pub mod memory;
pub mod moves;
pub mod notation;
pub mod part;
#[allow(unsafe_code)]
pub mod prefetch;
pub mod rng;
pub mod score;
#[cfg(test)]
#[path = "../../tests/common/scratch.rs"]
pub(crate) mod scratch;
pub mod setting;
pub mod sfen;
mod tables;
pub mod whole;

pub use available::{affordable, available_memory, how_many_fit};
pub use bitboard::Bitboard;
pub use checksum::checksum;
pub use claim::Claim;
pub use clip::clip;
pub use color::Color;
pub use journal::{Journal, JournalError, JournalFault, Signed};
pub use moves::{Move, MoveList};
pub use notation::{NotationError, Square, UsiMove};
pub use part::{Part, PartError};
pub use prefetch::prefetch;
pub use rng::Rng;
pub use score::Score;
pub use sfen::{SfenError, Symbol};
pub(crate) use tables::{from_fn, squares};
pub use whole::{FileError, Whole, find, open_file, read_whole, write_whole};
