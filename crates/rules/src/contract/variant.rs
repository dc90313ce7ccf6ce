//! The games: names, start positions, and dispatch from a name to a type.

use super::info::{VARIANTS, VariantInfo};
use super::{Position, Rules};
use crate::setting::Setting;
use crate::{SfenError, clip};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The first position cannot be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A move is not legal.
    #[error("illegal move {text} at ply {ply}")]
    Move {
        /// The move as given, as printable ASCII.
        text: String,
        /// The number of the move, from 1.
        ply: usize,
    },
}

/// One game as a set of rules: name, start position, settings.
pub trait Variant: Send + Sync + 'static {
    /// The identifier of the game.
    const ID: VariantId;
    /// The name for `USI_Variant` and `--game`.
    const NAME: &'static str = Self::ID.name();
    /// SFEN of the start position, without the word `sfen`.
    const START: &'static str;
    /// The rule settings that a user may change, as declared over USI.
    const SETTINGS: &'static [Setting] = <Self::Position as Position>::Rules::SETTINGS;

    /// Rules and history.
    type Position: Position;

    /// The rule settings that the game starts with.
    #[must_use]
    fn rules() -> <Self::Position as Position>::Rules {
        Default::default()
    }
    /// Reads a position from SFEN, with the rule settings of [`Variant::rules`].
    ///
    /// # Errors
    /// The same as for [`Position::from_sfen`].
    fn parse(sfen: &str) -> Result<Self::Position, SfenError> {
        let mut pos = Self::Position::from_sfen(sfen)?;
        pos.set_rules(&Self::rules());
        Ok(pos)
    }
    /// Plays these moves from an SFEN (`None`: the start position), with the rule settings of [`Variant::rules`], and
    /// returns the final position.
    ///
    /// # Errors
    /// The SFEN cannot be read, or a move is not legal.
    fn replay<'a>(
        sfen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self::Position, ReplayError> {
        let mut pos = Self::parse(sfen.unwrap_or(Self::START))?;
        for (n, text) in moves.into_iter().enumerate() {
            let illegal = || ReplayError::Move { text: clip(text), ply: n + 1 };
            pos.make(pos.parse_usi(text).ok_or_else(illegal)?, &mut ());
        }
        Ok(pos)
    }
}

/// The list of games, from which the items that exist once per game are generated.
///
/// `variants!(@ACTION [ARGUMENTS])` expands the rule `ACTION` below with the type and the name of every game.
#[doc(hidden)]
#[macro_export]
macro_rules! variants {
    (@$action:ident [$($args:tt)*]) => {
        $crate::variants! { @@$action [$($args)*]
            Shogi "shogi", Janggi "janggi", JanggiCasual "janggicasual", JanggiTraditional "janggitraditional",
            JanggiModern "janggimodern", Dobutsu "dobutsu", DobutsuMate "dobutsumate" }
    };
    // The definition of `VariantId`.
    (@@ids [$(#[$doc:meta])*] $($variant:ident $name:literal),*) => {
        $(#[$doc])*
        pub enum VariantId {
            $(#[doc = concat!("`", $name, "`, see [`", stringify!($variant), "`](crate::", stringify!($variant), ").")]
            $variant,)*
        }

        impl VariantId {
            /// All games, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// The names of the games in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name for `USI_Variant` and `--game`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
    // An expression evaluated with the type of the game.
    (@@dispatch [$id:expr, $V:ident => $body:expr] $($variant:ident $name:literal),*) => {
        match $id {
            $($crate::VariantId::$variant => {
                type $V = $crate::$variant;
                $body
            })*
        }
    };
    // A test that calls a generic function for every game.
    (@@test [$test:ident $module:ident] $($variant:ident $name:literal),*) => {
        #[test]
        fn $test() {
            $($module::$test::<$crate::$variant>();)*
        }
    };
}

variants! { @ids [
    /// Identifies a game.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
] }

impl VariantId {
    /// The row of the game in the table of games.
    #[must_use]
    pub fn info(self) -> &'static VariantInfo {
        &VARIANTS[self as usize]
    }

    /// Returns whether the game is a variant of Janggi. These variants share board and pieces; they differ in passes
    /// and in how games end.
    #[must_use]
    pub const fn is_janggi(self) -> bool {
        match self {
            Self::Janggi | Self::JanggiCasual | Self::JanggiTraditional | Self::JanggiModern => true,
            Self::Shogi | Self::Dobutsu | Self::DobutsuMate => false,
        }
    }
}

impl Default for VariantId {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game {}: expected one of {}", .0, VariantId::NAMES.join(", "))]
pub struct UnknownVariant(String);

impl FromStr for VariantId {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        let known = Self::ALL.iter().copied().find(|id| id.name() == name);
        known.ok_or_else(|| UnknownVariant(clip(name)))
    }
}

/// `with_variant!(id, V => expression)` evaluates the expression with `V` as the type of the game.
///
/// ```
/// use sanban_rules::{Position, Variant, VariantId, with_variant};
///
/// for &id in VariantId::ALL {
///     let moves = with_variant!(id, V => V::parse(V::START).map(|pos| pos.legal_moves().len()))?;
///     assert!(moves > 0, "{id}");
/// }
/// # Ok::<(), sanban_rules::SfenError>(())
/// ```
#[macro_export]
macro_rules! with_variant {
    ($id:expr, $V:ident => $body:expr) => {
        $crate::variants!(@dispatch [$id, $V => $body])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_its_game() {
        for &id in VariantId::ALL {
            assert_eq!(id.name().parse(), Ok(id));
            assert_eq!(with_variant!(id, V => (V::ID, V::NAME)), (id, id.name()));
            assert!(with_variant!(id, V => V::parse(V::START).is_ok()), "{id}");
        }
        assert!("go".parse::<VariantId>().is_err_and(|error| error.to_string().contains("janggicasual")));
    }
}
