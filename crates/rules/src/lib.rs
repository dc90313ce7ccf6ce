//! The rules of shogi, Janggi and Dobutsu shogi.
//!
//! A [`Variant`] identifies a game and parses its positions, a [`Position`] implements the rules and stores the history
//! of one game, and [`perft()`] counts sequences of moves. Search and evaluation are in other crates.
//!
//! ```
//! use sanban_rules::{Position, Shogi, Variant, Verdict};
//!
//! let mut pos = Shogi::parse(Shogi::START)?;
//! assert_eq!(pos.legal_moves().len(), 30);
//! let mv = pos.parse_usi("7g7f").expect("a legal move");
//! pos.make(mv, &mut ());
//! assert_eq!(pos.piece_at("7f".parse()?).map(|piece| piece.to_string()).as_deref(), Some("P"));
//! pos.unmake();
//! assert_eq!(pos.sfen(), Shogi::START);
//!
//! // The fourth occurrence of a position is a draw.
//! let cycle = ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(3);
//! assert_eq!(Shogi::replay(None, cycle)?.verdict(0), Some(Verdict::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]
#![deny(unsafe_code)]

pub mod any;
pub mod bitboard;
pub mod color;
pub mod contract;
pub mod dobutsu;
pub mod janggi;
pub mod keys;
pub mod lines;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod printable;
pub mod rng;
pub mod score;
pub mod setting;
pub mod sfen;
pub mod shogi;
#[macro_use]
mod tables;
pub mod uci;
pub mod variants;

pub use any::{AnyPosition, AsBoard, Board};
pub use bitboard::Bitboard;
pub use color::Color;
pub use contract::{
    Checks, IllegalMove, Observer, Parts, Placement, Position, RuleError, Rules, SearchPosition, Verdict,
    perpetual_check, repetition,
};
pub use moves::{Move, MoveList};
pub use notation::{NotationError, Square, UsiMove};
pub use perft::perft;
pub use printable::clip;
pub use rng::Rng;
pub use score::Score;
pub use sfen::{SfenError, Symbol};
pub use variants::{
    Dobutsu, DobutsuMate, GameFamily, Janggi, ReplayError, Shogi, UnknownVariant, Variant, VariantId,
    VariantInfo,
};
