//! Squares and moves in USI notation, for all games: `7g`, `7g7f`, `8h2b+`, `P*5e`.

use super::clip;
use std::fmt::{self, Display};
use std::str::FromStr;
use thiserror::Error;

/// A square by its coordinates, written as file and rank: `7g`.
///
/// ```
/// use sanban_rules::Square;
/// let square: Square = "7g".parse()?;
/// assert_eq!((square.file, square.rank), (7, 'g'));
/// assert_eq!(square.to_string(), "7g");
/// # Ok::<(), sanban_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The file, 1 to 9 from the right.
    pub file: u8,
    /// The rank, `a` to `j` from the top.
    pub rank: char,
}

impl Square {
    /// The square with this number (`file * ranks + rank`, both from 0) on a board with `ranks` ranks.
    pub const fn at(number: usize, ranks: usize) -> Self {
        Self { file: (number / ranks + 1) as u8, rank: (b'a' + (number % ranks) as u8) as char }
    }

    /// The number of this square on a board of this size; `None` if it is not on that board.
    pub fn number(self, files: usize, ranks: usize) -> Option<usize> {
        let file = usize::from(self.file).checked_sub(1)?;
        let rank = (self.rank as usize).checked_sub('a' as usize)?;
        (file < files && rank < ranks).then_some(file * ranks + rank)
    }

    fn write_to<W: fmt::Write>(self, out: &mut W) -> fmt::Result {
        // `write!` takes several times as long, which matters because large game collections consist mostly of moves.
        match self.file {
            0..=9 => out.write_char(char::from(b'0' + self.file))?,
            file => write!(out, "{file}")?,
        }
        out.write_char(self.rank)
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'j'] => {
                Ok(Self { file: file - b'0', rank: char::from(rank) })
            }
            _ => Err(NotationError::Square(clip(text))),
        }
    }
}

/// A move in USI notation, not necessarily legal in any position.
///
/// ```
/// use sanban_rules::UsiMove;
/// let mv: UsiMove = "8h2b+".parse()?;
/// assert!(matches!(mv, UsiMove::Board { promotion: true, .. }));
/// assert_eq!("P*5e".parse::<UsiMove>()?.to_string(), "P*5e");
/// assert!("8h-2b".parse::<UsiMove>().is_err());
/// # Ok::<(), sanban_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UsiMove {
    /// A move on the board; in a pass, origin and destination are the same.
    Board {
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
        /// Whether the piece promotes.
        promotion: bool,
    },
    /// A drop.
    Drop {
        /// The upper-case letter of the piece.
        piece: char,
        /// The square of the drop.
        to: Square,
    },
}

impl UsiMove {
    /// Writes the move, like `write!` but faster.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to<W: fmt::Write>(self, out: &mut W) -> fmt::Result {
        match self {
            Self::Board { from, to, promotion } => {
                from.write_to(out)?;
                to.write_to(out)?;
                if promotion { out.write_char('+') } else { Ok(()) }
            }
            Self::Drop { piece, to } => {
                out.write_char(piece)?;
                out.write_char('*')?;
                to.write_to(out)
            }
        }
    }
}

impl Display for UsiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

impl FromStr for UsiMove {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let bad = || NotationError::Move(clip(text));
        let square = |range| text.get(range).and_then(|part: &str| part.parse().ok()).ok_or_else(bad);
        match *text.as_bytes() {
            [piece, b'*', _, _] if piece.is_ascii_alphabetic() => {
                Ok(Self::Drop { piece: char::from(piece.to_ascii_uppercase()), to: square(2..4)? })
            }
            [_, _, _, _, b'+'] => Ok(Self::Board { from: square(0..2)?, to: square(2..4)?, promotion: true }),
            [_, _, _, _] => Ok(Self::Board { from: square(0..2)?, to: square(2..4)?, promotion: false }),
            _ => Err(bad()),
        }
    }
}

/// Why a string cannot be read as a square or a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text is not a file from 1 to 9 and a rank from a to j.
    #[error("not a square: {0}")]
    Square(String),
    /// The text is neither a move on the board nor a drop.
    #[error("not a move: {0}")]
    Move(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "7g", "7g7", "7g7k", "0a1b", "7g7f++", "P*", "+*5e", "7g7f ", "７七７六", "aé*5"]
        {
            assert!(text.parse::<UsiMove>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_squares_are_those_of_the_board() {
        for number in 0..90 {
            assert_eq!(Square::at(number, 10).number(9, 10), Some(number));
        }
        assert_eq!("9j".parse::<Square>().ok().and_then(|square| square.number(9, 9)), None);
    }
}
