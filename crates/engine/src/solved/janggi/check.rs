//! A check of a table against the rules: values of random positions are derived again from those of their children,
//! which the rules of the game generate.

use super::store::Tables;
use super::table::{BROKEN, Table, TableError, Value};
use sanban_rules::Rng;
use sanban_rules::janggi::{Position, Rules};
use thiserror::Error;

/// A value that cannot be derived from the moves of its position, or a missing table.
#[derive(Debug, Error)]
pub enum Wrong {
    /// The value does not follow.
    #[error("{sfen} has {found:?}, but its moves lead to {derived:?}")]
    Value {
        /// The position.
        sfen: String,
        /// The value in the table.
        found: Option<Value>,
        /// The value derived from the children.
        derived: Option<Value>,
    },
    /// The number is marked legal though the rules refuse the position, or the other way round.
    #[error("{sfen}: the rules and the table disagree on whether there is such a position")]
    Legality {
        /// The position.
        sfen: String,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Derives the values of `samples` random numbers anew. `tables` has the classes that captures lead to.
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
        let (found, derived) = (Value::from_byte(byte), derive(&mut pos, tables)?);
        if found != derived {
            return Err(Wrong::Value { sfen, found, derived });
        }
    }
    Ok(())
}

/// The value derived from the moves of a position; `None` if a value is missing.
fn derive(pos: &mut Position, tables: &Tables) -> Result<Option<Value>, TableError> {
    let moves = sanban_rules::Position::legal_moves(pos);
    // In check without a move: mated.
    let mut best = (i32::MIN, Value::Loss(0));
    for mv in moves {
        pos.make(mv, &mut ());
        let value = tables.value(pos)?;
        pos.unmake();
        // A win the sooner, a loss the later.
        let (rank, value) = match value {
            Some(Value::Loss(plies)) => (1_000 - i32::from(plies), Value::Win(plies + 1)),
            Some(Value::Draw) => (0, Value::Draw),
            Some(Value::Win(plies)) => (i32::from(plies) - 1_000, Value::Loss(plies + 1)),
            None => return Ok(None),
        };
        if rank > best.0 {
            best = (rank, value);
        }
    }
    Ok(Some(best.1))
}
