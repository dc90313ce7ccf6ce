//! The games: identifiers, and types for programs that know their game.

use super::Position;
use super::info::{DefaultRules, VARIANTS, VariantInfo};
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

/// A game that is known at compile time.
pub trait Variant: Send + Sync + 'static {
    /// The identifier of the game.
    const ID: VariantId;
    /// SFEN of the start position, without the word `sfen`.
    const START: &'static str = Self::ID.info().start;

    /// Rules and history.
    type Position: Position;

    /// Reads a position from SFEN, under the default rule settings.
    ///
    /// # Errors
    /// The same as for [`Position::from_sfen`].
    fn parse(sfen: &str) -> Result<Self::Position, SfenError> {
        Self::Position::from_sfen(sfen)
    }
    /// Plays these moves from an SFEN (`None`: the start position), under the default rule settings, and returns the
    /// final position.
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

/// Identifies a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariantId {
    /// Standard shogi.
    Shogi,
    /// Janggi by the written rules: a side may pass only if its general has no legal move.
    Janggi,
    /// Janggi as it is usually played: a side that is not in check may pass.
    JanggiCasual,
    /// The casual game with bikjang: facing generals accepted by a pass end the game in a draw.
    JanggiTraditional,
    /// The casual game with counting: material decides games that would otherwise be drawn.
    JanggiModern,
    /// Dobutsu shogi, in which the lion can be captured.
    Dobutsu,
    /// Dobutsu shogi with check and mate.
    DobutsuMate,
}

impl VariantId {
    /// All games, the default first.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Shogi; VARIANTS.len()];
        let mut n = 0;
        while n < all.len() {
            all[n] = VARIANTS[n].id;
            n += 1;
        }
        all
    };
    /// The names of the games in the same order.
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; VARIANTS.len()];
        let mut n = 0;
        while n < names.len() {
            names[n] = VARIANTS[n].name;
            n += 1;
        }
        names
    };

    /// The name for `USI_Variant` and `--game`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The row of the game in the table of games.
    #[must_use]
    pub const fn info(self) -> &'static VariantInfo {
        &VARIANTS[self as usize]
    }

    /// Returns whether the game is a variant of Janggi. These variants share board and pieces; they differ in passes
    /// and in how games end.
    #[must_use]
    pub const fn is_janggi(self) -> bool {
        matches!(self.info().rules, DefaultRules::Janggi(_))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_that_of_its_game() {
        for &id in VariantId::ALL {
            assert_eq!((id.info().id, id.name().parse()), (id, Ok(id)));
        }
        assert!("go".parse::<VariantId>().is_err_and(|error| error.to_string().contains("janggicasual")));
    }
}
