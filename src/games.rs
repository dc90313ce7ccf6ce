//! The only place that names every game: a marker type for each, what ties it together, and a way from its name
//! to its type.

use crate::base::setting::Setting;
use crate::dobutsu;
use crate::eval;
use crate::game::{Game, NetworkError, Rules};
use crate::janggi;
use crate::mate::{self, MateLimits, MateMonitor, MateOutcome, Workspace};
use crate::nnue::{self, Evaluation, Family as _};
use crate::params::Params;
use crate::shogi;
use std::path::Path;

/// See [`mate::solve_in`].
pub type MateSolver<P> = fn(&mut Workspace, &P, &MateLimits, &dyn MateMonitor) -> MateOutcome;

/// What the engine of a game can do beyond playing it.
pub trait Extras: Game {
    /// What the inputs of a network of this game are, if it can have one.
    fn features() -> Option<&'static nnue::Features> {
        None
    }

    /// What looks for mates with checks only, if the game has such problems.
    fn mate_solver() -> Option<MateSolver<Self::Position>> {
        None
    }
}

/// What a game with networks does with them, inside of its `impl Game`.
macro_rules! networks {
    () => {
        const NETWORK_FILES: bool = true;

        fn evaluator(weights: &Self::Network) -> Self::Evaluator {
            Evaluation::new(weights.network())
        }

        fn load_network(path: &Path, fv_scale: i32) -> Result<Self::Network, NetworkError> {
            Self::Network::load(path, fv_scale)
        }

        fn describe(weights: &Self::Network) -> String {
            weights.describe()
        }
    };
}

/// Standard shogi.
pub struct Shogi;

impl Game for Shogi {
    const NAME: &'static str = "shogi";
    const START: &'static str = shogi::START;
    const PARAMS: Params = Params::DEFAULT;
    const BENCH: &'static [&'static str] = &[
        shogi::START,
        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 9",
        "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "ln3g1nl/1ks1g1r2/1pp1pps1p/p2p2Pp1/9/P1PPPP2P/1PS1S2b1/1KG2G1R1/LN5NL w BP 40",
    ];

    type Played = Self;
    type Position = shogi::Position;
    type Evaluator = Evaluation<eval::shogi::Handwritten>;
    type Network = nnue::NetworkChoice<nnue::ShogiNets>;

    networks!();
}

impl Extras for Shogi {
    fn features() -> Option<&'static nnue::Features> {
        Some(nnue::ShogiNets::features())
    }

    fn mate_solver() -> Option<MateSolver<shogi::Position>> {
        Some(mate::solve_in)
    }
}

/// Dobutsu shogi, in which the lion is captured.
pub struct Dobutsu;

/// Dobutsu shogi with check and mate.
pub struct DobutsuMate;

/// The parameters that the other games begin with: tuned for shogi, these margins lose games there.
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
    ($game:ty, $position:ty, $name:literal) => {
        impl Game for $game {
            const NAME: &'static str = $name;
            const START: &'static str = dobutsu::START;
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

            type Played = Self;
            type Position = $position;
            type Evaluator = eval::dobutsu::Handwritten;
            type Network = ();

            fn evaluator(_: &()) -> eval::dobutsu::Handwritten {
                eval::dobutsu::Handwritten
            }

            fn describe(_: &()) -> String {
                "material, attacks and the lions' way, by hand".into()
            }
        }

        impl Extras for $game {}
    };
}

dobutsu_game!(Dobutsu, dobutsu::Original, "dobutsu");
dobutsu_game!(DobutsuMate, dobutsu::WithMate, "dobutsumate");

/// Janggi by the written rules: a general that has a step may not pass.
pub struct Janggi;

/// Janggi as it is played: who is not in check may pass.
pub struct JanggiCasual;

/// The same, and generals that stay face to face end the game in a draw.
pub struct JanggiTraditional;

/// The same as the casual game, and material decides what would be drawn.
pub struct JanggiModern;

macro_rules! janggi_game {
    ($game:ty, $name:literal, $($rules:tt)*) => {
        impl Game for $game {
            const NAME: &'static str = $name;
            const START: &'static str = janggi::START;
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

            type Played = Janggi;
            type Position = janggi::Position;
            type Evaluator = Evaluation<eval::janggi::Handwritten>;
            type Network = nnue::NetworkChoice<nnue::JanggiNets>;

            networks!();
            $($rules)*
        }

        impl Extras for $game {
            fn features() -> Option<&'static nnue::Features> {
                Some(nnue::JanggiNets::features())
            }
        }
    };
}

janggi_game! { Janggi, "janggi", }
janggi_game! {
    JanggiCasual, "janggicasual",
    // The pass is no choice here, so that a program which sends the defaults of all options does not turn one game into
    // the other.
    const SETTINGS: &'static [Setting] = <janggi::Rules as Rules>::SETTINGS.split_at(1).1;

    fn rules() -> janggi::Rules {
        janggi::Rules { pass: janggi::Pass::Free, ..Default::default() }
    }
}
janggi_game! {
    JanggiTraditional, "janggitraditional",
    const SETTINGS: &'static [Setting] = <janggi::Rules as Rules>::SETTINGS.split_at(3).1;

    fn rules() -> janggi::Rules {
        janggi::Rules { bikjang: true, ..JanggiCasual::rules() }
    }
}
janggi_game! {
    JanggiModern, "janggimodern",
    const SETTINGS: &'static [Setting] = <janggi::Rules as Rules>::SETTINGS.split_at(3).1;

    fn rules() -> janggi::Rules {
        janggi::Rules { counting: true, ..JanggiCasual::rules() }
    }
}

/// The names of all games, the default first.
pub const NAMES: &[&str] = &[
    Shogi::NAME,
    Janggi::NAME,
    JanggiCasual::NAME,
    JanggiTraditional::NAME,
    JanggiModern::NAME,
    Dobutsu::NAME,
    DobutsuMate::NAME,
];

/// `with_game!(name, G => expression)`: the expression with `G` standing for the game of that name, or `None`.
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        $crate::with_game!(@ $name, $G => $body,
            "shogi" Shogi "janggi" Janggi "janggicasual" JanggiCasual "janggitraditional" JanggiTraditional
            "janggimodern" JanggiModern "dobutsu" Dobutsu "dobutsumate" DobutsuMate)
    };
    (@ $name:expr, $G:ident => $body:expr, $($word:literal $game:ident)*) => {
        match $name {
            $($word => {
                type $G = $crate::games::$game;
                Some($body)
            })*
            _ => None,
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_opens_its_game() {
        for &name in NAMES {
            assert_eq!(with_game!(name, G => G::NAME), Some(name));
            let positions = with_game!(name, G => {
                [G::START].iter().chain(G::BENCH).all(|sfen| G::parse(sfen).is_ok())
            });
            assert_eq!(positions, Some(true), "{name}");
        }
        assert_eq!(with_game!("go", G => G::NAME), None);
    }
}
