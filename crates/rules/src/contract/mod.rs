//! The interface of the rules: [`Variant`] identifies a game and parses its positions; [`Position`] implements its
//! rules and stores the history of a game.
//!
//! A position notifies an [`Observer`] of every change of the board. [`SearchPosition`] and [`Checks`] add the methods
//! for the search and the mate solver. Nothing here depends on a particular game: differences between games are
//! expressed by methods and constants.

mod checks;
mod info;
mod macros;
mod placement;
mod position;
mod search_position;
mod settings;
mod variant;
mod verdict;

pub use checks::Checks;
pub(crate) use info::DefaultRules;
pub use info::VariantInfo;
pub(crate) use macros::{inherent, key_methods, position_methods, search_methods, value_traits};
pub use placement::{Observer, Placement};
pub(crate) use position::mover;
pub use position::{IllegalMove, Position};
pub use search_position::{Parts, SearchPosition};
pub(crate) use settings::word_index;
pub use settings::{RuleError, Rules};
pub use variant::{ReplayError, UnknownVariant, Variant, VariantId};
pub use verdict::{Verdict, perpetual_check, repetition};
