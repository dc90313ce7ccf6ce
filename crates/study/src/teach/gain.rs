//! What can be said about a gain: the piece, its price, why it is possible, and what the better move does about it.

use sanban_rules::{Move, Score, Symbol};

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub piece: Symbol,
    /// The number of the piece's square.
    pub square: usize,
    /// The gain of the exchange that starts with the capture of the piece, in centipawns.
    pub gain: Score,
}

/// A piece with its square.
pub type Placed = (Symbol, usize);

/// A gain in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fall {
    /// The moves up to the gain: from the answer to a bad move, or from the better move.
    pub line: Vec<Move>,
    /// The piece that is won, or the promoted piece, with what remains of the gain at the end of the line.
    pub target: Target,
    /// Whether the gain is a promotion.
    pub promotes: bool,
    /// What is given for the piece.
    pub price: Price,
    /// Why the gain is possible, if it can be proved.
    pub cause: Option<Cause>,
}

/// What is given for a piece that is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// Nothing of importance.
    Nothing,
    /// A piece, which is captured on the same square.
    Piece(Symbol),
    /// Other material, later in the line.
    Later,
}

/// Why a piece can be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The piece has moved to a square where it is lost.
    Placed,
    /// The capture was already threatened before the move.
    Ignored,
    /// The moved piece protected it.
    Unguarded(Symbol),
    /// The move closes the line of the piece that protected it.
    Blocked(Symbol),
    /// The move opens the line of the capturing piece.
    Opened(Symbol),
    /// A piece that protects it cannot take back, since that would expose the king.
    Pinned(Placed),
    /// A piece attacks several pieces at once.
    Fork(Symbol, Vec<Placed>),
    /// A check comes first.
    Check,
    /// A threat of mate comes first.
    MateThreat,
    /// The line of the capturing piece is opened first.
    Discovered(Symbol),
    /// The piece that protected it is captured first.
    GuardTaken(Placed),
    /// The piece that protected it is drawn away first.
    Deflected(Symbol),
    /// The piece cannot leave its line.
    Pin,
    /// The piece is attacked and has no safe square.
    Trapped,
    /// The piece is attacked first.
    Attacked,
    /// Nothing protects the piece.
    Loose,
    /// No reply prevents the promotion.
    Unstoppable,
    /// A pawn has been dropped for it: the id of the tactic.
    PawnDrop(&'static str),
    /// The capture or promotion gives check.
    Checks,
    /// The capture or promotion also attacks another piece.
    AlsoAttacks(Placed),
    /// What takes back is taken in turn by another piece.
    Supported(Placed),
}

impl Cause {
    /// The keyword for the cause in data files.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Ignored => "threatened-before",
            Self::Unguarded(_) => "guard-left",
            Self::Blocked(_) => "guard-blocked",
            Self::Opened(_) => "line-opened",
            Self::Pinned(_) => "guard-pinned",
            Self::Fork(..) => "fork",
            Self::Check => "check",
            Self::MateThreat => "mate-threat",
            Self::Discovered(_) => "discovered-attack",
            Self::GuardTaken(_) => "guard-taken",
            Self::Deflected(_) => "guard-deflected",
            Self::Pin => "pin",
            Self::Trapped => "trapped",
            Self::Attacked => "attacked",
            Self::Loose => "unprotected",
            Self::Unstoppable => "unstoppable",
            Self::PawnDrop(id) => id,
            Self::Checks => "with-check",
            Self::AlsoAttacks(_) => "also-attacks",
            Self::Supported(_) => "supported",
        }
    }
}

/// What the better move does about a gain of the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It captures the attacking piece.
    Takes(Placed),
    /// It moves the piece away.
    Leaves(Symbol),
    /// The answer is no longer possible.
    Prevents,
    /// The piece is protected.
    Guards(Placed),
    /// The capture no longer wins anything.
    Defuses,
    /// In its best line, the gain does not happen.
    Avoids,
}
