//! The table of games.

use super::{Position, Rules, VariantId};
use crate::setting::Setting;
use crate::{dobutsu, janggi, shogi};

/// What distinguishes a game from others on the same board: a row of the table of games.
///
/// ```
/// use sanban_rules::VariantId;
///
/// let info = VariantId::JanggiModern.info();
/// assert_eq!(info.name, "janggimodern");
/// assert_eq!(info.start, VariantId::Janggi.info().start);
/// assert!(info.settings.iter().all(|setting| setting.name != "Janggi_Pass"));
/// ```
#[derive(Debug)]
pub struct VariantInfo {
    /// The identifier of the game.
    pub id: VariantId,
    /// The name for `USI_Variant` and `--game`.
    pub name: &'static str,
    /// SFEN of the start position, without the word `sfen`.
    pub start: &'static str,
    /// The rule settings that a user may change, as declared over USI. The name of the game determines the others.
    pub settings: &'static [Setting],
    /// The rule settings that the game starts with.
    pub(crate) rules: DefaultRules,
}

/// The board of a game and the rule settings that the game starts with.
#[derive(Debug)]
pub(crate) enum DefaultRules {
    Shogi,
    Janggi(janggi::Rules),
    Dobutsu,
    DobutsuMate,
}

/// The settings of Janggi from index `first` on.
const fn janggi_settings(first: usize) -> &'static [Setting] {
    <<janggi::Position as Position>::Rules as Rules>::SETTINGS.split_at(first).1
}

/// A variant of Janggi with the settings from index `first` on.
const fn janggi(
    id: VariantId,
    name: &'static str,
    first: usize,
    (pass, bikjang, counting): (janggi::Pass, bool, bool),
) -> VariantInfo {
    let rules = janggi::Rules { pass, bikjang, counting, max_moves: 0, setups: [0; 2] };
    VariantInfo {
        id,
        name,
        start: janggi::START,
        settings: janggi_settings(first),
        rules: DefaultRules::Janggi(rules),
    }
}

const fn dobutsu(id: VariantId, name: &'static str, rules: DefaultRules) -> VariantInfo {
    let settings = <<dobutsu::Original as Position>::Rules as Rules>::SETTINGS;
    VariantInfo { id, name, start: dobutsu::START, settings, rules }
}

/// All games, in the order of [`VariantId`].
pub(super) const VARIANTS: [VariantInfo; 7] = {
    use janggi::Pass::{Free, Literal};
    [
        VariantInfo {
            id: VariantId::Shogi,
            name: "shogi",
            start: shogi::START,
            settings: <<shogi::Position as Position>::Rules as Rules>::SETTINGS,
            rules: DefaultRules::Shogi,
        },
        janggi(VariantId::Janggi, "janggi", 0, (Literal, false, false)),
        // The pass rule is not a setting here, so that a GUI that sends the default value of every option does not turn
        // this game into another.
        janggi(VariantId::JanggiCasual, "janggicasual", 1, (Free, false, false)),
        janggi(VariantId::JanggiTraditional, "janggitraditional", 3, (Free, true, false)),
        janggi(VariantId::JanggiModern, "janggimodern", 3, (Free, false, true)),
        dobutsu(VariantId::Dobutsu, "dobutsu", DefaultRules::Dobutsu),
        dobutsu(VariantId::DobutsuMate, "dobutsumate", DefaultRules::DobutsuMate),
    ]
};
