//! The games: [`VariantId`] lists all of them, some of which differ only in rule settings, and [`Variant`] has a type for
//! each of the four boards.

mod boards;
mod info;

pub use boards::{Dobutsu, DobutsuMate, Janggi, ReplayError, Shogi, Variant};
pub(crate) use info::DefaultRules;
pub use info::{GameFamily, UnknownVariant, VariantId, VariantInfo};
