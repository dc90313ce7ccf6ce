//! The languages of the explanations, and the names of pieces.

use super::texts::find;
use sanban_rules::{Color, Symbol, VariantId};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::English, Self::Japanese, Self::Korean];

    /// The two-letter code of the language.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["en", "ja", "ko"][self as usize]
    }

    /// The file of its texts.
    pub(super) const fn texts(self) -> &'static str {
        match self {
            Self::English => include_str!("texts/en.txt"),
            Self::Japanese => include_str!("texts/ja.txt"),
            Self::Korean => include_str!("texts/ko.txt"),
        }
    }

    /// Returns whether words are separated by spaces.
    pub(super) const fn is_spaced(self) -> bool {
        !matches!(self, Self::Japanese)
    }
}

/// The name of a piece of a game.
#[must_use]
pub fn piece_name(game: VariantId, piece: Symbol, language: Language) -> String {
    let family = match game {
        VariantId::Shogi => "shogi",
        VariantId::Dobutsu | VariantId::DobutsuMate => "dobutsu",
        _ => "janggi",
    };
    let Symbol { color, letter, promoted } = piece;
    // White's soldiers have a separate name.
    let letter = if family == "janggi" && letter == 'P' && color == Color::White { 'p' } else { letter };
    let name = format!("{family}-{}{letter}", if promoted { "+" } else { "" });
    find(language, &name, &[]).unwrap_or_else(|| "?".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::AnyPosition;

    #[test]
    fn every_piece_has_a_name() {
        for &game in VariantId::ALL {
            let pos = AnyPosition::new(game);
            let (files, ranks) = pos.size();
            for piece in (0..files * ranks).filter_map(|square| pos.piece_on(square)) {
                for language in Language::ALL {
                    assert_ne!(piece_name(game, piece, language), "?", "{game} {piece}");
                }
            }
        }
    }
}
