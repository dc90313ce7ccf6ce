//! Text for positions and moves of any game, as shown on a report page.

use sanban_formats::record::{Board, ki2_text, western_text};
use sanban_rules::{AnyPosition, Color, Move, Square};

/// A string in Japanese and English.
pub type Both = [String; 2];

/// A position that formats its moves.
pub trait Speaker {
    /// The position as SFEN.
    fn sfen(&self) -> String;
    /// Formats a playable move in both languages.
    ///
    /// # Errors
    ///
    /// The move cannot be made; the error is the reason.
    fn say(&self, mv: Move) -> Result<Both, &'static str>;
    /// Makes a move.
    ///
    /// # Errors
    ///
    /// The move cannot be made; the error is the reason.
    fn play(&mut self, mv: Move) -> Result<(), &'static str>;
    /// Undoes the last move.
    fn undo(&mut self);
}

/// Shogi, with moves in Japanese newspaper notation and Western notation.
impl Speaker for Board {
    fn sfen(&self) -> String {
        Self::sfen(self)
    }

    fn say(&self, mv: Move) -> Result<Both, &'static str> {
        Ok([ki2_text(self, mv)?, western_text(self, mv)?])
    }

    fn play(&mut self, mv: Move) -> Result<(), &'static str> {
        Self::play(self, mv)
    }

    fn undo(&mut self) {
        Self::undo(self);
    }
}

/// Any other game, with moves in USI notation.
impl Speaker for AnyPosition {
    fn sfen(&self) -> String {
        Self::sfen(self)
    }

    fn say(&self, mv: Move) -> Result<Both, &'static str> {
        let text = if mv.is_pass() { "pass".into() } else { self.display(mv) };
        let mark = if self.side() == Color::Black { '▲' } else { '△' };
        Ok([format!("{mark}{text}"), text])
    }

    fn play(&mut self, mv: Move) -> Result<(), &'static str> {
        self.try_play(mv).map_err(|_| "the move is not legal")
    }

    fn undo(&mut self) {
        Self::undo(self);
    }
}

/// The target square and the origin of a move, as file and rank from 1.
pub fn squares(mv: Move, ranks: usize) -> Vec<[usize; 2]> {
    if mv.is_pass() {
        return vec![];
    }
    let origin = (!mv.is_drop()).then(|| mv.from());
    let place = |square: usize| {
        let Square { file, rank } = Square::at(square, ranks);
        [file.into(), 1 + rank as usize - 'a' as usize]
    };
    std::iter::once(mv.to()).chain(origin).map(place).collect()
}
