//! The Korean format for Janggi records (`.gib`).
//!
//! A square is two digits: the rank from Han's side (1 to 9, 0 for the tenth) and the file from the left. A move is the
//! origin, the piece and the destination: `79卒78`. A pass is `한수쉼`. Handicap games have a diagram in the header `판`.

mod board;

use super::encoding::Encoding;
use super::end::{End, Outcome};
use super::error::{RecordError, WriteError};
use super::format::{Family, FormatInfo, Sign};
use super::holds::Holds;
use super::source::{Line, Source, clip, is_blank, lines, trim, trim_start};
use super::tree::{Action, Headers, NodeId, Record, Tree};
use board::{Diagram, RANKS, diagram, letter_of, piece_letter};
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
/// The header with the diagram of the start position.
const BOARD: &str = "판";
/// The set-ups of horses and elephants, from the left.
const WINGSETS: [&str; 4] = ["NBBN", "BNNB", "NBNB", "BNBN"];
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

/// Characters that may follow a move: the captured piece, and the words for a check and for the answer to a check.
const BEHIND: &str = "楚漢將帥士車包砲馬象卒兵초한장궁왕사차포마상졸병장군멍軍";

static FAMILY: Family = Family {
    text: |text| is_gib(text).then_some(Sign::Strong),
    first: |byte| byte == b'[',
    begins: |line, _| is_header(line.trim_ascii_start()),
    at_once: false,
    braces: true,
    followed: true,
    read: |source, request| request.finish(read(source)),
};

pub(super) static GIB: FormatInfo = FormatInfo {
    names: &[("gib", Encoding::Cp949)],
    extensions: &[],
    suits: |game| matches!(game, VariantId::Janggi | VariantId::JanggiCasual),
    holds: Holds::MOVES.union(Holds::COMMENTS).union(Holds::HEADERS).union(Holds::ALL_HEADERS),
    holds_header: |_, _| true,
    loses: |_| Holds::empty(),
    between: None,
    streams: true,
    line: |_| None,
    family: &FAMILY,
    write: |record, _| write(record),
};

fn is_gib(text: &str) -> bool {
    text.contains(PASS)
        || lines(text).take(50).any(|line| {
            let line = line.text.trim_start();
            is_header(line) || words(line).any(is_move)
        })
}

/// Returns whether a line is a header. In this format, the names of headers are Korean; in other formats, only values can
/// be.
fn is_header(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| rest.split_once(" \""));
    name.is_some_and(|(name, _)| name.contains(|c| ('가'..='힣').contains(&c)))
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

struct Spelled<'a> {
    from: usize,
    to: usize,
    piece: char,
    /// The captured piece and the words for a check.
    behind: &'a str,
    /// The rest of the word.
    rest: &'a str,
}

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
fn read(source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
    let mut out = Vec::new();
    let mut game = Draft::default();
    // The comment in braces that has begun but not ended.
    let mut open: Option<String> = None;
    source.ignore(SEPARATORS);
    for line in source.lines() {
        let text = trim(line.text);
        if text.starts_with('[') && open.is_none() {
            let header = &text[1..];
            // The result may follow the moves.
            let result = header.trim_start().starts_with(Headers::RESULT);
            if game.begun && !(result && game.headers.get(Headers::RESULT).is_none()) {
                out.push(std::mem::take(&mut game).finish(source));
            }
            let error = game.header(&line, header, source).err();
            game.failed = game.failed.or(error);
            continue;
        }
        let mut rest = text;
        loop {
            if let Some(comment) = &mut open {
                let end = rest.find('}');
                comment.push_str(rest[..end.unwrap_or(rest.len())].trim());
                let after = end.map_or("", |end| &rest[end + 1..]);
                source.claim(&rest[..rest.len() - after.len()]);
                match end {
                    Some(_) => game.comment(&open.take().unwrap_or_default()),
                    None => comment.push('\n'),
                }
                rest = after;
            }
            let (words, comment) =
                rest.split_once('{').map_or((rest, None), |(words, rest)| (words, Some(rest)));
            if game.failed.is_none() && !words.trim().is_empty() {
                game.failed = game.words(&line, words, source).err();
            }
            if game.failed.is_some() {
                game.begun = true;
                source.claim(line.text);
            }
            let Some(comment) = comment else { break };
            source.claim(&rest[words.len()..=words.len()]);
            open = Some(String::new());
            rest = comment;
        }
    }
    if let Some(comment) = open {
        let end = source.end();
        source.warn(&end, end.text, "expected } at the end of a comment");
        game.comment(comment.trim_end());
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
    fn is_move(&self) -> bool {
        self.squares.is_some_and(|(from, to)| from != to)
    }
}

/// A record, the error for the first illegal move, and warnings about the names of pieces.
type Reading = (Record, Option<RecordError>, Vec<RecordError>);

/// The reading with more moves and, among equals, fewer warnings; the first of two equal ones.
fn better(first: Reading, second: Reading) -> Reading {
    let rank = |reading: &Reading| (reading.0.tree.len(), std::cmp::Reverse(reading.2.len()));
    if rank(&second) > rank(&first) { second } else { first }
}

#[derive(Default)]
struct Draft<'a> {
    headers: Headers,
    /// The set-ups of black and white, in the order in which the header lists the pieces.
    setups: [Option<String>; 2],
    /// The diagram of the start position.
    board: Option<Diagram<'a>>,
    moves: Vec<Played<'a>>,
    /// Comments, with the number of moves before them.
    comments: Vec<(usize, String)>,
    /// The number of moves that the header states, with its line.
    count: Option<(usize, Line<'a>)>,
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
                    return Err(line.error_at(rest, "this side already has a different set-up"));
                }
                _ => self.setups[side] = Some(letters),
            }
        } else if name == BOARD && !value.is_empty() {
            let board = Diagram::read(line, value)?;
            if self
                .board
                .as_ref()
                .is_some_and(|before| (&before.rows, before.side) != (&board.rows, board.side))
            {
                return Err(line.error_at(rest, "the game already has a different board"));
            }
            self.board = Some(board);
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
            } else if word.starts_with(|c: char| c.is_ascii_digit())
                || word.contains(|c| PIECES.contains(c)) && word.contains(char::is_numeric)
            {
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
        let (mut record, error, doubts) = self.played(source)?;
        doubts.into_iter().for_each(|doubt| source.warn_of(doubt));
        let Some(error) = error else { return Ok(record) };
        if record.start_position().is_err() {
            return Err(error);
        }
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

    /// Plays the moves from the start position that the headers state.
    ///
    /// # Errors
    /// The start position is unknown, or the headers contradict each other.
    fn played(&self, source: &mut Source<'_>) -> Result<Reading, RecordError> {
        let [black, white] = &self.setups;
        let turned = |wings: &String| wings.chars().rev().collect::<String>();
        if let Some(board) = &self.board {
            let first = self.moves.first().and_then(|first| first.squares).map(|squares| squares.0);
            let [han_above, cho_above] = [false, true].map(|cho_above| board.sfen(cho_above, first));
            let read = match (han_above, cho_above) {
                (Err(_), Ok(sfen)) => self.follow(sfen),
                (han_above, cho_above) => {
                    let first = self.follow(han_above?);
                    match cho_above {
                        Ok(sfen) if first.1.is_some() || !first.2.is_empty() => {
                            better(first, self.follow(sfen))
                        }
                        _ => first,
                    }
                }
            };
            let sfen = read.0.start_sfen();
            let rank = |row: usize| sfen.split(['/', ' ']).nth(row).unwrap_or_default();
            let fits = |wings: &String, row: usize| back_rank(wings).eq_ignore_ascii_case(rank(row));
            let same = black.as_ref().is_none_or(|wings| fits(wings, RANKS - 1))
                && white.as_ref().is_none_or(|wings| fits(wings, 0) || fits(&turned(wings), 0));
            return if same { Ok(read) } else { Err(board.error("the board and the set-ups differ")) };
        }
        if let (Some(black), Some(white)) = (black, white) {
            let first = self.follow(start(black, white));
            if first.1.is_none() || turned(white) == *white {
                return Ok(first);
            }
            return Ok(better(first, self.follow(start(black, &turned(white)))));
        }
        // The moves may determine the set-up.
        let all = |known: &Option<String>| match known {
            Some(wings) => vec![wings.clone(), turned(wings)],
            None => WINGSETS.map(String::from).to_vec(),
        };
        let of_black = black.clone().map_or_else(|| all(&None), |wings| vec![wings]);
        let mut starts: Vec<String> = of_black
            .iter()
            .flat_map(|black| all(white).into_iter().map(|white| start(black, &white)))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let mut fitting: Vec<Reading> = starts
            .into_iter()
            .map(|start| self.follow(start))
            .filter(|(_, error, doubts)| error.is_none() && doubts.is_empty())
            .collect();
        let lacking = SETUPS[usize::from(black.is_some())][0];
        let line = self.moves.first().map_or_else(|| source.end(), |first| first.line);
        match fitting.pop().filter(|_| fitting.is_empty()) {
            Some(only) => {
                source.warn(&line, line.text, format!("{lacking} is missing: the moves determine it"));
                Ok(only)
            }
            None => {
                Err(line.error_at(line.text, format!("{lacking} is missing: the start position is unknown")))
            }
        }
    }

    /// Plays the moves from this start position. Returns the record, the error for the first illegal move, and
    /// warnings about the names of pieces.
    fn follow(&self, start: String) -> Reading {
        let mut doubts = Vec::new();
        let mut record = Record::new(GAME, Some(start));
        if record.start.as_deref() == Some(janggi::START) {
            record.start = None;
        }
        record.headers = self.headers.clone();
        let mut pos = match AnyPosition::parse(GAME, record.start_sfen()) {
            Ok(pos) => pos,
            Err(error) => {
                let place = RecordError { line: 1, column: 1, problem: error.to_string() };
                let error = self.board.as_ref().map_or(place, |board| board.error(error.to_string()));
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
    let (black, white) = (back_rank(black), back_rank(white).to_ascii_lowercase());
    format!("{white}/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/{black} b - 1")
}

/// The rank behind the general, with this set-up.
fn back_rank(wings: &str) -> String {
    format!("R{}A1A{}R", &wings[..2], &wings[2..])
}

fn write(record: &Record) -> Result<String, WriteError> {
    let sfen = record.start.as_deref().unwrap_or(janggi::START);
    let mut pos = AnyPosition::parse(GAME, record.start_sfen())?;
    let ranks: Vec<&str> = sfen.split(' ').next().unwrap_or_default().split('/').collect();
    let setup = |row: Option<&&str>| {
        let row = row?.to_ascii_uppercase();
        let wings = format!("{}{}", row.get(1..3)?, row.get(6..8)?);
        let korean = |c: char| WINGS.iter().find(|(_, letter)| *letter == c).map(|wing| wing.0);
        wings.chars().map(korean).collect::<Option<String>>().map(|text| (text, wings))
    };
    let setups = setup(ranks.last()).zip(setup(ranks.first()));
    let setups = setups.filter(|((_, black), (_, white))| sfen == start(black, white));
    let head = match setups {
        Some(((black, _), (white, _))) => format!("[초차림 \"{black}\"]\n[한차림 \"{white}\"]\n"),
        None => format!("[{BOARD} \"{}\"]\n", diagram(sfen)),
    };
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
    let _ = writeln!(out, "{head}[{COUNT} \"{}\"]", moves.len());
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

/// Writes a comment in braces on separate lines; returns the next column.
fn comment(out: &mut String, record: &Record, node: NodeId, column: usize) -> usize {
    let text = record.tree.comment(node);
    if text.is_empty() {
        return column;
    }
    if column > 0 {
        out.push('\n');
    }
    // A closing brace would end the comment.
    let _ = writeln!(out, "{{{}}}", text.replace('}', "｝"));
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
        let error = read("[초차림 \"마상상마\"]\n[한차림 \"마상상마\"]\n1. 79卒78 2. 13馬35 3. 78卒68\n");
        let error = error.expect_err("no horse can move there");
        assert_eq!((error.line, error.column), (3, 13));
        assert!(read("[초차림 \"마마마마\"]\n").is_err());
    }

    /// The sides of boards can be recognised by the moves.
    #[test]
    fn boards_are_read_and_written() {
        let board =
            "차마상사1사1상차/4장/1포4마포/졸1졸1졸1졸졸///兵1兵1兵1兵1兵/1包4馬包/4將/車馬象士1士象1車";
        let start = |text: &str| read(text).map(|records| records[0].start.clone().unwrap_or_default());
        let han_above = "rnba1a1br/4k4/1c4nc1/p1p1p1pp1/9/9/P1P1P1P1P/1C4NC1/4K4/RNBA1AB1R";
        let text = format!("[판 \"{board} 초 접장기\"]\n\n1. 71楚兵72 2. 41漢졸42\n");
        assert_eq!(start(&text), Ok(format!("{han_above} b - 1")));
        let back = write(&read(&text).expect("a game")[0]).expect("a board");
        assert_eq!(read(&back), read(&text), "{back}");
        let cho_above = "rnba1ab1r/4k4/1c4nc1/p1p1p1p1p/9/9/P1P1P1PP1/1C4NC1/4K4/RNBA1A1BR";
        let text = format!("[판 \"{board} 한 접장기\"]\n\n1. 49漢兵48 2. 71楚卒72\n");
        assert_eq!(start(&text), Ok(format!("{cho_above} w - 1")));
        let text = format!("[판 \"{board}\"]\n\n1. 49漢兵48 2. 71楚卒72\n");
        assert_eq!(start(&text), Ok(format!("{cho_above} w - 1")), "the first move");
        let text = format!("[판 \"{board}\"]\n");
        assert_eq!(start(&text).map_err(|error| error.column), Err(5), "the side to move is unknown");
        let place = |text: &str| read(text).map_err(|error| (error.line, error.column)).map(|_| ());
        let moves = "1. 71楚兵72\n";
        let with = |board: &str, side: &str| format!("[판 \"{board} {side}\"]\n{moves}");
        assert_eq!(place(&with(&board.replace("마상사1사", "마상사2사1"), "초")), Err((1, 13)));
        assert_eq!(place(&with(&board.replace("4장", "4x"), "초")), Err((1, 16)));
        assert_eq!(place(&with(&board.replace("///", "//"), "초")), Err((1, 62)));
        assert_eq!(place(&with(&board.replace("4장", ""), "초")), Err((1, 5)), "no general");
        let setup = "[초차림 \"마상상마\"]\n";
        assert_eq!(place(&format!("{setup}{}", with(board, "초"))), Err((2, 5)), "another set-up");
    }

    #[test]
    fn comments_may_share_a_line_with_moves() {
        let head = "[초차림 \"마상마상\"]\n[한차림 \"상마상마\"]\n";
        let text = format!("{head}1. 79졸78 {{good}} 2. 41병42 {{two\n\nlines}} 3. 71졸72\n");
        let mut source = Source::new(&text);
        let game = super::read(&mut source).remove(0).expect("a game");
        assert_eq!(source.finish(), []);
        let line = game.tree.main_line();
        assert_eq!([0, 1, 2].map(|at| game.tree.comment(line[at])), ["good", "two\n\nlines", ""]);
        let back = read(&write(&game).expect("a game")).expect("the written game");
        assert_eq!(back[0].tree.comment(back[0].tree.main_line()[1]), "two\n\nlines");
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
    fn a_missing_or_wrong_setup_rejects_its_game() {
        let games = read("[초차림 \"마마상상\"]\n[한차림 \"마상상마\"]\n1. 79卒78\n");
        assert!(games.is_err_and(|error| error.line == 1));
        let error = read("1. 79卒78\n").expect_err("no start position");
        assert_eq!((error.line, &error.problem[..]), (1, "초차림 is missing: the start position is unknown"));
        let error = read("[초차림 \"마상상마\"]\n[초차림 \"상마상마\"]\n[한차림 \"마상상마\"]\n1. 79卒78\n");
        assert!(error.is_err_and(|error| error.line == 2));
        // Only one set-up of white allows these moves.
        let moves = "1. 79卒78 2. 12馬33 3. 78卒79 4. 17馬36\n";
        let records = read(&format!("[초차림 \"마상상마\"]\n{moves}")).expect("a game");
        assert!(records[0].start.as_deref().is_some_and(|sfen| sfen.starts_with("rnba1anbr/")));
        let records =
            read(&format!("{}[대국결과 \"한 승\"]\n", GAME.replace("[대국결과 \"초 불계승\"]\n", "")));
        let records = records.expect("one game");
        assert_eq!((records.len(), records[0].outcome()), (1, Outcome::Win(Color::White)));
    }
}
