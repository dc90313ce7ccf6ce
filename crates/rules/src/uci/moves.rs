//! Converts moves: `c3c4` for `7g7f`, `P@e5` for `P*5e`. In USI and UCI, a pass is a move of the general to its own
//! square. In CECP, it is `@@@@`, and on boards with ten ranks, ranks are counted from 0.

use crate::{AnyPosition, Move, Square, UsiMove};

/// The UCI text of a move.
///
/// ```
/// use sanban_rules::uci::move_text;
/// use sanban_rules::AnyPosition;
///
/// let pos = AnyPosition::default();
/// let mv = pos.parse_move("7g7f")?;
/// assert_eq!(move_text(&pos, mv), "c3c4");
/// # Ok::<(), sanban_rules::IllegalMove>(())
/// ```
pub fn move_text(pos: &AnyPosition, mv: Move) -> String {
    text(pos, mv, 1)
}

/// Converts a UCI move to USI notation; `None` if the string does not have that form.
pub fn usi_text(pos: &AnyPosition, text: &str) -> Option<String> {
    read(pos, text, 1)
}

/// The UCI name of a square, such as `c3`.
pub fn square_text(pos: &AnyPosition, at: Square) -> String {
    square(pos, at, 1)
}

/// A pass in CECP.
const PASS: &str = "@@@@";

/// The CECP text of a move.
pub fn cecp_text(pos: &AnyPosition, mv: Move) -> String {
    match pos.display(mv).parse() {
        Ok(UsiMove::Board { from, to, .. }) if from == to => PASS.into(),
        _ => text(pos, mv, first_rank(pos)),
    }
}

/// Converts a CECP move to USI notation; `None` if the string does not have that form. A pass is returned as `pass`,
/// since its text does not contain the square.
pub fn usi_text_of_cecp(pos: &AnyPosition, text: &str) -> Option<String> {
    if text == PASS { Some("pass".into()) } else { read(pos, text, first_rank(pos)) }
}

/// The number of the first player's rank in CECP.
fn first_rank(pos: &AnyPosition) -> usize {
    if pos.size().1 == 10 { 0 } else { 1 }
}

/// Converts a move in USI notation, on the board of `pos`, to UCI; `None` if it does not have that form.
pub fn text_of_usi(pos: &AnyPosition, usi: &str) -> Option<String> {
    usi.parse::<UsiMove>().ok().map(|_| convert(pos, usi, 1))
}

/// Converts a move in USI notation, on the board of `pos`, to CECP; `None` if it does not have that form. A pass is a
/// move to the general's own square, which engines accept that do not know `@@@@`.
pub fn cecp_text_of_usi(pos: &AnyPosition, usi: &str) -> Option<String> {
    usi.parse::<UsiMove>().ok().map(|_| convert(pos, usi, first_rank(pos)))
}

/// The text of a move; `first` is the number of the first player's rank.
fn text(pos: &AnyPosition, mv: Move, first: usize) -> String {
    convert(pos, &pos.display(mv), first)
}

fn convert(pos: &AnyPosition, usi: &str, first: usize) -> String {
    match usi.parse() {
        Ok(UsiMove::Board { from, to, promotion }) => {
            let promotion = if promotion { "+" } else { "" };
            format!("{}{}{promotion}", square(pos, from, first), square(pos, to, first))
        }
        Ok(UsiMove::Drop { piece, to }) => format!("{piece}@{}", square(pos, to, first)),
        Err(_) => usi.into(),
    }
}

/// Converts a move whose ranks are counted from `first` to USI notation.
fn read(pos: &AnyPosition, text: &str, first: usize) -> Option<String> {
    if let Some((piece, to)) = text.split_once(['@', '*']) {
        let (to, rest) = read_square(pos, to, first)?;
        let is_piece = piece.len() == 1 && piece.bytes().all(|byte| byte.is_ascii_alphabetic());
        return (is_piece && rest.is_empty()).then(|| format!("{}*{to}", piece.to_ascii_uppercase()));
    }
    let (from, rest) = read_square(pos, text, first)?;
    let (to, rest) = read_square(pos, rest, first)?;
    match rest {
        "" | "=" => Some(format!("{from}{to}")),
        "+" => Some(format!("{from}{to}+")),
        _ => None,
    }
}

fn square(pos: &AnyPosition, square: Square, first: usize) -> String {
    let (files, ranks) = pos.size();
    let (file, rank) = (usize::from(square.file), square.rank as usize - 'a' as usize);
    let letter = char::from(b'a' + (files.saturating_sub(file)) as u8);
    format!("{letter}{}", ranks - 1 - rank + first)
}

/// The square at the start of `text`, and the rest of `text`.
fn read_square<'a>(pos: &AnyPosition, text: &'a str, first: usize) -> Option<(Square, &'a str)> {
    let (files, ranks) = pos.size();
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.get(1..)?.split_at_checked(digits)?;
    let rank = number.parse::<usize>().ok()?.checked_sub(first).filter(|&rank| rank < ranks)?;
    let file = files.checked_sub(usize::from(letter - b'a')).filter(|file| *file >= 1)?;
    let rank = char::from(b'a' + (ranks - 1 - rank) as u8);
    Some((Square { file: file as u8, rank }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VariantId;

    #[test]
    fn squares_are_counted_from_the_first_player() {
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Shogi), "c3c4").as_deref(), Some("7g7f"));
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Shogi), "b2h8+").as_deref(), Some("8h2b+"));
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Shogi), "P@e5").as_deref(), Some("P*5e"));
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Janggi), "i10i9").as_deref(), Some("1a1b"));
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Janggi), "e2e2").as_deref(), Some("5i5i"));
        assert_eq!(usi_text(&AnyPosition::new(VariantId::Dobutsu), "b2b3").as_deref(), Some("2c2b"));
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in [
            "", "c3", "c3c", "c3c10", "j1j2", "c0c1", "@e5", "PP@e5", "c3c4++", "P@e5+", "é3c4", "c3é4",
            "0000",
        ] {
            assert_eq!(usi_text(&AnyPosition::new(VariantId::Shogi), text), None, "{text}");
        }
    }

    #[test]
    fn cecp_counts_ten_ranks_from_zero() {
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Janggi), "a0a1").as_deref(), Some("9j9i"));
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Janggi), "i9i8").as_deref(), Some("1a1b"));
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Janggi), "i10i9"), None);
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Janggi), "@@@@").as_deref(), Some("pass"));
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Shogi), "b2h8=").as_deref(), Some("8h2b"));
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Shogi), "P@e5").as_deref(), Some("P*5e"));
        assert_eq!(usi_text_of_cecp(&AnyPosition::new(VariantId::Shogi), "c0c1"), None);
    }

    #[test]
    fn texts_of_every_game_come_back() {
        for &game in VariantId::ALL {
            let mut pos = AnyPosition::new(game);
            for n in 0..200 {
                let moves = pos.legal_moves();
                for &mv in &moves {
                    let (usi, text) = (pos.display(mv), move_text(&pos, mv));
                    assert_eq!(usi_text(&pos, &text).as_deref(), Some(usi.as_str()), "{text}");
                    let text = cecp_text(&pos, mv);
                    let read = usi_text_of_cecp(&pos, &text).unwrap_or_default();
                    assert!(read == "pass" || read == usi, "{text}");
                }
                let Some(&mv) = moves.get((n * 7919) % moves.len().max(1)) else { break };
                pos.play(mv);
            }
        }
    }
}
