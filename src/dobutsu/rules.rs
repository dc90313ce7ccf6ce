//! Rule settings of both games.

use super::table::Table;
use crate::base::find;
use crate::base::setting::{Setting, SettingKind};
use crate::game::{self, RuleError};
use std::path::Path;
use std::sync::Arc;

/// Everything that a user can choose.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules<const MATE: bool> {
    /// The game is drawn after this many moves; 0 means never.
    pub max_moves: usize,
    /// The solution of the game; with it the engine plays perfectly.
    pub table: Option<Arc<Table>>,
}

impl<const MATE: bool> game::Rules for Rules<MATE> {
    const SETTINGS: &'static [Setting] = &[
        Setting { name: "DobutsuTable", kind: SettingKind::File("") },
        Setting { name: "MaxMovesToDraw", kind: SettingKind::Spin(0, 0, 100_000) },
    ];

    /// A table that is refused takes an earlier one out of use too.
    fn set(&mut self, name: &str, value: &str) -> Result<(), RuleError> {
        match name {
            "DobutsuTable" => {
                self.table = None;
                if !value.is_empty() && value != "<empty>" {
                    let table = Table::load(&find(Path::new(value)), MATE);
                    self.table = Some(Arc::new(table.map_err(|e| RuleError::File(e.to_string()))?));
                }
            }
            "MaxMovesToDraw" => self.max_moves = value.parse().map_err(|_| RuleError::Value(value.into()))?,
            _ => return Err(RuleError::Unknown(name.into())),
        }
        Ok(())
    }
}
