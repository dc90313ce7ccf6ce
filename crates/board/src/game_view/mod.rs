//! Information for the board beyond the rules: why a move is illegal, and how the game ends.

mod dobutsu;
mod janggi;
mod shogi;

use sanban_rules::{AnyPosition, each_board};
use sanban_rules::{Position, UsiMove};

/// Properties of a game that the board needs in addition to its rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conventions {
    /// The number of occurrences of a position at which the game ends by repetition.
    pub repetitions: usize,
    /// The keyword for a game decided by a rule other than repetition or capture of the king.
    pub decided: &'static str,
    /// The letter of the king, general or lion.
    pub king: char,
}

/// A position that the board can show.
trait GameView: Position {
    const CONVENTIONS: Conventions;

    /// Why a move is illegal; the game must not be over.
    fn refusal(&self, attempt: UsiMove) -> Why;
}

pub(super) fn conventions(pos: &AnyPosition) -> Conventions {
    fn of<P: GameView>(_: &P) -> Conventions {
        P::CONVENTIONS
    }
    each_board!(pos.board(), pos => of(pos))
}

/// Why a move is illegal; the game must not be over.
pub(super) fn refusal(pos: &AnyPosition, attempt: UsiMove) -> Why {
    each_board!(pos.board(), pos => pos.refusal(attempt))
}

/// Why a move is illegal. The page supplies the wording in its languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// The text is not a USI move, or its squares are not on the board.
    Unreadable,
    NothingThere,
    NotYours,
    NotInHand,
    /// Pieces can only be dropped on empty squares.
    Occupied,
    OwnPiece,
    /// The piece does not move this way.
    Geometry,
    Blocked,
    /// The king is in check, and the move does not parry it.
    InCheck,
    /// The king would move to an attacked square.
    IntoCheck,
    /// The move would expose the king to check.
    Exposes,
    /// A second pawn on a file (nifu).
    TwoPawns,
    /// A pawn drop that mates (uchifuzume).
    PawnMate,
    /// The piece would have no further moves.
    NoWayOn,
    /// The piece cannot promote, or cannot promote on this move.
    NoPromotion,
    /// The general and the guards must stay in the palace.
    Palace,
    /// A cannon must jump over exactly one piece.
    Screen,
    /// A cannon cannot jump over a cannon.
    CannonJump,
    /// A cannon cannot capture a cannon.
    CannonTakes,
    /// A side in check cannot pass.
    PassInCheck,
    /// A pass is illegal while the general can move.
    PassNotNeeded,
    /// The lion would be captured on the last row.
    RashTry,
    /// A chick cannot be dropped on the last row.
    LastRow,
}

impl Why {
    /// The keyword that the page maps to a message.
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
