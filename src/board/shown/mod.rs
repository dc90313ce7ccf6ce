//! What a board shows of a game beyond the contract between rules and search: why a move is none, and what is
//! known where the game is solved.

mod dobutsu;
mod janggi;
mod shogi;

use super::truth::Truth;
use sanban_rules::{Position, UsiMove};
use serde_json::Value as Json;

/// A position that can be shown.
pub(super) trait Shown: Position {
    /// How often a position occurs when the game ends by repetition.
    const REPETITIONS: usize;
    /// What decides a game that a rule has decided, and neither a repetition nor a capture of the king.
    const DECIDED: &'static str = "try";

    /// Why a move that is not legal is not; the game is not over.
    fn refusal(&self, attempt: UsiMove) -> Why;

    /// Every legal move with what it leads to, where the game is solved.
    fn truth(&self, _truth: &Truth) -> Option<Vec<Json>> {
        None
    }
}

/// Why something is not a legal move. The words are the page's: it speaks several languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// It is no move in USI's words, or names squares that the board does not have.
    Unreadable,
    /// Nothing stands there.
    NothingThere,
    /// The piece is the opponent's.
    NotYours,
    /// No such piece is in the hand.
    NotInHand,
    /// Pieces are dropped on empty squares only.
    Occupied,
    /// A piece of one's own stands there.
    OwnPiece,
    /// The piece never moves so.
    Geometry,
    /// It would, but something is in the way.
    Blocked,
    /// The king is attacked, and the move does not help.
    InCheck,
    /// The king would step onto an attacked square.
    IntoCheck,
    /// The king would be attacked.
    Exposes,
    /// A second pawn on a file (nifu).
    TwoPawns,
    /// A pawn drop that mates (uchifuzume).
    PawnMate,
    /// The piece could never move again.
    NoWayOn,
    /// The piece does not promote, or not there.
    NoPromotion,
    /// General and guards stay in their palace.
    Palace,
    /// A cannon needs exactly one piece to jump over.
    Screen,
    /// A cannon does not jump over a cannon.
    CannonJump,
    /// A cannon does not take a cannon.
    CannonTakes,
    /// Nobody passes in check.
    PassInCheck,
    /// The general can still move: no pass.
    PassNotNeeded,
    /// The lion would be taken where it wants to enter.
    RashTry,
    /// No chick is dropped on the last row.
    LastRow,
}

impl Why {
    /// The name by which the page finds its words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NothingThere => "nothing-there",
            Self::NotYours => "not-yours",
            Self::NotInHand => "not-in-hand",
            Self::Occupied => "occupied",
            Self::OwnPiece => "own-piece",
            Self::Geometry => "geometry",
            Self::Blocked => "blocked",
            Self::InCheck => "in-check",
            Self::IntoCheck => "into-check",
            Self::Exposes => "exposes",
            Self::TwoPawns => "two-pawns",
            Self::PawnMate => "pawn-mate",
            Self::NoWayOn => "no-way-on",
            Self::NoPromotion => "no-promotion",
            Self::Palace => "palace",
            Self::Screen => "screen",
            Self::CannonJump => "cannon-jump",
            Self::CannonTakes => "cannon-takes",
            Self::PassInCheck => "pass-in-check",
            Self::PassNotNeeded => "pass-not-needed",
            Self::RashTry => "rash-try",
            Self::LastRow => "last-row",
        }
    }
}
