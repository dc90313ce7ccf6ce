//! The board of a game, and moves in CSA notation.

use sanban_formats::record::{Board, csa_text};
use sanban_rules::shogi::Position as Shogi;
use sanban_rules::{Color, Move, Position};

/// The CSA text of a legal move.
pub fn text(pos: &Shogi, mv: Move) -> Option<String> {
    csa_text(&Board::from_sfen(&pos.sfen()).ok()?, mv).ok()
}

/// Parses a legal move in CSA notation.
pub fn read(pos: &Shogi, text: &str) -> Option<Move> {
    let board = Board::from_sfen(&pos.sfen()).ok()?;
    pos.legal_moves().into_iter().find(|&mv| csa_text(&board, mv).as_deref() == Ok(text))
}

/// The comment on a move: its score from black's point of view, and the expected moves after it.
pub fn comment(pos: &Shogi, score: i32, pv: &[String]) -> String {
    let for_black = if pos.side() == Color::Black { score } else { -score };
    let mut out = format!("* {for_black}");
    let mut pos = pos.clone();
    for (ply, usi) in pv.iter().enumerate() {
        let Some(mv) = pos.parse_usi(usi) else { break };
        // The first move of the principal variation is the move that is commented on.
        if ply > 0 {
            let Some(text) = text(&pos, mv) else { break };
            out.push(' ');
            out += &text;
        }
        pos.play(mv);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_and_written() {
        let mut pos = Shogi::default();
        for (csa, usi) in [
            ("+7776FU", "7g7f"),
            ("-3334FU", "3c3d"),
            ("+8822UM", "8h2b+"),
            ("-3122GI", "3a2b"),
            ("+0055KA", "B*5e"),
        ] {
            let mv = read(&pos, csa).unwrap_or_else(|| panic!("{csa}"));
            assert_eq!((Shogi::usi(mv).as_str(), text(&pos, mv).as_deref()), (usi, Some(csa)));
            pos.play(mv);
        }
        assert_eq!(read(&pos, "-3334FU"), None);
        assert_eq!(read(&pos, ""), None);
    }

    #[test]
    fn comments_have_the_score_of_black() {
        let mut pos = Shogi::default();
        let pv = ["7g7f", "3c3d", "nonsense"].map(str::to_string);
        assert_eq!(comment(&pos, 30, &pv), "* 30 -3334FU");
        pos.play(pos.parse_usi("7g7f").expect("a legal move"));
        assert_eq!(comment(&pos, 30, &[]), "* -30");
    }
}
