//! The game record with its tree of moves, common to all formats.

use super::end::{End, Outcome};
use super::holds::Holds;
use sanban_rules::{AnyPosition, Color, Move, SfenError, VariantId};
use std::collections::HashMap;
use std::time::Duration;

/// A game record: headers, the start position, and the tree of moves.
///
/// Two records are equal if their contents are equal, regardless of the order in which their trees were built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game.
    pub game: VariantId,
    /// The headers, in order; see [`Headers`] for the names.
    pub headers: Headers,
    /// SFEN of the start position, without the word `sfen`; `None` for the standard start position of the game.
    pub start: Option<String>,
    /// The moves.
    pub tree: Tree,
}

impl Record {
    /// Creates an empty record of a game that starts with this position.
    pub fn new(game: VariantId, start: Option<String>) -> Self {
        Self { game, start, ..Self::default() }
    }

    /// The side that moves first.
    pub fn first_side(&self) -> Color {
        let side = self.start.as_deref().and_then(|sfen| sfen.split_ascii_whitespace().nth(1));
        if side == Some("w") { Color::White } else { Color::Black }
    }

    /// Returns whether this is a handicap game, in which the sides are called 下手 and 上手.
    pub fn gives_odds(&self) -> bool {
        self.start.is_some() && super::handicaps::of_start(self.start.as_deref()).is_some()
    }

    /// The side to move after the main line.
    pub fn last_side(&self) -> Color {
        if self.moves().len().is_multiple_of(2) { self.first_side() } else { !self.first_side() }
    }

    /// Number of moves made before the start position, according to the move count of its SFEN.
    pub fn first_ply(&self) -> usize {
        let count = self.start.as_deref().and_then(|sfen| sfen.split_ascii_whitespace().nth(3)?.parse().ok());
        count.map_or(0, |count: usize| count.saturating_sub(1))
    }

    /// The moves of the main line. They need not be legal: games can end with an illegal move.
    pub fn moves(&self) -> Vec<Move> {
        let line = self.tree.main_line();
        line.iter().filter_map(|&node| self.tree.action(node)).filter_map(Action::as_move).collect()
    }

    /// The end of the main line, if known.
    pub fn end(&self) -> Option<&End> {
        match self.tree.action(*self.tree.main_line().last()?)? {
            Action::End(end) => Some(end),
            Action::Move(_) => None,
        }
    }

    /// The outcome, from the end of the main line or from a header.
    pub fn outcome(&self) -> Outcome {
        match self.end() {
            Some(end) => end.outcome(self.last_side()),
            // Korean records store the outcome in a header.
            None => match self.headers.get(Headers::RESULT).and_then(|text| text.chars().next()) {
                Some('초' | '楚') => Outcome::Win(Color::Black),
                Some('한' | '漢') => Outcome::Win(Color::White),
                Some('무' | '비') => Outcome::Draw,
                _ => Outcome::Unknown,
            },
        }
    }

    /// What a format must be able to represent to write this record without loss.
    pub fn needs(&self) -> Holds {
        let mut out = Holds::empty();
        for node in self.tree.nodes().chain([self.tree.root()]) {
            out.set(Holds::COMMENTS, out.contains(Holds::COMMENTS) || !self.tree.comment(node).is_empty());
            out.set(Holds::BOOKMARKS, out.contains(Holds::BOOKMARKS) || !self.tree.bookmark(node).is_empty());
            if let Some(time) = self.tree.time(node) {
                out |= Holds::TIMES;
                if time.subsec_millis() != 0 {
                    out |= Holds::MILLISECONDS;
                }
            }
            match self.tree.action(node) {
                Some(Action::End(_)) => out |= Holds::ENDS,
                Some(Action::Move(_)) => out |= Holds::MOVES,
                None => {}
            }
        }
        out.set(Holds::VARIATIONS, self.tree.branches());
        out.set(Holds::NUMBER, self.first_ply() > 0);
        for (name, _) in self.headers.iter() {
            out |= Headers::kind(name);
        }
        out
    }

    /// A copy of the record without the parts that a format cannot represent.
    pub fn reduced(&self, holds: Holds) -> Self {
        let mut out = Self::new(self.game, self.start.clone());
        for (name, value) in self.headers.iter() {
            if holds.contains(Headers::kind(name)) {
                out.headers.set(name, value);
            }
        }
        let mut copies = vec![None; self.tree.len()];
        copies[0] = Some(out.tree.root());
        for node in std::iter::once(self.tree.root()).chain(self.tree.nodes()) {
            if let Some((parent, action)) = self.tree.parent(node).zip(self.tree.action(node)) {
                let main = self.tree.first(parent) == Some(node);
                let kept = (main || holds.contains(Holds::VARIATIONS))
                    && (holds.contains(Holds::ENDS) || matches!(action, Action::Move(_)));
                let parent = copies[parent.0 as usize].filter(|_| kept);
                copies[node.0 as usize] = parent.and_then(|parent| out.tree.add(parent, action.clone()));
            }
            let Some(copy) = copies[node.0 as usize] else { continue };
            if holds.contains(Holds::COMMENTS) {
                out.tree.set_comment(copy, self.tree.comment(node).into());
            }
            if holds.contains(Holds::BOOKMARKS) {
                out.tree.set_bookmark(copy, self.tree.bookmark(node));
            }
            if holds.contains(Holds::TIMES) {
                let whole = |time: Duration| Duration::from_secs(time.as_secs());
                let exact = holds.contains(Holds::MILLISECONDS);
                out.tree.set_time(copy, self.tree.time(node).map(|t| if exact { t } else { whole(t) }));
            }
        }
        out
    }

    /// SFEN of the start position, also if it is the standard one.
    pub fn start_sfen(&self) -> &str {
        self.start.as_deref().unwrap_or(self.game.info().start)
    }

    /// The start position.
    ///
    /// # Errors
    /// The position is invalid in this game.
    pub fn start_position(&self) -> Result<AnyPosition, SfenError> {
        AnyPosition::parse(self.game, self.start_sfen())
    }

    /// Returns the start position, the moves of the main line up to the first illegal one, and whether there is an
    /// illegal move.
    ///
    /// # Errors
    /// See [`Record::start_position`].
    pub fn legal_moves(&self) -> Result<(AnyPosition, Vec<Move>, bool), SfenError> {
        let start = self.start_position()?;
        let (legal, stopped) = self.legal_from(&start);
        Ok((start, legal, stopped))
    }

    /// Like [`Record::legal_moves`] for a given start position, such as one under the rules of a similar game.
    pub fn legal_from(&self, start: &AnyPosition) -> (Vec<Move>, bool) {
        let (mut pos, mut legal) = (start.clone(), Vec::new());
        for mv in self.moves() {
            if !pos.is_legal(mv) {
                return (legal, true);
            }
            pos.play(mv);
            legal.push(mv);
        }
        (legal, false)
    }
}

/// Headers: unique names with their values, in order. The names are those of KIF: `先手`, `後手` (also in handicap games),
/// `棋戦`, `場所`, `開始日時`, `終了日時`, `持ち時間`, `戦型`, `備考` and others.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    list: Vec<(String, String)>,
    /// The index of each name in the list.
    index: HashMap<String, usize>,
}

/// Headers are equal if they have the same names and values, in any order.
impl PartialEq for Headers {
    fn eq(&self, other: &Self) -> bool {
        self.list.len() == other.list.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Eq for Headers {}

impl Headers {
    /// Name of black, or of the side that receives odds.
    pub const BLACK: &'static str = "先手";
    /// Name of white, or of the side that gives odds.
    pub const WHITE: &'static str = "後手";
    /// The event, such as a tournament.
    pub const EVENT: &'static str = "棋戦";
    /// The place where the game was played.
    pub const SITE: &'static str = "場所";
    /// Time at which the game started.
    pub const STARTED: &'static str = "開始日時";
    /// Time at which the game ended.
    pub const ENDED: &'static str = "終了日時";
    /// Time control.
    pub const TIME: &'static str = "持ち時間";
    /// The opening.
    pub const OPENING: &'static str = "戦型";
    /// Remarks.
    pub const NOTE: &'static str = "備考";
    /// The winner, in Korean records.
    pub const RESULT: &'static str = "대국결과";
    /// Rating of black, from Floodgate.
    pub const BLACK_RATE: &'static str = "先手レート";
    /// Rating of white, from Floodgate.
    pub const WHITE_RATE: &'static str = "後手レート";

    /// The names that every format with headers supports.
    pub const COMMON: [&'static str; 9] = [
        Self::BLACK,
        Self::WHITE,
        Self::EVENT,
        Self::SITE,
        Self::STARTED,
        Self::ENDED,
        Self::TIME,
        Self::OPENING,
        Self::NOTE,
    ];

    /// The flag that a format needs to represent a header with this name.
    pub(super) fn kind(name: &str) -> Holds {
        if Self::COMMON.contains(&name) { Holds::HEADERS } else { Holds::ALL_HEADERS }
    }

    /// The value of a header.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.index.get(name).map(|&at| self.list[at].1.as_str())
    }

    /// Sets the value of a header, replacing any previous value.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.index.get(name) {
            Some(&at) => value.clone_into(&mut self.list[at].1),
            None => {
                self.index.insert(name.into(), self.list.len());
                self.list.push((name.into(), value.into()));
            }
        }
    }

    /// Adds a line to the value of a header.
    pub(super) fn append(&mut self, name: &str, more: &str) {
        match self.index.get(name) {
            Some(&at) => {
                self.list[at].1.push(' ');
                self.list[at].1.push_str(more);
            }
            None => self.set(name, more),
        }
    }

    /// Removes a header.
    pub fn remove(&mut self, name: &str) {
        if let Some(at) = self.index.remove(name) {
            self.list.remove(at);
            self.index.values_mut().filter(|index| **index > at).for_each(|index| *index -= 1);
        }
    }

    /// Iterates over names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The name of a player.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.get([Self::BLACK, Self::WHITE][color.index()])
    }
}

/// The content of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A move, which need not be legal.
    Move(Move),
    /// The end of the game.
    End(End),
}

impl Action {
    /// The move; `None` for a game end.
    pub fn as_move(&self) -> Option<Move> {
        match self {
            Self::Move(mv) => Some(*mv),
            Self::End(_) => None,
        }
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The index of the node in insertion order; 0 for the root.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Marks a missing node.
const NONE: u32 = u32::MAX;
/// Marks a missing time.
const UNTIMED: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    /// `None` only at the root.
    action: Option<Action>,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
    /// Time of the move in milliseconds, or [`UNTIMED`].
    time: u32,
    text: Option<Box<Text>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Text {
    comment: String,
    bookmark: String,
}

/// A tree of moves. The root is the start position; the first child of every node belongs to its main line.
#[derive(Clone, Debug)]
pub struct Tree(Vec<Node>);

impl Default for Tree {
    fn default() -> Self {
        Self(vec![Node::new(None, NONE)])
    }
}

impl Node {
    fn new(action: Option<Action>, parent: u32) -> Self {
        Self { action, parent, first: NONE, last: NONE, next: NONE, time: UNTIMED, text: None }
    }
}

impl Tree {
    /// Maximum number of nodes of a tree; only malicious files have more.
    pub const MOST: usize = 1_000_000;

    /// The start position.
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Number of nodes, including the root.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the tree has no node except the root.
    pub fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    /// Adds a node as the last child of `parent`. Returns `None` if the tree already has [`Tree::MOST`] nodes.
    pub fn add(&mut self, parent: NodeId, action: Action) -> Option<NodeId> {
        let id = self.0.len() as u32;
        if id as usize >= Self::MOST {
            return None;
        }
        self.0.push(Node::new(Some(action), parent.0));
        let above = &mut self.0[parent.0 as usize];
        let before = std::mem::replace(&mut above.last, id);
        if before == NONE {
            above.first = id;
        } else {
            self.0[before as usize].next = id;
        }
        Some(NodeId(id))
    }

    /// The content of the node; `None` at the root.
    pub fn action(&self, node: NodeId) -> Option<&Action> {
        self.node(node).action.as_ref()
    }

    /// The move of a node; `None` at the root and at a game end.
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.action(node)?.as_move()
    }

    /// Replaces the content of a node.
    pub(super) fn set_action(&mut self, node: NodeId, action: Action) {
        self.0[node.index()].action = Some(action);
    }

    /// Returns whether a node belongs to the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            if self.first(parent) != Some(at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Makes a node the main continuation of its parent.
    pub(super) fn promote(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        let first = self.0[parent.index()].first;
        if first == node.0 {
            return;
        }
        let before = self.children(parent).find(|&child| self.next(child) == Some(node));
        let next = self.0[node.index()].next;
        if let Some(before) = before {
            self.0[before.index()].next = next;
            if next == NONE {
                self.0[parent.index()].last = before.0;
            }
        }
        self.0[node.index()].next = first;
        self.0[parent.index()].first = node.0;
    }

    /// The parent of the node; `None` at the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.node(node).parent)
    }

    /// The children of a node, the main continuation first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(some(self.node(node).first), |&child| self.next(child))
    }

    /// The first child of a node, which is the main continuation.
    pub fn first(&self, node: NodeId) -> Option<NodeId> {
        some(self.node(node).first)
    }

    /// The next sibling of a node, another continuation of the same position.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        some(self.node(node).next)
    }

    /// The nodes of the main line, from the first move to the last.
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(self.first(self.root()), |&node| self.first(node)).collect()
    }

    /// Returns whether the tree has variations.
    pub fn branches(&self) -> bool {
        self.0.iter().any(|node| node.next != NONE)
    }

    /// The comment on a node, with lines separated by `\n`; empty if it has no comment.
    pub fn comment(&self, node: NodeId) -> &str {
        self.node(node).text.as_ref().map_or("", |text| &text.comment)
    }

    /// Replaces the comment on a node.
    pub fn set_comment(&mut self, node: NodeId, comment: String) {
        self.text(node).comment = comment;
        self.tidy(node);
    }

    /// Adds a line to the comment on a node.
    pub fn add_comment(&mut self, node: NodeId, line: &str) {
        let comment = &mut self.text(node).comment;
        if comment.is_empty() {
            *comment = line.to_string();
        } else {
            comment.push('\n');
            comment.push_str(line);
        }
        self.tidy(node);
    }

    /// The bookmark at a node; empty if it has no bookmark.
    pub fn bookmark(&self, node: NodeId) -> &str {
        self.node(node).text.as_ref().map_or("", |text| &text.bookmark)
    }

    /// Sets the bookmark at a node, which names the position after it.
    pub fn set_bookmark(&mut self, node: NodeId, name: &str) {
        name.clone_into(&mut self.text(node).bookmark);
        self.tidy(node);
    }

    /// The time used for the move, to the millisecond.
    pub fn time(&self, node: NodeId) -> Option<Duration> {
        let time = self.node(node).time;
        (time != UNTIMED).then(|| Duration::from_millis(time.into()))
    }

    /// Sets the time used for the move, limited to seven weeks.
    pub fn set_time(&mut self, node: NodeId, time: Option<Duration>) {
        let millis = |time: Duration| u32::try_from(time.as_millis()).unwrap_or(UNTIMED - 1).min(UNTIMED - 1);
        self.0[node.0 as usize].time = time.map_or(UNTIMED, millis);
    }

    /// All nodes except the root, in insertion order: parents come before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (1..self.0.len() as u32).map(NodeId)
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.0[node.0 as usize]
    }

    fn text(&mut self, node: NodeId) -> &mut Text {
        self.0[node.0 as usize].text.get_or_insert_default()
    }

    /// Removes the comment and bookmark of a node if they are empty.
    fn tidy(&mut self, node: NodeId) {
        let text = &mut self.0[node.0 as usize].text;
        if text.as_ref().is_some_and(|text| text.comment.is_empty() && text.bookmark.is_empty()) {
            *text = None;
        }
    }
}

fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// Trees are equal if their moves, ends, times, comments and bookmarks are the same, in the same order. The comparison
/// does not recurse, so trees can have any depth.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(0, 0)];
        while let Some((a, b)) = pairs.pop() {
            let (one, two) = (&self.0[a as usize], &other.0[b as usize]);
            if (&one.action, one.time, &one.text) != (&two.action, two.time, &two.text) {
                return false;
            }
            for pair in [(one.first, two.first), (one.next, two.next)] {
                match pair {
                    (NONE, NONE) => {}
                    (NONE, _) | (_, NONE) => return false,
                    pair => pairs.push(pair),
                }
            }
        }
        self.len() == other.len()
    }
}

impl Eq for Tree {}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(n: usize) -> Action {
        Action::Move(Move::board(n, n + 1))
    }

    #[test]
    fn equality_is_that_of_what_is_told() {
        let build = |order: [usize; 2]| {
            let mut tree = Tree::default();
            let root = tree.root();
            let a = tree.add(root, mv(1)).expect("a node");
            let b = tree.add(root, mv(2)).expect("a node");
            for n in order {
                tree.add([a, b][n], mv(5 + n)).expect("a node");
            }
            tree.set_comment(b, "two".into());
            tree
        };
        assert_eq!(build([0, 1]), build([1, 0]));
        let mut other = build([0, 1]);
        other.add_comment(other.root(), "more");
        assert_ne!(build([0, 1]), other);
        other.set_comment(other.root(), String::new());
        assert_eq!(build([0, 1]), other);
        assert!(other.branches());
        assert_eq!(other.main_line().len(), 2);
    }

    #[test]
    fn times_are_kept_to_the_millisecond() {
        let mut tree = Tree::default();
        let node = tree.add(tree.root(), mv(1)).expect("a node");
        assert_eq!(tree.time(node), None);
        tree.set_time(node, Some(Duration::from_millis(12_345)));
        assert_eq!(tree.time(node), Some(Duration::from_millis(12_345)));
        tree.set_time(node, Some(Duration::from_secs(1 << 40)));
        assert!(tree.time(node).is_some());
    }
}
