//! The solved game: what every move of Dobutsu shogi leads to.

use crate::dobutsu::table::{Table, TableError, TableFault, Value};
use crate::dobutsu::{self, Rules};
use crate::game::{Position as _, Verdict};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// The tables of the solved games that are at hand.
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
    /// When the file is not a sound table of either game.
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

    fn table(&self, mate: bool) -> Option<&Arc<Table>> {
        if mate { self.mate.as_ref() } else { self.original.as_ref() }
    }

    /// Rules under which a position knows its solution.
    pub(super) fn rules<const MATE: bool>(&self) -> Option<Rules<MATE>> {
        let table = self.table(MATE)?.clone();
        Some(Rules { table: Some(table), ..Rules::default() })
    }

    /// Every legal move with what it leads to for the side that makes it; `None` without a table.
    pub(super) fn moves<const MATE: bool>(&self, pos: &dobutsu::Position<MATE>) -> Option<Vec<Json>> {
        let table = self.table(MATE)?;
        let moves = pos.legal_moves();
        let mut pos = pos.clone();
        let judge = |mv| {
            pos.make(mv, &mut ());
            let value = match pos.verdict(0) {
                Some(Verdict::Draw) => Some(Value::Draw),
                _ => pos.solved(table),
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
