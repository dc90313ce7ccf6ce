//! Rule settings of both games.

use crate::contract::{self, RuleError};
use crate::setting::{Setting, SettingKind};

/// The rule settings that a user can change.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// The game is drawn after this many moves; 0 means no limit.
    pub max_moves: usize,
}

impl contract::Rules for Rules {
    const SETTINGS: &'static [Setting] =
        &[Setting { name: "MaxMovesToDraw", kind: SettingKind::Spin(0, 0, 100_000) }];

    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        match name {
            "MaxMovesToDraw" => self.max_moves = value.parse().map_err(|_| RuleError::Value(value.into()))?,
            _ => return Err(RuleError::Unknown(name.into())),
        }
        Ok(())
    }
}
