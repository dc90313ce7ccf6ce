//! A check of a table against the rules: values of random positions are derived again from those of their children,
//! which the rules of the game generate.

use super::store::Tables;
use super::table::{BROKEN, Table, TableError, value_of};
use crate::solved::Value;
use sanban_rules::Rng;
use sanban_rules::janggi::{Position, Rules};
use thiserror::Error;

/// An error found by a check.
#[derive(Debug, Error)]
pub enum Wrong {
    /// The value does not follow from the moves.
    #[error("{sfen} has {found:?}, but its moves lead to {derived:?}")]
    Value {
        /// The position.
        sfen: String,
        /// The value in the table.
        found: Option<Value>,
        /// The value derived from the children.
        derived: Option<Value>,
    },
    /// The number is marked legal although the rules reject the position, or vice versa.
    #[error("{sfen}: the rules and the table disagree on whether the position is legal")]
    Legality {
        /// The position.
        sfen: String,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Derives the values of `samples` random numbers again. `tables` has the classes that captures lead to.
///
/// # Errors
/// A value is wrong, or a table cannot be read.
pub fn check(table: &Table, tables: &Tables, samples: usize, seed: u64) -> Result<(), Wrong> {
    let (layout, mut rng) = (table.layout(), Rng::new(seed));
    let rules = Rules { pass: table.pass(), ..Rules::default() };
    for _ in 0..samples {
        let index = rng.below(layout.numbers());
        let byte = table.values()[index];
        let (placement, _) = layout.placement(index);
        let overlap = layout.spots_overlap(&placement);
        if overlap {
            if byte != BROKEN {
                return Err(Wrong::Legality { sfen: layout.sfen(index) });
            }
            continue;
        }
        let sfen = layout.sfen(index);
        let pos = Position::from_sfen(&sfen).ok();
        let (Some(mut pos), true) = (pos.clone(), byte != BROKEN) else {
            if pos.is_none() && byte == BROKEN {
                continue;
            }
            return Err(Wrong::Legality { sfen });
        };
        sanban_rules::Position::set_rules(&mut pos, &rules);
        let (found, derived) = (value_of(byte), derive(&mut pos, tables)?);
        if found != derived {
            return Err(Wrong::Value { sfen, found, derived });
        }
    }
    Ok(())
}

/// The value derived from the moves of a position; `None` if a value is missing.
fn derive(pos: &mut Position, tables: &Tables) -> Result<Option<Value>, TableError> {
    let mut best: Option<Value> = None;
    for mv in sanban_rules::Position::legal_moves(pos) {
        pos.make(mv, &mut ());
        let value = tables.value(pos)?;
        pos.unmake();
        let Some(value) = value.map(Value::of_move) else { return Ok(None) };
        if best.is_none_or(|best| value.rank() > best.rank()) {
            best = Some(value);
        }
    }
    // In check without a move: mated.
    Ok(Some(best.unwrap_or(Value::Loss(0))))
}
