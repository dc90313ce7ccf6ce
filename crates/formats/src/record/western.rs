//! Western notation, in both families: `P2g-2f`, `Gx5g`, `G'5f`, `+R2a`, `R2b=` and `S-3e`, `L*5e`, `N-2c=`.
//!
//! The piece comes first, then, where it is needed, the square it comes from, then the destination. Numbers count
//! pairs of moves or single ones and may stand in any order, as in tables with columns. Headers are written
//! `[Name "value"]`, comments `{so}`, variations `(so)`, ends in words (`resigns`).

use super::board::Board;
use super::end::End;
use super::error::{Line, RecordError, WriteError, clip};
use super::line::Walk;
use super::tree::{Action, Headers, NodeId, Record};
use super::western_move::{Family, Written, move_text};
use super::{lost, repair};
use sanban_rules::Move;
use std::fmt::Write as _;

/// English names of headers.
const HEADERS: [(&str, &str); 9] = [
    ("Black", Headers::BLACK),
    ("White", Headers::WHITE),
    ("Event", Headers::EVENT),
    ("Site", Headers::SITE),
    ("Started", Headers::STARTED),
    ("Ended", Headers::ENDED),
    ("TimeControl", Headers::TIME),
    ("Opening", Headers::OPENING),
    ("Note", Headers::NOTE),
];
/// The header with the start position.
const START: &str = "SFEN";

/// A piece of the text, with its line.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub line: Line<'a>,
    /// Where it begins in the line, in bytes.
    pub at: usize,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Header(String, String),
    Comment(String),
    Open,
    Close,
    /// `12.`
    Number(usize),
    /// `#3`
    Game,
    /// A move or an end.
    Word(String),
}

impl Item<'_> {
    pub fn error(&self, problem: impl Into<String>) -> RecordError {
        self.line.error(self.at, problem)
    }

    /// `line 3, column 7`.
    pub fn place(&self) -> String {
        let error = self.error("");
        format!("line {}, column {}", error.line, error.column)
    }
}

/// Reads a text. What `repair` mends goes to `mends`.
pub(super) fn read(text: &str, repair: bool, mends: &mut Vec<String>) -> Result<Vec<Record>, RecordError> {
    let items = items(text)?;
    let mut out = Vec::new();
    for game in games(&items) {
        let ordered = in_order(game, repair, mends)?;
        let before = mends.len();
        let record = read_game(&ordered, repair, mends).or_else(|error| {
            mends.truncate(before);
            if repair { read_with_gaps(&ordered, error, mends) } else { Err(error) }
        });
        out.push(record?);
    }
    if out.is_empty() {
        let problem = "expected moves such as 1.P7g-7f".into();
        return Err(RecordError { line: 1, column: 1, problem });
    }
    Ok(out)
}

/// Cuts the text into its pieces.
fn items(text: &str) -> Result<Vec<Item<'_>>, RecordError> {
    let mut out = Vec::new();
    let mut all = super::error::lines(text);
    let (mut current, mut at) = (all.next(), 0);
    while let Some(line) = current {
        let rest = line.text[at..].trim_start();
        at = line.text.len() - rest.len();
        let begin = at;
        let what = match rest.as_bytes().first() {
            None => {
                (current, at) = (all.next(), 0);
                continue;
            }
            Some(b'[') => {
                let header = rest.find("\"]").and_then(|end| {
                    at += end + 2;
                    rest[1..end].split_once(" \"")
                });
                let (name, value) = header.ok_or_else(|| line.error(begin, "expected [Name \"value\"]"))?;
                What::Header(name.trim().into(), value.into())
            }
            Some(b'{') => {
                let (comment, last, after) = comment(line, &mut all, at)?;
                (current, at) = (Some(last), after);
                What::Comment(comment)
            }
            Some(bracket @ (b'(' | b')')) => {
                at += 1;
                if *bracket == b'(' { What::Open } else { What::Close }
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || "(){}[]".contains(c));
                let word = &rest[..end.filter(|&end| end > 0).unwrap_or(rest.len())];
                let (what, length) = word_of(word);
                at += length;
                match what {
                    Some(what) => what,
                    None => continue,
                }
            }
        };
        out.push(Item { line, at: begin, what });
    }
    Ok(out)
}

/// A comment from its brace on: its text, the line where it ends, and the place behind it.
fn comment<'a>(
    line: Line<'a>,
    all: &mut impl Iterator<Item = Line<'a>>,
    at: usize,
) -> Result<(String, Line<'a>, usize), RecordError> {
    let mut out = String::new();
    let (mut current, mut from) = (line, at + 1);
    loop {
        let mut escaped = false;
        for (offset, c) in current.text[from..].char_indices() {
            match c {
                '\\' if !escaped => escaped = true,
                '}' if !escaped => {
                    return Ok((out, current, from + offset + 1));
                }
                _ => {
                    out.push(c);
                    escaped = false;
                }
            }
        }
        out.push('\n');
        current = all.next().ok_or_else(|| line.error(at, "expected } at the end of a comment"))?;
        from = 0;
    }
}

/// What a word stands for, and its length in bytes; nothing for a full stop alone.
fn word_of(word: &str) -> (Option<What>, usize) {
    if let Some(number) = word.strip_prefix('#')
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return (Some(What::Game), word.len());
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && word[digits..].starts_with('.') {
        let length = word.len() - word[digits..].trim_start_matches('.').len();
        // `12...` only says where a line goes on.
        let goes_on = length > digits + 1;
        return (word[..digits].parse().ok().filter(|_| !goes_on).map(What::Number), length);
    }
    if word.bytes().all(|b| b == b'.') {
        return (None, word.len());
    }
    // `P2f.P2d` and `P2f,` are written, too.
    (Some(What::Word(word.trim_end_matches([',', ';']).into())), word.len())
}

/// The pieces of each game: `#` begins one, and so does a header behind moves.
fn games<'i, 'a>(items: &'i [Item<'a>]) -> Vec<&'i [Item<'a>]> {
    let mut cuts = vec![0];
    let mut moves = false;
    for (index, item) in items.iter().enumerate() {
        let header = matches!(item.what, What::Header(..));
        if item.what == What::Game || header && moves {
            cuts.push(index);
            moves = false;
        }
        moves |= matches!(item.what, What::Word(_) | What::Number(_));
    }
    cuts.push(items.len());
    let pieces = cuts.windows(2).map(|cut| &items[cut[0]..cut[1]]);
    pieces.filter(|game| game.iter().any(|item| item.what != What::Game)).collect()
}

/// The pieces by their numbers. Without variations these may stand in any order.
fn in_order<'a>(
    items: &[Item<'a>],
    repair: bool,
    mends: &mut Vec<String>,
) -> Result<Vec<Item<'a>>, RecordError> {
    if items.iter().any(|item| item.what == What::Open) {
        return Ok(items.to_vec());
    }
    // Everything from a number to the next belongs together.
    let mut groups: Vec<(usize, Vec<Item<'a>>)> = vec![(0, vec![])];
    for item in items {
        if let What::Number(number) = item.what {
            groups.push((number, vec![]));
        }
        if let Some(group) = groups.last_mut() {
            group.1.push(item.clone());
        }
    }
    groups.sort_by_key(|group| group.0);
    let mut out = Vec::new();
    let mut last: Option<(usize, Vec<String>)> = None;
    for (number, group) in groups {
        let words = |group: &[Item<'a>]| -> Vec<String> {
            let words = group.iter().filter_map(|item| match &item.what {
                What::Word(word) if !is_speck(word) => Some(word.clone()),
                _ => None,
            });
            words.collect()
        };
        let own = words(&group);
        if let Some((before, other)) = &last
            && *before == number
            && number > 0
            && let Some(first) = group.first()
        {
            if !repair {
                return Err(first.error(format!("expected number {}, found {number} again", number + 1)));
            }
            if repair::same_words(other, &own) {
                mends.push(format!("{}: number {number} stands here again: left out", first.place()));
                continue;
            }
            return Err(first.error(format!("number {number} stands here again with other moves")));
        }
        out.extend(group);
        last = Some((number, own));
    }
    Ok(out)
}

/// Reads a game of which numbers are lost with their moves; where there are none, it ends with the error that there was
/// without them.
fn read_with_gaps(
    items: &[Item<'_>],
    error: RecordError,
    mends: &mut Vec<String>,
) -> Result<Record, RecordError> {
    let rows = rows(items);
    let lost = lost::numbers(&rows);
    let Some(&first) = lost.first() else { return Err(error) };
    // Where a lost number would stand: at the next one.
    let place =
        |number: usize| items.iter().find(|item| matches!(item.what, What::Number(other) if other >= number));
    let filled = start_board(items).ok().and_then(|board| lost::fill(&board, &rows));
    let Some(filled) = filled else {
        let problem = format!(
            "the moves of number {} are lost, and what follows does not tell them",
            lost::list(&lost)
        );
        return Err(place(first).map_or(error, |item| item.error(problem)));
    };
    let mut out = items.to_vec();
    for row in filled {
        let Some(place) = place(row.number) else { continue };
        let words = row.words.join(" ");
        let (number, place) = (row.number, place.clone());
        mends.push(format!("{}: number {number} read as {words}: nothing else fits", place.place()));
        let mut at = out.iter().position(|item| matches!(item.what, What::Number(n) if n >= number));
        // What stands behind the number is read already.
        if let Some(begin) = at.filter(|&begin| out[begin].what == What::Number(number)) {
            let end = out[begin + 1..].iter().position(|item| matches!(item.what, What::Number(_)));
            let end = end.map_or(out.len(), |end| begin + 1 + end);
            let kept: Vec<Item<'_>> = out[begin + 1..end]
                .iter()
                .filter(|item| !matches!(item.what, What::Word(_)))
                .cloned()
                .collect();
            out.splice(begin..end, kept);
            at = Some(begin);
        }
        let whats = [What::Number(number)].into_iter().chain(row.words.into_iter().map(What::Word));
        let at = at.unwrap_or(out.len());
        out.splice(at..at, whats.map(|what| Item { what, ..place.clone() }));
    }
    read_game(&out, true, mends)
}

/// The numbers of a game with the moves behind them, as far as the first end.
fn rows<'a>(items: &'a [Item<'_>]) -> Vec<lost::Row<'a>> {
    let mut out: Vec<lost::Row<'a>> = vec![];
    for (index, item) in items.iter().enumerate() {
        match &item.what {
            What::Number(number) => out.push(lost::Row { number: *number, words: vec![] }),
            What::Word(word) if is_speck(word) => {}
            What::Word(word) if read_end(word, &items[index + 1..]).is_some() => break,
            What::Word(word) => {
                if let Some(row) = out.last_mut() {
                    row.words.push(word);
                }
            }
            What::Open => return vec![],
            _ => {}
        }
    }
    out
}

/// The position that a game starts from.
fn start_board(items: &[Item<'_>]) -> Result<Board, RecordError> {
    let start = items.iter().find_map(|item| match &item.what {
        What::Header(name, sfen) if name == START => Some((item, sfen.as_str())),
        _ => None,
    });
    Board::from_start(start.map(|(_, sfen)| sfen)).map_err(|problem| match start {
        Some((item, _)) => item.error(problem),
        None => RecordError { line: 1, column: 1, problem: problem.into() },
    })
}

/// Is it something that a scan has made of a line or a speck: no letter in it?
fn is_speck(word: &str) -> bool {
    !word.chars().any(char::is_alphabetic)
}

fn read_game(items: &[Item<'_>], repair: bool, mends: &mut Vec<String>) -> Result<Record, RecordError> {
    let mut headers = Headers::default();
    for item in items {
        if let What::Header(name, value) = &item.what
            && name != START
        {
            let known = HEADERS.iter().find(|(known, _)| known == name);
            headers.set(known.map_or(name, |known| known.1), value);
        }
    }
    let mut walk = Walk::new(start_board(items)?);
    walk.record.headers = headers;
    let mut numbers = Numbers::default();
    // Where the variations that are open began: the number of moves and the node to go back to.
    let mut open: Vec<(usize, NodeId)> = Vec::new();
    let mut over = false;
    for (index, item) in items.iter().enumerate() {
        match &item.what {
            What::Header(..) | What::Game => {}
            What::Comment(comment) => walk.record.tree.set_comment(walk.node, comment.clone()),
            What::Number(number) if open.is_empty() => {
                numbers.see(*number, walk.board.made(), item, repair, mends)?;
            }
            What::Number(_) => {}
            What::Open => {
                let end = walk.node;
                let ended = walk.ended();
                let made = walk.board.made();
                if made == 0 && !ended {
                    return Err(item.error("expected a move before a variation"));
                }
                open.push((made, end));
                if !walk.back_to(if ended { made } else { made - 1 }) {
                    return Err(item.error("expected a move before a variation"));
                }
            }
            What::Close => {
                let Some((made, node)) = open.pop() else { return Err(item.error("expected no )")) };
                go_to(&mut walk, made, node);
            }
            What::Word(word) if over && open.is_empty() => {
                return Err(item.error(format!("expected nothing behind the end, found {}", clip(word))));
            }
            What::Word(word) if repair && is_speck(word) => {
                mends.push(format!("{}: {} is no move: left out", item.place(), clip(word)));
            }
            What::Word(word) => {
                if let Some(end) = read_end(word, &items[index + 1..]) {
                    over = open.is_empty() && end.1;
                    walk.end(end.0, &item.line)?;
                    continue;
                }
                let mv = match read_move(&walk.board, word) {
                    Ok(mv) => mv,
                    Err(problem) if repair => match repair::mend(&walk.board, word) {
                        Some((mv, says)) => {
                            mends.push(format!("{}: {word} read as {says}", item.place()));
                            mv
                        }
                        None => return Err(item.error(problem)),
                    },
                    Err(problem) => return Err(item.error(problem)),
                };
                let rest = &item.line.text[item.at..];
                walk.play(mv, &item.line, rest)?;
            }
        }
    }
    match open.is_empty() {
        true => Ok(walk.record),
        false => {
            let last = items.last().map(|item| item.error("expected ) at the end of a variation"));
            Err(last.unwrap_or(RecordError { line: 1, column: 1, problem: "expected )".into() }))
        }
    }
}

/// Back to a node above or below: down the moves that lead to it.
fn go_to(walk: &mut Walk, made: usize, node: NodeId) {
    let tree = &walk.record.tree;
    let mut path = Vec::new();
    let mut up = Some(node);
    while let Some(at) = up {
        if tree.mv(at).is_some() {
            path.push(at);
        }
        // The variation has left the line at the last move.
        if path.len() == 1 {
            break;
        }
        up = tree.parent(at);
    }
    let below = made.saturating_sub(path.len());
    walk.back_to(below);
    for at in path.into_iter().rev() {
        if let Some(mv) = walk.record.tree.mv(at) {
            // It was made before.
            let _ = walk.board.play(mv);
        }
    }
    walk.node = node;
}

/// The end that a word tells: `resigns`, `<...>`, or as people write it, `white resign.`. The second part says whether
/// nothing may follow.
fn read_end(word: &str, rest: &[Item<'_>]) -> Option<(End, bool)> {
    if let Some(text) = word.strip_prefix('<') {
        return Some((End::Other(text.trim_end_matches('>').replace('_', " ").into()), true));
    }
    let bare = word.trim_end_matches(['.', '!']).to_ascii_lowercase();
    if let Some(end) = End::from_western(&bare) {
        return Some((end, true));
    }
    if matches!(bare.as_str(), "resign" | "resigned") {
        return Some((End::Resign, true));
    }
    // The side that resigns comes first; the word that follows is the end.
    let next = rest.first().and_then(|item| match &item.what {
        What::Word(next) => Some(next.to_ascii_lowercase()),
        _ => None,
    });
    let _ = next.filter(|next| matches!(bare.as_str(), "black" | "white") && next.starts_with("resign"))?;
    Some((End::Resign, false))
}

/// Do the numbers count pairs or single moves, and which comes next?
#[derive(Default)]
struct Numbers {
    last: Option<(usize, usize)>,
    single: Option<bool>,
    /// Numbers that the text leaves out.
    left_out: usize,
}

impl Numbers {
    /// Sees a number before move `made + 1`.
    fn see(
        &mut self,
        number: usize,
        made: usize,
        item: &Item<'_>,
        repair: bool,
        mends: &mut Vec<String>,
    ) -> Result<(), RecordError> {
        if let (Some((_, before)), None) = (self.last, self.single) {
            self.single = Some(made == before + 1);
        }
        let per = if self.single == Some(true) { 1 } else { 2 };
        let expected = made.div_ceil(per) + 1 + self.left_out;
        let complete = made.is_multiple_of(per);
        if number != expected || !complete {
            // One number that a scan has lost, between moves that follow each other.
            if repair && complete && made > 0 && number == expected + 1 {
                mends.push(format!("{}: number {number} read as {expected}", item.place()));
                self.left_out += 1;
            } else if complete {
                return Err(item.error(format!("expected number {expected}, found {number}")));
            } else {
                return Err(item.error(format!("expected another move before number {number}")));
            }
        }
        self.last = Some((number, made));
        Ok(())
    }
}

/// The one move that a word means.
fn read_move(board: &Board, word: &str) -> Result<Move, String> {
    let written = Written::parse(word)
        .ok_or_else(|| format!("expected a move such as P7g-7f, Gx5g or L*5e, found {}", clip(word)))?;
    match written.moves(board)[..] {
        [mv] => Ok(mv),
        [] => Err(format!("{}: no such move is possible here", clip(word))),
        _ => Err(format!("{}: more than one piece can go there", clip(word))),
    }
}

/// The text of a record, moves in pairs.
pub(super) fn write(record: &Record, family: Family) -> Result<String, WriteError> {
    let mut out = String::new();
    for (name, value) in record.headers.iter() {
        let known = HEADERS.iter().find(|(_, known)| *known == name);
        let _ = writeln!(out, "[{} \"{}\"]", known.map_or(name, |known| known.0), escape(value));
    }
    if let Some(sfen) = &record.start {
        let _ = writeln!(out, "[{START} \"{sfen}\"]");
    }
    let board = Board::from_start(record.start.as_deref())?;
    let mut writer = Writer { record, family, board, out, column: 0, number: true };
    writer.run()?;
    if writer.column > 0 {
        writer.out.push('\n');
    }
    if writer.out.is_empty() {
        // A text without anything is no record.
        let _ = writeln!(writer.out, "[{START} \"{}\"]", sanban_rules::shogi::START);
    }
    Ok(writer.out)
}

struct Writer<'a> {
    record: &'a Record,
    family: Family,
    board: Board,
    out: String,
    /// Characters on the current line.
    column: usize,
    /// The next move of either side gets its number.
    number: bool,
}

enum Task {
    /// A node after so many moves, and what follows it.
    Node(NodeId, usize),
    /// The position after a move again, behind its variations.
    Back(Move, usize),
    Open,
    Close,
}

impl Writer<'_> {
    fn run(&mut self) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        self.comment(tree.root());
        let mut tasks: Vec<Task> =
            tree.first(tree.root()).map(|node| Task::Node(node, 0)).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => {
                    self.word("(", true);
                    self.number = true;
                }
                Task::Close => {
                    self.word(")", false);
                    self.number = true;
                }
                Task::Back(mv, before) => {
                    while self.board.made() > before && self.board.undo() {}
                    self.play(mv, before)?;
                }
                Task::Node(node, before) => self.node(node, before, &mut tasks)?,
            }
        }
        Ok(())
    }

    fn play(&mut self, mv: Move, before: usize) -> Result<(), WriteError> {
        let wrong = |problem: &str| WriteError::Move { number: before + 1, problem: problem.into() };
        self.board.play(mv).map_err(wrong)
    }

    fn node(&mut self, node: NodeId, before: usize, tasks: &mut Vec<Task>) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        while self.board.made() > before && self.board.undo() {}
        let mut after = before;
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let wrong = |problem: &str| WriteError::Move { number: before + 1, problem: problem.into() };
                let mut text = move_text(&self.board, mv, self.family).map_err(wrong)?;
                if before.is_multiple_of(2) {
                    text.insert_str(0, &format!("{}.", before / 2 + 1));
                } else if self.number {
                    text.insert_str(0, &format!("{}...", before / 2 + 1));
                }
                self.number = false;
                self.word(&text, true);
                self.play(mv, before)?;
                after += 1;
            }
            Some(Action::End(End::Other(text))) => {
                // What would end the word.
                let apart = |c: char| c.is_whitespace() || "(){}[]<>".contains(c);
                self.word(&format!("<{}>", text.replace(apart, "_")), true);
            }
            Some(Action::End(end)) => self.word(end.western(), true),
            None => {}
        }
        self.comment(node);
        let mut next = vec![];
        let main = tree.parent(node).and_then(|parent| tree.first(parent)) == Some(node);
        if main && tree.next(node).is_some() {
            for brother in std::iter::successors(tree.next(node), |&brother| tree.next(brother)) {
                next.extend([Task::Open, Task::Node(brother, before), Task::Close]);
            }
            if let Some(mv) = tree.mv(node) {
                next.push(Task::Back(mv, before));
            }
        }
        next.extend(tree.first(node).map(|child| Task::Node(child, after)));
        tasks.extend(next.into_iter().rev());
        Ok(())
    }

    fn comment(&mut self, node: NodeId) {
        let comment = self.record.tree.comment(node);
        if !comment.is_empty() {
            let text = format!("{{{}}}", comment.replace('\\', "\\\\").replace('}', "\\}"));
            self.word(&text, true);
            if comment.contains('\n') {
                self.column = comment.rsplit('\n').next().map_or(0, |last| last.chars().count() + 1);
            }
        }
    }

    /// A word, on the next line where this one is full.
    fn word(&mut self, word: &str, space: bool) {
        let width = word.chars().count();
        if self.column > 0 && space {
            if self.column + width > 100 {
                self.out.push('\n');
                self.column = 0;
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(word);
        self.column += width;
    }
}

/// Quotes and line ends have no place in a header.
fn escape(value: &str) -> String {
    value.replace(['\n', '\r'], " ").replace('"', "”")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Result<Vec<String>, RecordError> {
        let records = read(text, false, &mut vec![])?;
        Ok(records[0].moves().into_iter().map(sanban_rules::shogi::Position::usi).collect())
    }

    #[test]
    fn both_families_pairs_and_single_numbers() {
        let expected = Ok(["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"].map(String::from).to_vec());
        for text in [
            "1.P7g-7f P3c-3d 2.B8hx2b+ S3ax2b 3.B'4e",
            "1. P7f P3d 2. Bx2b+ Sx2b 3. B*4e",
            "1. P-7f 2. P-3d 3. Bx2b+ 4. Sx2b 5. B*4e",
            "3.B'4e 1.P7f P3d 2.Bx2b+ Sx2b",
            "#1 1.P7f {a comment} P3d 2.Bx2b+ (2.P2f) Sx2b 3.B'4e",
        ] {
            assert_eq!(moves(text), expected, "{text}");
        }
    }

    #[test]
    fn ends_in_words() {
        for text in ["1.P7f P3d black resigns", "1.P7f P3d black resign.", "1.P7f P3d resigns"] {
            let records = read(text, false, &mut vec![]).expect("a game");
            assert_eq!(records[0].end(), Some(&End::Resign), "{text}");
        }
    }

    #[test]
    fn mistakes_have_places() {
        let place = |text: &str| moves(text).map_err(|error| (error.line, error.column));
        assert_eq!(place("1.P7f P3d\n3.P2f"), Err((2, 1)));
        assert_eq!(place("1.P7f P3e"), Err((1, 7)));
        assert_eq!(place("1.Plg-lf"), Err((1, 3)));
        assert_eq!(place("1.P7f (P2f"), Err((1, 8)));
        assert_eq!(place("1.Px7f"), Err((1, 3)));
        assert_eq!(place("1.G5h"), Err((1, 3)));
        assert_eq!(place("1.P7f {never"), Err((1, 7)));
    }
}
