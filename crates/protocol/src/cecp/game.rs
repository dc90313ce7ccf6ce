//! The game being played: the position and the moves that led to it.

use crate::uci::{FenError, cecp_text, halfmove_clock, sfen, usi_text_of_cecp};
use crate::usi::command::Command as UsiCommand;
use sanban_rules::AnyPosition;
use sanban_rules::{Color, Move, SfenError, VariantId, Verdict};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a position cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Sfen(#[from] SfenError),
}

/// Rule settings by name.
pub type Settings = BTreeMap<&'static str, String>;

#[derive(Clone, Debug)]
pub struct Game {
    pos: AnyPosition,
    /// The position before the first move with its halfmove clock; `None` for the start position.
    start: (Option<String>, u16),
    /// The moves from there, in USI.
    moves: Vec<String>,
}

fn pairs(settings: &Settings) -> impl Iterator<Item = (&str, &str)> + Clone {
    settings.iter().map(|(&name, value)| (name, value.as_str()))
}

impl Game {
    pub fn new(variant: VariantId, settings: &Settings) -> Self {
        Self { pos: AnyPosition::start(variant, pairs(settings)), start: (None, 0), moves: Vec::new() }
    }

    /// Sets up a position. If a pass in the current position leads to it, the GUI meant that pass, and the game
    /// continues.
    pub fn set_up(&mut self, fen: &str, settings: &Settings) -> Result<(), SetupError> {
        let (sfen, clock) = (sfen(fen)?, halfmove_clock(fen));
        let mut pos = AnyPosition::parse(self.pos.variant(), &sfen)?;
        pos.set_rules(pairs(settings));
        pos.set_quiet_plies(clock);
        let mut passed = self.clone();
        if passed.play("@@@@").is_some() && passed.pos == pos {
            *self = passed;
        } else {
            *self = Self { pos, start: (Some(sfen), clock), moves: Vec::new() };
        }
        Ok(())
    }

    pub fn set_rules(&mut self, settings: &Settings) {
        self.pos.set_rules(pairs(settings));
    }

    pub fn position(&self) -> UsiCommand {
        let (sfen, clock) = self.start.clone();
        UsiCommand::Position { sfen, clock, moves: self.moves.clone() }
    }

    pub fn side(&self) -> Color {
        self.pos.side()
    }

    /// The number of moves that the side to move has made.
    pub fn moves_made(&self) -> u32 {
        (self.moves.len() / 2) as u32
    }

    /// Reads a move in CECP notation; `None` if it is not legal.
    pub fn read(&self, text: &str) -> Option<Move> {
        let pos = &self.pos;
        let usi = usi_text_of_cecp(pos, text)?;
        if usi == "pass" {
            return pos.legal_moves().into_iter().find(|&mv| self.text(mv) == text);
        }
        pos.parse_move(&usi).ok()
    }

    /// Formats a move in CECP notation.
    pub fn text(&self, mv: Move) -> String {
        cecp_text(&self.pos, mv)
    }

    /// Plays a move; `None` if it is not legal.
    pub fn play(&mut self, text: &str) -> Option<()> {
        let mv = self.read(text)?;
        self.moves.push(self.pos.display(mv));
        self.pos.play(mv);
        Some(())
    }

    pub fn played(&self) -> usize {
        self.moves.len()
    }

    pub fn undo(&mut self) {
        if self.moves.pop().is_some() {
            self.pos.undo();
        }
    }

    /// The result line if the game is over.
    pub fn result(&self) -> Option<String> {
        let pos = &self.pos;
        // A win by declaration does not count until it is declared.
        let (verdict, reason) = match pos.verdict().filter(|_| !pos.can_declare()) {
            Some(verdict) => (verdict, "by rule"),
            None if pos.count() > 0 => return None,
            None if pos.in_check() => (pos.verdict_without_moves(), "mates"),
            None => (pos.verdict_without_moves(), "by stalemate"),
        };
        Some(match verdict {
            Verdict::Draw => "1/2-1/2 {Draw by rule}".into(),
            Verdict::Win | Verdict::Superior => won(pos.side(), reason),
            Verdict::Loss | Verdict::Inferior => won(!pos.side(), reason),
        })
    }
}

/// The result line of a game that this side has won. CECP calls the first player White.
pub fn won(side: Color, reason: &str) -> String {
    let (result, name) = if side == Color::Black { ("1-0", "White") } else { ("0-1", "Black") };
    match reason {
        "mates" => format!("{result} {{{name} mates}}"),
        _ => format!("{result} {{{name} wins {reason}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(variant: VariantId) -> Game {
        Game::new(variant, &Settings::new())
    }

    #[test]
    fn a_pass_is_recognised_in_a_position() {
        let mut played = game(VariantId::JanggiCasual);
        played.play("a3b3").expect("a legal move");
        let fen = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/1PP1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 2";
        played.set_up(fen, &Settings::new()).expect("a position");
        let moves = vec!["9g8g".into(), "5b5b".into()];
        assert_eq!(played.position(), UsiCommand::Position { sfen: None, clock: 0, moves });
        // Without the pass, it is an ordinary position.
        let mut other = game(VariantId::JanggiCasual);
        other.set_up(fen, &Settings::new()).expect("a position");
        assert!(other.moves.is_empty() && other.start.0.is_some());
        assert!(other.set_up("9/9 w", &Settings::new()).is_err());
    }

    #[test]
    fn the_end_is_announced() {
        let set_up = |variant, fen: &str| {
            let mut game = game(variant);
            game.set_up(fen, &Settings::new()).expect("a position");
            game
        };
        let mut mate = set_up(VariantId::Shogi, "4k4/9/4P4/9/9/9/9/9/4K4[G] w - - 0 1");
        assert_eq!(mate.result(), None);
        mate.play("G@e8").expect("a legal move");
        assert_eq!(mate.result().as_deref(), Some("1-0 {White mates}"));
        mate.undo();
        assert_eq!(mate.result(), None);
        let taken = set_up(VariantId::Dobutsu, "gle/1C1/3/ELG[c] b - - 0 1");
        assert_eq!(taken.result(), None);
        let mut passed = game(VariantId::JanggiCasual);
        passed.play("@@@@").expect("a pass");
        passed.play("@@@@").expect("a pass");
        assert_eq!(passed.result().as_deref(), Some("1/2-1/2 {Draw by rule}"));
    }
}
