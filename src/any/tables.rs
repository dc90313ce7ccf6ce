//! The tables of solved games.

use super::position::{AnyPosition, Board};
use sanban_engine::solved::Value;
use sanban_engine::solved::dobutsu::table::{Table, TableError, TableFault};
use sanban_engine::solved::dobutsu::{Solution, solved};
use sanban_engine::solved::janggi::Endings;
use sanban_rules::{Move, Position as _, VariantId, Verdict, dobutsu};
use std::path::Path;
use std::sync::Arc;

/// The loaded tables of solved games. Copies share the memory.
#[derive(Clone, Debug, Default)]
pub struct SolvedTables {
    original: Option<Arc<Table>>,
    mate: Option<Arc<Table>>,
}

impl SolvedTables {
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

    /// The games whose tables are loaded.
    #[must_use]
    pub fn games(&self) -> Vec<VariantId> {
        let games = [(VariantId::Dobutsu, false), (VariantId::DobutsuMate, true)];
        games.into_iter().filter(|&(_, mate)| self.table(mate).is_some()).map(|(game, _)| game).collect()
    }

    /// Every legal move and the value of the position after it, for the side that is then to move; `None` without a table
    /// of the game.
    #[must_use]
    pub fn moves(&self, pos: &AnyPosition) -> Option<Vec<(Move, Value)>> {
        match pos.board() {
            Board::Dobutsu(pos) => self.dobutsu(pos),
            Board::DobutsuMate(pos) => self.dobutsu(pos),
            Board::Shogi(_) | Board::Janggi(_) => None,
        }
    }

    fn dobutsu<const MATE: bool>(&self, pos: &dobutsu::Position<MATE>) -> Option<Vec<(Move, Value)>> {
        let table = self.table(MATE)?;
        let mut after = pos.clone();
        let mut value = |mv| {
            after.play(mv);
            let value = match after.verdict(0) {
                Some(Verdict::Draw) => Some(Value::Draw),
                _ => solved(&after, table),
            };
            after.unmake();
            Some((mv, value?))
        };
        Some(pos.legal_moves().into_iter().filter_map(&mut value).collect())
    }

    fn table(&self, mate: bool) -> Option<&Arc<Table>> {
        if mate { self.mate.as_ref() } else { self.original.as_ref() }
    }
}

/// What the engine of a game needs of the tables.
pub trait FromTables: Default {
    /// The table of this game, if it is loaded.
    fn from_tables(_tables: &SolvedTables) -> Self {
        Self::default()
    }
}

impl FromTables for () {}

impl FromTables for Endings {}

impl<const MATE: bool> FromTables for Solution<MATE> {
    fn from_tables(tables: &SolvedTables) -> Self {
        tables.table(MATE).map_or_else(Self::default, |table| Self::new(table.clone()))
    }
}
