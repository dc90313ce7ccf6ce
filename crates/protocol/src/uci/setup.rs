//! Descriptions of games for XBoard: board, letters and moves of the pieces.

use sanban_rules::{GameFamily, VariantId};

/// Letters of the pieces in XBoard's order, board and start position, as in Fairy-Stockfish; then the moves of the
/// pieces in Betza notation.
const JANGGI: &str = "\
setup (.N.R.AB.P..C.........K.n.r.ab.p..c.........k) 9x10+0_xiangqi \
rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1
piece R& RB
piece C& pRpB
piece P& fsWfF
piece N& nN
piece B& mafsmafW
piece A& WF
piece K& WF";
const DOBUTSU: &str = "\
setup (C....E...G.+.....Lc....e...g.+.....l) 3x4+3_shogi gle/1c1/1C1/ELG[-] w 0 1
piece E& F@4
piece C& fW@4
piece +C& WfF
piece G& W@4
piece L& K@4";

/// The lines that describe a game to XBoard; `None` for shogi, which XBoard supports itself.
pub fn setup(id: VariantId) -> Option<&'static str> {
    match id.family() {
        GameFamily::Shogi => None,
        GameFamily::Janggi => Some(JANGGI),
        GameFamily::Dobutsu | GameFamily::DobutsuMate => Some(DOBUTSU),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::sfen;
    use sanban_rules::AnyPosition;

    #[test]
    fn start_positions_are_those_of_the_games() {
        for &id in VariantId::ALL {
            let Some(text) = setup(id) else {
                assert_eq!(id, VariantId::Shogi);
                continue;
            };
            let fen = text.lines().next().and_then(|line| line.splitn(4, ' ').nth(3)).expect("a FEN");
            let sfen = sfen(fen).expect("a FEN");
            let pos = AnyPosition::parse(id, &sfen).expect("a position");
            assert_eq!(pos.sfen(), id.info().start);
        }
    }
}
