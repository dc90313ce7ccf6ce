//! The Korean format for Janggi records (`.gib`).
//!
//! A square is two digits: the rank from Han's side (1 to 9, 0 for the tenth) and the file from the left. A move is the
//! origin, the piece and the destination: `79卒78`. A pass is `한수쉼`.

use super::end::{End, Outcome};
use super::error::{RecordError, WriteError};
use super::source::{Line, Source, clip, is_blank, lines, trim, trim_start};
use super::tree::{Action, Headers, NodeId, Record, Tree};
use sanban_rules::{AnyPosition, Color, Move, VariantId, janggi};
use std::fmt::Write as _;

/// The game of the records, which do not name it.
const GAME: VariantId = VariantId::JanggiCasual;
/// Headers with their names in [`Headers`].
const HEADERS: [(&str, &str); 5] = [
    ("초대국자", Headers::BLACK),
    ("한대국자", Headers::WHITE),
    ("대회명", Headers::EVENT),
    ("대국장소", Headers::SITE),
    ("대국일자", Headers::STARTED),
];
/// The headers that state the set-up of horses and elephants, for black and white.
const SETUPS: [[&str; 2]; 2] = [["초차림", "초포진"], ["한차림", "한포진"]];
/// The header with the number of moves, which is recomputed on writing.
const COUNT: &str = "총수";
const PASS: &str = "한수쉼";
const RANKS: usize = 10;
/// The set-up that is assumed for a side without a set-up header.
const ASSUMED: &str = "NBBN";
const ASSUMED_NAME: &str = "마상상마";
/// The characters for horse and elephant in set-ups, with their letters.
const WINGS: [(char, char); 4] = [('마', 'N'), ('馬', 'N'), ('상', 'B'), ('象', 'B')];
/// The names of the pieces in moves, by letter, for black and white.
const NAMES: [(char, [char; 2]); 7] = [
    ('K', ['楚', '漢']),
    ('A', ['士', '士']),
    ('R', ['車', '車']),
    ('C', ['包', '包']),
    ('N', ['馬', '馬']),
    ('B', ['象', '象']),
    ('P', ['卒', '兵']),
];

/// Names of pieces by which this format is detected.
const PIECES: &str = "楚漢將帥士車包砲馬象卒兵초한장궁왕사차포마상졸병";

/// The letter of the piece with this name, in Chinese or Korean characters.
fn letter_of(name: char) -> Option<char> {
    Some(match name {
        '楚' | '漢' | '將' | '帥' | '초' | '한' | '장' | '궁' | '왕' => 'K',
        '士' | '사' => 'A',
        '車' | '차' => 'R',
        '包' | '砲' | '포' => 'C',
        '馬' | '마' => 'N',
        '象' | '상' => 'B',
        '卒' | '兵' | '졸' | '병' => 'P',
        _ => return None,
    })
}

/// Characters that may follow a move: the captured piece, and the words for a check and for the answer to a check.
const BEHIND: &str = "楚漢將帥士車包砲馬象卒兵초한장궁왕사차포마상졸병장군멍軍";

/// Returns whether `text` seems to be in this format.
pub fn is_gib(text: &str) -> bool {
    // In this format, the names of headers are Korean; in other formats, only values can be.
    let head = |line: &str| {
        let name = line.strip_prefix('[').and_then(|rest| rest.split_once(" \""));
        name.is_some_and(|(name, _)| name.contains(|c| ('가'..='힣').contains(&c)))
    };
    text.contains(PASS)
        || lines(text).take(50).any(|line| {
            let line = line.text.trim_start();
            head(line) || words(line).any(is_move)
        })
}

fn is_move(word: &str) -> bool {
    split_move(word).is_some_and(|mv| PIECES.contains(mv.piece))
}

/// The words of a line, without leading move numbers such as `12.`.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_ascii_whitespace().map(behind_number)
}

/// A word without the leading move number.
fn behind_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix('.').unwrap_or(word)
}

/// A move such as `79卒78兵`.
struct Spelled<'a> {
    from: usize,
    to: usize,
    piece: char,
    /// The captured piece and the words for a check.
    behind: &'a str,
    /// The rest of the word.
    rest: &'a str,
}

/// Splits a move into its parts.
fn split_move(word: &str) -> Option<Spelled<'_>> {
    let square = |bytes: &[u8]| {
        let (rank, file) = (bytes[0].checked_sub(b'0')?, bytes[1].checked_sub(b'0')?);
        let on_board = rank <= 9 && (1..=9).contains(&file);
        let rank = if rank == 0 { RANKS } else { rank.into() };
        on_board.then(|| (9 - usize::from(file)) * RANKS + rank - 1)
    };
    let bytes = word.as_bytes();
    let (from, rest) = (square(bytes.get(..2)?)?, word.get(2..)?);
    let digits = rest.find(|c: char| c.is_ascii_digit())?;
    let piece = rest[..digits].chars().last()?;
    if !rest[..digits].chars().all(|c| PIECES.contains(c)) || rest[..digits].chars().count() > 3 {
        return None;
    }
    let to = square(rest.as_bytes().get(digits..digits + 2)?)?;
    let after = &rest[digits + 2..];
    let (behind, rest) = after.split_at(after.find(|c| !BEHIND.contains(c)).unwrap_or(after.len()));
    Some(Spelled { from, to, piece, behind, rest })
}

/// The captured piece in the characters that follow a move; the words for a check are ignored.
fn captured(behind: &str) -> Option<char> {
    let calls = ["장군", "멍군", "將軍", "멍軍", "장", "멍"];
    let behind = calls.iter().fold(behind, |rest, call| rest.strip_suffix(call).unwrap_or(rest));
    behind.chars().next().filter(|&c| PIECES.contains(c))
}

/// Characters that separate moves.
const SEPARATORS: &str = ",;/-·，、";

/// Reads one or more games. An error rejects only the game in which it occurs.
pub(super) fn read(source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
    let mut out = Vec::new();
    let mut game = Draft::default();
    let mut in_comment = false;
    source.ignore(SEPARATORS);
    for line in source.lines() {
        let text = trim(line.text);
        if text.is_empty() {
            continue;
        }
        if in_comment || text.starts_with('{') {
            let text = text.strip_prefix('{').filter(|_| !in_comment).unwrap_or(text);
            let (comment, after) = text.split_once('}').unwrap_or((text, ""));
            in_comment = comment.len() == text.len();
            game.comment(comment.trim());
            source.claim_until(&line, if in_comment { &text[text.len()..] } else { after });
        } else if let Some(header) = text.strip_prefix('[') {
            // The result may follow the moves.
            let result = header.trim_start().starts_with(Headers::RESULT);
            if game.begun && !(result && game.headers.get(Headers::RESULT).is_none()) {
                out.push(std::mem::take(&mut game).finish(source));
            }
            let error = game.header(&line, header, source).err();
            game.failed = game.failed.or(error);
        } else if game.failed.is_none() {
            game.failed = game.words(&line, text, source).err();
        } else {
            game.begun = true;
            source.claim(line.text);
        }
    }
    if out.is_empty()
        || !game.moves.is_empty()
        || game.headers.iter().next().is_some()
        || game.failed.is_some()
    {
        out.push(game.finish(source));
    }
    out
}

struct Played<'a> {
    line: Line<'a>,
    word: &'a str,
    /// The names of the piece and of the captured piece, if they are given.
    names: (Option<char>, Option<char>),
    /// Origin and destination; `None` for a pass.
    squares: Option<(usize, usize)>,
}

impl Played<'_> {
    /// Returns whether a piece moves.
    fn is_move(&self) -> bool {
        self.squares.is_some_and(|(from, to)| from != to)
    }
}

#[derive(Default)]
struct Draft<'a> {
    headers: Headers,
    /// The set-ups of black and white, in the order in which the header lists the pieces.
    setups: [Option<String>; 2],
    moves: Vec<Played<'a>>,
    /// Comments, with the number of moves before them.
    comments: Vec<(usize, String)>,
    /// The number of moves that the header states, with its line.
    count: Option<(usize, Line<'a>)>,
    /// Whether the moves have begun.
    begun: bool,
    /// The error for which the game is rejected, if any.
    failed: Option<RecordError>,
}

impl<'a> Draft<'a> {
    fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.comments.push((self.moves.len(), text.into()));
        }
    }

    fn header(&mut self, line: &Line<'a>, text: &'a str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let wrong = || line.error_at(text, "expected [name \"value\"]");
        let (name, rest) = text.split_once('"').ok_or_else(wrong)?;
        let (value, after) = rest.rsplit_once('"').unwrap_or((rest.trim_end_matches(']'), ""));
        let (value, name) = (value.trim(), name.trim());
        source.claim_until(line, trim_start(after).trim_start_matches(']'));
        if let Some(side) = SETUPS.iter().position(|names| names.contains(&name)) {
            let letter = |c: char| WINGS.iter().find(|(known, _)| *known == c).map(|wing| wing.1);
            let letters: Option<String> = value.chars().filter(|c| !c.is_whitespace()).map(letter).collect();
            let letters = letters.filter(|letters| {
                letters.len() == 4 && [&letters[..2], &letters[2..]].iter().all(|w| ["NB", "BN"].contains(w))
            });
            let problem =
                || line.error_at(rest, format!("expected a set-up such as 상마상마, found {}", clip(value)));
            let letters = letters.ok_or_else(problem)?;
            match &self.setups[side] {
                Some(before) if *before != letters => {
                    source.warn(line, rest, "this side already has a different set-up: ignored");
                }
                _ => self.setups[side] = Some(letters),
            }
        } else if name == COUNT {
            match value.trim_end_matches('수').trim().parse() {
                Ok(count) => self.count = Some((count, *line)),
                Err(_) if value.is_empty() => {}
                Err(_) => {
                    source.warn(line, rest, format!("expected the number of moves, found {}", clip(value)));
                }
            }
        } else if !value.is_empty() {
            let known = HEADERS.iter().find(|(known, _)| *known == name);
            let name = known.map_or(name, |known| known.1);
            match self.headers.get(name) {
                Some(before) if before != value => {
                    let problem = format!("{name} is already set to {}: ignored", clip(before));
                    source.warn(line, rest, problem);
                }
                _ => self.headers.set(name, value),
            }
        }
        Ok(())
    }

    fn words(&mut self, line: &Line<'a>, text: &'a str, source: &mut Source<'_>) -> Result<(), RecordError> {
        self.begun = true;
        for whole in text.split(|c: char| is_blank(c) || SEPARATORS.contains(c)) {
            let word = behind_number(whole);
            let number = &whole[..whole.len() - word.len()];
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let number = if is_number { whole } else { number };
            source.claim(number);
            self.check_number(line, number, source);
            if word.is_empty() || is_number {
                continue;
            }
            if let Some(after) = word.strip_prefix(PASS) {
                source.claim(&word[..word.len() - after.len()]);
                self.moves.push(Played { line: *line, word, names: (None, None), squares: None });
            } else if let Some(Spelled { from, to, piece, behind, rest }) = split_move(word) {
                source.claim(&word[..word.len() - rest.len()]);
                let names = (Some(piece), captured(behind));
                self.moves.push(Played { line: *line, word, names, squares: Some((from, to)) });
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(
                    line.error_at(word, format!("expected a move such as 79卒78, found {}", clip(word)))
                );
            }
        }
        Ok(())
    }

    /// Adds a warning if the number before a move, such as `12.`, is not the number of the next move.
    fn check_number(&self, line: &Line<'a>, text: &str, source: &mut Source<'_>) {
        let expected = self.moves.len() + 1;
        if let Ok(number) = text.trim_end_matches('.').parse::<usize>()
            && number != expected
        {
            source.warn(line, text, format!("expected move {expected}, found {number}"));
        }
    }

    /// Returns the record. Some programs write white's set-up from the left of the diagram, others from white's left;
    /// the interpretation with more legal moves is used.
    fn finish(mut self, source: &mut Source<'_>) -> Result<Record, RecordError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if let Some((count, line)) = self.count.filter(|(count, _)| *count != self.moves.len()) {
            let problem = format!("the record states {count} moves but has {}", self.moves.len());
            source.warn(&line, line.text, problem);
        }
        for (side, names) in self.setups.iter().zip(SETUPS) {
            if let (None, Some(Played { line, .. })) = (side, self.moves.first()) {
                source.warn(line, line.text, format!("{} is missing: {ASSUMED_NAME} is assumed", names[0]));
            }
        }
        let white = self.setups[1].as_deref().unwrap_or(ASSUMED);
        let turned: String = white.chars().rev().collect();
        let first = self.follow(white);
        let (mut record, error, doubts) = match first {
            (record, Some(error), doubts) if turned != white => {
                let second = self.follow(&turned);
                if second.0.tree.len() > record.tree.len() { second } else { (record, Some(error), doubts) }
            }
            first => first,
        };
        doubts.into_iter().for_each(|doubt| source.warn_of(doubt));
        let Some(error) = error else { return Ok(record) };
        // An illegal last move ends the game.
        let made = record.moves().len();
        let last = self.moves.last().filter(|_| made + 1 == self.moves.len());
        let Some(Played { line, word, squares: Some((from, to)), .. }) = last.filter(|last| last.is_move())
        else {
            return Err(error);
        };
        let offset = word.as_ptr() as usize - line.text.as_ptr() as usize;
        source.warn_of_move(line.number, offset, made + 1, word);
        let before = record.tree.main_line().last().copied().unwrap_or(record.tree.root());
        if let Some(node) = record.tree.add(before, Action::Move(Move::board(*from, *to))) {
            self.comment_at(&mut record.tree, made + 1, node);
            record.tree.add(node, Action::End(End::FoulWin));
        }
        Ok(record)
    }

    /// Plays the moves with this set-up of white. Returns the record, the error for the first illegal move, and
    /// warnings about the names of pieces.
    fn follow(&self, white: &str) -> (Record, Option<RecordError>, Vec<RecordError>) {
        let mut doubts = Vec::new();
        let black = self.setups[0].as_deref().unwrap_or(ASSUMED);
        let mut record = Record::new(GAME, Some(start(black, white)));
        if record.start.as_deref() == Some(janggi::START) {
            record.start = None;
        }
        record.headers = self.headers.clone();
        let mut pos = match AnyPosition::parse(GAME, record.start_sfen()) {
            Ok(pos) => pos,
            Err(error) => {
                let error = RecordError { line: 1, column: 1, problem: error.to_string() };
                return (record, Some(error), doubts);
            }
        };
        let mut node = record.tree.root();
        self.comment_at(&mut record.tree, 0, node);
        for (index, Played { line, word, names, squares }) in self.moves.iter().enumerate() {
            let mv = match squares {
                Some((from, to)) if from != to => {
                    Some(Move::board(*from, *to)).filter(|&mv| pos.is_legal(mv))
                }
                _ => pos.parse_usi("pass"),
            };
            let Some(mv) = mv else {
                let error = line.error_at(word, format!("{}: this move is impossible here", clip(word)));
                return (record, Some(error), doubts);
            };
            if let Some((from, to)) = squares.filter(|(from, to)| from != to) {
                let sfen = pos.sfen();
                let differs = |name: Option<char>, square| {
                    let found = piece_letter(&sfen, square).map(|letter| letter.to_ascii_uppercase());
                    name.is_some_and(|name| letter_of(name) != found)
                };
                if differs(names.0, from) || differs(names.1, to) {
                    doubts.push(line.error_at(word, "the record and the board disagree on the piece"));
                }
            }
            pos.play(mv);
            let Some(next) = record.tree.add(node, Action::Move(mv)) else {
                let error = line.error_at(word, format!("more than {} moves", Tree::MOST));
                return (record, Some(error), doubts);
            };
            node = next;
            self.comment_at(&mut record.tree, index + 1, node);
        }
        (record, None, doubts)
    }

    fn comment_at(&self, tree: &mut Tree, moves: usize, node: NodeId) {
        for (_, text) in self.comments.iter().filter(|(at, _)| *at == moves) {
            tree.add_comment(node, text);
        }
    }
}

/// SFEN of the start position with these set-ups, each from the left of the diagram.
fn start(black: &str, white: &str) -> String {
    let row = |wings: &str| format!("R{}A1A{}R", &wings[..2], &wings[2..]);
    let (black, white) = (row(black), row(white).to_ascii_lowercase());
    format!("{white}/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/{black} b - 1")
}

pub(super) fn write(record: &Record) -> Result<String, WriteError> {
    let sfen = record.start.as_deref().unwrap_or(janggi::START);
    let mut pos = AnyPosition::parse(GAME, record.start_sfen())?;
    let ranks: Vec<&str> = sfen.split(' ').next().unwrap_or_default().split('/').collect();
    let setup = |row: Option<&&str>| {
        let row = row?.to_ascii_uppercase();
        let wings = format!("{}{}", row.get(1..3)?, row.get(6..8)?);
        let korean = |c: char| WINGS.iter().find(|(_, letter)| *letter == c).map(|wing| wing.0);
        wings.chars().map(korean).collect::<Option<String>>().map(|text| (text, wings))
    };
    let none = || WriteError::Start("gib can represent only standard set-ups".into());
    let (black, black_wings) = setup(ranks.last()).ok_or_else(none)?;
    let (white, white_wings) = setup(ranks.first()).ok_or_else(none)?;
    if sfen != start(&black_wings, &white_wings) {
        return Err(none());
    }
    let moves = record.moves();
    let mut out = String::new();
    for (name, value) in record.headers.iter() {
        let known = HEADERS.iter().find(|(_, known)| *known == name);
        let _ = writeln!(
            out,
            "[{} \"{}\"]",
            known.map_or(name, |known| known.0),
            value.replace(['\n', '\r'], " ")
        );
    }
    let _ = writeln!(out, "[초차림 \"{black}\"]\n[한차림 \"{white}\"]\n[{COUNT} \"{}\"]", moves.len());
    if record.headers.get(Headers::RESULT).is_none() {
        let result = match record.outcome() {
            Outcome::Win(Color::Black) => "초 승",
            Outcome::Win(Color::White) => "한 승",
            Outcome::Draw => "무승부",
            Outcome::Unknown => "",
        };
        if !result.is_empty() {
            let _ = writeln!(out, "[{} \"{result}\"]", Headers::RESULT);
        }
    }
    out.push('\n');
    let count = moves.len();
    let mut column = comment(&mut out, record, record.tree.root(), 0);
    for (index, (node, mv)) in record.tree.main_line().into_iter().zip(moves).enumerate() {
        if column > 0 {
            out.push(if column == 6 { '\n' } else { ' ' });
        }
        column = column % 6 + 1;
        let _ = write!(out, "{}. {}", index + 1, move_text(&pos, mv));
        if !pos.is_legal(mv) {
            // An illegal move ends the game.
            if index + 1 == count && !mv.is_pass() {
                column = comment(&mut out, record, node, column);
                break;
            }
            let problem = "expected a legal move".into();
            return Err(WriteError::Move { number: index + 1, problem });
        }
        pos.play(mv);
        column = comment(&mut out, record, node, column);
    }
    if column > 0 {
        out.push('\n');
    }
    Ok(out)
}

/// A move in this format: `79卒78`.
pub fn move_text(pos: &AnyPosition, mv: Move) -> String {
    if mv.is_pass() {
        return PASS.into();
    }
    let square = |square: usize| format!("{}{}", (square % RANKS + 1) % 10, 9 - square / RANKS);
    let side = pos.side();
    let sfen = pos.sfen();
    let letter = piece_letter(&sfen, mv.from()).unwrap_or('P').to_ascii_uppercase();
    let name = NAMES.iter().find(|(known, _)| *known == letter).map_or('卒', |names| names.1[side.index()]);
    format!("{}{name}{}", square(mv.from()), square(mv.to()))
}

/// The letter on a square of an SFEN.
fn piece_letter(sfen: &str, square: usize) -> Option<char> {
    let row = sfen.split('/').nth(square % RANKS)?;
    let (mut column, wanted) = (0, 8 - square / RANKS);
    for c in row.chars() {
        match c.to_digit(10) {
            Some(gap) => column += gap as usize,
            None if column == wanted => return Some(c),
            None => column += 1,
        }
    }
    None
}

/// Writes a comment in braces on separate lines; returns the next column.
fn comment(out: &mut String, record: &Record, node: NodeId, column: usize) -> usize {
    let text = record.tree.comment(node);
    if text.is_empty() {
        return column;
    }
    if column > 0 {
        out.push('\n');
    }
    for line in text.split('\n') {
        let _ = writeln!(out, "{{{line}}}");
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Record>, RecordError> {
        super::read(&mut Source::new(text)).into_iter().collect()
    }

    const GAME: &str = "[초차림 \"상마상마\"]\n[한차림 \"마상상마\"]\n[대국결과 \"초 불계승\"]\n\n\
        1. 79卒78 2. 41兵42 3. 75졸74 4. 47漢兵46\n{좋은 수}\n5. 한수쉼 6. 한수쉼\n";

    #[test]
    fn moves_passes_and_setups() {
        let records = read(GAME).expect("a game");
        let record = &records[0];
        let usi: Vec<String> = record.moves().into_iter().map(janggi::Position::usi).collect();
        assert_eq!(usi[..4], ["1g2g", "9d8d", "5g6g", "3d4d"]);
        assert_eq!((usi.len(), &usi[4][..2]), (6, &usi[4][2..]));
        assert_eq!(record.start.as_deref().map(|sfen| &sfen[..9]), Some("rnba1abnr"));
        assert_eq!(record.outcome(), Outcome::Win(Color::Black));
        let line = record.tree.main_line();
        assert_eq!(record.tree.comment(line[3]), "좋은 수");
        let text = write(record).expect("a game from the start");
        assert_eq!(read(&text).expect("the written game"), records);
    }

    #[test]
    fn the_white_setup_is_the_one_that_fits() {
        // The horse on the third file from the left moves, so white's set-up is given from white's side.
        let text = "[초차림 \"마상상마\"]\n[한차림 \"마상마상\"]\n1. 79卒78 2. 13馬34\n";
        let records = read(text).expect("a game");
        assert_eq!(records[0].moves().len(), 2);
        let error = read("[초차림 \"마상상마\"]\n1. 79卒78 2. 13馬35 3. 78卒68\n");
        let error = error.expect_err("no horse can move there");
        assert_eq!((error.line, error.column), (2, 13));
        assert!(read("[초차림 \"마마마마\"]\n").is_err());
    }

    #[test]
    fn every_move_of_a_word_is_read() {
        let head = "[초차림 \"마상마상\"]\n[한차림 \"상마상마\"]\n";
        let told = |text: &str| {
            let text = format!("{head}{text}");
            let mut source = Source::new(&text);
            let games = super::read(&mut source);
            let moves = games[0].as_ref().map(|record| record.moves().len()).unwrap_or_default();
            (moves, source.finish().iter().map(|warning| warning.problem.clone()).collect::<Vec<_>>())
        };
        for text in ["1. 79졸78,41병42,71졸72", "79졸78/2.41병42 3.71졸72", "79졸78-41병42 71졸72"] {
            assert_eq!(told(text), (3, vec![]), "{text}");
        }
        assert_eq!(told("1. 79졸78(0:03)"), (1, vec!["unexpected text: (0:03)".to_string()]));
    }

    #[test]
    fn a_missing_setup_is_reported_and_a_wrong_one_rejects_its_game() {
        let games = read("[초차림 \"마마상상\"]\n[한차림 \"마상상마\"]\n1. 79卒78\n");
        assert!(games.is_err_and(|error| error.line == 1));
        let mut source = Source::new("1. 79卒78\n");
        super::read(&mut source);
        assert_eq!(source.finish().len(), 2);
        let records =
            read(&format!("{}[대국결과 \"한 승\"]\n", GAME.replace("[대국결과 \"초 불계승\"]\n", "")));
        let records = records.expect("one game");
        assert_eq!((records.len(), records[0].outcome()), (1, Outcome::Win(Color::White)));
    }
}
