//! FEN as Fairy-Stockfish writes it: hands in brackets after the board, `w` for the first player, and the fullmove
//! number. Fields for castling and en passant are optional.

use crate::clip;
use std::fmt::Write;
use thiserror::Error;

/// Why a string is not a valid FEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FenError {
    /// A field is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// The hands contain something that is not a piece.
    #[error("hands: not a piece: {0}")]
    Hand(char),
    /// The hands have no closing bracket.
    #[error("hands: missing ]")]
    Bracket,
    /// The side to move is neither `w` nor `b`.
    #[error("side to move: expected w or b, found {0}")]
    Side(String),
    /// A move counter is not a number.
    #[error("move counter: expected a number, found {0}")]
    Number(String),
    /// There are too many fields.
    #[error("unexpected field: {0}")]
    Excess(String),
}

/// Converts a FEN to an SFEN. The position itself is validated when the SFEN is parsed.
///
/// ```
/// use sanban_rules::uci::sfen;
/// let fen = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[B] b - - 0 2";
/// let wanted = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
/// assert_eq!(sfen(fen).as_deref(), Ok(wanted));
/// ```
///
/// # Errors
/// A field is missing or cannot be read.
pub fn sfen(fen: &str) -> Result<String, FenError> {
    let mut words = fen.split_whitespace();
    let first = words.next().ok_or(FenError::Missing("board"))?;
    let (board, hands) = match first.split_once('[') {
        Some((board, rest)) => (board, rest.strip_suffix(']').ok_or(FenError::Bracket)?),
        None => (first, ""),
    };
    let side = words.next().ok_or(FenError::Missing("side to move"))?;
    let white_there = match side {
        "w" => true,
        "b" => false,
        _ => return Err(FenError::Side(clip(side))),
    };
    // Castling and en passant, then the halfmove clock and the fullmove number.
    let mut words = words.peekable();
    for _ in 0..2 {
        words.next_if_eq(&"-");
    }
    let mut full: u64 = 1;
    for at in 0.. {
        let Some(word) = words.next() else { break };
        full = word.parse().map_err(|_| FenError::Number(clip(word)))?;
        if at == 2 {
            return Err(FenError::Excess(clip(word)));
        }
    }
    let count = full.saturating_sub(1).saturating_mul(2).saturating_add(if white_there { 1 } else { 2 });
    Ok(format!("{board} {} {} {count}", if white_there { "b" } else { "w" }, sfen_hands(hands)?))
}

/// The halfmove clock of a FEN that [`sfen`] accepts: the first of two numbers, or 0.
///
/// ```
/// use sanban_rules::uci::halfmove_clock;
/// assert_eq!(halfmove_clock("3k5/4a4/9/4r4/9/9/8P/9/4A4/4RK3 w - - 98 80"), 98);
/// assert_eq!(halfmove_clock("9/9 w 3"), 0);
/// ```
pub fn halfmove_clock(fen: &str) -> u16 {
    let mut numbers = fen.split_whitespace().skip(2).skip_while(|word| *word == "-");
    match (numbers.next(), numbers.next()) {
        (Some(clock), Some(_)) => clock.parse::<u64>().map_or(0, |clock| clock.min(u16::MAX.into()) as u16),
        _ => 0,
    }
}

/// Converts hands with repeated letters to hands with counts.
fn sfen_hands(hands: &str) -> Result<String, FenError> {
    let mut counts: Vec<(char, usize)> = Vec::new();
    for letter in hands.chars().filter(|_| hands != "-") {
        if !letter.is_ascii_alphabetic() {
            return Err(FenError::Hand(letter));
        }
        match counts.iter_mut().find(|(known, _)| *known == letter) {
            Some((_, count)) => *count += 1,
            None => counts.push((letter, 1)),
        }
    }
    // The first player's pieces come first.
    counts.sort_by_key(|(letter, _)| letter.is_ascii_lowercase());
    let mut out = String::new();
    for (letter, count) in counts {
        if count > 1 {
            // Writing to a string cannot fail.
            let _ = write!(out, "{count}");
        }
        out.push(letter);
    }
    Ok(if out.is_empty() { "-".into() } else { out })
}

/// Converts an SFEN, as written by a position, to a FEN. `hands` states whether the game has hands; `clock` is the
/// number of plies since the last capture.
pub fn fen(sfen: &str, hands: bool, clock: u16) -> String {
    let mut words = sfen.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (board, side, held, count) = (word(), word(), word(), word());
    let ply = count.parse::<u64>().unwrap_or(1).max(1) - 1;
    let mut letters = String::new();
    let mut number = 0;
    for letter in held.chars().filter(|letter| *letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => number = number * 10 + digit as usize,
            None => {
                letters.extend(std::iter::repeat_n(letter, number.max(1)));
                number = 0;
            }
        }
    }
    let held = if hands { format!("[{letters}]") } else { String::new() };
    format!("{board}{held} {} - - {clock} {}", if side == "b" { "w" } else { "b" }, ply / 2 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_positions_are_read_as_written_elsewhere() {
        let shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
        assert_eq!(sfen(&format!("{shogi}[-] w 0 1")), Ok(format!("{shogi} b - 1")));
        assert_eq!(sfen(&format!("{shogi}[] w - - 0 1")), Ok(format!("{shogi} b - 1")));
        let janggi = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR";
        assert_eq!(sfen(&format!("{janggi} b - - 0 3")), Ok(format!("{janggi} w - 6")));
        assert_eq!(fen(&format!("{janggi} w - 6"), false, 0), format!("{janggi} b - - 0 3"));
    }

    #[test]
    fn hands_are_counted_and_written_out() {
        assert_eq!(sfen("k8/9[pPbPP] b 0 1").as_deref(), Ok("k8/9 w 3Ppb 2"));
        assert_eq!(fen("k8/9 w 3Ppb 2", true, 0), "k8/9[PPPpb] b - - 0 1");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(sfen(""), Err(FenError::Missing("board")));
        assert_eq!(sfen("9/9"), Err(FenError::Missing("side to move")));
        assert_eq!(sfen("9/9[P w 0 1"), Err(FenError::Bracket));
        assert_eq!(sfen("9/9[1] w 0 1"), Err(FenError::Hand('1')));
        assert_eq!(sfen("9/9 x 0 1"), Err(FenError::Side("x".into())));
        assert_eq!(sfen("9/9[P-] w 0 1"), Err(FenError::Hand('-')));
        assert_eq!(sfen("9/9 w - - 0 -1"), Err(FenError::Number("-1".into())));
        // An SFEN with a hand, and fields of chess.
        assert_eq!(sfen("9/9 w G 1"), Err(FenError::Number("G".into())));
        assert_eq!(sfen("9/9 w KQkq e3 0 1"), Err(FenError::Number("KQkq".into())));
        assert_eq!(sfen("9/9 w - - abc 2"), Err(FenError::Number("abc".into())));
        assert_eq!(sfen("9/9 w - - - 4"), Err(FenError::Number("-".into())));
        assert_eq!(sfen("9/9 w - - 0 1 2"), Err(FenError::Excess("2".into())));
    }
}
