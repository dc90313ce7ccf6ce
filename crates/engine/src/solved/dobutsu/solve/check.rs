//! Verifies values against those of their children.

use super::error::SolveError;
use super::moves::{Class, Steps, classify};
use crate::solved::dobutsu::index::{Block, SLOTS};
use crate::solved::dobutsu::table::{DRAW, MAX_DISTANCE, TAKE};
use sanban_rules::Rng;

/// Derives a byte from the bytes of the children. Returns `None` if a child has an invalid byte.
fn derive(block: &Block, n: usize, mate: bool, byte_of: impl Fn(usize) -> u8) -> Option<u8> {
    match classify(&block.slot(n), mate) {
        Class::Takes => return Some(TAKE),
        Class::Enters => return Some(1),
        Class::Stuck => return Some(0),
        Class::Doomed => return Some(2),
        Class::Open(_) => {}
    }
    let (mut win, mut loss, mut open, mut known) = (u8::MAX, 0, false, true);
    let (first, bit) = block.group_of(n);
    // A move from a single slot leads to a single slot.
    Steps::new(block, mate).children(first, bit, |place, bits| {
        match byte_of((place.index + bits.trailing_zeros()) as usize) {
            DRAW => open = true,
            byte if byte > MAX_DISTANCE => known = false,
            byte if byte % 2 == 0 => win = win.min(byte + 1),
            byte => loss = loss.max(byte + 1),
        }
    });
    let byte = match (win, open) {
        (u8::MAX, true) => DRAW,
        (u8::MAX, false) => loss,
        _ => win,
    };
    known.then_some(byte)
}

/// Compares `samples` random slots with the values derived from their children.
///
/// # Errors
/// Reports the first slot that differs.
pub fn check(values: &[u8], mate: bool, samples: usize, seed: u64) -> Result<(), SolveError> {
    let mut rng = Rng::new(seed);
    for _ in 0..samples {
        let index = rng.below(SLOTS);
        let (block, n) = Block::of(index as u32);
        let derived = derive(&block, n, mate, |child| values[child]);
        let found = values[index];
        if derived != Some(found) {
            return Err(SolveError::Wrong { slot: index, found, derived });
        }
    }
    Ok(())
}
