//! The games under the names that UCI programs use.

use crate::VariantId;

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

/// A variant of Janggi: UCI has one name for each combination of rule settings.
const fn janggi(name: &'static str, bikjang: bool, counting: bool) -> UciVariant {
    let rules: &[(&str, &str)] = match (bikjang, counting) {
        (true, true) => &[("Janggi_Bikjang", "true"), ("Janggi_Counting", "true")],
        (true, false) => &[("Janggi_Bikjang", "true"), ("Janggi_Counting", "false")],
        (false, true) => &[("Janggi_Bikjang", "false"), ("Janggi_Counting", "true")],
        (false, false) => &[("Janggi_Bikjang", "false"), ("Janggi_Counting", "false")],
    };
    UciVariant { name, id: VariantId::JanggiCasual, rules }
}

impl UciVariant {
    /// All variants, the default first. `janggi` is the variant of Fairy-Stockfish, with bikjang and counting;
    /// `janggiliteral` is the game by the written rules. In shogi, entering-king declarations are disabled.
    pub const ALL: [Self; 8] = [
        Self { name: "shogi", id: VariantId::Shogi, rules: &[("EnteringKingRule", "NoEnteringKing")] },
        janggi("janggi", true, true),
        janggi("janggicasual", false, false),
        janggi("janggitraditional", true, false),
        janggi("janggimodern", false, true),
        Self { name: "janggiliteral", id: VariantId::Janggi, rules: &[] },
        Self { name: "dobutsu", id: VariantId::Dobutsu, rules: &[] },
        Self { name: "dobutsumate", id: VariantId::DobutsuMate, rules: &[] },
    ];
}

/// The game with this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static UciVariant> {
    UciVariant::ALL.iter().find(|variant| variant.name == name)
}
