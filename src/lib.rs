//! Sanban: one engine, three boards.
//!
//! A USI engine for shogi, Janggi and Dobutsu shogi, and what it is made of. A [`Game`] ([`Shogi`], [`Janggi`],
//! [`JanggiCasual`], [`Dobutsu`], [`DobutsuMate`]) reads positions; a [`Position`] knows the rules; a [`Searcher`] thinks;
//! [`mate::solve`] looks for mates with checks only; [`perft`](perft()) counts; a [`dobutsu::table::Table`] knows the value
//! of every position of Dobutsu shogi.
//!
//! ```
//! use sanban::{Game, Position, Shogi, Verdict};
//!
//! let mut pos = Shogi::parse(Shogi::START)?;
//! assert_eq!(pos.legal_moves().len(), 30);
//! let mv = pos.parse_usi("7g7f").expect("a legal move");
//! pos.make(mv, &mut ());
//! assert_eq!(pos.piece_at("7f".parse()?).map(|piece| piece.to_string()).as_deref(), Some("P"));
//! pos.unmake();
//! assert_eq!(pos.sfen(), Shogi::START);
//!
//! // Four times the same position is a draw.
//! let cycle = ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(3);
//! assert_eq!(Shogi::replay(None, cycle)?.verdict(0), Some(Verdict::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where the game is known by its name alone, [`with_game!`] gives its type:
//!
//! ```
//! use sanban::{Game, Position, with_game};
//! let counts = sanban::games::NAMES.iter().map(|&name| {
//!     with_game!(name, G => G::parse(G::START).map(|pos| pos.count()))
//! });
//! assert!(counts.flatten().all(|count| count.is_ok_and(|count| count > 0)));
//! ```
//!
//! The modules stand in the order of their layers: a module imports only from those above it (and from its own lower
//! files); `tests/layers.rs` enforces it. The search knows no game, a game knows no search, and the network knows
//! neither.
//!
//! # Features
//!
//! - `cli`, on by default: the binary and its subcommands.
//! - `tune`: numbers of the search become options, and `sanban tune` tunes them by games; a little slower.

#![deny(unsafe_code)]

pub mod base;
pub mod params;

pub mod game;

pub mod dobutsu;
pub mod janggi;
pub mod shogi;

pub mod eval;
pub mod mate;
pub mod nnue;
pub mod perft;
pub mod search;

pub mod games;

pub mod searcher;

pub mod arena;

pub mod record;

pub mod book;

pub mod analysis;

pub mod usi;

pub mod board;

pub mod wasm;

pub mod train;

#[cfg(feature = "cli")]
pub mod cli;

pub use base::{Color, Move, MoveList, NotationError, Score, SfenError, Square, Symbol, UsiMove};
pub use game::{Game, NetworkError, Position, ReplayError, RuleError, Rules, Verdict};
pub use games::{Dobutsu, DobutsuMate, Janggi, JanggiCasual, Shogi};
pub use perft::perft;
pub use search::{Bound, Clock, Limits, Line, Outcome};
pub use searcher::Searcher;
