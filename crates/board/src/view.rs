//! A position as the page shows it: the pieces, the legal moves, and the moves that led to it.

use super::error::BoardError;
use super::game_view::{Conventions, conventions};
use super::question::Place;
use super::wire::{optional_text, text, texts};
use sanban_rules::AnyPosition;
use sanban_rules::{Color, Square, Symbol, UsiMove, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A position as the page shows it. Squares are named as in USI (`7g`), pieces as in SFEN (`P`, `+p`), sides `b` and `w`.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    pub sfen: String,
    /// The SFEN of the start position.
    pub start: String,
    pub files: usize,
    pub ranks: usize,
    pub side: char,
    /// Number of moves made since the start of the game.
    pub ply: usize,
    /// The piece on each square that is not empty.
    pub board: BTreeMap<String, String>,
    pub hands: Hands,
    /// The square of the king of the side to move, if it is in check.
    #[serde(serialize_with = "optional_text")]
    pub check: Option<Square>,
    #[serde(serialize_with = "texts")]
    pub legal: Vec<UsiMove>,
    /// The moves that led to the position.
    pub moves: Vec<MadeMove>,
    /// The number of times the position has occurred, including this one.
    pub occurrences: usize,
    /// The number of occurrences of a position at which the game ends by repetition.
    pub repetitions: usize,
    /// Whether the side to move can declare a win.
    pub declare: bool,
    /// The end of the game, if it is over.
    pub over: Option<End>,
}

/// The number of pieces in hand for each upper-case letter.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hands {
    /// The pieces of the first player.
    pub b: BTreeMap<char, usize>,
    /// The pieces of the second player.
    pub w: BTreeMap<char, usize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MadeMove {
    #[serde(serialize_with = "text")]
    pub usi: UsiMove,
    /// The side that made it.
    pub side: char,
    /// The piece that moved, before a promotion.
    #[serde(serialize_with = "optional_text")]
    pub piece: Option<Symbol>,
    /// The origin; `None` for a drop.
    #[serde(serialize_with = "optional_text")]
    pub from: Option<Square>,
    /// The destination.
    #[serde(serialize_with = "text")]
    pub to: Square,
    #[serde(serialize_with = "optional_text")]
    pub captured: Option<Symbol>,
    pub pass: bool,
    pub check: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct End {
    /// The winner; `None`: a draw.
    #[serde(serialize_with = "side_letter")]
    pub winner: Option<Color>,
    /// A keyword for which the page has an explanation.
    pub reason: &'static str,
}

fn side_letter<S: serde::Serializer>(side: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(Color::letter).serialize(serializer)
}

/// A game from its start to the position that is shown.
pub(super) struct Course {
    pub pos: AnyPosition,
    start: String,
    moves: Vec<MadeMove>,
    occurrences: usize,
    conventions: Conventions,
}

impl Course {
    /// Plays the moves of a game. The error names the faulty field of the SFEN or the illegal move.
    pub fn play(place: &Place) -> Result<Self, BoardError> {
        let mut pos = place.start()?;
        let start = pos.sfen();
        let mut seen = HashMap::from([(key(&start), 1)]);
        let (mut moves, mut occurrences) = (Vec::with_capacity(place.moves.len()), 1);
        for (n, text) in place.moves.iter().enumerate() {
            let illegal = || BoardError::Move { text: text.clone(), ply: n + 1 };
            let mv = pos.parse_usi(text).ok_or_else(illegal)?;
            let (usi, side) = (pos.notation(mv), pos.side());
            let (from, to, piece) = match usi {
                UsiMove::Board { from, to, .. } => (Some(from), to, pos.piece_at(from)),
                UsiMove::Drop { piece, to } => {
                    (None, to, Some(Symbol { color: side, letter: piece, promoted: false }))
                }
            };
            let pass = from == Some(to);
            let captured = pos.piece_at(to).filter(|_| !pass);
            pos.play(mv);
            let check = pos.in_check();
            moves.push(MadeMove { usi, side: side.letter(), piece, from, to, captured, pass, check });
            let count = seen.entry(key(&pos.sfen())).or_insert(0);
            *count += 1;
            occurrences = *count;
        }
        let conventions = conventions(&pos);
        Ok(Self { pos, start, moves, occurrences, conventions })
    }

    pub fn view(self) -> View {
        let pos = &self.pos;
        let (files, ranks) = pos.size();
        let squares = (0..files * ranks).map(|number| Square::at(number, ranks));
        let board =
            squares.filter_map(|square| Some((square.to_string(), pos.piece_at(square)?.to_string())));
        let mut hands = Hands::default();
        for (symbol, count) in pos.hands().into_iter().filter(|&(_, count)| count > 0) {
            let hand = if symbol.color == Color::Black { &mut hands.b } else { &mut hands.w };
            hand.insert(symbol.letter, count);
        }
        View {
            sfen: pos.sfen(),
            files,
            ranks,
            side: pos.side().letter(),
            ply: pos.game_ply(),
            board: board.collect(),
            hands,
            check: self.king(pos.side()).filter(|_| pos.in_check()),
            legal: pos.legal_moves().into_iter().map(|mv| pos.notation(mv)).collect(),
            occurrences: self.occurrences,
            repetitions: self.conventions.repetitions,
            declare: pos.can_declare(),
            over: self.end(),
            start: self.start,
            moves: self.moves,
        }
    }

    pub fn is_legal(&self, text: &str) -> bool {
        self.pos.parse_usi(text).is_some_and(|mv| self.pos.is_legal(mv))
    }

    pub fn is_over(&self) -> bool {
        self.end().is_some()
    }

    /// The winner and the reason; `None` while the game continues.
    pub fn end(&self) -> Option<End> {
        let pos = &self.pos;
        let no_moves = pos.count() == 0;
        // A win by declaration does not count until it is declared.
        let verdict = pos.verdict().filter(|_| !pos.can_declare());
        let repeated = self.occurrences >= self.conventions.repetitions;
        let (verdict, reason) = match verdict {
            Some(Verdict::Draw) if repeated => (Verdict::Draw, "repetition"),
            Some(Verdict::Draw) if self.passes() >= 2 => (Verdict::Draw, "passes"),
            // Without legal moves, only facing generals make a draw; with insufficient material, there still are moves.
            Some(Verdict::Draw) if no_moves => (Verdict::Draw, "facing"),
            Some(Verdict::Draw) => (Verdict::Draw, "material"),
            Some(verdict) if repeated && self.checks() => (verdict, "perpetual"),
            Some(verdict) if self.king(pos.side()).is_none() => (verdict, "captured"),
            Some(verdict) => (verdict, self.conventions.decided),
            None if no_moves && pos.in_check() => (pos.verdict_without_moves(), "mate"),
            None if no_moves => (pos.verdict_without_moves(), "stalemate"),
            None => return None,
        };
        let winner = match verdict {
            Verdict::Win | Verdict::Superior => Some(pos.side()),
            Verdict::Loss | Verdict::Inferior => Some(!pos.side()),
            Verdict::Draw => None,
        };
        Some(End { winner, reason })
    }

    /// Returns whether one of the last two moves gave check.
    fn checks(&self) -> bool {
        self.moves.iter().rev().take(2).any(|mv| mv.check)
    }

    /// The number of consecutive passes that led to this position.
    fn passes(&self) -> usize {
        self.moves.iter().rev().take_while(|mv| mv.pass).count()
    }

    /// The square of a side's king, general or lion.
    fn king(&self, side: Color) -> Option<Square> {
        let (files, ranks) = self.pos.size();
        let king = Symbol { color: side, letter: self.conventions.king, promoted: false };
        (0..files * ranks)
            .map(|number| Square::at(number, ranks))
            .find(|&square| self.pos.piece_at(square) == Some(king))
    }
}

/// The repetition key: an SFEN without its move count.
fn key(sfen: &str) -> String {
    sfen.rsplit_once(' ').map_or(sfen, |(key, _)| key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;

    fn view(game: VariantId, sfen: &str) -> View {
        let place = Place { game, sfen: Some(sfen.into()), moves: vec![], rules: BTreeMap::new() };
        Course::play(&place).expect("a position").view()
    }

    #[test]
    fn squares_and_hands_are_shown() {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 62";
        let shown = view(VariantId::Shogi, sfen);
        assert_eq!((shown.files, shown.ranks), (9, 9));
        let piece = |square: &str| shown.board.get(square).map(String::as_str);
        assert_eq!(
            ["9a", "4b", "1b", "5e", "2e"].map(piece),
            [Some("l"), Some("+P"), Some("k"), None, Some("p")]
        );
        assert_eq!((shown.hands.b.get(&'R'), shown.hands.b.get(&'P')), (Some(&1), None));
        assert_eq!((shown.hands.w.get(&'P'), shown.hands.w.get(&'G')), (Some(&5), Some(&1)));
        let small = view(VariantId::Dobutsu, sanban_rules::dobutsu::START);
        assert_eq!((small.files, small.ranks, small.board.len()), (3, 4, 8));
        assert_eq!(small.board.get("2d").map(String::as_str), Some("L"));
    }
}
