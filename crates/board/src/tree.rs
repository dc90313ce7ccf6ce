//! The tree of a record as the page stores it: a list of nodes, every parent before its children.

use super::error::BoardError;
use super::wire::{optional_millis, read_millis};
use sanban_formats::record::{Action, End, NodeId, Record};
use sanban_rules::{AnyPosition, Move, SfenError, VariantId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Largest tree that the page accepts, in nodes.
const MOST: usize = 50_000;

/// A game with variations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Study {
    /// The names and values of the headers.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The nodes, every parent before its children.
    #[serde(default)]
    pub nodes: Vec<Node>,
}

/// A node: the start position (the first node), a move, or the end of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The index of the parent in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usi: Option<String>,
    /// How the game ended: a name such as `resigns` ([`End::western`]), or the text of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bookmark: Option<String>,
    /// Time spent on the move.
    #[serde(
        default,
        serialize_with = "optional_millis",
        deserialize_with = "read_millis",
        skip_serializing_if = "Option::is_none"
    )]
    pub time: Option<Duration>,
    /// Whether the move gives check.
    #[serde(default, skip_serializing_if = "is_false")]
    pub check: bool,
    /// Whether the move or a move before it is illegal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub illegal: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The start position of a record as a position of `game`, which may be a different game with the same board.
pub(super) fn start(record: &Record, game: VariantId) -> Result<AnyPosition, SfenError> {
    AnyPosition::parse(game, record.start.as_deref().unwrap_or(game.info().start))
}

pub(super) fn nodes(record: &Record, game: VariantId) -> Result<Vec<Node>, BoardError> {
    let tree = &record.tree;
    if tree.len() > MOST {
        return Err(BoardError::LargeTree(MOST));
    }
    let mut walk = Walk::new(start(record, game)?);
    let mut out = Vec::with_capacity(tree.len());
    // A stack of the nodes to visit, with the numbers of their parents.
    let mut todo: Vec<(NodeId, usize)> = vec![(tree.root(), 0)];
    while let Some((id, parent)) = todo.pop() {
        let number = out.len();
        let text = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
        let mut node = Node {
            comment: text(tree.comment(id)),
            bookmark: text(tree.bookmark(id)),
            time: tree.time(id),
            ..Node::default()
        };
        match tree.action(id) {
            None => {}
            Some(Action::Move(mv)) => {
                walk.back_to(parent);
                (node.parent, node.usi) = (Some(parent), Some(walk.pos.display(*mv)));
                if walk.make(number, *mv) {
                    node.check = walk.pos.in_check();
                } else {
                    node.illegal = true;
                }
            }
            Some(Action::End(end)) => {
                node.parent = Some(parent);
                node.end = Some(end.western().into());
            }
        }
        out.push(node);
        let first = todo.len();
        todo.extend(tree.children(id).map(|child| (child, number)));
        todo[first..].reverse();
    }
    Ok(out)
}

/// Adds the page's nodes to an empty record.
pub(super) fn add_nodes(record: &mut Record, nodes: &[Node]) -> Result<(), BoardError> {
    if nodes.len() > MOST {
        return Err(BoardError::LargeTree(MOST));
    }
    let mut walk = Walk::new(start(record, record.game)?);
    let mut ids = Vec::with_capacity(nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        let id = if number == 0 {
            record.tree.root()
        } else {
            let parent = node.parent.unwrap_or(usize::MAX);
            let above = *ids.get(parent).ok_or(BoardError::Parent(number))?;
            let action = match (&node.usi, &node.end) {
                (Some(text), _) => {
                    walk.back_to(parent);
                    let illegal = || BoardError::Attempt(text.clone());
                    let mv = walk.pos.parse_usi(text).ok_or_else(illegal)?;
                    walk.make(number, mv);
                    Action::Move(mv)
                }
                (None, Some(end)) => {
                    Action::End(End::from_western(end).unwrap_or_else(|| End::from_kif(end)))
                }
                (None, None) => return Err(BoardError::EmptyNode(number)),
            };
            record.tree.add(above, action).ok_or(BoardError::LargeTree(MOST))?
        };
        ids.push(id);
        record.tree.set_comment(id, node.comment.clone().unwrap_or_default());
        record.tree.set_bookmark(id, node.bookmark.as_deref().unwrap_or_default());
        record.tree.set_time(id, node.time);
    }
    Ok(())
}

/// A position that follows a depth-first traversal of a tree.
struct Walk {
    pos: AnyPosition,
    /// The nodes on the path.
    path: Vec<Step>,
}

struct Step {
    number: usize,
    /// Whether the move was made. An illegal move and the moves after it are not made.
    made: bool,
}

impl Walk {
    fn new(pos: AnyPosition) -> Self {
        Self { pos, path: vec![Step { number: 0, made: true }] }
    }

    /// Undoes moves until `node`, which must be on the path, is the last node of it.
    fn back_to(&mut self, node: usize) {
        while self.path.len() > 1
            && let Some(step) = self.path.pop_if(|step| step.number != node)
        {
            if step.made {
                self.pos.undo();
            }
        }
    }

    /// Enters a node and makes its move, if this move and all moves before it are legal. Returns whether the move was
    /// made.
    fn make(&mut self, number: usize, mv: Move) -> bool {
        let made = self.path.last().is_some_and(|step| step.made) && self.pos.is_legal(mv);
        if made {
            self.pos.play(mv);
        }
        self.path.push(Step { number, made });
        made
    }
}
