//! Moves in Japanese notation: the destination, the piece, and hints that distinguish the piece from others of its
//! kind.

use super::parts;
use crate::record::board::{Board, may_promote};
use crate::record::error::MoveError;
use crate::record::names;
use crate::record::source::{is_blank, trim};
use bitflags::bitflags;
use sanban_rules::shogi::{Kind, square};
use sanban_rules::{Color, Move};

bitflags! {
    /// Hints that distinguish a piece from others of its kind that can move to the same square.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Hints: u8 {
        /// The piece comes from the left, as seen by its owner.
        const LEFT = 1;
        /// The piece comes from the right, as seen by its owner.
        const RIGHT = 2;
        /// The piece moves straight forward.
        const STRAIGHT = 4;
        /// The piece moves forward.
        const UP = 8;
        /// The piece moves sideways.
        const SIDEWAYS = 16;
        /// The piece moves backward.
        const DOWN = 32;
    }
}

/// The hints with their characters in KI2 and in JKF, in the order in which they are written.
pub const HINTS: [(Hints, char, char); 6] = [
    (Hints::LEFT, '左', 'L'),
    (Hints::STRAIGHT, '直', 'C'),
    (Hints::RIGHT, '右', 'R'),
    (Hints::UP, '上', 'U'),
    (Hints::SIDEWAYS, '寄', 'M'),
    (Hints::DOWN, '引', 'D'),
];

/// A move in Japanese notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spoken {
    pub to: usize,
    /// The piece that moves, before it promotes.
    pub kind: Kind,
    /// The hints that distinguish the piece from others.
    pub hints: Hints,
    /// Whether the piece promotes; `None` if this is not stated.
    pub promotes: Option<bool>,
    /// Whether the move is explicitly a drop.
    pub drop: bool,
    /// The origin square, if it is stated.
    pub from: Option<usize>,
}

/// Maximum number of characters in a bracket.
const LONGEST_REMARK: usize = 40;
/// Spaces that occur in moves.
const SPACES: [char; 3] = [' ', '　', '\t'];

impl Spoken {
    /// Parses the move at the beginning of `text` and returns it with the rest of `text`. `last` is the destination of
    /// the previous move. On error, returns the part of `text` from the error on and what was expected there.
    pub fn parse(text: &str, last: Option<usize>) -> Result<(Self, &str), (&str, &'static str)> {
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => {
                let to = last.ok_or((text, "同 without a previous move"))?;
                // `同７六歩` also names the square.
                match names::destination(rest) {
                    Some((same, rest)) if same == to => (to, rest),
                    _ => (to, rest),
                }
            }
            None => names::destination(text).ok_or((text, "expected a square such as ７六, or 同"))?,
        };
        let rest = rest.trim_start_matches(SPACES);
        let (kind, mut rest) = names::piece(rest).ok_or((rest, "expected a piece name"))?;
        let mut out = Self { to, kind, hints: Hints::empty(), promotes: None, drop: false, from: None };
        loop {
            let here = rest.trim_start_matches('　');
            let mut chars = here.chars();
            match chars.next() {
                Some('左') => out.hints |= Hints::LEFT,
                Some('右') => out.hints |= Hints::RIGHT,
                Some('直') => out.hints |= Hints::STRAIGHT,
                Some('上' | '行' | '入') => out.hints |= Hints::UP,
                Some('寄') => out.hints |= Hints::SIDEWAYS,
                Some('引' | '下') => out.hints |= Hints::DOWN,
                Some('打') => out.drop = true,
                Some(c @ ('成' | '生' | '不')) if c != '不' || chars.as_str().starts_with('成') => {
                    let promotes = c == '成';
                    if out.promotes == Some(!promotes) {
                        return Err((here, "expected 成 or 不成, not both"));
                    }
                    out.promotes = Some(promotes);
                    if c == '不' {
                        chars.next();
                    }
                }
                Some('(' | '（') if let Some((from, after)) = origin(here) => {
                    out.from = from;
                    out.drop |= from.is_none();
                    return Ok((out, after));
                }
                // A time may follow a drop without a space.
                Some('(' | '（') if parts::time(here).is_some() => return Ok((out, rest)),
                // A remark may also follow.
                Some('(' | '（')
                    if !chars.as_str().starts_with(|c| parts::ascii_digit(c).is_some())
                        || !is_pair(chars.as_str()) =>
                {
                    return Ok((out, rest));
                }
                Some('(' | '（') => return Err((here, ORIGIN)),
                _ => return Ok((out, rest)),
            }
            rest = chars.as_str();
        }
    }

    /// Finds the move on a board. On error, returns the reason why there is no unique move.
    pub fn resolve(&self, board: &Board) -> Result<Move, MoveError> {
        let name = names::in_moves(self.kind);
        let dropped = || Ok(Move::drop(self.kind.index(), self.to));
        if self.drop {
            return dropped();
        }
        let from = match self.from {
            Some(from) => {
                let found = board.piece(from).map(|piece| piece.kind());
                if found != Some(self.kind) && self.misnamed(board).is_none() {
                    let [file, rank] = names::square_name(from);
                    let found = found.map_or("nothing", names::in_moves);
                    let square = format!("{file}{rank}");
                    return Err(MoveError::OtherPiece { expected: name, square, found });
                }
                from
            }
            None => {
                let all = board.candidates(self.kind, self.to);
                if board.in_hand(board.side(), self.kind) > 0 && board.piece(self.to).is_none() {
                    // Some programs do not mark a drop if no piece on the board can legally move there.
                    let may_move = |&from: &usize| board.is_legal(self.leaving(from));
                    let drop = Move::drop(self.kind.index(), self.to);
                    if all.is_empty() || !all.iter().any(may_move) && board.is_legal(drop) {
                        return dropped();
                    }
                }
                self.pick(board, all)?
            }
        };
        if from == self.to {
            return Err(MoveError::SameSquare);
        }
        Ok(self.leaving(from))
    }

    /// A warning if the named piece is wrong but origin and destination identify the move.
    fn misnamed(&self, board: &Board) -> Option<String> {
        let from = self.from?;
        let found = board.piece(from)?.kind();
        let [file, rank] = names::square_name(from);
        (found != self.kind).then(|| {
            let (name, found) = (names::in_moves(self.kind), names::in_moves(found));
            format!("the piece on {file}{rank} is {found}, but the record calls it {name}")
        })
    }

    /// A warning if the text contradicts the move: a wrong piece name, wrong hints, or a drop with an origin.
    pub fn doubts(&self, board: &Board) -> Option<String> {
        let from = self.from?;
        if self.drop {
            return Some("a drop cannot have an origin square".into());
        }
        if let Some(problem) = self.misnamed(board) {
            return Some(problem);
        }
        if self.hints.is_empty() {
            return None;
        }
        let side = board.side();
        let way = way(side, from, self.to);
        let ways = self.hints & (Hints::UP | Hints::SIDEWAYS | Hints::DOWN);
        let straight = way == Hints::UP && square::file(from) == square::file(self.to);
        let sides = self.hints & (Hints::LEFT | Hints::RIGHT);
        let right = to_right(side, from, self.to).signum();
        // For horses and dragons, left and right compare the two pieces, not the piece and the destination.
        let placed = matches!(self.kind, Kind::Horse | Kind::Dragon) || right == 0;
        let fits = (ways.is_empty() || ways == way)
            && (straight || !self.hints.contains(Hints::STRAIGHT))
            && (sides.is_empty() || placed || sides == if right > 0 { Hints::RIGHT } else { Hints::LEFT });
        (!fits).then(|| "the words after the piece do not match its origin square".into())
    }

    fn leaving(&self, from: usize) -> Move {
        if self.promotes == Some(true) { Move::promotion(from, self.to) } else { Move::board(from, self.to) }
    }

    /// Selects the origin square that the hints describe.
    fn pick(&self, board: &Board, all: Vec<usize>) -> Result<usize, MoveError> {
        let side = board.side();
        let fits = |&&from: &&usize| {
            let way = way(side, from, self.to);
            let forward = self.hints & (Hints::UP | Hints::SIDEWAYS | Hints::DOWN);
            let straight = !self.hints.contains(Hints::STRAIGHT)
                || way == Hints::UP && square::file(from) == square::file(self.to);
            straight && (forward.is_empty() || forward == way)
        };
        let mut left: Vec<usize> = all.iter().filter(fits).copied().collect();
        if self.hints.intersects(Hints::LEFT | Hints::RIGHT) && left.len() > 1 {
            left = self.on_side(side, &left);
        }
        if left.len() > 1 {
            // If only one of the candidates can legally move there, select it.
            let may_move = |&from: &usize| board.is_legal(self.leaving(from));
            let legal: Vec<usize> = left.iter().copied().filter(may_move).collect();
            if legal.len() == 1 {
                left = legal;
            }
        }
        let name = names::in_moves(self.kind);
        match left[..] {
            [from] => Ok(from),
            [] => Err(MoveError::NoPiece(name)),
            _ => Err(MoveError::SeveralPieces(name)),
        }
    }

    /// The candidates on the side of the destination that the hints name. For horses and dragons, or if no candidate is
    /// on that side, the candidate that is farthest to that side.
    fn on_side(&self, side: Color, all: &[usize]) -> Vec<usize> {
        let right = self.hints.contains(Hints::RIGHT);
        let distance = |from: usize| {
            let to_right = to_right(side, from, self.to);
            if right { to_right } else { -to_right }
        };
        let beside: Vec<usize> = all.iter().copied().filter(|&from| distance(from) > 0).collect();
        if !beside.is_empty() && !matches!(self.kind, Kind::Horse | Kind::Dragon) {
            return beside;
        }
        let furthest = all.iter().map(|&from| distance(from)).max();
        all.iter().copied().filter(|&from| Some(distance(from)) == furthest).collect()
    }

    /// The Japanese notation of a move. On error, returns the reason why the move is impossible on the board.
    pub fn of(board: &Board, mv: Move) -> Result<Self, &'static str> {
        let kind = board.mover(mv)?.kind();
        let side = board.side();
        let mut out = Self {
            to: mv.to(),
            kind,
            hints: Hints::empty(),
            promotes: may_promote(side, kind, mv).then_some(mv.is_promotion()),
            drop: mv.is_drop(),
            from: (!mv.is_drop()).then_some(mv.from()),
        };
        if mv.is_promotion() {
            out.promotes = Some(true);
        }
        if let Some(from) = out.from {
            let mut others = board.candidates(kind, mv.to());
            others.retain(|&other| other != from);
            out.hints = hints(side, kind, (from, mv.to()), &others);
        }
        Ok(out)
    }

    /// Returns whether `打` must be written because a piece on the board could make the same move, or because the piece
    /// is not in hand.
    pub fn needs_drop_word(&self, board: &Board) -> bool {
        let in_hand = board.in_hand(board.side(), self.kind) > 0;
        self.drop && (!in_hand || !board.candidates(self.kind, self.to).is_empty())
    }
}

const ORIGIN: &str = "expected an origin square such as (77)";

/// Parses an origin square such as `(77)`; `(00)` is a drop.
fn origin(text: &str) -> Option<(Option<usize>, &str)> {
    let mut chars = text.chars();
    chars.next();
    let mut next = || chars.next();
    let (file, rank, close) = (next(), next(), next());
    let (Some(file), Some(rank), Some(')' | '）')) = (file, rank, close) else { return None };
    if [file, rank].iter().all(|c| matches!(c, '0' | '０')) {
        return Some((None, chars.as_str()));
    }
    let (file, rank) = (names::digit(file)?, names::digit(rank)?);
    Some((Some(names::square(file, rank)), chars.as_str()))
}

/// Returns whether a bracket contains two characters, like an origin square, or is not closed.
fn is_pair(inside: &str) -> bool {
    let mut chars = inside.chars().take(LONGEST_REMARK);
    match chars.position(|c| matches!(c, ')' | '）')) {
        Some(2) => inside.chars().nth(1).is_some_and(|c| c.is_ascii_graphic() || names::digit(c).is_some()),
        Some(_) => false,
        None => true,
    }
}

/// The direction of a move: forward, sideways or backward.
fn way(side: Color, from: usize, to: usize) -> Hints {
    let (from, to) = (square::rank_for(side, from), square::rank_for(side, to));
    match to.cmp(&from) {
        std::cmp::Ordering::Less => Hints::UP,
        std::cmp::Ordering::Equal => Hints::SIDEWAYS,
        std::cmp::Ordering::Greater => Hints::DOWN,
    }
}

/// The number of files by which `from` is to the right of `to`, as seen by a side.
fn to_right(side: Color, from: usize, to: usize) -> i32 {
    let to_left = square::file(from) as i32 - square::file(to) as i32;
    if side == Color::Black { -to_left } else { to_left }
}

/// The shortest hints that distinguish a piece from the others that can move to the same square.
fn hints(side: Color, kind: Kind, (from, to): (usize, usize), others: &[usize]) -> Hints {
    if others.is_empty() {
        return Hints::empty();
    }
    let own = way(side, from, to);
    if others.iter().all(|&other| way(side, other, to) != own) {
        return own;
    }
    let offset = |from: usize| to_right(side, from, to);
    let place = offset(from);
    if matches!(kind, Kind::Horse | Kind::Dragon) {
        let right = others.iter().all(|&other| offset(other) < place);
        return if right { Hints::RIGHT } else { Hints::LEFT };
    }
    if place == 0 {
        // A straight move backward has already been distinguished by its direction.
        return if own == Hints::UP { Hints::STRAIGHT } else { own };
    }
    let word = if place > 0 { Hints::RIGHT } else { Hints::LEFT };
    let alone = others.iter().all(|&other| offset(other).signum() != place.signum());
    if alone { word } else { word | own }
}

/// Returns whether `text` is the caption of a diagram, such as `第1図は△３四歩まで`.
pub(super) fn is_caption(text: &str) -> bool {
    let text = text.trim_matches(['(', ')', '（', '）', '【', '】', '。']);
    let Some(text) = text.strip_suffix("まで") else { return false };
    let Some((at, _)) = text.char_indices().find(|(_, c)| names::from_mark(*c).is_some()) else {
        return false;
    };
    let (_, mv) = parts::mark(&text[at..]);
    let (before, one) =
        (&text[..at], Spoken::parse(mv, Some(0)).is_ok_and(|(_, rest)| trim(rest).is_empty()));
    one && (before.is_empty() || trim(before).ends_with("図は"))
}

/// Returns whether a line consists of moves without marks.
pub(in crate::record) fn is_unmarked(text: &str) -> bool {
    let mut rest = text;
    while parts::is_move(rest, false)
        && let Ok((_, after)) = Spoken::parse(rest, Some(0))
    {
        rest = after.trim_start_matches(|c| is_blank(c) || matches!(c, '、' | ','));
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::board::parse_move;
    use sanban_rules::shogi::Position;

    fn spoken(sfen: &str, usi: &str) -> (Hints, Option<bool>) {
        let board = Board::from_sfen(sfen).expect("a position");
        let mv = parse_move(usi).expect("a move");
        let spoken = Spoken::of(&board, mv).expect("a move that can be made");
        let heard = Spoken { from: None, ..spoken };
        assert_eq!(heard.resolve(&board).map(Position::usi), Ok(usi.to_string()));
        (spoken.hints, spoken.promotes)
    }

    /// Examples from the Japan Shogi Association's page on notation.
    #[test]
    fn hints_are_those_of_the_association() {
        let gold = "9/2G1G4/9/9/9/9/9/5G1G1/9 b - 1";
        assert_eq!(spoken("9/3+P5/4+P4/9/9/9/9/9/9 b - 1", "6b5b").0, Hints::SIDEWAYS);
        assert_eq!(spoken(gold, "7b6a").0, Hints::LEFT);
        assert_eq!(spoken(gold, "5b6a").0, Hints::RIGHT);
        assert_eq!(spoken("9/9/2G6/3G5/9/9/9/9/9 b - 1", "7c6c").0, Hints::SIDEWAYS);
        assert_eq!(spoken("9/9/2G6/3G5/9/9/9/9/9 b - 1", "6d6c").0, Hints::UP);
        let silvers = "9/9/9/9/9/9/3SSS3/9/3S1S3 b - 1";
        assert_eq!(spoken(silvers, "5g5f").0, Hints::STRAIGHT);
        assert_eq!(spoken(silvers, "6g5f").0, Hints::LEFT);
        let crossed = "9/9/9/9/9/9/9/3S1S3/9 b - 1";
        assert_eq!(spoken(crossed, "6h5g").0, Hints::LEFT);
        let four = "9/9/9/9/9/3S1S3/9/3S1S3/9 b - 1";
        assert_eq!(spoken(four, "6h5g").0, Hints::LEFT | Hints::UP);
        assert_eq!(spoken(four, "4f5g").0, Hints::RIGHT | Hints::DOWN);
        assert_eq!(spoken("+R8/4+R4/9/9/9/9/9/9/9 b - 1", "9a8b").0, Hints::DOWN);
        assert_eq!(spoken("9/4+R4/7+R1/9/9/9/9/9/9 b - 1", "5b4c").0, Hints::DOWN);
        assert_eq!(spoken("9/9/9/9/4+R3+R/9/9/9/9 b - 1", "5e3e").0, Hints::LEFT);
        assert_eq!(spoken("9/9/9/9/9/9/9/9/+R+R7 b - 1", "9i8h").0, Hints::LEFT);
        assert_eq!(spoken("9/9/9/9/9/9/9/7+R1/8+R b - 1", "2h1g").0, Hints::LEFT);
    }

    #[test]
    fn promotion_is_said_where_it_is_possible() {
        assert_eq!(spoken("9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c").1, Some(false));
        assert_eq!(spoken("9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c+").1, Some(true));
        assert_eq!(spoken("9/9/9/4G4/9/9/9/9/9 b - 1", "5d5c").1, None);
    }

    #[test]
    fn words_are_read() {
        let (spoken, rest) = Spoken::parse("５三銀左不成 ", None).expect("a move");
        assert_eq!((spoken.to, spoken.kind), (names::square(5, 3), Kind::Silver));
        assert_eq!((spoken.hints, spoken.promotes, rest), (Hints::LEFT, Some(false), " "));
        let (spoken, rest) = Spoken::parse("同　成銀(44)   ( 0:01/)", Some(3)).expect("a move");
        assert_eq!((spoken.to, spoken.kind), (3, Kind::ProSilver));
        assert_eq!((spoken.from, rest), (Some(names::square(4, 4)), "   ( 0:01/)"));
        assert!(Spoken::parse("同歩", None).is_err());
        assert!(Spoken::parse("７六", None).is_err());
    }
}
