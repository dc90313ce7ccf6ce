//! The seven games as types. They are all listed in this file and in the macro behind
//! [`with_variant!`](crate::with_variant).

use crate::contract::{Position, Rules, Variant, VariantId};
use crate::setting::Setting;
use crate::{dobutsu, janggi, shogi};

/// Standard shogi.
pub struct Shogi;

impl Variant for Shogi {
    const ID: VariantId = VariantId::Shogi;
    const START: &'static str = shogi::START;
    type Position = shogi::Position;
}

/// Dobutsu shogi, in which the lion can be captured.
pub struct Dobutsu;

impl Variant for Dobutsu {
    const ID: VariantId = VariantId::Dobutsu;
    const START: &'static str = dobutsu::START;
    type Position = dobutsu::Original;
}

/// Dobutsu shogi with check and mate.
pub struct DobutsuMate;

impl Variant for DobutsuMate {
    const ID: VariantId = VariantId::DobutsuMate;
    const START: &'static str = dobutsu::START;
    type Position = dobutsu::WithMate;
}

/// Janggi by the written rules: a side may pass only if its general has no legal move.
pub struct Janggi;

impl Variant for Janggi {
    const ID: VariantId = VariantId::Janggi;
    const START: &'static str = janggi::START;
    type Position = janggi::Position;
}

/// The settings of Janggi from index `first` on; the name of the game determines the others.
const fn settings_from(first: usize) -> &'static [Setting] {
    <<janggi::Position as Position>::Rules as Rules>::SETTINGS.split_at(first).1
}

/// Janggi as it is usually played: a side that is not in check may pass.
pub struct JanggiCasual;

impl Variant for JanggiCasual {
    const ID: VariantId = VariantId::JanggiCasual;
    const START: &'static str = janggi::START;
    // The pass rule is not a setting here, so that a GUI that sends the default value of every option does not turn
    // this game into another.
    const SETTINGS: &'static [Setting] = settings_from(1);
    type Position = janggi::Position;

    fn rules() -> janggi::Rules {
        janggi::Rules { pass: janggi::Pass::Free, ..Default::default() }
    }
}

/// The casual game with bikjang: facing generals accepted by a pass end the game in a draw.
pub struct JanggiTraditional;

impl Variant for JanggiTraditional {
    const ID: VariantId = VariantId::JanggiTraditional;
    const START: &'static str = janggi::START;
    const SETTINGS: &'static [Setting] = settings_from(3);
    type Position = janggi::Position;

    fn rules() -> janggi::Rules {
        janggi::Rules { bikjang: true, ..JanggiCasual::rules() }
    }
}

/// The casual game with counting: material decides games that would otherwise be drawn.
pub struct JanggiModern;

impl Variant for JanggiModern {
    const ID: VariantId = VariantId::JanggiModern;
    const START: &'static str = janggi::START;
    const SETTINGS: &'static [Setting] = settings_from(3);
    type Position = janggi::Position;

    fn rules() -> janggi::Rules {
        janggi::Rules { counting: true, ..JanggiCasual::rules() }
    }
}
