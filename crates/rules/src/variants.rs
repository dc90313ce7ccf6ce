//! The four boards as types, for programs that know their game at compile time. [`VariantId`] lists the games, some of
//! which differ only in rule settings.

use crate::contract::{Variant, VariantId};
use crate::{dobutsu, janggi, shogi};

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
