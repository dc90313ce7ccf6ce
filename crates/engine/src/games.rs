//! Implementations of [`Game`], and the dispatch from a game's identifier to the type of its board.

use crate::ladder::{self, Ladder};
use crate::nnue::{self, Evaluation, Family as _, NetworkChoice, NetworkSource};
use crate::params::Params;
use crate::solved::dobutsu::Solution;
use crate::solved::janggi::Endings;
use crate::{Game, MateSolver, NetworkError, eval, mate};
pub use sanban_rules::{Dobutsu, DobutsuMate, GameFamily, Janggi, Shogi};
use sanban_rules::{dobutsu, janggi, shogi};

/// `each_game!(variant, G => expression)` evaluates the expression with `G` as the [`Game`] whose search plays the
/// variant. Variants that differ only in rule settings share one, so rules come from positions and names from `variant`.
///
/// ```
/// use sanban_engine::{Game, each_game};
/// use sanban_rules::VariantId;
///
/// assert!(each_game!(VariantId::JanggiModern, G => G::NETWORK_FILES));
/// ```
#[macro_export]
macro_rules! each_game {
    ($variant:expr, $G:ident => $body:expr) => {
        match $variant.family() {
            $crate::games::GameFamily::Shogi => {
                type $G = $crate::games::Shogi;
                $body
            }
            $crate::games::GameFamily::Janggi => {
                type $G = $crate::games::Janggi;
                $body
            }
            $crate::games::GameFamily::Dobutsu => {
                type $G = $crate::games::Dobutsu;
                $body
            }
            $crate::games::GameFamily::DobutsuMate => {
                type $G = $crate::games::DobutsuMate;
                $body
            }
        }
    };
}

/// Defines the network items in the `impl Game` of a game that supports networks.
macro_rules! networks {
    ($nets:ty) => {
        const NETWORK_FILES: bool = true;

        fn embedded() -> NetworkChoice {
            NetworkChoice::embedded::<$nets>()
        }

        fn evaluator(network: &NetworkChoice) -> Self::Evaluator {
            Evaluation::new(network.network())
        }

        fn load_network(source: &NetworkSource) -> Result<NetworkChoice, NetworkError> {
            NetworkChoice::load::<$nets>(source)
        }

        fn describe(network: &NetworkChoice) -> String {
            network.describe::<$nets>()
        }

        fn features() -> Option<&'static nnue::Features> {
            Some(<$nets>::features())
        }
    };
}

impl Game for Shogi {
    const LADDER: &'static Ladder = &ladder::SHOGI;
    const PLANS: &'static [&'static str] = &ladder::SHOGI_PLANS;
    const PARAMS: Params = Params::DEFAULT;
    const BENCH: &'static [&'static str] = &[
        shogi::START,
        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 9",
        "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "ln3g1nl/1ks1g1r2/1pp1pps1p/p2p2Pp1/9/P1PPPP2P/1PS1S2b1/1KG2G1R1/LN5NL w BP 40",
    ];

    type Evaluator = Evaluation<eval::shogi::Handwritten>;
    type Oracle = ();

    networks!(nnue::ShogiNets);

    fn mate_solver() -> Option<MateSolver<shogi::Position>> {
        Some(mate::solve_in)
    }
}

/// The base parameters of the other games, which play worse with the margins tuned for shogi.
const UNTUNED: Params = Params {
    rfp_improving: 2686,
    null_factor: 16,
    probcut_margin: 224,
    eval_difference_least: 214,
    hindsight: 173,
    see_noisy: 167,
    see_quiet: 25,
    history_pruning: 4097,
    futility_butterfly: 71,
    lmr_rank: 65,
    qsearch_mate: 0,
    ..Params::DEFAULT
};

macro_rules! dobutsu_game {
    ($game:ty, $mate:literal) => {
        impl Game for $game {
            const LADDER: &'static Ladder = &ladder::DOBUTSU;
            // A centipawn is worth less here than in shogi.
            const PARAMS: Params = Params {
                rfp_factor: 150,
                razor_base: 502,
                razor_factor: 306,
                rfp_unknown: 21,
                null_base: 378,
                futility_base: 42,
                futility_first: 151,
                futility_factor: 120,
                futility_above: 86,
                full_reduce_twice: 5283,
                singular_depth: 6,
                ..UNTUNED
            };
            const BENCH: &'static [&'static str] =
                &[dobutsu::START, "gle/3/e1L/2G w 2C 1", "lce/E2/1G1/LG+c w - 1", "cgl/2e/2L/c1G b E 1"];

            type Evaluator = eval::dobutsu::Handwritten;
            type Oracle = Solution<$mate>;

            fn evaluator(_: &NetworkChoice) -> eval::dobutsu::Handwritten {
                eval::dobutsu::Handwritten
            }

            fn describe(_: &NetworkChoice) -> String {
                "hand-written: material, attacks and the lions' advance".into()
            }
        }
    };
}

dobutsu_game!(Dobutsu, false);
dobutsu_game!(DobutsuMate, true);

impl Game for Janggi {
    const LADDER: &'static Ladder = &ladder::JANGGI;
    const PLANS: &'static [&'static str] = &ladder::JANGGI_PLANS;
    // A count decides at once.
    const WINS_WITH_A_MOVE: bool = false;
    // A centipawn is worth more here than in shogi.
    const PARAMS: Params = Params {
        razor_base: 335,
        razor_factor: 204,
        rfp_factor: 50,
        rfp_unknown: 14,
        null_base: 250,
        futility_base: 28,
        futility_first: 100,
        futility_factor: 80,
        futility_above: 57,
        ..UNTUNED
    };
    const BENCH: &'static [&'static str] = &[
        janggi::START,
        "1rba2bnr/4a4/1c3k1c1/p3p2pp/1np4B1/9/P1PP2P1P/NC5CR/9/R2AAKBN1 b - 1",
        "2ba1Rb2/3r3n1/1cn1k4/2p1p4/p8/7p1/1PP3P2/NC5C1/5R3/2BAKA1N1 b - 1",
        "6bn1/3a4r/3kcR3/1C3p3/2p1p2cp/9/1PPPN1P1P/7C1/4K3R/2BA1ABN1 b - 1",
        "2Pa4P/4P1N2/3kNn1C1/9/9/b2r5/7n1/3B5/3cAR3/3CK4 b - 1",
    ];

    type Evaluator = Evaluation<eval::janggi::Handwritten>;
    type Oracle = Endings;

    networks!(nnue::JanggiNets);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{AnyPosition, VariantId};

    #[test]
    fn bench_positions_can_be_read() {
        for &id in VariantId::ALL {
            let bench = each_game!(id, G => G::BENCH);
            assert!(bench.iter().all(|sfen| AnyPosition::parse(id, sfen).is_ok()), "{id}");
        }
    }
}
