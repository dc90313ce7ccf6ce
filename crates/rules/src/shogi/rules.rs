//! Rule settings of shogi.

use crate::contract::word_index;
use crate::setting::{Setting, SettingKind};
use crate::{RuleError, contract};

/// The entering-king rules, with the usual names in USI programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnteringKing {
    /// No declaration (`NoEnteringKing`).
    None,
    /// 31 points win, 24 to 30 draw (`CSARule24`).
    Points24,
    /// Like `Points24`, but in handicap games white counts the pieces it gave (`CSARule24H`).
    Points24Handicap,
    /// 28 points for black or 27 for white win (`CSARule27`).
    #[default]
    Points27,
    /// Like `Points27`, but in handicap games white counts the pieces it gave (`CSARule27H`).
    Points27Handicap,
    /// A king that reaches the enemy king's start square wins (`TryRule`).
    Try,
}

const NAMES: [&str; 6] = ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

/// The rule settings that a user can change.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// The entering-king rule.
    pub entering_king: EnteringKing,
    /// The game is drawn after this many moves; 0 means no limit.
    pub max_moves: usize,
    /// Whether the search considers pointless non-promotions.
    pub all_legal_moves: bool,
}

impl contract::Rules for Rules {
    const SETTINGS: &'static [Setting] = &[
        Setting { name: "EnteringKingRule", kind: SettingKind::Combo("CSARule27", &NAMES) },
        Setting { name: "MaxMovesToDraw", kind: SettingKind::Spin(0, 0, 100_000) },
        Setting { name: "GenerateAllLegalMoves", kind: SettingKind::Check(false) },
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        use EnteringKing::*;
        match name {
            "EnteringKingRule" => {
                let rules = [None, Points24, Points24Handicap, Points27, Points27Handicap, Try];
                self.entering_king = rules[word_index(&NAMES, value)?];
            }
            "MaxMovesToDraw" => self.max_moves = value.parse().map_err(|_| RuleError::Value(value.into()))?,
            "GenerateAllLegalMoves" => self.all_legal_moves = value == "true",
            _ => return Err(RuleError::Unknown(name.into())),
        }
        Ok(())
    }
}
