//! The contract of the rules: [`Variant`] names a game and reads its positions, [`Position`] has its rules and history.
//!
//! A position notifies an [`Observer`] of every change of the board. [`SearchPosition`] and [`Checks`] have the
//! additional methods for the search and the mate solver. Nothing here depends on a game: a difference between games is
//! a method or a constant.

mod checks;
mod macros;
mod placement;
mod position;
mod search_position;
mod settings;
mod variant;
mod verdict;

pub use checks::Checks;
pub(crate) use macros::{inherent, key_methods, position_methods, search_methods, value_traits};
pub use placement::{Observer, Placement};
pub(crate) use position::mover;
pub use position::{IllegalMove, Position};
pub use search_position::{Parts, SearchPosition};
pub(crate) use settings::word_index;
pub use settings::{RuleError, Rules};
pub use variant::{ReplayError, UnknownVariant, Variant, VariantId};
pub use verdict::{Verdict, perpetual_check, repetition};
