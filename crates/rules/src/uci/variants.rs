//! The games under the names that UCI programs use.

use crate::VariantId;
use crate::janggi::ENDS_SETTING;

/// A UCI variant: one of the games of Sanban with certain rule settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciVariant {
    /// The name for `UCI_Variant`.
    pub name: &'static str,
    /// The corresponding game of Sanban.
    pub id: VariantId,
    /// Rule settings of the variant, which are set when it is selected.
    pub rules: &'static [(&'static str, &'static str)],
}

/// A variant of Janggi: UCI has one name for each combination of rule settings. `rules` are facing generals, counting
/// and the rules that end a game.
const fn janggi(name: &'static str, rules: &'static [(&str, &str); 3]) -> UciVariant {
    UciVariant { name, id: VariantId::JanggiCasual, rules }
}

const BIKJANG: [(&str, &str); 2] = [("Janggi_Bikjang", "false"), ("Janggi_Bikjang", "true")];
const COUNTING: [(&str, &str); 2] = [("Janggi_Counting", "false"), ("Janggi_Counting", "true")];
const OWN: (&str, &str) = (ENDS_SETTING, "own");
const FAIRY: (&str, &str) = (ENDS_SETTING, "fairy");
const FAIRY_MODERN: (&str, &str) = (ENDS_SETTING, "fairymodern");

impl UciVariant {
    /// All variants, the default first. `janggi` is the variant of Fairy-Stockfish, with bikjang and counting;
    /// `janggiliteral` is the game by the written rules. In shogi, entering-king declarations are disabled.
    pub const ALL: [Self; 8] = [
        Self { name: "shogi", id: VariantId::Shogi, rules: &[("EnteringKingRule", "NoEnteringKing")] },
        janggi("janggi", &[BIKJANG[1], COUNTING[1], FAIRY]),
        janggi("janggicasual", &[BIKJANG[0], COUNTING[0], FAIRY]),
        janggi("janggitraditional", &[BIKJANG[1], COUNTING[0], FAIRY]),
        janggi("janggimodern", &[BIKJANG[0], COUNTING[1], FAIRY_MODERN]),
        Self { name: "janggiliteral", id: VariantId::Janggi, rules: &[BIKJANG[0], COUNTING[0], OWN] },
        Self { name: "dobutsu", id: VariantId::Dobutsu, rules: &[] },
        Self { name: "dobutsumate", id: VariantId::DobutsuMate, rules: &[] },
    ];
}

/// The name of a game for UCI, where `janggi` is the game with bikjang and counting.
pub fn name_of(id: VariantId) -> &'static str {
    if id == VariantId::Janggi { "janggiliteral" } else { id.name() }
}

/// The game with this name.
pub fn named(name: &str) -> Option<&'static UciVariant> {
    UciVariant::ALL.iter().find(|variant| variant.name == name)
}
