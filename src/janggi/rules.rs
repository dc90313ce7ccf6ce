//! Rule settings of both games.

use crate::base::setting::{Kind, Setting};
use crate::game;

/// When may the side to move pass? Never in check, save to accept facing generals (`Janggi_Bikjang`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// When its general has no legal step.
    Literal,
    /// Whenever it likes.
    Free,
    /// When it has no other legal move.
    Forced,
}

const PASSES: [&str; 3] = ["literal", "free", "forced"];

/// Everything that a user can choose. `CASUAL` tells which pass is the default: free, else literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules<const CASUAL: bool> {
    /// When the side to move may pass.
    pub pass: Pass,
    /// Do generals that stay face to face end the game?
    pub bikjang: bool,
    /// Is a game that would be drawn won by the side with more material?
    pub counting: bool,
    /// The game is drawn (or counted) after this many moves; 0 means never.
    pub max_moves: usize,
}

impl<const CASUAL: bool> Default for Rules<CASUAL> {
    fn default() -> Self {
        let pass = if CASUAL { Pass::Free } else { Pass::Literal };
        Self { pass, bikjang: false, counting: false, max_moves: 0 }
    }
}

impl<const CASUAL: bool> game::Rules for Rules<CASUAL> {
    const SETTINGS: &'static [Setting] = &[
        Setting {
            name: "Janggi_Pass",
            kind: Kind::Combo(if CASUAL { PASSES[1] } else { PASSES[0] }, &PASSES),
        },
        Setting { name: "Janggi_Bikjang", kind: Kind::Check(false) },
        Setting { name: "Janggi_Counting", kind: Kind::Check(false) },
        Setting { name: "MaxMovesToDraw", kind: Kind::Spin(0, 0, 100_000) },
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Janggi_Pass" => {
                let i = PASSES.iter().position(|&n| n == value).ok_or(format!("unknown pass {value}"))?;
                self.pass = [Pass::Literal, Pass::Free, Pass::Forced][i];
            }
            "Janggi_Bikjang" => self.bikjang = value == "true",
            "Janggi_Counting" => self.counting = value == "true",
            "MaxMovesToDraw" => {
                self.max_moves = value.parse().map_err(|_| format!("not a number: {value}"))?
            }
            _ => return Err(format!("janggi has no setting {name}")),
        }
        Ok(())
    }
}
