//! Reader for PGN with a header `Variant` or `FEN`, as programs for variants of chess and `sanban match` write it. White
//! is the first player, black in Sanban.

use super::ends::{end_with, read_end, result, termination};
use super::headers::{HEADERS, RESULT, START, TERMINATION, find};
use super::items::{Item, What, is_western, items};
use crate::record::end::{End, Outcome};
use crate::record::error::RecordError;
use crate::record::source::{Source, clip, lines};
use crate::record::tree::{Action, Headers, NodeId, Record, Tree};
use sanban_rules::{AnyPosition, Move, UsiMove, VariantId, uci};

pub(super) const VARIANT: &str = "Variant";
pub(super) const FEN: &str = "FEN";
pub(super) const SETUP: &str = "SetUp";
/// The names of a pass.
const PASSES: [&str; 4] = ["--", "pass", "@@@@", "null"];
/// Letters of pieces in other programs.
const LETTERS: [(char, char); 3] = [('H', 'N'), ('E', 'B'), ('S', 'P')];
/// Number of lines in which the headers are searched.
const HEAD: usize = 100;

/// Returns whether `text` has the headers of PGN for variants, and its first move is not in Western notation.
pub(in crate::record) fn is_pgn(text: &str) -> bool {
    let mut headed = false;
    for line in lines(text).take(HEAD) {
        let line = line.text.trim_start();
        match line.strip_prefix('[') {
            Some(header) => {
                headed |= [VARIANT, FEN]
                    .iter()
                    .any(|name| header.strip_prefix(name).is_some_and(|rest| rest.starts_with(" \"")));
            }
            None if line.is_empty() || line.starts_with('{') => {}
            None => return headed && !is_western(line),
        }
    }
    headed
}

/// Reads one or more games. An error rejects only the game in which it occurs. `game` is used if the headers do not
/// name the game.
pub(in crate::record) fn read(
    source: &mut Source<'_>,
    game: Option<VariantId>,
) -> Vec<Result<Record, RecordError>> {
    let items = match items(source, false, &|_| vec![]) {
        Ok(items) => items,
        Err(error) => {
            source.claim(source.text());
            return vec![Err(error)];
        }
    };
    // A game begins at a header after anything else.
    let is_header = |item: &Item<'_>| matches!(item.what, What::Header(..));
    let games = items.chunk_by(|before, item| is_header(before) || !is_header(item));
    let read = |items: &[Item<'_>]| {
        let record = read_game(items, game, source);
        if record.is_err() {
            items.iter().for_each(|item| source.claim(item.text));
        }
        record
    };
    games.map(read).collect()
}

/// The game and the start position that the headers state; `None` for the standard start position.
fn start(items: &[Item<'_>], game: Option<VariantId>) -> Result<(VariantId, Option<String>), RecordError> {
    let fen = find(items, FEN);
    let sfen = fen.map(|(item, fen)| uci::sfen(fen).map_err(|error| item.error(format!("FEN: {error}"))));
    let sfen = sfen.transpose()?;
    // The exact move number, if the FEN cannot state it.
    let exact = find(items, START).map(|(_, exact)| exact.trim().to_string());
    let parts = |sfen: &str| sfen.rsplit_once(' ').map(|(board, _)| board.to_string());
    let sfen = match (sfen, exact) {
        (Some(sfen), Some(exact)) if parts(&sfen) == parts(&exact) => Some(exact),
        (sfen, _) => sfen,
    };
    let named = find(items, VARIANT).filter(|(_, name)| !name.trim().is_empty());
    let game = match (named, game) {
        (Some((item, name)), _) => {
            let known = uci::named(&name.trim().to_ascii_lowercase());
            known.ok_or_else(|| item.error(format!("the variant {} is not supported", clip(name))))?.id
        }
        (None, Some(game)) => game,
        // Only the boards of Janggi have ten ranks.
        (None, None) if sfen.as_deref().is_some_and(|sfen| sfen.matches('/').count() == 9) => {
            VariantId::JanggiCasual
        }
        (None, None) => {
            let item = fen.map(|fen| fen.0).or(items.first());
            let expected = "expected a header [Variant \"...\"]";
            return Err(item.map_or_else(
                || RecordError { line: 1, column: 1, problem: expected.into() },
                |item| item.error(expected),
            ));
        }
    };
    let standard = AnyPosition::new(game).sfen();
    Ok((game, sfen.filter(|sfen| *sfen != standard)))
}

fn read_game(
    items: &[Item<'_>],
    game: Option<VariantId>,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let (game, start) = start(items, game)?;
    let mut pos = AnyPosition::new(game);
    if let Some(sfen) = &start {
        let wrong = |problem: String| match find(items, FEN) {
            Some((item, _)) => item.error(problem),
            None => RecordError { line: 1, column: 1, problem },
        };
        pos = AnyPosition::parse(game, sfen).map_err(|error| wrong(format!("FEN: {error}")))?;
    }
    let mut record = Record::new(game, start);
    let node = record.tree.root();
    let mut reading = Reading { tree: &mut record.tree, pos, node, open: vec![], outcome: None };
    for item in items {
        reading.item(item)?;
        source.claim(item.text);
    }
    if let (false, Some(last)) = (reading.open.is_empty(), items.last()) {
        return Err(last.error("expected ) at the end of a variation"));
    }
    let (side, told) = (reading.pos.side(), reading.outcome);
    let mut kind = None;
    let mut header = None;
    for item in items {
        let What::Header(name, value) = &item.what else { continue };
        match (name.as_str(), value.trim()) {
            (VARIANT | FEN | START, _) | (SETUP, "0" | "1") | (_, "" | "?") => {}
            (RESULT, value) => header = result(value),
            (name, value) => {
                // White is the first player.
                let name = match name {
                    "White" => Headers::BLACK,
                    "Black" => Headers::WHITE,
                    name => HEADERS.iter().find(|(known, _)| *known == name).map_or(name, |known| known.1),
                };
                if name == TERMINATION {
                    kind = Some(value);
                }
                match record.headers.get(name) {
                    Some(before) if before != value => {
                        source.warn_of(
                            item.error(format!("{name} is already set to {}: ignored", clip(before))),
                        );
                    }
                    _ => record.headers.set(name, value),
                }
            }
        }
    }
    if let (Some(told), Some(header), Some(item)) = (told, header, items.last())
        && told != header
    {
        source.warn_of(item.error("the result after the moves differs from that of the headers"));
    }
    let outcome = told.or(header).unwrap_or(Outcome::Unknown);
    let end = kind.and_then(|text| termination(text, outcome, side)).or_else(|| end_with(outcome, side));
    if let Some(end) = end.filter(|_| record.end().is_none()) {
        let last = record.tree.main_line().last().copied().unwrap_or(record.tree.root());
        record.tree.add(last, Action::End(end));
    }
    Ok(record)
}

struct Reading<'t> {
    tree: &'t mut Tree,
    pos: AnyPosition,
    node: NodeId,
    /// The nodes to return to after the open variations.
    open: Vec<NodeId>,
    /// The result after the moves.
    outcome: Option<Outcome>,
}

impl Reading<'_> {
    fn item(&mut self, item: &Item<'_>) -> Result<(), RecordError> {
        match &item.what {
            What::Header(..) | What::Number(_) | What::Dots | What::Game => {}
            What::Comment(text) if let Some(end) = self.end(text) => {
                let node = self.tree.add(self.node, Action::End(end));
                self.node = node.ok_or_else(|| item.error(format!("more than {} moves", Tree::MOST)))?;
            }
            What::Comment(text) | What::Prose(text) => self.tree.add_comment(self.node, text.trim()),
            What::Time(time) => self.tree.set_time(self.node, *time),
            What::Open => {
                let before = self.tree.parent(self.node);
                let before = before.ok_or_else(|| item.error("expected a move before a variation"))?;
                self.open.push(self.node);
                self.go_to(before);
            }
            What::Close => {
                let node = self.open.pop().ok_or_else(|| item.error("unexpected )"))?;
                self.go_to(node);
            }
            What::Word(word) => self.word(word, item)?,
        }
        Ok(())
    }

    /// The end that a comment such as `<resigns>` states.
    fn end(&self, comment: &str) -> Option<End> {
        let word = comment.strip_prefix('<')?.strip_suffix('>')?;
        let is_after = self.tree.mv(self.node).is_some() || self.node == self.tree.root();
        let is_end = is_after && !word.contains(char::is_whitespace);
        let side = self.pos.side();
        let read = |word: &str| read_end(word, &[], side).map(|(end, _)| end);
        read(word).or_else(|| read(comment)).filter(|_| is_end)
    }

    fn word(&mut self, word: &str, item: &Item<'_>) -> Result<(), RecordError> {
        let is_result = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
        if let Some(outcome) = result(word).filter(|_| is_result) {
            if self.open.is_empty() {
                self.outcome = Some(outcome);
            }
            return Ok(());
        }
        // Marks such as `!?` and `$1` judge the previous move.
        if word.starts_with('$') || word.chars().all(|c| matches!(c, '!' | '?')) {
            self.tree.add_comment(self.node, word);
            return Ok(());
        }
        if self.outcome.is_some() || matches!(self.tree.action(self.node), Some(Action::End(_))) {
            return Err(item.error(format!("unexpected text after the end of the game: {}", clip(word))));
        }
        let body = word.trim_end_matches(['!', '?', '#']);
        let mv = self.read_move(body).map_err(|problem| item.error(format!("{}: {problem}", clip(word))))?;
        self.pos.play(mv);
        let node = self.tree.add(self.node, Action::Move(mv));
        self.node = node.ok_or_else(|| item.error(format!("more than {} moves", Tree::MOST)))?;
        if body.len() < word.len() && word.ends_with(['!', '?']) {
            self.tree.add_comment(self.node, word[body.len()..].trim_start_matches('#'));
        }
        Ok(())
    }

    /// The legal move that a word denotes: coordinates, such as `c3c4`, `b2h8+`, `P@e5`, or algebraic notation, in which
    /// parts of the origin may be missing, such as `Nb1c3`, `Nc3`, `c4`.
    fn read_move(&self, word: &str) -> Result<Move, &'static str> {
        let impossible = "this move is impossible here";
        if PASSES.contains(&word) {
            return self.pos.parse_usi("pass").ok_or(impossible);
        }
        if let Some(mv) = uci::usi_text(&self.pos, word).and_then(|usi| self.pos.parse_usi(&usi)) {
            return Ok(mv);
        }
        let (promoted, rest) = word.strip_prefix('+').map_or((false, word), |rest| (true, rest));
        let (rest, promotes) = match rest.strip_suffix(['+', '=']) {
            Some(shorter) => (shorter, rest.ends_with('+')),
            None => (rest, false),
        };
        let letter = rest.chars().next().filter(char::is_ascii_uppercase);
        let squares = &rest[usize::from(letter.is_some())..];
        let to = squares
            .rfind(|c: char| c.is_ascii_lowercase() && c != 'x')
            .ok_or("expected a move such as Nb1c3")?;
        let (from, to) = squares.split_at(to);
        let from = from.trim_end_matches(['x', '-']);
        let fits = |mv: Move, letter: char, promotes: bool| {
            let UsiMove::Board { from: origin, to: target, promotion } = self.pos.notation(mv) else {
                return false;
            };
            let origin_text = uci::square_text(&self.pos, origin);
            let piece = self.pos.piece_at(origin).map(|piece| piece.to_string().to_ascii_uppercase());
            let piece = piece.unwrap_or_default();
            let named =
                piece.trim_start_matches('+').starts_with(letter) && piece.starts_with('+') == promoted;
            named
                && promotion == promotes
                && uci::square_text(&self.pos, target) == to
                && (origin_text == from
                    || origin_text.starts_with(from) && from.len() == 1
                    || from.is_empty()
                    || origin_text[1..] == *from)
        };
        let find = |letter: char, promotes: bool| -> Vec<Move> {
            self.pos.legal_moves().iter().copied().filter(|&mv| fits(mv, letter, promotes)).collect()
        };
        let letter = letter.unwrap_or('P');
        let other = LETTERS.iter().find(|(other, _)| *other == letter).map(|known| known.1);
        // A plus at the end marks a promotion or a check.
        let tries = [Some(letter), other]
            .into_iter()
            .flatten()
            .flat_map(|letter| [(letter, promotes), (letter, false)]);
        for (letter, promotes) in tries {
            match find(letter, promotes)[..] {
                [] => {}
                [mv] => return Ok(mv),
                _ => return Err("more than one piece can move there"),
            }
        }
        Err(impossible)
    }

    /// Goes to a node, taking back and making moves.
    fn go_to(&mut self, node: NodeId) {
        let path = |tree: &Tree, node: NodeId| {
            let mut path: Vec<NodeId> =
                std::iter::successors(Some(node), |&node| tree.parent(node)).collect();
            path.reverse();
            path
        };
        let (own, other) = (path(self.tree, self.node), path(self.tree, node));
        let common = own.iter().zip(&other).take_while(|(one, two)| one == two).count();
        for _ in own[common..].iter().filter(|&&node| self.tree.mv(node).is_some()) {
            self.pos.undo();
        }
        for mv in other[common..].iter().filter_map(|&node| self.tree.mv(node)) {
            self.pos.play(mv);
        }
        self.node = node;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Color;

    fn read(text: &str) -> Result<Vec<Record>, RecordError> {
        let mut source = Source::new(text);
        let games: Result<Vec<Record>, RecordError> = super::read(&mut source, None).into_iter().collect();
        let games = games?;
        source.finish().into_iter().next().map_or(Ok(games), Err)
    }

    fn moves(text: &str) -> Result<Vec<String>, RecordError> {
        let record = read(text)?.swap_remove(0);
        let pos = AnyPosition::new(record.game);
        Ok(record.moves().into_iter().map(|mv| pos.display(mv)).collect())
    }

    #[test]
    fn games_of_every_variant() {
        let janggi = "[White \"cho\"]\n[Variant \"janggicasual\"]\n[Result \"1-0\"]\n\n";
        let text = format!("{janggi}1. i4h4 a7b7 2. Nb1c3 {{good}} Nb10c8 3. -- (3. h4h5) b7b6 1-0\n");
        assert_eq!(
            moves(&text),
            Ok(["1g2g", "9d8d", "8j7h", "8a7c", "5i5i", "8d8e"].map(String::from).to_vec())
        );
        let record = &read(&text).expect("a game")[0];
        assert_eq!(record.headers.player(Color::Black), Some("cho"));
        assert!(record.tree.branches());
        assert_eq!(record.outcome(), Outcome::Win(Color::Black));
        let shogi = "[Variant \"shogi\"]\n\n1. c3c4 g7g6 2. b2h8+ i9h8 *\n";
        assert!(moves(shogi).is_err(), "the lance cannot move there");
        let shogi = shogi.replace("i9h8", "g9h8");
        assert_eq!(moves(&shogi), Ok(["7g7f", "3c3d", "8h2b+", "3a2b"].map(String::from).to_vec()));
        let shogi = "[Variant \"Shogi\"]\n\n1. c4 g6 2. Bxh8+ Sxh8 3. B@e5 *\n";
        assert_eq!(moves(shogi).map(|moves| moves.len()), Ok(5));
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_place() {
        let place = |text: &str| read(text).map(|_| ()).map_err(|error| (error.line, error.column));
        assert_eq!(place("[Variant \"chess\"]\n1. e2e4\n"), Err((1, 1)));
        assert_eq!(place("[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e2e4\n"), Err((2, 1)));
        assert_eq!(place("[Variant \"janggi\"]\n1. a1a9\n"), Err((2, 4)));
        assert_eq!(place("[Variant \"janggi\"]\n1. i4h4 1-0 a7b7\n"), Err((2, 13)));
        let two = "[Variant \"janggi\"]\n\n1. i4h4 *\n\n[Variant \"janggi\"]\n\n1. i4h4 a7b7 *\n";
        assert_eq!(read(two).map(|games| games.len()), Ok(2));
    }
}
