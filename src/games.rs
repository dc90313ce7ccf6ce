//! The only place that names every game.

use crate::eval;
use crate::game::Game;
use crate::params::Params;
use crate::shogi;

/// Standard shogi.
pub struct Shogi;

impl Game for Shogi {
    const NAME: &'static str = "shogi";
    const START: &'static str = shogi::START;
    const PARAMS: Params = Params::DEFAULT;
    const BENCH: &'static [&'static str] = &[
        shogi::START,
        "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
        "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "ln1g1g1nl/1ks2r3/1pppp1bpp/p4pp2/9/P1P3P1P/1P1PPPN2/1BG1G2R1/LNK2S2L b Sp 31",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "ln1gk2nl/1r1s1sgb1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1BG2G1R1/LN2K1SNL w - 12",
    ];
    type Position = shogi::Position;
    type Evaluator = eval::shogi::Handwritten;
    type Network = ();

    fn parse(sfen: &str) -> Result<Self::Position, String> {
        shogi::Position::from_sfen(sfen)
    }

    fn evaluator((): &()) -> Self::Evaluator {
        eval::shogi::Handwritten::new()
    }

    fn describe((): &()) -> String {
        "hand-written evaluation".into()
    }
}
