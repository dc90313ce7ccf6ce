//! The four boards as types, for programs that know their game at compile time.

use super::VariantId;
use crate::contract::Position;
use crate::{SfenError, clip, dobutsu, janggi, shogi};
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

/// Standard shogi.
pub struct Shogi;

impl Variant for Shogi {
    const ID: VariantId = VariantId::Shogi;
    type Position = shogi::Position;
}

/// Janggi by the written rules: a side may pass only if its general has no legal move. The other variants of Janggi are
/// positions of the same type with other rule settings; see [`AnyPosition`](crate::AnyPosition).
pub struct Janggi;

impl Variant for Janggi {
    const ID: VariantId = VariantId::Janggi;
    type Position = janggi::Position;
}

/// Dobutsu shogi, in which the lion can be captured.
pub struct Dobutsu;

impl Variant for Dobutsu {
    const ID: VariantId = VariantId::Dobutsu;
    type Position = dobutsu::Original;
}

/// Dobutsu shogi with check and mate.
pub struct DobutsuMate;

impl Variant for DobutsuMate {
    const ID: VariantId = VariantId::DobutsuMate;
    type Position = dobutsu::WithMate;
}
