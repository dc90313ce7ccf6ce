//! Facts about a move, each verified before it is stated: by the rules, by exchanges played out, by the mate solver, or by
//! the search.

use super::aspects::Change;
use super::gain::{Cause, Fall, Remedy, Target};
use super::proof::Proof;
use super::tactics::Tactic;
use sanban_rules::{Move, Score, Symbol};

/// A fact about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The move ends the game: mate, or a win by the rules.
    Ends,
    /// The move ends the game in a draw.
    Draws,
    /// After the move, the opponent wins by the rules.
    Loses,
    /// The move starts a mate.
    Mates {
        line: Vec<Move>,
    },
    /// If the opponent passed, there would be a mate.
    ThreatensMate {
        /// The mate after the pass.
        line: Vec<Move>,
    },
    /// If the side to move passed, it would be mated; after the move, it is not.
    ParriesMate {
        /// The opponent's mate after the pass.
        line: Vec<Move>,
    },
    /// The engine sees a mate that the solver did not prove.
    SeesMate {
        plies: u32,
    },
    /// The move wins material by capturing.
    Wins(Target),
    /// The move captures a piece that has just captured a piece.
    Recaptures(Target),
    /// The move captures a piece that the opponent offered.
    Accepts(Target),
    /// The move exchanges pieces of about the same value.
    Exchanges {
        /// The moved piece.
        own: Symbol,
        /// The captured piece.
        target: Target,
    },
    /// The piece promotes without loss, which gains more than what it captures.
    Promotes(Target),
    /// If the opponent passed, a piece could be won that could not be won before.
    Threatens {
        /// The piece that could be captured.
        target: Target,
        /// The capturing move.
        by: Move,
    },
    /// If the opponent passed, a piece could promote without loss, which could not before or is the piece that moved.
    ThreatensPromotion {
        /// The promotion.
        by: Move,
        /// The gain in centipawns.
        gain: Score,
    },
    /// A piece that the opponent could have won can no longer be won.
    Saves {
        target: Target,
        /// The capture that would have won it.
        by: Move,
    },
    /// The move is an example of a tactic.
    Tactic(Tactic),
    /// The move misses a mate.
    Missed {
        line: Vec<Move>,
    },
    /// The move mates later than possible.
    Slower {
        line: Vec<Move>,
    },
    /// The opponent can mate now.
    AllowsMate {
        line: Vec<Move>,
    },
    /// The best answer wins a piece.
    Hangs {
        target: Target,
        by: Move,
    },
    /// The best answer has a merit.
    Allows {
        /// The answer, and the line of the merit.
        line: Vec<Move>,
        /// The merit of the answer.
        merit: Box<Self>,
    },
    Falls(Box<Fall>),
    /// The move misses something that the better move gains.
    MissesGain(Box<Fall>),
    /// What the better move does about a gain of the opponent.
    Remedy {
        /// What it does.
        remedy: Remedy,
        /// The better line.
        line: Vec<Move>,
        /// The refutation of the move that was played.
        fall: Box<Fall>,
        /// The move that was played.
        instead: Move,
    },
    /// The opponent can mate now, as the engine sees.
    AllowsSeenMate {
        plies: u32,
        /// The best line of the opponent.
        line: Vec<Move>,
    },
    /// The better move mates, as the engine sees.
    MissesSeenMate {
        plies: u32,
        line: Vec<Move>,
    },
    /// In the opponent's best line, the king is in check several times.
    ExposesKing {
        /// The line, up to its last check.
        line: Vec<Move>,
    },
    /// The better move avoids the mate that the move allows.
    AvoidsMate,
    /// By its solution, the game was worth more before the move, in half points.
    Spoils {
        /// The value of the best move: 2 for a win, 1 for a draw.
        from: u8,
        /// The value of the move that was played.
        to: u8,
        /// A move that keeps the value.
        keeps: Move,
    },
    /// The search prefers another move.
    Preferred {
        /// Its best line.
        line: Vec<Move>,
    },
    /// No single gain explains the loss that the search found.
    Refuted {
        /// The answer and its continuation.
        line: Vec<Move>,
        /// The best line instead of the move; empty if other facts speak for it.
        best: Vec<Move>,
        /// The loss of win rate in percentage points, rounded.
        loss: u32,
        /// What else is worse than after the best move, if something clearly is.
        change: Option<Change>,
    },
    /// A longer search finds the move nearly as good as the best move.
    Close {
        line: Vec<Move>,
    },
}

impl Fact {
    /// How the fact was verified.
    pub fn proof(&self) -> Proof {
        match self {
            Self::Ends | Self::Draws | Self::Loses => Proof::Rules,
            Self::Mates { .. }
            | Self::ThreatensMate { .. }
            | Self::ParriesMate { .. }
            | Self::Missed { .. }
            | Self::Slower { .. }
            | Self::AllowsMate { .. } => Proof::Mate,
            Self::Wins(_)
            | Self::Recaptures(_)
            | Self::Accepts(_)
            | Self::Exchanges { .. }
            | Self::Promotes(_)
            | Self::Threatens { .. }
            | Self::ThreatensPromotion { .. }
            | Self::Saves { .. }
            | Self::Hangs { .. } => Proof::Exchange,
            Self::Tactic(tactic) => tactic.proof(),
            // No recursion: a merit of an answer is never itself `Allows`.
            Self::Allows { merit, .. } => match &**merit {
                Self::ThreatensMate { .. } => Proof::Mate,
                Self::Tactic(tactic) => tactic.proof(),
                _ => Proof::Exchange,
            },
            Self::Remedy { remedy, .. } if !matches!(remedy, Remedy::Avoids) => Proof::Exchange,
            Self::Spoils { .. } => Proof::Solution,
            Self::SeesMate { .. }
            | Self::Falls(_)
            | Self::MissesGain(_)
            | Self::Remedy { .. }
            | Self::AllowsSeenMate { .. }
            | Self::MissesSeenMate { .. }
            | Self::ExposesKing { .. }
            | Self::AvoidsMate
            | Self::Preferred { .. }
            | Self::Refuted { .. }
            | Self::Close { .. } => Proof::Search,
        }
    }

    /// The keyword for the fact in data files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ends => "ends",
            Self::Draws => "draws",
            Self::Loses => "loses",
            Self::Mates { .. } => "mates",
            Self::ThreatensMate { .. } => "threatens-mate",
            Self::ParriesMate { .. } => "parries-mate",
            Self::SeesMate { .. } => "sees-mate",
            Self::Wins(_) => "wins",
            Self::Recaptures(_) => "recaptures",
            Self::Accepts(_) => "accepts",
            Self::Exchanges { .. } => "exchanges",
            Self::Promotes(_) => "promotes",
            Self::Threatens { .. } => "threatens",
            Self::ThreatensPromotion { .. } => "threatens-promotion",
            Self::Saves { .. } => "saves",
            Self::Tactic(tactic) => tactic.id(),
            Self::Missed { .. } => "missed",
            Self::Slower { .. } => "slower",
            Self::AllowsMate { .. } => "allows-mate",
            Self::Hangs { .. } => "hangs",
            Self::Allows { merit, .. } => match **merit {
                Self::ThreatensMate { .. } => "allows-threat",
                Self::Promotes(_) => "allows-promotion",
                Self::Threatens { .. } => "allows-attack",
                Self::ThreatensPromotion { .. } => "allows-threatens-promotion",
                Self::Tactic(Tactic::Skewer { .. }) => "allows-skewer",
                Self::Tactic(Tactic::Pin { .. }) => "allows-pin",
                Self::Tactic(Tactic::Discovered { .. }) => "allows-discovered-attack",
                Self::Tactic(Tactic::DanglingPawn) => "allows-dangling-pawn",
                Self::Tactic(Tactic::JoiningPawn) => "allows-joining-pawn",
                Self::Tactic(_) => "allows-fork",
                _ => "allows-gain",
            },
            Self::Falls(_) => "falls",
            Self::MissesGain(_) => "misses-gain",
            Self::Remedy { .. } => "remedy",
            Self::AllowsSeenMate { .. } => "allows-seen-mate",
            Self::MissesSeenMate { .. } => "misses-seen-mate",
            Self::ExposesKing { .. } => "exposes-king",
            Self::AvoidsMate => "avoids-mate",
            Self::Spoils { .. } => "spoils",
            Self::Preferred { .. } => "preferred",
            Self::Refuted { .. } => "refuted",
            Self::Close { .. } => "close",
        }
    }

    /// The line of the fact. The line of a threat begins after the pass, and the opponent's line begins after the move.
    pub fn line(&self) -> &[Move] {
        match self {
            Self::Mates { line }
            | Self::ThreatensMate { line }
            | Self::ParriesMate { line }
            | Self::Missed { line }
            | Self::Slower { line }
            | Self::AllowsMate { line }
            | Self::Allows { line, .. }
            | Self::AllowsSeenMate { line, .. }
            | Self::ExposesKing { line }
            | Self::MissesSeenMate { line, .. }
            | Self::Remedy { line, .. }
            | Self::Preferred { line }
            | Self::Close { line }
            | Self::Refuted { line, .. } => line,
            Self::Falls(fall) | Self::MissesGain(fall) => &fall.line,
            Self::Spoils { keeps, .. } => std::slice::from_ref(keeps),
            Self::Threatens { by, .. }
            | Self::ThreatensPromotion { by, .. }
            | Self::Saves { by, .. }
            | Self::Hangs { by, .. } => std::slice::from_ref(by),
            _ => &[],
        }
    }

    /// Why a gain is possible, or what is worse without a gain, as a keyword.
    pub fn cause(&self) -> Option<&'static str> {
        match self {
            Self::Falls(fall) | Self::MissesGain(fall) => fall.cause.as_ref().map(Cause::word),
            Self::Refuted { change, .. } => change.map(|change| change.aspect.word()),
            _ => None,
        }
    }

    /// The piece concerned.
    pub fn target(&self) -> Option<Target> {
        match self {
            Self::Wins(target)
            | Self::Recaptures(target)
            | Self::Accepts(target)
            | Self::Promotes(target) => Some(*target),
            Self::Exchanges { target, .. }
            | Self::Threatens { target, .. }
            | Self::Saves { target, .. }
            | Self::Hangs { target, .. } => Some(*target),
            Self::Falls(fall) | Self::MissesGain(fall) | Self::Remedy { fall, .. } => Some(fall.target),
            Self::Allows { merit, .. } => match **merit {
                Self::Wins(target) | Self::Promotes(target) | Self::Threatens { target, .. } => Some(target),
                _ => None,
            },
            _ => None,
        }
    }
}
