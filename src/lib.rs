//! Sanban, an engine for shogi, Janggi and Dobutsu shogi, as a library.
//!
//! A [`Variant`] ([`Shogi`], [`Janggi`], [`Dobutsu`], [`DobutsuMate`]) parses positions; a
//! [`Position`] makes moves; a [`Searcher`] searches; [`engine::mate::solve`] solves mate problems; [`perft`](perft())
//! counts the leaves of the tree of legal moves; [`engine::solved`] contains the tables of solved games.
//!
//! ```
//! use sanban::{Position, Shogi, Variant, Verdict};
//!
//! let mut pos = Shogi::parse(Shogi::START)?;
//! assert_eq!(pos.legal_moves().len(), 30);
//! let mv = pos.parse_usi("7g7f").expect("a legal move");
//! pos.make(mv, &mut ());
//! pos.unmake();
//! assert_eq!(pos.sfen(), Shogi::START);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If the game is known only at run time, [`AnyPosition`] and [`Engine`] play all seven:
//!
//! ```
//! use sanban::{AnyPosition, Engine, Limits, VariantId};
//! use std::ops::ControlFlow;
//!
//! let limits = Limits { nodes: Some(500), ..Limits::default() };
//! for &game in VariantId::ALL {
//!     let pos = AnyPosition::new(game);
//!     let outcome = <dyn Engine>::new(game).search_lines(&pos, &limits, |_| ControlFlow::Continue(()))?;
//!     assert!(outcome.best.is_some_and(|mv| pos.is_legal(mv)));
//! }
//! # Ok::<(), sanban::EngineError>(())
//! ```
//!
//! The crates below this one form layers: [`rules`] and [`system`] at the bottom, then [`engine`] and [`formats`],
//! which do not depend on each other, and [`lab`] at the top.
//!
//! # Features
//!
//! Without features, the crate contains the rules, the search, the evaluation, the mate solver and the solved tables.
//!
//! - `formats`: game records and opening books.
//! - `lab`: self-play, training, matches and tuning.
//! - `program`: the USI loop, analysis and the board, for programs that embed them.
//! - `cli`, enabled by default: the binary and its subcommands, with all of the above.
//! - `tune`: exposes the search parameters as options and adds `sanban tune`, which tunes them by playing games. The
//!   search is slightly slower.

#![warn(missing_docs)]
#![deny(unsafe_code)]

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "program")]
pub use sanban_board as board;
pub use sanban_engine as engine;
#[cfg(feature = "formats")]
pub use sanban_formats as formats;
#[cfg(feature = "lab")]
pub use sanban_lab as lab;
#[cfg(feature = "program")]
pub use sanban_protocol as protocol;
pub use sanban_rules as rules;
#[cfg(feature = "program")]
pub use sanban_study as study;
pub use sanban_system as system;

pub use sanban_engine::{
    Bound, Clock, Engine, EngineError, Evaluator, Game, Limits, Line, NetworkError, NetworkSource, Oracle,
    OracleError, Outcome, Searcher, StopHandle,
};
pub use sanban_rules::{
    AnyPosition, Board, Color, Dobutsu, DobutsuMate, GameFamily, IllegalMove, Janggi, Move, MoveList,
    NotationError, Position, ReplayError, RuleError, Rules, Score, SfenError, Shogi, Square, Symbol,
    UnknownVariant, UsiMove, Variant, VariantId, Verdict, perft,
};
