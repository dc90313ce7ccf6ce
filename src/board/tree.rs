//! The tree of a record as the page stores it: a list of nodes, every parent before its children.
//!
//! The first node is the start position. A node has the `parent`'s number in the list and a move (`usi`) or the `end`
//! of the game, as KIF calls it. It may have a `comment`, a `bookmark`, a `time` in milliseconds, and `check` when the
//! move gives check. Illegal moves, and all moves after them, are marked `illegal`.

use super::number::millis;
use sanban_engine::Game;
use sanban_formats::record::{Action, End, NodeId, Record};
use sanban_rules::{Move, Position};
use serde_json::{Value as Json, json};

/// Largest tree that the page accepts, in nodes.
const MOST: usize = 50_000;

/// The nodes of a record.
pub(super) fn to_json<G: Game>(record: &Record) -> Result<Vec<Json>, String> {
    let tree = &record.tree;
    if tree.len() > MOST {
        return Err(format!("a tree of more than {MOST} moves"));
    }
    let mut walk = Walk::<G::Position>::new(record.start_position::<G>().map_err(|error| error.to_string())?);
    let mut out = Vec::with_capacity(tree.len());
    // Stack of nodes to visit, with the numbers of their parents.
    let mut todo: Vec<(NodeId, usize)> = vec![(tree.root(), 0)];
    while let Some((node, parent)) = todo.pop() {
        let number = out.len();
        let mut json = json!({});
        match tree.action(node) {
            None => {}
            Some(Action::Move(mv)) => {
                walk.back_to(parent);
                json["parent"] = json!(parent);
                json["usi"] = json!(G::Position::usi(*mv));
                if walk.legal && walk.pos.is_legal(*mv) {
                    walk.make(number, *mv);
                    if walk.pos.in_check() {
                        json["check"] = json!(true);
                    }
                } else {
                    walk.forbid(number);
                    json["illegal"] = json!(true);
                }
            }
            Some(Action::End(end)) => {
                json["parent"] = json!(parent);
                json["end"] = json!(match end {
                    End::Other(text) => text,
                    known => known.kif(),
                });
            }
        }
        for (name, text) in [("comment", tree.comment(node)), ("bookmark", tree.bookmark(node))] {
            if !text.is_empty() {
                json[name] = json!(text);
            }
        }
        if let Some(time) = tree.time(node) {
            json["time"] = json!(time.as_millis() as u64);
        }
        out.push(json);
        let first = todo.len();
        todo.extend(tree.children(node).map(|child| (child, number)));
        todo[first..].reverse();
    }
    Ok(out)
}

/// Adds the page's nodes to an empty record.
pub(super) fn from_json<G: Game>(record: &mut Record, nodes: &Json) -> Result<(), String> {
    let nodes = nodes.as_array().map(Vec::as_slice).unwrap_or_default();
    if nodes.len() > MOST {
        return Err(format!("a tree of more than {MOST} moves"));
    }
    let mut walk = Walk::<G::Position>::new(record.start_position::<G>().map_err(|error| error.to_string())?);
    let mut ids = Vec::with_capacity(nodes.len());
    for (number, json) in nodes.iter().enumerate() {
        let id = if number == 0 {
            record.tree.root()
        } else {
            let parent = json["parent"].as_u64().map_or(usize::MAX, |parent| parent as usize);
            let above = *ids.get(parent).ok_or_else(|| format!("node {number} has no parent before it"))?;
            let action = match (json["usi"].as_str(), json["end"].as_str()) {
                (Some(text), _) => {
                    walk.back_to(parent);
                    let mv = walk.pos.parse_usi(text).ok_or_else(|| format!("illegal move {text:.8}"))?;
                    if walk.legal && walk.pos.is_legal(mv) {
                        walk.make(number, mv);
                    } else {
                        walk.forbid(number);
                    }
                    Action::Move(mv)
                }
                (None, Some(end)) => Action::End(End::from_kif(end)),
                (None, None) => return Err(format!("node {number} is neither a move nor an end")),
            };
            record.tree.add(above, action).ok_or("too many moves")?
        };
        ids.push(id);
        record.tree.set_comment(id, json["comment"].as_str().unwrap_or_default().into());
        record.tree.set_bookmark(id, json["bookmark"].as_str().unwrap_or_default());
        record.tree.set_time(id, millis(&json["time"]));
    }
    Ok(())
}

/// A position that follows a depth-first walk of a tree.
struct Walk<P> {
    pos: P,
    /// The numbers of the nodes on the path, and whether their moves were made.
    way: Vec<(usize, bool)>,
    /// Have all moves of the path been made?
    legal: bool,
}

impl<P: Position> Walk<P> {
    fn new(pos: P) -> Self {
        Self { pos, way: vec![(0, true)], legal: true }
    }

    /// Undoes moves until `node` is the last of the path, which must contain it.
    fn back_to(&mut self, node: usize) {
        while let Some(&(number, made)) = self.way.last() {
            if number == node || self.way.len() == 1 {
                break;
            }
            if made {
                self.pos.unmake();
            }
            self.way.pop();
        }
        self.legal = self.way.last().is_none_or(|&(_, made)| made);
    }

    fn make(&mut self, node: usize, mv: Move) {
        self.pos.make(mv, &mut ());
        self.way.push((node, true));
    }

    /// Enters a node whose move is illegal.
    fn forbid(&mut self, node: usize) {
        self.way.push((node, false));
        self.legal = false;
    }
}
