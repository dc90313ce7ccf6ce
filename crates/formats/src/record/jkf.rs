//! JKF, the JSON of Kifu for JS.

use super::board::{Board, HAND_ORDER};
use super::end::End;
use super::error::{Line, RecordError, WriteError};
use super::line::Walk;
use super::names;
use super::spoken::{HINTS, Hints, Spoken};
use super::tree::{Action, NodeId, Record};
use sanban_rules::shogi::Piece;
use sanban_rules::{Color, Move};
use serde_json::{Value, json};
use std::time::Duration;

/// Names of start positions, and what KIF calls them.
const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];

/// An error without a better place than the move: JSON is not read line by line.
fn wrong(problem: impl Into<String>) -> RecordError {
    RecordError { line: 1, column: 1, problem: problem.into() }
}

/// Reads a text: one game.
pub(super) fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let problem = format!("JSON: {}", error.to_string().split(" at line").next().unwrap_or_default());
        RecordError { line: error.line().max(1), column: error.column().max(1), problem }
    })?;
    let moves = value.get("moves").and_then(Value::as_array);
    let moves = moves.ok_or_else(|| wrong("expected an object with a list of moves"))?;
    let mut walk = Walk::new(start(value.get("initial"))?);
    for (name, text) in value.get("header").and_then(Value::as_object).into_iter().flatten() {
        if let Some(text) = text.as_str() {
            walk.record.headers.set(name, text);
        }
    }
    // Lists that are still to be read, with the number of moves before each.
    let mut waiting = vec![(0, moves.as_slice())];
    while let Some((before, list)) = waiting.pop() {
        walk.back_to(before);
        for (index, item) in list.iter().enumerate() {
            let made = walk.board.made();
            let place = || format!("moves: item {index} of the line from move {before}");
            read_item(&mut walk, item).map_err(|problem| wrong(format!("{}: {problem}", place())))?;
            let forks = item.get("forks").and_then(Value::as_array).into_iter().flatten();
            let forks: Vec<_> = forks.filter_map(Value::as_array).collect();
            waiting.extend(forks.into_iter().rev().map(|fork| (made, fork.as_slice())));
        }
    }
    Ok(vec![walk.record])
}

fn read_item(walk: &mut Walk, item: &Value) -> Result<(), String> {
    let line = Line { number: 1, text: "" };
    if let Some(mv) = item.get("move").filter(|mv| mv.is_object()) {
        let mv = read_move(&walk.board, mv)?;
        walk.play(mv, &line, "").map_err(|error| error.problem)?;
    }
    if let Some(word) = item.get("special").and_then(Value::as_str) {
        let end = End::from_csa(word, walk.side()).unwrap_or_else(|| End::from_kif(word));
        walk.end(end, &line).map_err(|error| error.problem)?;
    }
    let root = walk.node == walk.record.tree.root();
    if let Some(now) = item.get("time").and_then(|time| time.get("now")).filter(|_| !root) {
        let field = |name| now.get(name).and_then(Value::as_f64).unwrap_or(0.0);
        let seconds = (field("h") * 60.0 + field("m")) * 60.0 + field("s");
        if (0.0..4e6).contains(&seconds) {
            let time = Duration::from_millis((seconds * 1000.0).round() as u64);
            walk.record.tree.set_time(walk.node, Some(time));
        }
    }
    if let Some(comments) = item.get("comments").and_then(Value::as_array) {
        let lines: Vec<&str> = comments.iter().filter_map(Value::as_str).collect();
        walk.record.tree.set_comment(walk.node, lines.join("\n"));
    }
    Ok(())
}

/// A move; what a normalised file tells twice may be missing.
fn read_move(board: &Board, value: &Value) -> Result<Move, String> {
    let square = |name: &str| {
        let field = |axis| value.get(name)?.get(axis)?.as_u64().filter(|n| (1..=9).contains(n));
        Some(names::square(field("x")? as usize, field("y")? as usize))
    };
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let same =
        || board.last().map(Move::to).filter(|_| value.get("same").and_then(Value::as_bool) == Some(true));
    let to = square("to").or_else(same).ok_or("expected the square of destination")?;
    let kind = text("piece").and_then(names::from_csa);
    let from = square("from");
    let relative = text("relative").unwrap_or_default();
    let hints = HINTS.iter().filter(|(.., letter)| relative.contains(*letter));
    let hints = hints.fold(Hints::empty(), |all, (hint, ..)| all | *hint);
    let kind = kind.or_else(|| board.piece(from?).map(Piece::kind)).ok_or("expected the name of a piece")?;
    let promotes = value.get("promote").and_then(Value::as_bool);
    let drop = relative.contains('H');
    Spoken { to, kind, hints, promotes, drop, from }.resolve(board)
}

fn start(initial: Option<&Value>) -> Result<Board, RecordError> {
    let Some(initial) = initial.filter(|initial| initial.is_object()) else {
        return Board::from_start(None).map_err(wrong);
    };
    let preset = initial.get("preset").and_then(Value::as_str).unwrap_or("OTHER");
    if let Some((_, name)) = PRESETS.iter().find(|(known, _)| *known == preset) {
        return Board::from_start(names::handicap(name)).map_err(wrong);
    }
    let data = initial.get("data").filter(|_| preset == "OTHER");
    let data = data.ok_or_else(|| wrong(format!("initial: no start position is called {preset}")))?;
    let mut board = Board::empty();
    let color = |value: Option<&Value>| {
        if value.and_then(Value::as_u64) == Some(1) { Color::White } else { Color::Black }
    };
    board.set_side(color(data.get("color")));
    for file in 1..=9 {
        for rank in 1..=9 {
            let cell = data.get("board").and_then(|all| all.get(file - 1)?.get(rank - 1));
            let kind = cell.and_then(|cell| cell.get("kind")).and_then(Value::as_str);
            let Some(kind) = kind else { continue };
            let kind =
                names::from_csa(kind).ok_or_else(|| wrong(format!("initial: no piece is called {kind}")))?;
            let piece = Piece::new(color(cell.and_then(|cell| cell.get("color"))), kind);
            board.set(names::square(file, rank), Some(piece));
        }
    }
    for color in Color::ALL {
        for kind in HAND_ORDER {
            let hand = data.get("hands").and_then(|hands| hands.get(color.index())?.get(names::in_csa(kind)));
            let count = hand.and_then(Value::as_u64).unwrap_or(0) as usize;
            if !board.add_to_hand(color, kind, count) {
                return Err(wrong("initial: more pieces in hand than a set has"));
            }
        }
    }
    Ok(board)
}

pub(super) fn write(record: &Record) -> Result<String, WriteError> {
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
    let name = names::handicap_name(record.start.as_deref()).filter(|name| names::is_common(name));
    let preset = name.and_then(|name| PRESETS.iter().find(|(_, known)| *known == name));
    if let Some((preset, _)) = preset {
        return json!({ "preset": preset });
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
    /// Time that each side has used after every move of the current line.
    used: Vec<[Duration; 2]>,
    out: String,
}

/// What is still to be written: trees of any depth need no stack of the machine.
enum Task {
    /// A node after so many moves, and what follows it.
    Item(NodeId, usize),
    /// After the forks of a move: the position after it again, with the times used.
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
                let word = end.csa(mover).unwrap_or_else(|| end.kif());
                self.out.push_str(&format!("\"special\":{}", json!(word)));
            }
            None => {}
        }
        self.time(node, mover, after > before);
        self.comments(node, ",");
        // Behind this item comes the rest of its line, before that its forks.
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
        assert!(read(text).expect_err("no pawn goes there").problem.contains("item 1"));
        assert!(read("[1]").is_err());
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
    }
}
