//! A book in memory, indexed by the keys of its positions.

use super::{Book, BookError, BookMove, legal};
use sanban_rules::{AnyPosition, Move};

/// One position, with the location of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    key: u64,
    /// Index of the first move of the position.
    at: u32,
    moves: u16,
    /// The ply; 0 if unknown.
    ply: u16,
}

/// A [`BookMove`] in 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Packed {
    mv: Move,
    reply: Option<Move>,
    score: i32,
    depth: u32,
    count: u32,
}

const _: () = assert!(size_of::<Slot>() == 16 && size_of::<Packed>() == 16);

/// A book whose positions are all in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The positions, sorted by key once the book is complete.
    slots: Vec<Slot>,
    moves: Vec<Packed>,
}

impl Memory {
    /// Adds a position. Call [`Memory::complete`] before the first lookup.
    ///
    /// # Errors
    /// There are more moves than the index can address.
    pub fn push(&mut self, key: u64, ply: Option<usize>, moves: &[BookMove]) -> Result<(), BookError> {
        let full = || BookError::Unfit("too many moves for a book in memory: read it on the fly".into());
        let slot = Slot {
            key,
            at: u32::try_from(self.moves.len()).map_err(|_| full())?,
            moves: u16::try_from(moves.len()).map_err(|_| full())?,
            ply: ply.map_or(0, |ply| u16::try_from(ply).unwrap_or(u16::MAX)),
        };
        let packed = |&BookMove { mv, reply, score, depth, count }: &BookMove| Packed {
            mv,
            reply,
            score,
            depth,
            count,
        };
        self.moves.extend(moves.iter().map(packed));
        self.slots.push(slot);
        Ok(())
    }

    /// Appends all positions of another book.
    ///
    /// # Errors
    /// See [`Memory::push`].
    pub fn append(&mut self, other: Self) -> Result<(), BookError> {
        if self.slots.is_empty() {
            *self = other;
            return Ok(());
        }
        let first = self.moves.len();
        if u32::try_from(first + other.moves.len()).is_err() {
            return Err(BookError::Unfit("too many moves for a book in memory: read it on the fly".into()));
        }
        self.slots.extend(other.slots.into_iter().map(|slot| Slot { at: slot.at + first as u32, ..slot }));
        self.moves.extend(other.moves);
        Ok(())
    }

    /// Sorts the positions, which is required before the first lookup.
    pub fn complete(&mut self) {
        // Equal keys keep the order of the book, because `at` increases.
        self.slots.sort_unstable();
        self.slots.shrink_to_fit();
        self.moves.shrink_to_fit();
    }
}

impl Book for Memory {
    fn find(&mut self, pos: &AnyPosition, ply: Option<usize>) -> Result<Vec<BookMove>, BookError> {
        let key = pos.key();
        let first = self.slots.partition_point(|slot| slot.key < key);
        let mut out: Vec<BookMove> = Vec::new();
        for slot in self.slots[first..].iter().take_while(|slot| slot.key == key) {
            if slot.ply != 0 && ply.is_some_and(|ply| ply != usize::from(slot.ply)) {
                continue;
            }
            let at = slot.at as usize;
            for &Packed { mv, reply, score, depth, count } in &self.moves[at..at + usize::from(slot.moves)] {
                if out.iter().all(|known| known.mv != mv) {
                    out.push(BookMove { mv, reply, score, depth, count });
                }
            }
        }
        // Another position may have the same key, so illegal moves are removed.
        Ok(legal(pos, out))
    }

    fn len(&self) -> Option<u64> {
        let keys = self.slots.chunk_by(|a, b| a.key == b.key);
        Some(keys.count() as u64)
    }
}
