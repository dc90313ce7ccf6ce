//! Tracks the position on a board while a shogi record is read and its tree is built.

use super::board::Board;
use super::end::{End, Outcome};
use super::error::RecordError;
use super::source::{Line, Source, clip};
use super::summary::outcome_words;
use super::tree::{Action, NodeId, Record, Tree};
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Move, Position as _};

/// The state of a reader of shogi records: the record, a board, and the node of the position on the board.
#[derive(Debug)]
pub(super) struct Walk {
    /// The record so far; [`Walk::new`] sets its start position.
    pub record: Record,
    /// The position after `node`.
    pub board: Board,
    /// The last node added or visited.
    pub node: NodeId,
    /// Line and byte offset of every node except the root, in the order in which the nodes were added.
    places: Vec<(u32, u32)>,
    /// The text of the last game end.
    told: String,
}

impl Walk {
    /// Creates the state for a record that starts with this position.
    pub fn new(board: Board, line: &Line<'_>) -> Result<Self, RecordError> {
        if let Some(problem) = board.surplus() {
            return Err(line.error(0, problem));
        }
        let record = Record { start: board.start(), ..Record::default() };
        let node = record.tree.root();
        Ok(Self { record, board, node, places: Vec::new(), told: String::new() })
    }

    /// Makes a move and adds it. If the current node is a game end, the move replaces it, and the end becomes a
    /// comment.
    pub fn play(
        &mut self,
        mv: Move,
        line: &Line<'_>,
        at: &str,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        let wrong = |problem: &str| line.error_at(at, problem);
        // If the first move is not a move of the side to move, the start position is wrong.
        if self.board.made() == 0 {
            self.board.own_mover(mv).map_err(wrong)?;
        }
        self.board.play(mv).map_err(wrong)?;
        if self.ended() {
            self.replace_end(mv, line, at, source);
            return Ok(());
        }
        self.add(Action::Move(mv), line, at)
    }

    /// Replaces the game end at the current node by a move; the text of the end becomes a comment.
    fn replace_end(&mut self, mv: Move, line: &Line<'_>, at: &str, source: &mut Source<'_>) {
        let mut told = std::mem::take(&mut self.told);
        let tree = &mut self.record.tree;
        if let (true, Some(Action::End(end))) = (told.is_empty(), tree.action(self.node)) {
            told = end.kif().into();
        }
        source.warn(line, at, format!("move after the end of the game: {} kept as a comment", clip(&told)));
        let before = tree.parent(self.node).unwrap_or(tree.root());
        tree.add_comment(before, &told);
        let comment = tree.comment(self.node).to_string();
        if !comment.is_empty() {
            tree.add_comment(before, &comment);
            tree.set_comment(self.node, String::new());
        }
        tree.set_time(self.node, None);
        tree.set_action(self.node, Action::Move(mv));
        self.places[self.node.index() - 1] = place(line, at);
    }

    /// Adds a game end, whose text begins at `at`, or reconciles it with an end that was read before.
    pub fn end(
        &mut self,
        end: End,
        line: &Line<'_>,
        at: &str,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        if !end.is_known() {
            source.warn(line, at, format!("unknown end of the game: {}", clip(at)));
        }
        if self.ended() {
            self.end_again(end, line, at, source);
            return Ok(());
        }
        at.trim().clone_into(&mut self.told);
        self.add(Action::End(end), line, at)
    }

    /// Adds a game end after the last move of the main line.
    pub fn end_of_main(
        &mut self,
        end: End,
        line: &Line<'_>,
        at: &str,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        let tree = &self.record.tree;
        self.node = tree.main_line().last().copied().unwrap_or(tree.root());
        self.end(end, line, at, source)
    }

    fn add(&mut self, action: Action, line: &Line<'_>, at: &str) -> Result<(), RecordError> {
        let node = self.record.tree.add(self.node, action);
        self.node = node.ok_or_else(|| line.error(0, format!("more than {} moves", Tree::MOST)))?;
        self.places.push(place(line, at));
        Ok(())
    }

    pub fn ended(&self) -> bool {
        matches!(self.record.tree.action(self.node), Some(Action::End(_)))
    }

    /// The game end at the current node, if it is one.
    fn told_end(&self) -> Option<&End> {
        match self.record.tree.action(self.node)? {
            Action::End(end) => Some(end),
            Action::Move(_) => None,
        }
    }

    /// Handles a second statement about the game end, which may be more precise than the first or contradict it.
    fn end_again(&mut self, end: End, line: &Line<'_>, at: &str, source: &mut Source<'_>) {
        let side = self.side();
        let Some(first) = self.told_end().cloned() else { return };
        let (before, now) = (first.outcome(side), end.outcome(side));
        let same = before == now;
        let again = at.trim() == self.told;
        if !again && (first == end || same && end.is_plain()) || !end.is_known() {
            return;
        }
        let counted = first == End::Impasse && matches!(end, End::Counted(_));
        let refines = counted || !first.is_known() || same && first.is_plain() && first != End::Resign;
        if !refines && !same && before != Outcome::Unknown && now != Outcome::Unknown {
            let [before, now] = [before, now].map(outcome_words);
            source.warn(line, at, format!("{now}, but the record already states {before}"));
            return;
        }
        if !refines {
            source.warn(
                line,
                at,
                format!("{}, but the record already ends with {}", clip(at), first.words()),
            );
        }
        // Keep the end whose outcome is known.
        if refines || before == Outcome::Unknown && now != Outcome::Unknown {
            self.record.tree.set_action(self.node, Action::End(end));
        }
    }

    /// Sets the current node. The caller must update the board.
    pub fn go_to(&mut self, node: NodeId) {
        self.node = node;
        self.told.clear();
    }

    /// Goes back from a game end to the node before it.
    fn leave_end(&mut self) {
        if self.ended() {
            self.node = self.record.tree.parent(self.node).unwrap_or(self.node);
        }
    }

    /// Takes back moves of the current line until `moves` moves are left. Returns false if the line is shorter.
    pub fn back_to(&mut self, moves: usize) -> bool {
        self.leave_end();
        while self.board.made() > moves && self.board.undo() {
            self.node = self.record.tree.parent(self.node).unwrap_or(self.node);
        }
        self.board.made() == moves
    }

    /// Like [`Walk::back_to`], but if the current line is shorter, goes to the nearest line that encloses it and has
    /// enough moves.
    pub fn back_to_line(&mut self, moves: usize) -> bool {
        if self.back_to(moves) {
            return true;
        }
        let tree = &self.record.tree;
        let (mut at, mut depth) = (self.node, self.board.made());
        // The current line may be a variation without moves.
        let mut fork = Some(at);
        loop {
            if let Some(parent) = fork {
                // The enclosing line goes on with the first child.
                let rest = std::iter::successors(tree.first(parent), |&node| tree.first(node));
                let rest = rest.map_while(|node| Some((node, tree.mv(node)?)));
                let rest: Vec<(NodeId, Move)> = rest.take(moves.saturating_sub(depth)).collect();
                if depth + rest.len() >= moves {
                    while self.board.made() > depth && self.board.undo() {}
                    let played = rest.iter().all(|&(_, mv)| self.board.play(mv).is_ok());
                    self.go_to(rest.last().map_or(parent, |last| last.0));
                    return played;
                }
            }
            let Some(parent) = tree.parent(at) else { return false };
            depth -= usize::from(tree.mv(at).is_some());
            fork = (tree.first(parent) != Some(at)).then_some(parent);
            at = parent;
        }
    }

    pub fn side(&self) -> Color {
        self.board.side()
    }

    /// Returns the record, and warns about the first illegal move of every line. An illegal move at the end of the main
    /// line ends the game.
    pub fn finish(mut self, source: &mut Source<'_>) -> Record {
        let Some(last) = self.check(source) else { return self.record };
        let tree = &mut self.record.tree;
        if tree.first(last).is_none() && tree.main_line().last() == Some(&last) {
            tree.add(last, Action::End(End::FoulWin));
        }
        self.record
    }

    /// Warns about illegal moves. Returns the first illegal move of the main line.
    fn check(&self, source: &mut Source<'_>) -> Option<NodeId> {
        let tree = &self.record.tree;
        let start = self.record.start.as_deref().unwrap_or(sanban_rules::shogi::START);
        // The positions of problems may be invalid under the rules.
        let mut pos = Position::from_sfen(start).ok()?;
        let mut on_main = None;
        // Nodes to visit, each with the number of moves before it.
        let mut waiting: Vec<(NodeId, usize)> =
            tree.first(tree.root()).map(|node| (node, 0)).into_iter().collect();
        let mut made = 0;
        while let Some((node, before)) = waiting.pop() {
            while made > before {
                pos.unmake();
                made -= 1;
            }
            waiting.extend(tree.next(node).map(|brother| (brother, before)));
            let Some(mv) = tree.mv(node) else { continue };
            if pos.is_legal(mv) {
                pos.make(mv, &mut ());
                made += 1;
                waiting.extend(tree.first(node).map(|child| (child, made)));
                continue;
            }
            let main = on_main.is_none() && tree.is_main(node);
            if main {
                on_main = Some(node);
            }
            // Do not warn if the record itself states that this side has broken a rule.
            let told = tree.first(node).and_then(|next| tree.action(next));
            let winner = !pos.side();
            let is_told = |end: &End| {
                matches!(end, End::FoulWin | End::Won(..)) && end.outcome(winner) == Outcome::Win(winner)
            };
            if !matches!(told, Some(Action::End(end)) if is_told(end)) {
                let (number, offset) = self.places.get(node.index() - 1).copied().unwrap_or((1, 0));
                source.warn_of_move(number as usize, offset as usize, before + 1, &Position::usi(mv));
            }
        }
        on_main
    }
}

/// The line number of `at`, and its byte offset in the line.
fn place(line: &Line<'_>, at: &str) -> (u32, u32) {
    let offset = (at.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    (line.number as u32, offset as u32)
}
