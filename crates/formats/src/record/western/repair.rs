//! Repairs misread moves of scans in Western notation if exactly one legal move fits.

use super::ends::read_end;
use super::items::What;
use super::moves::{Origin, Style, Written, move_text};
use crate::record::board::Board;
use crate::record::judge::Judge;
use sanban_rules::shogi;
use sanban_rules::{Color, Move, MoveList};

pub(super) struct Repairing<'r> {
    /// Whether repair is enabled.
    pub on: bool,
    /// Whether a number can be missing although its moves are present.
    pub numbers: bool,
    /// The repairs, as messages.
    pub mends: &'r mut Vec<String>,
    /// Chooses between possible moves when a missing move is restored.
    pub judge: &'r mut dyn Judge,
    /// Number of games of the text that are left, including the current one.
    pub left: usize,
}

/// Characters that scans confuse: the character that was read, and the characters that may be meant.
const LOOK_ALIKE: [(char, &str); 18] = [
    ('l', "1"),
    ('I', "1"),
    ('i', "1"),
    ('|', "1"),
    ('Z', "2"),
    ('z', "2"),
    ('S', "5"),
    ('B', "8"),
    ('q', "g"),
    ('9', "g"),
    ('o', "e"),
    ('1', "i"),
    ('6', "b"),
    ('t', "f"),
    ('Ν', "N"),
    ('Р', "P"),
    ('В', "B"),
    ('К', "K"),
];
/// Maximum number of characters to replace in a word.
const MOST: usize = 3;
/// Maximum number of characters in a move, in any style.
const LONGEST: usize = 16;

/// Corrects misread marks of drops and captures, and makes the letter of the piece upper case.
fn with_marks(word: &str) -> String {
    let mut out = word
        .replace(",x", "x")
        .replace(",,", "'")
        .replace([':', ';'], "x")
        .replace(['"', ',', '“', '”'], "'");
    out = out.replace("--", "-").replace("''", "'");
    let first = out.find(|c| c != '+').unwrap_or(0);
    if let Some(piece) = out.get(first..first + 1).filter(|piece| "krbgsnlp".contains(piece)) {
        let capital = piece.to_ascii_uppercase();
        out.replace_range(first..first + 1, &capital);
    }
    out
}

/// The legal move that a misread word means, if it is unique, and its correct text.
///
/// Look-alike characters are tried first, then other marks of drops and captures, then any origin. The first step that
/// finds legal moves must find exactly one.
pub(in crate::record) fn mend(board: &Board, word: &str) -> Option<(Move, String)> {
    let word: String = word.chars().filter(|c| !c.is_whitespace()).take(12).collect();
    let legal = legal(board);
    let fits = |written: &Written| -> Vec<Move> {
        written.moves(board).into_iter().filter(|mv| legal.contains(mv)).collect()
    };
    let last = board.last().map(Move::to);
    let readings: Vec<Written> =
        readings(&word).iter().filter_map(|text| Written::parse(text, last)).collect();
    let marks = |written: &Written| {
        let plain = Written { captures: false, ..*written };
        [plain, Written { drop: true, from: Origin::Any, ..plain }, Written { drop: false, ..plain }]
    };
    let anywhere = |written: &Written| [Written { from: Origin::Any, captures: false, ..*written }];
    let steps = [
        readings.clone(),
        readings.iter().flat_map(marks).collect(),
        readings.iter().flat_map(anywhere).collect::<Vec<_>>(),
    ];
    for step in steps {
        let mut found: Vec<Move> = step.iter().flat_map(fits).collect();
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [] => {}
            [mv] => return Some((mv, move_text(board, mv, Style::Apostrophe).ok()?)),
            _ => return None,
        }
    }
    None
}

/// The possible meanings of a word, with look-alike characters replaced.
pub(in crate::record) fn written(word: &str) -> Vec<Written> {
    let word: String = word.chars().take(12).collect();
    readings(&word).into_iter().filter_map(|text| Written::parse(&text, None)).collect()
}

fn legal(board: &Board) -> Vec<Move> {
    let mut list = MoveList::new();
    if let Ok(pos) = shogi::Position::from_sfen(&board.sfen()) {
        pos.legal(&mut list);
    }
    list.to_vec()
}

/// The word and its variants with up to [`MOST`] characters changed. A word that is too long for a move has no
/// variants.
fn readings(word: &str) -> Vec<String> {
    if word.chars().nth(LONGEST).is_some() {
        return vec![word.to_string()];
    }
    let chars: Vec<char> = with_marks(word).chars().collect();
    let mut out = vec![(String::new(), 0)];
    for &c in &chars {
        let mut next = Vec::new();
        for (text, changed) in &out {
            next.push((format!("{text}{c}"), *changed));
            if *changed < MOST {
                for (_, others) in LOOK_ALIKE.iter().filter(|(seen, _)| *seen == c) {
                    next.extend(others.chars().map(|other| (format!("{text}{other}"), changed + 1)));
                }
            }
        }
        out = next;
    }
    out.into_iter().map(|(text, _)| text).collect()
}

/// Returns whether an item is a word that can be neither a move nor an end.
pub(super) fn is_garbage(what: &What) -> bool {
    matches!(what, What::Word(word) if written(word).is_empty() && read_end(word, &[], Color::Black).is_none())
}

/// Returns whether a word has no letters and is thus a misread line or speck.
pub(super) fn is_speck(word: &str) -> bool {
    !word.chars().any(char::is_alphabetic)
}

/// Returns whether a word belongs to a sentence.
pub(super) fn is_prose(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && !word.chars().any(|c| c.is_ascii_digit()) && is_garbage(&What::Word(word.into()))
}

/// Returns whether two rows have the same moves, up to the end of the shorter row.
pub(in crate::record) fn same_words(one: &[String], two: &[String]) -> bool {
    let alike = |one: &str, two: &str| {
        let others = readings(two);
        readings(one).iter().any(|reading| others.contains(reading))
    };
    one.iter().zip(two).all(|(one, two)| one == two || alike(one, two))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(sfen: Option<&str>, word: &str) -> Option<String> {
        let board = Board::from_start(sfen).expect("a position");
        mend(&board, word).map(|(_, text)| text)
    }

    #[test]
    fn look_alikes_are_mended() {
        assert_eq!(mended(None, "Plg-lf").as_deref(), Some("P1f"));
        assert_eq!(mended(None, "P7q-7f").as_deref(), Some("P7f"));
        assert_eq!(mended(None, "P9q-9f").as_deref(), Some("P9f"));
        assert_eq!(mended(None, "Р7f").as_deref(), Some("P7f"));
    }

    /// The variants of long words would exhaust the memory.
    #[test]
    fn long_words_are_no_moves() {
        let long = "l".repeat(10_000);
        assert_eq!(mended(None, &long), None);
        assert!(!same_words(std::slice::from_ref(&long), &[format!("1{long}")]));
    }

    #[test]
    fn wrong_marks_and_squares_are_mended_where_one_move_fits() {
        assert_eq!(mended(None, "Px7f").as_deref(), Some("P7f"));
        assert_eq!(mended(None, "S6h-7h").as_deref(), Some("S7h"));
        assert_eq!(mended(None, "G5i-5h"), None, "two golds can move there");
        assert_eq!(mended(None, "R5e"), None);
        let drop = Some("4k4/9/9/9/9/9/9/9/4K4 b P 1");
        assert_eq!(mended(drop, "P5e").as_deref(), Some("P'5e"));
    }
}
