//! JKF, the JSON format of Kifu for JS.

use super::arena;
use super::board::{Board, HAND_ORDER};
use super::encoding::Encoding;
use super::end::End;
use super::error::{MoveError, RecordError, WriteError};
use super::format::{Family, FormatInfo, Sign};
use super::handicaps;
use super::holds::Holds;
use super::json::{Json, is_json};
use super::kif::bod;
use super::kif::spoken::{HINTS, Hints, Spoken};
use super::line::Walk;
use super::names;
use super::source::{Source, clip, trim_start};
use super::summary::Summary;
use super::tree::{Action, Headers, NodeId, Record};
use sanban_rules::shogi::Piece;
use sanban_rules::{Color, Move, VariantId};
use serde_json::{Value, json};
use std::time::Duration;

/// Characters that need not be claimed.
const PUNCTUATION: &str = "{}[],:";

/// Reads one game, or several games in sequence or in an array.
static FAMILY: Family = Family {
    text: |text| is_json(text).then_some(Sign::Strong),
    first: |byte| byte == b'{',
    begins: |_, text| is_json(text),
    at_once: false,
    braces: false,
    // The reader rejects other text.
    followed: false,
    read: |source, request| {
        request.finish(if arena::is_match(source.text()) {
            arena::read(source, request.game)
        } else {
            read(source)
        });
    },
};

pub(super) static JKF: FormatInfo = FormatInfo {
    names: &[("jkf", Encoding::Utf8)],
    extensions: &["json", "jsonl"],
    suits: |game| game == VariantId::Shogi,
    holds: Holds::all().difference(Holds::MILLISECONDS.union(Holds::BOOKMARKS).union(Holds::NUMBER)),
    holds_header: |_, _| true,
    loses: |_| Holds::empty(),
    between: None,
    streams: false,
    line: |_| None,
    family: &FAMILY,
    write: |record, _| write(record),
};

fn read(source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
    source.ignore(PUNCTUATION);
    let mut rest = source.text();
    let mut out = Vec::new();
    loop {
        rest = trim_start(rest);
        if rest.is_empty() && !out.is_empty() {
            return out;
        }
        match Json::parse(rest) {
            Ok((value, after)) => {
                match value.items() {
                    Some(games) => out.extend(games.iter().map(|game| read_game(game, source))),
                    None => out.push(read_game(&value, source)),
                }
                rest = after;
            }
            Err((at, problem)) => {
                out.push(Err(source.error_at(at, format!("JSON: {problem}"))));
                source.claim(rest);
                return out;
            }
        }
    }
}

fn read_game<'a>(value: &Json<'a>, source: &mut Source<'a>) -> Result<Record, RecordError> {
    let record = follow(value, source);
    if record.is_err() {
        source.claim(value.text());
    }
    record
}

fn follow<'a>(value: &Json<'a>, source: &mut Source<'a>) -> Result<Record, RecordError> {
    let moves = value.field("moves", source).and_then(Json::items);
    let moves =
        moves.ok_or_else(|| source.error_at(value.text(), "expected an object with a list of moves"))?;
    let board = start(value.field("initial", source), source)?;
    let place = source.line_of(value.text());
    let mut walk = Walk::new(board, &place)?;
    for (name, text) in value.field("header", source).map(Json::fields).unwrap_or_default() {
        if let Some(text) = text.string(source) {
            source.claim(name.text());
            let known = match name.name() {
                "下手" => Headers::BLACK,
                "上手" => Headers::WHITE,
                other => other,
            };
            let before = walk.record.headers.get(known);
            let problem = match bod::agrees(known, &text, &walk.board) {
                Some(true) => continue,
                Some(false) => {
                    return Err(source.error_at(name.text(), "the header contradicts the start position"));
                }
                None if before.is_some_and(|before| before != text) => "duplicate header: ignored",
                None => {
                    walk.record.headers.set(known, &text);
                    continue;
                }
            };
            source.warn_of(source.error_at(name.text(), problem));
        }
    }
    // Lists of moves that have not been read yet, with the number of moves before each.
    let mut waiting = vec![(0, moves)];
    while let Some((before, list)) = waiting.pop() {
        walk.back_to(before);
        for item in list {
            let made = walk.board.made();
            read_item(&mut walk, item, source)?;
            let mut lines = Vec::new();
            if let Some(forks) = item.field("forks", source) {
                let wrong = |found: &Json<'_>| source.error_at(found.text(), "expected a list of moves");
                for fork in forks.items().ok_or_else(|| wrong(forks))? {
                    lines.push(fork.items().ok_or_else(|| wrong(fork))?);
                }
            }
            waiting.extend(lines.into_iter().rev().map(|fork| (made, fork)));
        }
    }
    Ok(walk.finish(source))
}

fn read_item<'a>(walk: &mut Walk, item: &Json<'a>, source: &mut Source<'a>) -> Result<(), RecordError> {
    if let Some(mv) = item.field("move", source).filter(|mv| mv.is_object()) {
        let played = read_move(&walk.board, mv, source);
        let played = played.map_err(|problem| source.error_at(mv.text(), problem))?;
        let line = source.line_of(mv.text());
        walk.play(played, &line, mv.text(), source)?;
    }
    if let Some(special) = item.field("special", source)
        && let Some(word) = special.string(source)
    {
        let side = walk.side();
        let (end, says_more) = match End::from_csa(&word, side) {
            Some(end) => (end, false),
            None => {
                Summary::of_phrase(&word, side, Color::ALL.map(|color| walk.record.headers.player(color)))
            }
        };
        let line = source.line_of(special.text());
        walk.end(end, &line, special.text(), source)?;
        if says_more {
            walk.record.tree.add_comment(walk.node, &word);
        }
    }
    let root = walk.node == walk.record.tree.root();
    if let Some(time) = item.field("time", source).filter(|_| !root) {
        let now = time.field("now", source);
        let spent = now.and_then(|now| Some((now, seconds(now, source)?)));
        if let Some((now, seconds)) = spent {
            if (0.0..4e6).contains(&seconds) {
                let spent = Duration::from_millis((seconds * 1000.0).round() as u64);
                walk.record.tree.set_time(walk.node, Some(spent));
            } else {
                source.warn_of(source.error_at(now.text(), "expected a non-negative time"));
            }
        }
        // The total is recomputed on writing.
        let _ = time.field("total", source).and_then(|total| seconds(total, source));
    }
    if let Some(comments) = item.field("comments", source).and_then(Json::items) {
        let lines: Vec<String> = comments.iter().filter_map(|comment| comment.string(source)).collect();
        walk.record.tree.set_comment(walk.node, lines.join("\n"));
    }
    Ok(())
}

fn seconds(value: &Json<'_>, source: &mut Source<'_>) -> Option<f64> {
    if !value.is_object() {
        return None;
    }
    let mut field = |name| value.field(name, source).and_then(|field| field.number(source)).unwrap_or(0.0);
    let parts = [field("h"), field("m"), field("s")];
    // A negative field makes the time invalid.
    let is_time = parts.iter().all(|part| *part >= 0.0);
    Some(if is_time { (parts[0] * 60.0 + parts[1]) * 60.0 + parts[2] } else { -1.0 })
}

/// Reads a square: an object with `x` and `y`.
fn square(value: &Json<'_>, source: &mut Source<'_>) -> Option<usize> {
    let mut field = |axis| {
        let n = value.field(axis, source)?.number(source)?;
        (1..=9).find(|&known| f64::from(known) == n)
    };
    let (file, rank) = (field("x")?, field("y")?);
    Some(names::square(file as usize, rank as usize))
}

/// Reads a move. The redundant fields of a normalised file may be missing; if they contradict the board, this is
/// reported.
fn read_move(board: &Board, value: &Json<'_>, source: &mut Source<'_>) -> Result<Move, MoveError> {
    let to = value.field("to", source).map(|to| square(to, source).ok_or(MoveError::Destination));
    let same = value.field("same", source).and_then(|same| same.bool(source)) == Some(true);
    let last = board.last().map(Move::to).filter(|_| same);
    let to = to.transpose()?.or(last).ok_or(MoveError::Destination)?;
    if last.is_some_and(|last| last != to) {
        return Err(MoveError::NotSame);
    }
    let piece = value.field("piece", source).and_then(|piece| piece.string(source));
    let kind = match &piece {
        Some(name) => Some(names::from_csa(name).ok_or_else(|| MoveError::UnknownPiece(clip(name)))?),
        None => None,
    };
    let from = value.field("from", source).map(|from| square(from, source).ok_or(MoveError::Origin));
    let from = from.transpose()?;
    let relative =
        value.field("relative", source).and_then(|relative| relative.string(source)).unwrap_or_default();
    if let Some(letter) =
        relative.chars().find(|&c| c != 'H' && !HINTS.iter().any(|(.., letter)| *letter == c))
    {
        return Err(MoveError::Hint(letter));
    }
    let hints = HINTS.iter().filter(|(.., letter)| relative.contains(*letter));
    let hints = hints.fold(Hints::empty(), |all, (hint, ..)| all | *hint);
    let kind = kind.or_else(|| board.piece(from?).map(Piece::kind)).ok_or(MoveError::Nameless)?;
    let promotes = value.field("promote", source).and_then(|promotes| promotes.bool(source));
    let drop = relative.contains('H');
    if let Some(color) = value.field("color", source) {
        let told = color.number(source);
        if told.is_some_and(|told| told != f64::from(board.side().index() as u8)) {
            let error = source.error_at(color.text(), "`color` is not the side to move");
            source.warn_of(error);
        }
    }
    if let Some(capture) = value.field("capture", source) {
        let told = capture.string(source);
        if told.as_deref() != board.piece(to).map(|piece| names::in_csa(piece.kind())) {
            let error = source.error_at(capture.text(), "`capture` is not the piece on the destination");
            source.warn_of(error);
        }
    }
    let spoken = Spoken { to, kind, hints, promotes, drop, from };
    if let Some(problem) = spoken.doubts(board) {
        source.warn_of(source.error_at(value.text(), problem));
    }
    spoken.resolve(board)
}

fn start(initial: Option<&Json<'_>>, source: &mut Source<'_>) -> Result<Board, RecordError> {
    let even =
        |source: &Source<'_>| Board::from_start(None).map_err(|error| source.error_at(source.text(), error));
    let Some(initial) = initial.filter(|initial| initial.is_object()) else { return even(source) };
    let preset = initial.field("preset", source).and_then(|preset| preset.string(source));
    let preset = preset.unwrap_or_else(|| "OTHER".into());
    let wrong = |source: &Source<'_>, problem: String| source.error_at(initial.text(), problem);
    let known = handicaps::ALL.iter().find(|handicap| handicap.preset == preset && !preset.is_empty());
    let named = known.map(|handicap| Board::from_sfen(handicap.sfen)).transpose();
    let named = named.map_err(|error| wrong(source, error.to_string()))?;
    let board = match initial.field("data", source).filter(|_| preset == "OTHER" || known.is_some()) {
        Some(data) => Some(position(data, source)?),
        None => None,
    };
    match (named, board) {
        (Some(named), Some(board)) if named.sfen() != board.sfen() => {
            Err(wrong(source, format!("the position differs from the preset {preset}")))
        }
        (named, board) => {
            board.or(named).ok_or_else(|| wrong(source, format!("unknown start position: {}", clip(&preset))))
        }
    }
}

/// Reads a position: an object with the board, the hands and the side to move.
fn position(data: &Json<'_>, source: &mut Source<'_>) -> Result<Board, RecordError> {
    let mut board = Board::empty();
    board.set_side(color(data.field("color", source), source)?);
    let files = data.field("board", source).and_then(Json::items).unwrap_or_default();
    expect_nine(files, data, "files", source)?;
    for (file, ranks) in (1..=9).zip(files) {
        expect_nine(ranks.items().unwrap_or_default(), ranks, "squares in a file", source)?;
        for (rank, cell) in (1..=9).zip(ranks.items().unwrap_or_default()) {
            let side = color(cell.field("color", source), source)?;
            let kind = cell.field("kind", source).and_then(|kind| kind.string(source));
            let Some(kind) = kind else { continue };
            let known = names::from_csa(&kind);
            let known = known
                .ok_or_else(|| source.error_at(cell.text(), format!("unknown piece {}", clip(&kind))))?;
            board.set(names::square(file, rank), Some(Piece::new(side, known)));
        }
    }
    let hands = data.field("hands", source).and_then(Json::items).unwrap_or_default();
    for (color, hand) in Color::ALL.into_iter().zip(hands) {
        for kind in HAND_ORDER {
            let field = hand.field(names::in_csa(kind), source);
            let Some((field, count)) = field.and_then(|field| Some((field, field.number(source)?))) else {
                continue;
            };
            if count.fract() != 0.0 || !(0.0..100.0).contains(&count) {
                return Err(source.error_at(field.text(), "expected a number of pieces"));
            }
            if !board.add_to_hand(color, kind, count as usize) {
                return Err(source.error_at(hand.text(), "more pieces in hand than a set has"));
            }
        }
    }
    Ok(board)
}

/// Returns an error if a list does not have nine items.
fn expect_nine(
    items: &[Json<'_>],
    list: &Json<'_>,
    what: &str,
    source: &Source<'_>,
) -> Result<(), RecordError> {
    if items.len() == 9 {
        return Ok(());
    }
    Err(source.error_at(list.text(), format!("expected nine {what}, found {}", items.len())))
}

fn color(value: Option<&Json<'_>>, source: &mut Source<'_>) -> Result<Color, RecordError> {
    let number = value.and_then(|value| Some((value, value.number(source)?)));
    match number {
        Some((_, 1.0)) => Ok(Color::White),
        Some((value, number)) if number != 0.0 => {
            Err(source.error_at(value.text(), "expected 0 for black or 1 for white"))
        }
        _ => Ok(Color::Black),
    }
}

fn write(record: &Record) -> Result<String, WriteError> {
    let board = Board::from_start(record.start.as_deref())?;
    let mut header = serde_json::Map::new();
    for (name, value) in record.headers.iter() {
        header.insert(name.into(), value.into());
    }
    let initial = initial(record, &board);
    let out = format!("{{\"header\":{},\"initial\":{initial},\"moves\":", Value::Object(header));
    let mut writer = Writer { record, board, used: vec![], out };
    writer.run()?;
    writer.out.push_str("}\n");
    Ok(writer.out)
}

fn initial(record: &Record, board: &Board) -> Value {
    if let Some(handicap) = handicaps::of_start(record.start.as_deref()).filter(|handicap| handicap.common) {
        return json!({ "preset": handicap.preset });
    }
    let cell = |file, rank| match board.piece(names::square(file, rank)) {
        Some(piece) => json!({ "color": piece.color().index(), "kind": names::in_csa(piece.kind()) }),
        None => json!({}),
    };
    let column = |file| (1..=9).map(|rank| cell(file, rank)).collect::<Vec<_>>();
    let hand = |color| {
        let count = |kind| (names::in_csa(kind).to_string(), json!(board.in_hand(color, kind)));
        Value::Object(HAND_ORDER.into_iter().map(count).collect())
    };
    json!({
        "preset": "OTHER",
        "data": {
            "color": board.side().index(),
            "board": (1..=9).map(column).collect::<Vec<_>>(),
            "hands": [hand(Color::Black), hand(Color::White)],
        },
    })
}

struct Writer<'a> {
    record: &'a Record,
    board: Board,
    /// Total time of each side after every move of the current line.
    used: Vec<[Duration; 2]>,
    out: String,
}

/// A task on the stack of the writer. The stack is explicit, so that trees can have any depth.
enum Task {
    /// Write a node that comes after this number of moves, and everything that follows the node.
    Item(NodeId, usize),
    /// After the forks of a move, return to the position after the move, and restore the total times.
    Back(Move, usize, [Duration; 2]),
    Text(&'static str),
}

impl Writer<'_> {
    fn run(&mut self) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        self.out.push_str("[{");
        self.comments(tree.root(), "");
        self.out.push('}');
        let mut tasks = vec![Task::Text("]")];
        if let Some(first) = tree.first(tree.root()) {
            self.out.push(',');
            tasks.push(Task::Item(first, 0));
        }
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.out.push_str(text),
                Task::Item(node, before) => self.item(node, before, &mut tasks)?,
                Task::Back(mv, before, used) => {
                    self.rewind(before);
                    let number = before + 1;
                    let wrong = |problem: &str| WriteError::Move { number, problem: problem.into() };
                    self.board.play(mv).map_err(wrong)?;
                    self.used.push(used);
                }
            }
        }
        Ok(())
    }

    fn rewind(&mut self, before: usize) {
        while self.board.made() > before && self.board.undo() {}
        self.used.truncate(before);
    }

    fn item(&mut self, node: NodeId, before: usize, tasks: &mut Vec<Task>) -> Result<(), WriteError> {
        let tree = &self.record.tree;
        self.rewind(before);
        self.out.push('{');
        let mover = self.board.side();
        let mut after = before;
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let wrong = |problem: &str| WriteError::Move { number: before + 1, problem: problem.into() };
                let value = self.mv(mv).map_err(wrong)?;
                self.out.push_str(&format!("\"move\":{value}"));
                self.board.play(mv).map_err(wrong)?;
                after += 1;
            }
            Some(Action::End(end)) => {
                let word = match end {
                    End::Won(_, words) => words.to_string(),
                    counted @ End::Counted(_) => counted.count(false),
                    known => known.csa(mover).unwrap_or_else(|| known.kif()).into(),
                };
                self.out.push_str(&format!("\"special\":{}", json!(word)));
            }
            None => {}
        }
        self.time(node, mover, after > before);
        self.comments(node, ",");
        // The forks of this item come first, then the rest of its line.
        let mut next = vec![];
        let main = tree.parent(node).and_then(|parent| tree.first(parent)) == Some(node);
        if main && tree.next(node).is_some() {
            self.out.push_str(",\"forks\":[");
            let mut brother = tree.next(node);
            let mut between = "[";
            while let Some(fork) = brother {
                next.extend([Task::Text(between), Task::Item(fork, before), Task::Text("]")]);
                between = ",[";
                brother = tree.next(fork);
            }
            next.push(Task::Text("]"));
            if let (Some(mv), Some(&used)) = (tree.mv(node), self.used.last()) {
                next.push(Task::Back(mv, before, used));
            }
        }
        next.push(Task::Text("}"));
        if let Some(child) = tree.first(node) {
            next.extend([Task::Text(","), Task::Item(child, after)]);
        }
        tasks.extend(next.into_iter().rev());
        Ok(())
    }

    fn mv(&self, mv: Move) -> Result<Value, &'static str> {
        let spoken = Spoken::of(&self.board, mv)?;
        let place = |square: usize| json!({ "x": square / 9 + 1, "y": square % 9 + 1 });
        let mut out = json!({
            "color": self.board.side().index(),
            "to": place(mv.to()),
            "piece": names::in_csa(spoken.kind),
        });
        let mut put = |name: &str, value: Value| out[name] = value;
        if let Some(from) = spoken.from {
            put("from", place(from));
        }
        if self.board.last().is_some_and(|last| last.to() == mv.to()) {
            put("same", json!(true));
        }
        if let Some(promotes) = spoken.promotes {
            put("promote", json!(promotes));
        }
        if let Some(captured) = self.board.piece(mv.to()) {
            put("capture", json!(names::in_csa(captured.kind())));
        }
        let words =
            HINTS.iter().filter(|(hint, ..)| spoken.hints.contains(*hint)).map(|(.., letter)| *letter);
        let mut relative: String = words.collect();
        if spoken.needs_drop_word(&self.board) {
            relative.push('H');
        }
        if !relative.is_empty() {
            put("relative", json!(relative));
        }
        Ok(out)
    }

    fn time(&mut self, node: NodeId, side: Color, made: bool) {
        let mut used = self.used.last().copied().unwrap_or_default();
        if let Some(time) = self.record.tree.time(node) {
            used[side.index()] += Duration::from_secs(time.as_secs());
            let now = json!({ "m": time.as_secs() / 60, "s": time.as_secs() % 60 });
            let (h, m, s) = names::hms(used[side.index()]);
            let total = json!({ "h": h, "m": m, "s": s });
            self.out.push_str(&format!(",\"time\":{}", json!({ "now": now, "total": total })));
        }
        if made {
            self.used.push(used);
        }
    }

    fn comments(&mut self, node: NodeId, before: &str) {
        let comment = self.record.tree.comment(node);
        if !comment.is_empty() {
            let lines: Vec<&str> = comment.split('\n').collect();
            self.out.push_str(&format!("{before}\"comments\":{}", json!(lines)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Record>, RecordError> {
        super::read(&mut Source::new(text)).into_iter().collect()
    }

    #[test]
    fn what_can_be_missing_may_be_missing() {
        let text = r#"{"moves":[{"comments":["a","b"]},{"move":{"to":{"x":7,"y":6},"piece":"FU"}},
            {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4}}},
            {"move":{"to":{"x":2,"y":2},"piece":"KA","promote":true}},
            {"move":{"same":true,"piece":"GI"}},{"special":"CHUDAN"}]}"#;
        let records = read(text).expect("a game");
        assert_eq!(records[0].moves().len(), 4);
        assert_eq!(records[0].end(), Some(&End::Interrupt));
        assert_eq!(records[0].tree.comment(records[0].tree.root()), "a\nb");
    }

    #[test]
    fn mistakes_are_named() {
        let error = read("{\"moves\":[{}").expect_err("cut off");
        assert!(error.problem.starts_with("JSON: "), "{error}");
        let text = r#"{"moves":[{},{"move":{"to":{"x":7,"y":5},"piece":"FU"}}]}"#;
        let error = read(text).expect_err("no pawn can move there");
        assert_eq!((error.line, error.column), (1, 22), "{error}");
        assert!(read("[1]").is_err());
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
    }
}
