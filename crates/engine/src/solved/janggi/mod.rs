//! Solved Janggi endings: the distance to mate of every position with few pieces.
//!
//! A [`Class`] describes the material of both sides, a [`Layout`] numbers its positions, [`solve`] finds their values
//! by retrograde analysis, and a [`Table`] stores them, one byte each. [`Tables`] looks up positions in a directory of
//! such files. The meaning of the values and the results are described in `docs/janggi-endings.md`.

mod captures;
mod check;
pub mod layout;
pub mod material;
mod mates;
mod oracle;
pub mod palace;
mod retrograde;
mod store;
mod summary;
pub mod table;

pub use check::{Wrong, check};
pub use layout::Layout;
pub use material::{Class, ClassError};
pub use oracle::Endings;
pub use retrograde::SolveError;
pub use store::Tables;
pub use summary::{Counts, Summary};
pub use table::{Table, TableError};

use captures::Captures;
use sanban_rules::janggi::Pass;
use std::sync::Arc;

/// Solves a class. `get` returns the table of a class that a capture leads to; it is called only for classes with an
/// attacker.
///
/// # Errors
/// An error of `get`, or not enough memory (two bytes per position).
pub fn solve<E: From<SolveError>>(
    class: Class,
    pass: Pass,
    get: impl FnMut(Class) -> Result<Arc<Table>, E>,
) -> Result<Table, E> {
    let layout = Layout::new(class);
    let captures = Captures::new(&layout, get)?;
    let values = retrograde::solve(&layout, &captures, pass)?;
    Ok(Table::new(Arc::new(layout), pass, values))
}

#[cfg(test)]
mod tests;
