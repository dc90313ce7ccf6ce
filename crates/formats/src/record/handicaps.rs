//! The handicaps that have a name, for all formats.
//!
//! Sources: the KIF files of Kakinoki's programs (common handicaps), the presets of the JSON Kifu Format (three to seven
//! pieces), lishogi (`Handicap` of scalashogi: the rest, with the English names), and the alternative names of bioshogi.
//! The sources disagree on the lance of 三枚落ち: the JSON Kifu Format removes the left one, like 香落ち, and lishogi
//! the right one ([`LISHOGI_THREE`]).

use sanban_rules::shogi;

/// A start position with a name.
#[derive(Debug)]
pub struct Handicap {
    /// The name in Japanese formats.
    pub name: &'static str,
    pub english: &'static str,
    /// The preset of the JSON Kifu Format; empty if it has none.
    pub preset: &'static str,
    pub sfen: &'static str,
    /// Whether all programs support the name. Other handicaps are written with a diagram.
    pub common: bool,
}

const fn common(
    name: &'static str,
    english: &'static str,
    preset: &'static str,
    sfen: &'static str,
) -> Handicap {
    Handicap { name, english, preset, sfen, common: true }
}

const fn rare(
    name: &'static str,
    english: &'static str,
    preset: &'static str,
    sfen: &'static str,
) -> Handicap {
    Handicap { name, english, preset, sfen, common: false }
}

/// All handicaps, first the even game.
pub const ALL: [Handicap; 37] = [
    common("平手", "none", "HIRATE", shogi::START),
    common("香落ち", "lance", "KY", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common(
        "右香落ち",
        "right lance",
        "KY_R",
        "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    ),
    rare("両香落ち", "both lance", "", "1nsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("角落ち", "bishop", "KA", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("飛車落ち", "rook", "HI", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("飛香落ち", "rook lance", "HIKY", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("二枚落ち", "2", "2", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("三枚落ち", "3", "3", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("四枚落ち", "4", "4", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("五枚落ち", "5", "5", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("左五枚落ち", "left 5", "5_L", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("六枚落ち", "6", "6", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("左七枚落ち", "left 7", "7_L", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("右七枚落ち", "right 7", "7_R", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("八枚落ち", "8", "8", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("九枚落ち", "9", "", "4kg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    common("十枚落ち", "10", "10", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("歩三兵", "3 pawns", "", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"),
    rare("裸玉", "naked king", "", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("トンボ＋桂香", "dragonfly nl", "", "ln2k2nl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("トンボ＋香", "dragonfly l", "", "l3k3l/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("トンボ", "dragonfly", "", "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("太閤落ち", "taiko", "", "lnsgkgsnl/1r5b1/p1ppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("香得", "lance gained", "", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w L 1"),
    rare(
        "両香得",
        "two lance gained",
        "",
        "1nsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 2L 1",
    ),
    rare("角得", "bishop gained", "", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w B 1"),
    rare("飛車得", "rook gained", "", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w R 1"),
    rare("飛香得", "rook lance gained", "", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RL 1"),
    rare("二枚得", "2 gained", "", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB 1"),
    rare("三枚得", "3 gained", "", "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RBL 1"),
    rare("四枚得", "4 gained", "", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2L 1"),
    rare("五枚得", "5 gained", "", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RBN2L 1"),
    rare("六枚得", "6 gained", "", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2N2L 1"),
    rare("七枚得", "7 gained", "", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RBS2N2L 1"),
    rare("八枚得", "8 gained", "", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2S2N2L 1"),
    rare("九枚得", "9 gained", "", "4kg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RBG2S2N2L 1"),
];

/// The position of 三枚落ち on lishogi.
pub const LISHOGI_THREE: &str = "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

/// Other names of handicaps, in their plain form.
const ALIASES: [(&str, &str); 9] = [
    ("左香", "香"),
    ("飛角", "二枚"),
    // The only source without a side is lishogi.
    ("七枚", "右七枚"),
    ("十九枚", "裸玉"),
    ("裸王", "裸玉"),
    ("三歩", "歩三兵"),
    ("歩三", "歩三兵"),
    ("トンボ＋香桂", "トンボ＋桂香"),
    ("トンボ桂香", "トンボ＋桂香"),
];

/// Names of other games, whose records begin with the same header.
const GAMES: [&str; 9] = ["安南", "王手", "京都", "５五", "五々", "中将棋", "どうぶつ", "動物", "mini"];

/// The plain form of a Japanese name: without spaces and 落ち, with numbers in kanji, and with short names of pieces.
fn plain(name: &str) -> String {
    let mut out: String = name
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '兩' | '雙' => '両',
            '+' => '＋',
            '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
            _ => c,
        })
        .collect();
    for (long, short) in [("飛車", "飛"), ("香車", "香"), ("角行", "角"), ("桂馬", "桂")] {
        out = out.replace(long, short);
    }
    let number = out.trim_start_matches(['左', '右']).split('枚').next().unwrap_or_default();
    if let Some(count) = number.parse().ok().filter(|&count: &usize| (1..20).contains(&count)) {
        out = out.replacen(number, &super::names::count(count), 1);
    }
    out.trim_end_matches('ち').trim_end_matches('落').to_string()
}

/// The SFEN of the handicap with this Japanese name; `None` for names without a fixed position (`その他`).
pub fn named(name: &str) -> Option<&'static str> {
    let name = plain(name);
    let name = ALIASES.iter().find(|(other, _)| *other == name).map_or(name.as_str(), |alias| alias.1);
    ALL.iter().find(|handicap| plain(handicap.name) == name).map(|handicap| handicap.sfen)
}

/// The handicap with this start position; `None` stands for the even game.
pub fn of_start(start: Option<&str>) -> Option<&'static Handicap> {
    let sfen = start.unwrap_or(shogi::START);
    ALL.iter().find(|handicap| handicap.sfen == sfen)
}

/// Returns whether the name in place of a handicap is that of another game.
pub fn is_other_game(name: &str) -> bool {
    let name = name.trim().replace('5', "５");
    GAMES.iter().any(|game| name.starts_with(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::board::Board;

    #[test]
    fn names_come_back() {
        for handicap in &ALL {
            assert_eq!(named(handicap.name), Some(handicap.sfen));
            assert_eq!(of_start(Some(handicap.sfen)).map(|found| found.name), Some(handicap.name));
            assert_eq!(
                Board::from_sfen(handicap.sfen).map(|board| board.sfen()).as_deref(),
                Ok(handicap.sfen)
            );
        }
    }

    #[test]
    fn names_have_several_spellings() {
        for (name, same) in [
            ("二枚落", "二枚落ち"),
            ("2枚落ち", "二枚落ち"),
            ("飛車角落ち", "二枚落ち"),
            ("１０枚落ち", "十枚落ち"),
            ("兩香落ち", "両香落ち"),
            ("左香落ち", "香落ち"),
            ("飛落ち", "飛車落ち"),
            ("角行落ち", "角落ち"),
            ("飛車香落ち", "飛香落ち"),
            ("トンボ+香", "トンボ＋香"),
            ("十九枚落ち", "裸玉"),
            ("七枚落ち", "右七枚落ち"),
            ("兩香得", "両香得"),
        ] {
            assert_eq!(named(name), named(same), "{name}");
            assert!(named(name).is_some(), "{name}");
        }
        assert_eq!(named("その他"), None);
        assert_eq!(named("5五将棋"), None);
        assert!(is_other_game("5五将棋") && is_other_game("安南将棋") && !is_other_game("詰将棋"));
    }
}
