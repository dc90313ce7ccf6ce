//! The table of games.

use crate::contract::{Position, Rules};
use crate::setting::Setting;
use crate::{clip, dobutsu, janggi, shogi};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

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

/// The boards. Games of one family differ in rule settings only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFamily {
    /// Nine files and nine ranks.
    Shogi,
    /// Nine files and ten ranks.
    Janggi,
    /// Three files and four ranks; the lion can be captured.
    Dobutsu,
    /// Three files and four ranks, with check and mate.
    DobutsuMate,
}

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

/// The settings of Janggi from index `first` on, without the last one, which is not an option.
const fn janggi_settings(first: usize) -> &'static [Setting] {
    let all = <<janggi::Position as Position>::Rules as Rules>::SETTINGS;
    all.split_at(all.len() - 1).0.split_at(first).1
}

/// A variant of Janggi with the settings from index `first` on.
const fn janggi(
    id: VariantId,
    name: &'static str,
    first: usize,
    (pass, bikjang, counting): (janggi::Pass, bool, bool),
) -> VariantInfo {
    let rules =
        janggi::Rules { pass, bikjang, counting, ends: janggi::Ends::Own, max_moves: 0, setups: [0; 2] };
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
const VARIANTS: [VariantInfo; 7] = {
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
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The row of the game in the table of games.
    pub const fn info(self) -> &'static VariantInfo {
        &VARIANTS[self as usize]
    }

    /// The board of the game.
    pub const fn family(self) -> GameFamily {
        match self.info().rules {
            DefaultRules::Shogi => GameFamily::Shogi,
            DefaultRules::Janggi(_) => GameFamily::Janggi,
            DefaultRules::Dobutsu => GameFamily::Dobutsu,
            DefaultRules::DobutsuMate => GameFamily::DobutsuMate,
        }
    }

    /// Returns whether the game is a variant of Janggi. These variants share board and pieces; they differ in passes
    /// and in how games end.
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
