//! The interface of the rules: [`Position`] implements the rules of a game and stores its history.
//!
//! A position notifies an [`Observer`] of every change of the board. [`SearchPosition`] and [`Checks`] add the methods
//! for the search and the mate solver. Nothing here depends on a particular game: differences between games are
//! expressed by methods and constants.

mod checks;
mod macros;
mod placement;
mod position;
mod search_position;
mod settings;
mod verdict;

pub use checks::Checks;
pub(crate) use macros::{inherent, key_methods, position_methods, search_methods, value_traits};
pub use placement::{Observer, Placement};
pub(crate) use position::mover;
pub use position::{IllegalMove, Position};
pub use search_position::{Parts, SearchPosition};
pub(crate) use settings::word_index;
pub use settings::{RuleError, Rules};
pub use verdict::{Verdict, perpetual_check, repetition};
