//! The solved game: the value of every move of Dobutsu shogi.

use sanban_engine::solved::dobutsu::table::{Table, TableError, TableFault, Value};
use sanban_engine::solved::dobutsu::{Solution, solved};
use sanban_engine::solved::janggi::Endings;
use sanban_rules::{Position as _, Verdict, dobutsu};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// The loaded tables of solved games.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    original: Option<Arc<Table>>,
    mate: Option<Arc<Table>>,
}

impl Truth {
    /// Reads a table, whichever of the two games it solves.
    ///
    /// # Errors
    ///
    /// The file is not a valid table of either game.
    pub fn read(&mut self, path: &Path) -> Result<(), TableError> {
        match Table::load(path, false) {
            Ok(table) => self.original = Some(Arc::new(table)),
            Err(TableError { fault: TableFault::Game { found: "dobutsumate", .. }, .. }) => {
                self.mate = Some(Arc::new(Table::load(path, true)?));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The names of the games whose tables are loaded.
    pub fn games(&self) -> Vec<&'static str> {
        let names = [("dobutsu", false), ("dobutsumate", true)];
        names.iter().filter(|&&(_, mate)| self.table(mate).is_some()).map(|&(name, _)| name).collect()
    }

    fn table(&self, mate: bool) -> Option<&Arc<Table>> {
        if mate { self.mate.as_ref() } else { self.original.as_ref() }
    }

    /// The solution of one of the two games, if its table is loaded.
    fn solution<const MATE: bool>(&self) -> Solution<MATE> {
        self.table(MATE).map_or_else(Solution::default, |table| Solution::new(table.clone()))
    }

    /// Every legal move with its value for the side to move; `None` without a table.
    pub(super) fn moves<const MATE: bool>(&self, pos: &dobutsu::Position<MATE>) -> Option<Vec<Json>> {
        let table = self.table(MATE)?;
        let moves = pos.legal_moves();
        let mut pos = pos.clone();
        let judge = |mv| {
            pos.make(mv, &mut ());
            let value = match pos.verdict(0) {
                Some(Verdict::Draw) => Some(Value::Draw),
                _ => solved(&pos, table),
            };
            pos.unmake();
            let (word, plies) = match value? {
                Value::Win(plies) => ("loss", Some(plies + 1)),
                Value::Loss(plies) => ("win", Some(plies + 1)),
                Value::Draw => ("draw", None),
            };
            Some(json!({ "usi": dobutsu::Position::<MATE>::usi(mv), "value": word, "plies": plies }))
        };
        Some(moves.iter().copied().filter_map(judge).collect())
    }
}

/// The solved table of a game, if it is loaded.
pub(super) trait FromTruth: Default {
    /// The table that the engine may answer from.
    fn from_truth(_truth: &Truth) -> Self {
        Self::default()
    }
}

impl FromTruth for () {}

impl FromTruth for Endings {}

impl<const MATE: bool> FromTruth for Solution<MATE> {
    fn from_truth(truth: &Truth) -> Self {
        truth.solution()
    }
}
