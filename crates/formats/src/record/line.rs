//! Following a record on the board while it is read: the tree grows, and the board stays with it.

use super::board::Board;
use super::end::End;
use super::error::{Line, RecordError};
use super::tree::{Action, NodeId, Record, Tree};
use sanban_rules::{Color, Move};

/// Where a reader of shogi stands: a board, and the node that it shows.
#[derive(Debug)]
pub struct Walk {
    /// The record so far; its start is set by [`Walk::new`].
    pub record: Record,
    /// The position after `node`.
    pub board: Board,
    /// The node added or visited last.
    pub node: NodeId,
}

impl Walk {
    /// At the start of a record from a position.
    pub fn new(board: Board) -> Self {
        let record = Record { start: board.start(), ..Record::default() };
        let node = record.tree.root();
        Self { record, board, node }
    }

    /// Makes a move and adds it; after an end nothing comes.
    pub fn play(&mut self, mv: Move, line: &Line<'_>, at: &str) -> Result<(), RecordError> {
        self.leave_end();
        self.board.play(mv).map_err(|problem| line.error_at(at, problem))?;
        self.add(Action::Move(mv), line)
    }

    /// Adds an end.
    pub fn end(&mut self, end: End, line: &Line<'_>) -> Result<(), RecordError> {
        self.leave_end();
        self.add(Action::End(end), line)
    }

    fn add(&mut self, action: Action, line: &Line<'_>) -> Result<(), RecordError> {
        let node = self.record.tree.add(self.node, action);
        self.node = node.ok_or_else(|| line.error(0, format!("more than {} moves", Tree::MOST)))?;
        Ok(())
    }

    /// Is the game over here?
    pub fn ended(&self) -> bool {
        matches!(self.record.tree.action(self.node), Some(Action::End(_)))
    }

    /// Steps back from an end to the position in which it was told.
    fn leave_end(&mut self) {
        if self.ended() {
            self.node = self.record.tree.parent(self.node).unwrap_or(self.node);
        }
    }

    /// Goes back along the line read last until `moves` moves are made; false when it is shorter.
    pub fn back_to(&mut self, moves: usize) -> bool {
        self.leave_end();
        while self.board.made() > moves && self.board.undo() {
            self.node = self.record.tree.parent(self.node).unwrap_or(self.node);
        }
        self.board.made() == moves
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.board.side()
    }
}
