//! Converts moves: `c3c4` for `7g7f`, `P@e5` for `P*5e`. In USI and UCI, a pass is a move of the general to its own
//! square. In CECP, it is `@@@@`, and on boards with ten ranks, ranks are counted from 0.

use sanban_rules::{Move, Position, Square, UsiMove};

/// The UCI text of a move.
///
/// ```
/// use sanban::dialect::move_text;
/// use sanban::{Position, rules::shogi};
///
/// let pos = shogi::Position::default();
/// let mv = pos.parse_move("7g7f")?;
/// assert_eq!(move_text::<shogi::Position>(mv), "c3c4");
/// # Ok::<(), sanban::IllegalMove>(())
/// ```
#[must_use]
pub fn move_text<P: Position>(mv: Move) -> String {
    text::<P>(mv, 1)
}

/// Converts a UCI move to USI notation; `None` if the string does not have that form.
#[must_use]
pub fn usi_text<P: Position>(text: &str) -> Option<String> {
    read::<P>(text, 1)
}

/// A pass in CECP.
const PASS: &str = "@@@@";

/// The CECP text of a move.
#[must_use]
pub fn cecp_text<P: Position>(mv: Move) -> String {
    match P::usi(mv).parse() {
        Ok(UsiMove::Board { from, to, .. }) if from == to => PASS.into(),
        _ => text::<P>(mv, first_rank::<P>()),
    }
}

/// Converts a CECP move to USI notation; `None` if the string does not have that form. A pass is returned as `pass`,
/// since its text does not contain the square.
#[must_use]
pub fn usi_text_of_cecp<P: Position>(text: &str) -> Option<String> {
    if text == PASS { Some("pass".into()) } else { read::<P>(text, first_rank::<P>()) }
}

/// The number of the first player's rank in CECP.
fn first_rank<P: Position>() -> usize {
    if P::RANKS == 10 { 0 } else { 1 }
}

/// The text of a move; `first` is the number of the first player's rank.
fn text<P: Position>(mv: Move, first: usize) -> String {
    let usi = P::usi(mv);
    match usi.parse() {
        Ok(UsiMove::Board { from, to, promotion }) => {
            let promotion = if promotion { "+" } else { "" };
            format!("{}{}{promotion}", square::<P>(from, first), square::<P>(to, first))
        }
        Ok(UsiMove::Drop { piece, to }) => format!("{piece}@{}", square::<P>(to, first)),
        Err(_) => usi,
    }
}

/// Converts a move whose ranks are counted from `first` to USI notation.
fn read<P: Position>(text: &str, first: usize) -> Option<String> {
    if let Some((piece, to)) = text.split_once(['@', '*']) {
        let (to, rest) = read_square::<P>(to, first)?;
        let is_piece = piece.len() == 1 && piece.bytes().all(|byte| byte.is_ascii_alphabetic());
        return (is_piece && rest.is_empty()).then(|| format!("{}*{to}", piece.to_ascii_uppercase()));
    }
    let (from, rest) = read_square::<P>(text, first)?;
    let (to, rest) = read_square::<P>(rest, first)?;
    match rest {
        "" | "=" => Some(format!("{from}{to}")),
        "+" => Some(format!("{from}{to}+")),
        _ => None,
    }
}

fn square<P: Position>(square: Square, first: usize) -> String {
    let (file, rank) = (usize::from(square.file), square.rank as usize - 'a' as usize);
    let letter = char::from(b'a' + (P::FILES.saturating_sub(file)) as u8);
    format!("{letter}{}", P::RANKS - 1 - rank + first)
}

/// The square at the start of `text`, and the rest of `text`.
fn read_square<P: Position>(text: &str, first: usize) -> Option<(Square, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.get(1..)?.split_at_checked(digits)?;
    let rank = number.parse::<usize>().ok()?.checked_sub(first).filter(|&rank| rank < P::RANKS)?;
    let file = P::FILES.checked_sub(usize::from(letter - b'a')).filter(|file| *file >= 1)?;
    let rank = char::from(b'a' + (P::RANKS - 1 - rank) as u8);
    Some((Square { file: file as u8, rank }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{dobutsu, janggi, shogi};

    #[test]
    fn squares_are_counted_from_the_first_player() {
        assert_eq!(usi_text::<shogi::Position>("c3c4").as_deref(), Some("7g7f"));
        assert_eq!(usi_text::<shogi::Position>("b2h8+").as_deref(), Some("8h2b+"));
        assert_eq!(usi_text::<shogi::Position>("P@e5").as_deref(), Some("P*5e"));
        assert_eq!(usi_text::<janggi::Position>("i10i9").as_deref(), Some("1a1b"));
        assert_eq!(usi_text::<janggi::Position>("e2e2").as_deref(), Some("5i5i"));
        assert_eq!(usi_text::<dobutsu::Original>("b2b3").as_deref(), Some("2c2b"));
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in [
            "", "c3", "c3c", "c3c10", "j1j2", "c0c1", "@e5", "PP@e5", "c3c4++", "P@e5+", "é3c4", "c3é4",
            "0000",
        ] {
            assert_eq!(usi_text::<shogi::Position>(text), None, "{text}");
        }
    }

    #[test]
    fn cecp_counts_ten_ranks_from_zero() {
        assert_eq!(usi_text_of_cecp::<janggi::Position>("a0a1").as_deref(), Some("9j9i"));
        assert_eq!(usi_text_of_cecp::<janggi::Position>("i9i8").as_deref(), Some("1a1b"));
        assert_eq!(usi_text_of_cecp::<janggi::Position>("i10i9"), None);
        assert_eq!(usi_text_of_cecp::<janggi::Position>("@@@@").as_deref(), Some("pass"));
        assert_eq!(usi_text_of_cecp::<shogi::Position>("b2h8=").as_deref(), Some("8h2b"));
        assert_eq!(usi_text_of_cecp::<shogi::Position>("P@e5").as_deref(), Some("P*5e"));
        assert_eq!(usi_text_of_cecp::<shogi::Position>("c0c1"), None);
    }

    fn texts_come_back<P: Position>() {
        let mut pos = P::default();
        for n in 0..200 {
            let moves = pos.legal_moves();
            for &mv in &moves {
                let text = move_text::<P>(mv);
                assert_eq!(usi_text::<P>(&text).as_deref(), Some(P::usi(mv).as_str()), "{text}");
                let text = cecp_text::<P>(mv);
                let read = usi_text_of_cecp::<P>(&text).unwrap_or_default();
                assert!(read == "pass" || read == P::usi(mv), "{text}");
            }
            let Some(&mv) = moves.get((n * 7919) % moves.len().max(1)) else { return };
            pos.play(mv);
        }
    }

    #[test]
    fn texts_of_every_game_come_back() {
        texts_come_back::<shogi::Position>();
        texts_come_back::<janggi::Position>();
        texts_come_back::<dobutsu::Original>();
        texts_come_back::<dobutsu::WithMate>();
    }
}
