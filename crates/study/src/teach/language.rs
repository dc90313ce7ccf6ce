//! The languages of the explanations, and the piece names in each language.

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
}

/// The letter of a piece, whether it is promoted, and its names.
type PieceNames = (char, bool, [&'static str; 3]);

const SHOGI: &[PieceNames] = &[
    ('P', false, ["pawn", "歩", "보병"]),
    ('L', false, ["lance", "香", "향차"]),
    ('N', false, ["knight", "桂", "계마"]),
    ('S', false, ["silver", "銀", "은"]),
    ('G', false, ["gold", "金", "금"]),
    ('B', false, ["bishop", "角", "각행"]),
    ('R', false, ["rook", "飛車", "비차"]),
    ('K', false, ["king", "玉", "왕"]),
    ('P', true, ["tokin", "と金", "토금"]),
    ('L', true, ["promoted lance", "成香", "성향"]),
    ('N', true, ["promoted knight", "成桂", "성계"]),
    ('S', true, ["promoted silver", "成銀", "성은"]),
    ('B', true, ["horse", "馬", "용마"]),
    ('R', true, ["dragon", "龍", "용왕"]),
];
const JANGGI: &[PieceNames] = &[
    ('K', false, ["general", "将", "궁"]),
    ('A', false, ["guard", "士", "사"]),
    ('R', false, ["chariot", "車", "차"]),
    ('C', false, ["cannon", "包", "포"]),
    ('N', false, ["horse", "馬", "마"]),
    ('B', false, ["elephant", "象", "상"]),
    ('P', false, ["soldier", "卒", "졸"]),
];
const DOBUTSU: &[PieceNames] = &[
    ('L', false, ["lion", "ライオン", "왕"]),
    ('G', false, ["giraffe", "きりん", "장"]),
    ('E', false, ["elephant", "ぞう", "상"]),
    ('C', false, ["chick", "ひよこ", "자"]),
    ('C', true, ["hen", "にわとり", "후"]),
];

/// The name of a piece of a game.
#[must_use]
pub fn piece_name(game: VariantId, piece: Symbol, language: Language) -> &'static str {
    let names = match game {
        VariantId::Shogi => SHOGI,
        VariantId::Dobutsu | VariantId::DobutsuMate => DOBUTSU,
        _ => JANGGI,
    };
    let known =
        names.iter().find(|(letter, promoted, _)| (*letter, *promoted) == (piece.letter, piece.promoted));
    let name = known.map_or("?", |(_, _, names)| names[language as usize]);
    // White's soldiers have a separate name.
    match (name, piece.color) {
        ("卒", Color::White) => "兵",
        ("졸", Color::White) => "병",
        (name, _) => name,
    }
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
