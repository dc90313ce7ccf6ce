//! Rule settings of Janggi.

use crate::contract::word_index;
use crate::setting::{Setting, SettingKind};
use crate::{RuleError, contract};

/// When the side to move may pass. Never in check, except to accept facing generals (`Janggi_Bikjang`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pass {
    /// The written rules: a side may pass only if its general has no legal move.
    #[default]
    Literal,
    /// A side that is not in check may pass.
    Free,
    /// A side may pass only if it has no other legal move.
    Forced,
}

const PASSES: [&str; 3] = ["literal", "free", "forced"];

/// The rules that end a game without a mate, besides passes and facing generals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ends {
    /// The third occurrence of a position, and material with which neither side can give mate.
    #[default]
    Own,
    /// As in Fairy-Stockfish: the third occurrence of a position, and 100 plies without a capture.
    Fairy,
    /// As in Fairy-Stockfish's modern game: the fourth occurrence of a position, a piece that moves back and forth too
    /// often, and 200 plies without a capture.
    FairyModern,
}

/// The name of the setting for [`Rules::ends`]. It is not an option: the games of other protocols set it.
pub const ENDS_SETTING: &str = "Janggi_Ends";
const ENDS: [&str; 3] = ["own", "fairy", "fairymodern"];

/// Back ranks in SFEN, in capital letters: horse and elephant may be swapped on each wing.
const SETUPS: [&str; 4] = ["RNBA1ABNR", "RBNA1ANBR", "RBNA1ABNR", "RNBA1ANBR"];
/// The part of the start position between the back ranks.
const BETWEEN: &str = "/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/";

/// The rule settings that a user can change.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// When the side to move may pass.
    pub pass: Pass,
    /// Whether facing generals must be separated by the next move or accepted by a pass, which ends the game.
    pub bikjang: bool,
    /// Whether material decides games that would otherwise be drawn.
    pub counting: bool,
    /// The rules that end a game without a mate.
    pub ends: Ends,
    /// The game is drawn (or counted) after this many moves; 0 means no limit.
    pub max_moves: usize,
    /// Indices in `SETUPS` of the back ranks of black and white.
    pub setups: [usize; 2],
}

impl contract::Rules for Rules {
    const SETTINGS: &'static [Setting] = &[
        Setting { name: "Janggi_Pass", kind: SettingKind::Combo(PASSES[0], &PASSES) },
        Setting { name: "Janggi_Bikjang", kind: SettingKind::Check(false) },
        Setting { name: "Janggi_Counting", kind: SettingKind::Check(false) },
        Setting { name: "Janggi_SetupBlack", kind: SettingKind::Combo(SETUPS[0], &SETUPS) },
        Setting { name: "Janggi_SetupWhite", kind: SettingKind::Combo(SETUPS[0], &SETUPS) },
        Setting { name: "MaxMovesToDraw", kind: SettingKind::Spin(0, 0, 100_000) },
        Setting { name: ENDS_SETTING, kind: SettingKind::Combo(ENDS[0], &ENDS) },
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        match name {
            "Janggi_Pass" => {
                self.pass = [Pass::Literal, Pass::Free, Pass::Forced][word_index(&PASSES, value)?];
            }
            "Janggi_Bikjang" => self.bikjang = value == "true",
            "Janggi_Counting" => self.counting = value == "true",
            "Janggi_SetupBlack" => self.setups[0] = word_index(&SETUPS, value)?,
            "Janggi_SetupWhite" => self.setups[1] = word_index(&SETUPS, value)?,
            ENDS_SETTING => {
                self.ends = [Ends::Own, Ends::Fairy, Ends::FairyModern][word_index(&ENDS, value)?]
            }
            "MaxMovesToDraw" => self.max_moves = value.parse().map_err(|_| RuleError::Value(value.into()))?,
            _ => return Err(RuleError::Unknown(name.into())),
        }
        Ok(())
    }

    fn start(&self) -> Option<String> {
        let [black, white] = self.setups.map(|setup| SETUPS[setup]);
        let sfen = format!("{}{BETWEEN}{black} b - 1", white.to_ascii_lowercase());
        (self.setups != [0; 2]).then_some(sfen)
    }
}
