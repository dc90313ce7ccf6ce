//! The numbers of moves, some of which may be left out.

/// Numbers that were left out: from which number of moves on, and how many.
#[derive(Clone, Copy, Default)]
pub(super) struct Skipped {
    pub from: usize,
    pub by: usize,
}

impl Skipped {
    /// By how much the number of the move after `made` moves is too high.
    pub fn at(self, made: usize) -> usize {
        if made >= self.from { self.by } else { 0 }
    }

    /// The number of moves before the move with a number; `base` is the first number.
    pub fn index_of(self, number: usize, base: usize) -> Option<usize> {
        let index = number.checked_sub(base)?;
        Some(if index >= self.from + self.by { index - self.by } else { index.min(self.from) })
    }
}
