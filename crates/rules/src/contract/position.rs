//! The [`Position`] trait: the board and history of one game, its legal moves, and the rules that end it.

use super::{Observer, Placement, Rules, Verdict};
use crate::score::MAX_EVAL;
use crate::{Color, Move, MoveList, Score, SfenError, Square, Symbol, UsiMove, clip};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use thiserror::Error;

/// A move that is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("illegal move {text} in {sfen}")]
pub struct IllegalMove {
    /// The move, as printable ASCII.
    pub text: String,
    /// The position.
    pub sfen: String,
}

/// Rules, board and history of one game.
///
/// A position contains its history and rule settings; cloning copies them. Two positions are equal if their boards,
/// hands, sides to move and rule settings are equal; history and ply are not compared. The default is the start
/// position.
///
/// ```
/// use sanban_rules::Position as _;
/// use sanban_rules::shogi::Position;
///
/// let mut pos = Position::default();
/// let mv = pos.parse_move("7g7f")?;
/// assert_eq!(pos.display(mv), "7g7f");
/// pos.play(mv);
/// let read: Position = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2".parse()?;
/// assert_eq!(pos, read);
/// assert!(pos.try_play(mv).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Position:
    Clone + Debug + Default + Display + Eq + FromStr<Err = SfenError> + Hash + Send + Sync + 'static
{
    /// The settings that change the rules (entering king, passes, move limit ...).
    type Rules: Rules;

    /// Files of the board.
    const FILES: usize;
    /// Ranks of the board.
    const RANKS: usize;
    /// Number of different placements.
    const PLACEMENTS: usize;

    /// All legal moves, including pointless ones.
    fn legal_moves(&self) -> MoveList {
        let mut out = MoveList::new();
        self.legal(&mut out);
        out
    }
    /// Makes a legal move. The effect of an illegal move is unspecified; see [`Position::try_play`].
    fn play(&mut self, mv: Move) {
        self.make(mv, &mut ());
    }
    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The move is illegal; the position is unchanged.
    fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove { text: clip(&Self::usi(mv)), sfen: self.sfen() });
        }
        self.play(mv);
        Ok(())
    }
    /// Reads a legal move in USI notation.
    ///
    /// # Errors
    /// The text is not a legal move of this position.
    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        self.parse_usi(text).ok_or_else(|| IllegalMove { text: clip(text), sfen: self.sfen() })
    }
    /// The move in USI notation.
    fn display(&self, mv: Move) -> String {
        Self::usi(mv)
    }

    /// Reads `board side hands [count]`, under the default rule settings.
    ///
    /// # Errors
    /// The error names the invalid field or explains why the position is impossible.
    fn from_sfen(text: &str) -> Result<Self, SfenError>;
    /// The position as SFEN, with the move count.
    fn sfen(&self) -> String;
    /// The piece on a square; `None` if the square is empty or outside the board.
    fn piece_at(&self, square: Square) -> Option<Symbol>;
    /// The pieces in hand with their counts. The default is for games without hands.
    fn hands(&self) -> Vec<(Symbol, usize)> {
        Vec::new()
    }
    /// The current rule settings.
    fn rules(&self) -> &Self::Rules;
    /// Changes the rule settings; board and history are unchanged.
    fn set_rules(&mut self, rules: &Self::Rules);
    /// The side to move.
    fn side(&self) -> Color;
    /// Number of moves made since the start of the game, including those counted by the SFEN (0 at the start).
    fn game_ply(&self) -> usize;
    /// The last move; `None` at the root and after a null move.
    fn last_move(&self) -> Option<Move>;
    /// Zobrist key of board, hands, side to move and anything else that affects the legal moves.
    fn key(&self) -> u64;
    /// Returns whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// The result if a rule other than "no legal move" has ended the game. `ply` is the distance from the root of the
    /// search. A repetition of a position within the search counts immediately; a repetition of a position before the
    /// root counts only as the rule requires. With `ply` 0, only the rule applies. Wins by declaration and by a try are
    /// included.
    fn verdict(&self, ply: usize) -> Option<Verdict>;
    /// The result of a position without legal moves.
    fn verdict_without_moves(&self) -> Verdict {
        Verdict::Loss
    }
    /// If the game has ended by agreement (such as two passes) and therefore has no legal moves, the position from
    /// which a referee without that rule would continue; otherwise `None`. The default is for games without such an
    /// ending.
    fn resumed(&self) -> Option<Self> {
        None
    }
    /// Returns whether the side to move may end the game now by declaring a win (`bestmove win`).
    fn can_declare(&self) -> bool {
        false
    }

    /// Appends all legal moves, including pointless ones.
    fn legal(&self, out: &mut MoveList);
    /// Number of moves that [`Position::legal`] lists; 0 if perft treats the game as over.
    fn count(&self) -> usize;
    /// Number of sequences of two legal moves. Some games count the replies to all moves in bulk.
    fn replies(&mut self) -> u64 {
        let moves = self.legal_moves();
        let answers = moves.into_iter().map(|mv| {
            self.make(mv, &mut ());
            let count = self.count();
            self.unmake();
            count as u64
        });
        answers.sum()
    }
    /// Returns whether the move is legal. Any bit pattern is accepted, because a move from the transposition table may
    /// belong to another position.
    fn is_legal(&self, mv: Move) -> bool;
    /// Returns whether this legal move gives check.
    fn gives_check(&self, mv: Move) -> bool;
    /// Makes a legal move and notifies the observer of every placement that changes.
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O);
    /// Undoes the last move.
    fn unmake(&mut self);
    /// Adjusts an evaluation, in centipawns for the side to move, to a rule that a network does not see, such as a win
    /// by declaration or a draw by material. The default is no change.
    fn tempered(&self, score: Score) -> Score {
        score
    }
    /// The largest evaluation of this position, in centipawns: less than [`MAX_EVAL`] if the remaining material can
    /// hardly win.
    fn eval_limit(&self) -> Score {
        MAX_EVAL
    }
    /// Calls `f` for every piece on the board and in the hands, in no particular order.
    fn placements(&self, f: impl FnMut(Placement));

    /// The move in USI notation.
    fn notation(mv: Move) -> UsiMove;
    /// The move in USI notation.
    fn usi(mv: Move) -> String {
        Self::notation(mv).to_string()
    }
    /// Reads a legal move (even a pointless one) in USI notation; `None` if it is not legal here.
    fn parse_usi(&self, text: &str) -> Option<Move>;
    /// Reads a pass that is legal under the rules of other programs but not under the current rules. It can be made
    /// like a legal move. The default is for games without passes.
    fn foreign_pass(&self, _text: &str) -> Option<Move> {
        None
    }
}

/// The piece on the origin square of a legal move.
#[inline]
pub(crate) fn mover<T: Copy, const SQUARES: usize>(board: &[Option<T>; SQUARES], from: usize) -> T {
    match board[from] {
        Some(piece) => piece,
        None => unreachable!("make requires a legal move: there is no piece on {from}"),
    }
}
