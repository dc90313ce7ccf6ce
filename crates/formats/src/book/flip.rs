//! Rotated positions: the board turned by 180 degrees with colours exchanged.

pub use sanban_rules::sfen::flip as flip_sfen;

/// Rotates a USI move on the board of this SFEN.
pub fn flip_move(usi: &str, sfen: &str) -> String {
    let board = sfen.split(' ').next().unwrap_or_default();
    let ranks = board.split('/').count() as u8;
    let files: u32 = board
        .split('/')
        .next()
        .map_or(0, |rank| rank.chars().map(|c| c.to_digit(10).unwrap_or(u32::from(c != '+'))).sum());
    let turn = |byte: u8| match byte {
        b'1'..=b'9' => (b'1' + files as u8).saturating_sub(byte - b'0') as char,
        b'a'..=b'z' => (b'a' + ranks).saturating_sub(byte - b'a' + 1) as char,
        other => other as char,
    };
    // The piece letter of a drop is upper case for both sides.
    usi.bytes().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{AnyPosition, VariantId};

    #[test]
    fn everything_is_turned() {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let turned = flip_sfen(sfen);
        assert_eq!(turned, "lkB4nl/8r/1sg5p/p1p2Bpp1/1Ps2p3/Pp4P1P/3s1PN2/KG1+p5/LN6L b rgGSN5P 1");
        assert_eq!(flip_sfen(&turned), sfen);
        assert_eq!(flip_move("7g7f", sfen), "3c3d");
        assert_eq!(flip_move("8h2b+", sfen), "2b8h+");
        assert_eq!(flip_move("P*5e", sfen), "P*5e");
        assert_eq!(flip_move("1a9i", sfen), "9i1a");
    }

    /// The rotated position has the same legal moves, rotated.
    fn moves_are_turned(game: VariantId, positions: &[&str]) {
        for sfen in [game.info().start].iter().chain(positions) {
            let pos = AnyPosition::parse(game, sfen).expect("a position");
            let other = pos.with_sfen(&flip_sfen(&pos.sfen())).expect("a rotated position");
            let moves = pos.legal_moves();
            assert_eq!(moves.len(), other.count(), "{sfen}");
            for &mv in &moves {
                let turned = flip_move(&pos.display(mv), &pos.sfen());
                let turned = other.parse_usi(&turned).expect("legal when rotated");
                let back = flip_move(&other.display(turned), &other.sfen());
                assert_eq!(pos.parse_usi(&back), Some(mv), "{sfen}");
            }
        }
    }

    #[test]
    fn moves_of_every_game_are_turned() {
        moves_are_turned(
            VariantId::Shogi,
            &[
                "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
                "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
            ],
        );
        moves_are_turned(
            VariantId::Janggi,
            &["1rba2bnr/4a4/1c3k1c1/p3p2pp/1np4B1/9/P1PP2P1P/NC5CR/9/R2AAKBN1 b - 1"],
        );
        moves_are_turned(VariantId::Dobutsu, &["gle/3/e1L/2G w 2C 1"]);
    }
}
