//! The tables of solved games.

use super::Value;
use super::dobutsu::table::{Table, TableError, TableFault};
use super::dobutsu::{Solution, solved};
use super::janggi::Endings;
use crate::{Oracle, OracleError};
use sanban_rules::{AnyPosition, Board, Move, Position, VariantId, Verdict, dobutsu, janggi};
use std::path::Path;
use std::sync::Arc;

/// The loaded tables of solved games. Clones share the memory.
#[derive(Clone, Debug, Default)]
pub struct SolvedTables {
    original: Option<Arc<Table>>,
    mate: Option<Arc<Table>>,
    endings: Endings,
}

impl SolvedTables {
    /// Reads a table of either variant of Dobutsu shogi.
    ///
    /// # Errors
    /// The file is not a valid table of either variant.
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

    /// Replaces all tables with a table of Dobutsu shogi, given as the content of its file.
    ///
    /// # Errors
    /// The file is not a valid table of this variant; then no tables remain.
    pub fn replace(&mut self, file: Vec<u8>, mate: bool) -> Result<(), TableFault> {
        *self = Self::default();
        let table = if mate { &mut self.mate } else { &mut self.original };
        *table = Some(Arc::new(Table::from_file(file, mate)?));
        Ok(())
    }

    /// Adds a table of Dobutsu shogi with these values, one for each slot.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn add(&mut self, values: &[u8], mate: bool) -> Result<(), TableFault> {
        let table = if mate { &mut self.mate } else { &mut self.original };
        *table = Some(Arc::new(Table::of_values(values)?));
        Ok(())
    }

    /// Uses the tables of Janggi endings in a directory. Each table is read when it is first needed; a table that
    /// cannot be used is logged and treated as missing.
    ///
    /// # Errors
    /// The directory does not exist.
    pub fn read_endings(&mut self, folder: &Path) -> Result<(), OracleError> {
        self.endings = Endings::open(folder)?;
        Ok(())
    }

    /// The games whose tables are loaded. For Janggi, the variants whose rules the tables support.
    pub fn games(&self) -> Vec<VariantId> {
        let has_tables = |game: &&VariantId| match AnyPosition::new(**game).board() {
            Board::Dobutsu(_) => self.original.is_some(),
            Board::DobutsuMate(_) => self.mate.is_some(),
            Board::Janggi(pos) => self.endings.are_for(pos),
            Board::Shogi(_) => false,
        };
        VariantId::ALL.iter().filter(has_tables).copied().collect()
    }

    /// Every legal move and the value of the position after it, for the side to move there. `None` if the game has no
    /// table; empty if the position is not in the tables.
    pub fn moves(&self, pos: &AnyPosition) -> Option<Vec<(Move, Value)>> {
        match pos.board() {
            Board::Dobutsu(pos) => self.dobutsu(pos),
            Board::DobutsuMate(pos) => self.dobutsu(pos),
            Board::Janggi(pos) => self.janggi(pos),
            Board::Shogi(_) => None,
        }
    }

    fn janggi(&self, pos: &janggi::Position) -> Option<Vec<(Move, Value)>> {
        if !self.endings.are_for(pos) {
            return None;
        }
        // Most positions are not in the tables. If a move has no value, none is returned, since it could be the best.
        let known = self.endings.value(pos).and_then(|_| {
            let mut after = pos.clone();
            let value = |mv| {
                after.play(mv);
                let value = match after.verdict(0) {
                    Some(Verdict::Win) => Some(Value::Win(0)),
                    Some(Verdict::Loss) => Some(Value::Loss(0)),
                    Some(_) => Some(Value::Draw),
                    None => self.endings.value(&after),
                };
                after.unmake();
                Some((mv, value?))
            };
            pos.legal_moves().into_iter().map(value).collect()
        });
        Some(known.unwrap_or_default())
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

/// Extracts the table that the engine of a game needs.
pub trait FromTables: Default {
    /// The table of this game; by default none.
    fn from_tables(_tables: &SolvedTables) -> Self {
        Self::default()
    }
}

impl FromTables for () {}

impl FromTables for Endings {
    fn from_tables(tables: &SolvedTables) -> Self {
        tables.endings.clone()
    }
}

impl<const MATE: bool> FromTables for Solution<MATE> {
    fn from_tables(tables: &SolvedTables) -> Self {
        tables.table(MATE).map_or_else(Self::default, |table| Self::new(table.clone()))
    }
}
