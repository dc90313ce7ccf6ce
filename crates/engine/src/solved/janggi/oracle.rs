//! Perfect play from a directory of tables.

use super::store::Tables;
use crate::solved::Value;
use crate::solved::line::{self, Values};
use crate::{Oracle, OracleError};
use sanban_rules::janggi::{Pass, Position};
use sanban_rules::{Move, Position as _, Score};
use std::path::Path;
use std::sync::Arc;

/// The tables of a directory for both pass rules, if a directory has been opened.
#[derive(Clone, Debug, Default)]
pub struct Endings(Option<Arc<[Tables; 2]>>);

impl Endings {
    /// The tables for the rules of a position; `None` if these rules have no tables.
    fn tables(&self, pos: &Position) -> Option<&Tables> {
        let [literal, free] = self.0.as_deref()?;
        let rules = pos.rules();
        match rules.pass {
            _ if rules.bikjang || rules.counting => None,
            Pass::Literal => Some(literal),
            Pass::Free => Some(free),
            Pass::Forced => None,
        }
    }

    /// Returns whether a directory has been opened and tables can exist for the rules of this position.
    pub fn are_for(&self, pos: &Position) -> bool {
        self.tables(pos).is_some()
    }

    /// The value of a position without regard to earlier repetitions; `None` if there is no table for it.
    pub fn value(&self, pos: &Position) -> Option<Value> {
        Values::value(self.tables(pos)?, pos)
    }
}

impl Oracle<Position> for Endings {
    const OPTION: Option<&'static str> = Some("JanggiTables");

    fn open(path: &Path) -> Result<Self, OracleError> {
        if !path.is_dir() {
            return Err(OracleError::new(format!("{}: expected a directory of tables", path.display())));
        }
        let tables = [Pass::Literal, Pass::Free].map(|pass| Tables::new(path, pass));
        Ok(Self(Some(Arc::new(tables))))
    }

    fn solution(&self, pos: &Position) -> Option<(Score, Vec<Move>)> {
        let tables = self.tables(pos)?;
        // Most positions of a game have no table.
        Values::value(tables, pos)?;
        line::solution(pos, tables, pos.rules().max_moves)
    }
}

impl Values<Position> for Tables {
    const LONGEST: usize = 250;

    /// The value of a position. A file that cannot be used is reported in the log.
    fn value(&self, pos: &Position) -> Option<Value> {
        Self::value(self, pos).unwrap_or_else(|error| {
            log::warn!("{error}");
            None
        })
    }
}
