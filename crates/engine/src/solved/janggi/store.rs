//! A directory of tables.

use super::layout::Placement;
use super::material::Class;
use super::table::{Table, TableError, value_of};
use crate::solved::Value;
use sanban_rules::janggi::{Pass, Position};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The tables of a directory for one pass rule, each read on first use.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    pass: Pass,
    /// Tables that have been read; `None` for missing files.
    read: Mutex<HashMap<Class, Option<Arc<Table>>>>,
}

impl Tables {
    /// Creates the store for a directory. Tables are read when they are first needed.
    pub fn new(folder: &Path, pass: Pass) -> Self {
        Self { folder: folder.into(), pass, read: Mutex::default() }
    }

    /// The pass rule.
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// The path of the table of a class.
    pub fn path(&self, class: Class) -> PathBuf {
        self.folder.join(Table::file_name(class, self.pass))
    }

    /// The table of a class; `None` if the directory has none.
    ///
    /// # Errors
    /// The file exists but cannot be read or is damaged.
    pub fn table(&self, class: Class) -> Result<Option<Arc<Table>>, TableError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = read.get(&class) {
            return Ok(table.clone());
        }
        let path = self.path(class);
        let table = if path.exists() { Some(Arc::new(Table::read(&path, class, self.pass)?)) } else { None };
        read.insert(class, table.clone());
        Ok(table)
    }

    /// Stores a table, as if it had been read.
    pub fn keep(&self, table: Arc<Table>) {
        let class = table.layout().class();
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(class, Some(table));
    }

    /// Drops the tables of all other classes.
    pub fn forget_all_but(&self, classes: &[Class]) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).retain(|class, _| classes.contains(class));
    }

    /// The value of a position under the pass rule of these tables and without regard to earlier repetitions; `None` if
    /// there is no table for its material.
    ///
    /// # Errors
    /// See [`Tables::table`].
    pub fn value(&self, pos: &Position) -> Result<Option<Value>, TableError> {
        let Some((class, swapped)) = Class::of(pos) else { return Ok(None) };
        if class.attackers() == 0 {
            return Ok(Some(Value::Draw));
        }
        let Some(table) = self.table(class)? else { return Ok(None) };
        let side = sanban_rules::Position::side(pos).index() ^ usize::from(swapped);
        let value = value_of(table.byte(&Placement::of(pos, swapped), side));
        // After a pass, a side that can also pass does not lose.
        Ok(match value {
            Some(Value::Loss(_)) if pos.passes() > 0 && pos.may_pass() => Some(Value::Draw),
            value => value,
        })
    }
}
