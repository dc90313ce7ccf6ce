//! State shared by all connections of a board.

use super::engines::Engines;
use crate::cli::solve::check_memory;
use sanban_board::Solved;
use sanban_engine::solved::SolvedTables;
use sanban_rules::VariantId;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};

/// State shared by all connections.
pub(super) struct House {
    pub port: u16,
    /// The default port, if another program uses it. Browsers store games by port, so games stored for it are not
    /// visible on this one.
    pub usual: Option<u16>,
    pub engines: Engines,
    pub tables: Mutex<SolvedTables>,
    /// Held while a game is solved, one at a time.
    pub solving: Mutex<()>,
    pub connections: AtomicUsize,
    pub tabs: AtomicUsize,
}

impl House {
    pub fn tables(&self) -> SolvedTables {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Solves a game, unless its table is loaded, and keeps the table in memory. `tell` receives the fraction of the
    /// work that is done and returns whether to go on.
    pub fn solve(&self, game: VariantId, tell: &(dyn Fn(f64) -> bool + Sync)) -> Result<(), String> {
        let mate = match game {
            VariantId::Dobutsu => false,
            VariantId::DobutsuMate => true,
            _ => return Err(format!("{} is not solved here", game.name())),
        };
        let _one = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        if self.tables().games().contains(&game) {
            return Ok(());
        }
        check_memory()?;
        let mut solved = Solved::new(mate, tell).map_err(|error| error.to_string())?;
        let [_, values] = solved.parts();
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.add(values, mate).map_err(|error| error.to_string())
    }
}
