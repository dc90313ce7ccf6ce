//! SFEN code shared by all games: fields, boards, hands and errors.

use super::clip;
use super::color::Color;
use std::fmt;
use thiserror::Error;

/// Highest move count accepted in an SFEN.
const MAX_COUNT: usize = 1_000_000;

/// Why a string is not a valid SFEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SfenError {
    /// The text ends too early.
    #[error("sfen: the {0}")]
    Missing(&'static str),
    /// The board has too few or too many ranks.
    #[error("sfen: the board has {found} ranks instead of {expected}")]
    Ranks {
        /// Ranks in the text.
        found: usize,
        /// Ranks of the board.
        expected: usize,
    },
    /// A rank cannot be read.
    #[error("sfen: rank {rank} of the board: {problem}")]
    Rank {
        /// The letter of the rank.
        rank: char,
        /// The problem.
        problem: FieldError,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("sfen: side to move: expected b or w, found {0}")]
    Side(String),
    /// The hands cannot be read.
    #[error("sfen: hands: {0}")]
    Hands(FieldError),
    /// The move count is not a number, or is too large.
    #[error("sfen: not a move count: {0}")]
    Count(String),
    /// The text continues after the move count.
    #[error("sfen: unexpected text after the move count: {0}")]
    Extra(String),
    /// The position is impossible.
    #[error("sfen: {0}")]
    Impossible(String),
}

/// Why the board or the hands of an SFEN cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// No piece has this letter.
    #[error("unknown piece {}", .0.escape_ascii())]
    Unknown(u8),
    /// No piece with this letter can be in hand.
    #[error("unknown piece in hand: {}", .0.escape_ascii())]
    UnknownInHand(u8),
    /// There is a plus sign before a piece that does not promote.
    #[error("{} does not promote", .0.escape_ascii())]
    Promotion(u8),
    /// There are two plus signs in a row.
    #[error("two plus signs")]
    TwoPlusSigns,
    /// There is a plus sign at the end of a rank.
    #[error("a plus sign without a piece")]
    LonePlusSign,
    /// A rank is too long.
    #[error("more than {0} squares")]
    LongRank(usize),
    /// A rank is too short.
    #[error("{found} squares instead of {expected}")]
    ShortRank {
        /// Number of squares that are given.
        found: usize,
        /// Number of squares in a rank.
        expected: usize,
    },
    /// A side has two kings.
    #[error("a second king for one side")]
    SecondKing,
    /// A side has two generals.
    #[error("a second {0} general")]
    SecondGeneral(&'static str),
    /// A general or a guard is outside its palace.
    #[error("a {side} {piece} outside its palace")]
    OutsidePalace {
        /// The name of the piece.
        piece: &'static str,
        /// The name of the side.
        side: &'static str,
    },
    /// There are more pieces of a kind than possible.
    #[error("more than {most} {piece}s")]
    TooMany {
        /// The largest possible number.
        most: usize,
        /// The name of the piece.
        piece: &'static str,
    },
    /// There are more pieces of a kind in a hand than possible.
    #[error("more than {most} pieces of kind {}", .letter.escape_ascii())]
    TooManyInHand {
        /// The largest possible number.
        most: usize,
        /// The letter of the piece.
        letter: u8,
    },
    /// There are more than two animals of a kind in a hand.
    #[error("more than two {0}")]
    MoreThanTwo(&'static str),
    /// A count of pieces is zero or too large.
    #[error("a count must be from 1 to {0}")]
    Count(usize),
    /// There is a count at the end of the hands.
    #[error("a count without a piece")]
    LoneCount,
    /// The hands contain a letter that is not a piece.
    #[error("expected counts and pieces")]
    NotInHand,
    /// There are more pieces in the hands than a set has.
    #[error("more pieces than a set has")]
    MoreThanSet,
    /// There are pieces in hand, which Janggi does not have.
    #[error("expected - (Janggi has no hands), found {}", .0.escape_ascii())]
    NoHands(u8),
}

/// Renders the error message.
impl From<SfenError> for String {
    fn from(error: SfenError) -> Self {
        error.to_string()
    }
}

/// The fields of `board side hands [count]`.
pub struct Fields<'a> {
    /// The board, not yet parsed.
    pub board: &'a str,
    /// The side to move.
    pub side: Color,
    /// The hands, not yet parsed.
    pub hands: &'a str,
    /// Moves made before the position: one less than the move count, which may be missing.
    pub game_ply: usize,
}

impl<'a> Fields<'a> {
    /// Splits an SFEN into its fields.
    ///
    /// # Errors
    /// A field is missing, the side or the move count cannot be read, or there are too many fields.
    pub fn split(text: &'a str) -> Result<Self, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or(SfenError::Missing("board is missing"))?;
        let side = match fields.next().ok_or(SfenError::Missing("side to move is missing"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(clip(other))),
        };
        let hands = fields.next().ok_or(SfenError::Missing("hands are missing"))?;
        let game_ply = match fields.next() {
            None => 0,
            Some(text) => {
                let count: Option<usize> = text.parse().ok().filter(|&count| count <= MAX_COUNT);
                count.ok_or_else(|| SfenError::Count(clip(text)))?.saturating_sub(1)
            }
        };
        match fields.next() {
            Some(extra) => Err(SfenError::Extra(clip(extra))),
            None => Ok(Self { board, side, hands, game_ply }),
        }
    }
}

/// Reads a board of `files` × `ranks` squares. `put` is called with the square (`file * ranks + rank`, files from the
/// right), a letter and whether a plus sign precedes it; its error is the reason why the piece is rejected.
///
/// # Errors
/// The number or the length of the ranks is wrong, a plus sign has no piece, or `put` rejects a piece.
pub fn read_board(
    text: &str,
    files: usize,
    ranks: usize,
    mut put: impl FnMut(usize, u8, bool) -> Result<(), FieldError>,
) -> Result<(), SfenError> {
    let text = text.as_bytes();
    let found = 1 + text.iter().filter(|&&byte| byte == b'/').count();
    if found != ranks {
        return Err(SfenError::Ranks { found, expected: ranks });
    }
    for (rank, line) in text.split(|&byte| byte == b'/').enumerate() {
        read_rank(line, files, |file, letter, promoted| put(file * ranks + rank, letter, promoted))
            .map_err(|problem| SfenError::Rank { rank: (b'a' + rank as u8) as char, problem })?;
    }
    Ok(())
}

fn read_rank(
    line: &[u8],
    files: usize,
    mut put: impl FnMut(usize, u8, bool) -> Result<(), FieldError>,
) -> Result<(), FieldError> {
    let (mut column, mut promoted) = (0, false);
    for &byte in line {
        match byte {
            b'+' if promoted => return Err(FieldError::TwoPlusSigns),
            b'+' => promoted = true,
            b'1'..=b'9' if !promoted => column += usize::from(byte - b'0'),
            _ if column >= files => column += 1,
            _ => {
                put(files - 1 - column, byte, promoted)?;
                (column, promoted) = (column + 1, false);
            }
        }
        if column > files {
            return Err(FieldError::LongRank(files));
        }
    }
    match () {
        () if promoted => Err(FieldError::LonePlusSign),
        () if column < files => Err(FieldError::ShortRank { found: column, expected: files }),
        () => Ok(()),
    }
}

/// Reads the hands. `put` is called for each piece; its error is the reason why the piece is rejected. A count must not
/// exceed `most`.
///
/// # Errors
/// A count is too large, zero or without a piece, or `put` rejects a piece.
pub fn read_hands(
    text: &str,
    most: usize,
    mut put: impl FnMut(u8) -> Result<(), FieldError>,
) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let mut count = None;
    for &byte in text.as_bytes() {
        if byte.is_ascii_digit() {
            let n = count.unwrap_or(0) * 10 + usize::from(byte - b'0');
            if n == 0 || n > most {
                return Err(SfenError::Hands(FieldError::Count(most)));
            }
            count = Some(n);
        } else {
            (0..count.take().unwrap_or(1)).try_for_each(|_| put(byte)).map_err(SfenError::Hands)?;
        }
    }
    match count {
        Some(_) => Err(SfenError::Hands(FieldError::LoneCount)),
        None => Ok(()),
    }
}

/// The owner of a piece with this letter.
pub const fn side_of(letter: u8) -> Color {
    if letter.is_ascii_uppercase() { Color::Black } else { Color::White }
}

/// A piece in SFEN: its letter, in the case of its side, after a plus sign if it is promoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Symbol {
    /// The owner.
    pub color: Color,
    /// The upper-case letter of the piece.
    pub letter: char,
    /// Whether the piece is promoted.
    pub promoted: bool,
}

impl Symbol {
    /// A side's piece with this upper-case letter.
    pub fn new(color: Color, letter: u8, promoted: bool) -> Self {
        Self { color, letter: letter.into(), promoted }
    }

    fn push(&self, out: &mut String) {
        if self.promoted {
            out.push('+');
        }
        out.push(match self.color {
            Color::Black => self.letter,
            Color::White => self.letter.to_ascii_lowercase(),
        });
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(2);
        self.push(&mut text);
        f.pad(&text)
    }
}

/// Writes a position: `symbol` returns the piece on a square, `hands` lists the pieces in hand with their counts.
pub fn write(
    [files, ranks]: [usize; 2],
    symbol: impl Fn(usize) -> Option<Symbol>,
    side: Color,
    hands: impl IntoIterator<Item = (Symbol, usize)>,
    game_ply: usize,
) -> String {
    // The longest SFEN of shogi has 128 bytes.
    let mut out = String::with_capacity(128);
    for rank in 0..ranks {
        if rank > 0 {
            out.push('/');
        }
        let mut gap = 0;
        for file in (0..files).rev() {
            match symbol(file * ranks + rank) {
                Some(symbol) => {
                    push_gap(&mut out, gap);
                    gap = 0;
                    symbol.push(&mut out);
                }
                None => gap += 1,
            }
        }
        push_gap(&mut out, gap);
    }
    out.push(' ');
    out.push(side.letter());
    out.push(' ');
    let board = out.len();
    for (symbol, count) in hands.into_iter().filter(|&(_, count)| count > 0) {
        if count > 1 {
            push_number(&mut out, count);
        }
        symbol.push(&mut out);
    }
    if out.len() == board {
        out.push('-');
    }
    out.push(' ');
    push_number(&mut out, game_ply + 1);
    out
}

/// Appends a run of at most nine empty squares.
fn push_gap(out: &mut String, gap: u8) {
    if gap > 0 {
        out.push(char::from(b'0' + gap));
    }
}

fn push_number(out: &mut String, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Swaps the sides of an SFEN: board, hands and side to move; the move count is unchanged.
pub fn flip(sfen: &str) -> String {
    let mut fields = sfen.split_ascii_whitespace();
    let board = fields.next().unwrap_or_default();
    let side = if fields.next() == Some("w") { "b" } else { "w" };
    let hands: String = fields.next().unwrap_or("-").chars().map(swap_case).collect();
    let mut out = String::with_capacity(sfen.len() + 2);
    for letter in board.chars().rev() {
        // A plus sign precedes its piece for both sides.
        let at = if letter == '+' { out.len().saturating_sub(1) } else { out.len() };
        out.insert(at, swap_case(letter));
    }
    out += &format!(" {side} {hands}");
    fields.for_each(|count| out.extend([" ", count]));
    out
}

fn swap_case(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

/// The board as a diagram with coordinates.
pub fn diagram([files, ranks]: [usize; 2], symbol: impl Fn(usize) -> Option<Symbol>) -> String {
    let mut out: String = (1..=files).rev().map(|file| format!("{file:>3}")).collect();
    out.push('\n');
    for rank in 0..ranks {
        for file in (0..files).rev() {
            out += &format!(
                "{:>3}",
                symbol(file * ranks + rank).map_or(".".into(), |symbol| symbol.to_string())
            );
        }
        out += &format!("  {}\n", (b'a' + rank as u8) as char);
    }
    out
}
