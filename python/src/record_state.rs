//! The contents of a record as plain values, for pickling.

use super::game::variant_named;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sanban::formats::record::{Action, End, Record};
use sanban::{Color, Move};
use std::time::Duration;

/// Game, start position, headers, and the nodes of the tree: the root first, and every parent before its children.
pub type State = (String, Option<String>, Vec<(String, String)>, Vec<Node>);

/// Index of the parent, content, comment, bookmark, and time in milliseconds.
type Node = (usize, Content, String, String, Option<u64>);

/// The bits of a move, or an end of the game: its kind, a string, and two numbers.
type Content = (u16, Option<(u8, String, u8, u8)>);

/// The kinds of ends: a KIF keyword, a count with the points of both sides, a win in other words, and any other text.
const NAMED: u8 = 0;
const COUNTED: u8 = 1;
const WON: u8 = 2;
const OTHER: u8 = 3;

fn content(action: &Action) -> Content {
    let end = match action {
        Action::Move(mv) => return (mv.bits(), None),
        Action::End(End::Counted([black, white])) => (COUNTED, String::new(), *black, *white),
        Action::End(End::Won(color, text)) => (WON, text.to_string(), color.index() as u8, 0),
        Action::End(End::Other(text)) => (OTHER, text.to_string(), 0, 0),
        Action::End(end) => (NAMED, end.kif().to_string(), 0, 0),
    };
    (0, Some(end))
}

fn action((bits, end): Content) -> Option<Action> {
    let Some((kind, text, one, two)) = end else { return Move::from_bits(bits).map(Action::Move) };
    Some(Action::End(match kind {
        NAMED => End::from_kif(&text),
        COUNTED => End::Counted([one, two]),
        WON => End::Won(*Color::ALL.get(usize::from(one))?, text.into()),
        OTHER => End::Other(text.into()),
        _ => return None,
    }))
}

/// Returns the contents of a record.
pub fn state(record: &Record) -> State {
    let tree = &record.tree;
    let headers = record.headers.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.len());
    // Keeps the order of siblings, which may differ from the order in which they were added.
    let mut open = vec![(tree.root(), 0)];
    while let Some((node, parent)) = open.pop() {
        let number = nodes.len();
        let content = tree.action(node).map_or((0, None), content);
        let time = tree.time(node).map(|time| time.as_millis() as u64);
        nodes.push((parent, content, tree.comment(node).into(), tree.bookmark(node).into(), time));
        let first = open.len();
        open.extend(tree.children(node).map(|child| (child, number)));
        open[first..].reverse();
    }
    (record.game.name().into(), record.start.clone(), headers, nodes)
}

/// Restores a record from its contents.
pub fn restored((game, start, headers, nodes): State) -> PyResult<Record> {
    let mut record = Record::new(variant_named(&game)?, start);
    for (name, value) in headers {
        record.headers.set(&name, &value);
    }
    let damaged = || PyValueError::new_err("not a valid record");
    let tree = &mut record.tree;
    let mut ids = Vec::with_capacity(nodes.len());
    for (parent, content, comment, bookmark, time) in nodes {
        let id = match ids.is_empty() {
            true => tree.root(),
            false => {
                let (parent, action) =
                    (*ids.get(parent).ok_or_else(damaged)?, action(content).ok_or_else(damaged)?);
                tree.add(parent, action).ok_or_else(damaged)?
            }
        };
        ids.push(id);
        tree.set_comment(id, comment);
        tree.set_bookmark(id, &bookmark);
        tree.set_time(id, time.map(Duration::from_millis));
    }
    Ok(record)
}
