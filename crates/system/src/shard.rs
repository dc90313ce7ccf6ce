//! Shards of a job, for distributing it over several machines.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One shard of a job: the pieces of work, numbered from 0, whose number modulo `count` is `index`. `0/4` is the first
/// of four shards; together, the shards make up the whole job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    index: u64,
    count: u64,
}

impl Part {
    /// The whole job.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Shard `index` of `count`; `None` unless `index` is below `count`.
    pub const fn new(index: u64, count: u64) -> Option<Self> {
        if index < count { Some(Self { index, count }) } else { None }
    }

    /// Number of shards, at least 1.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Returns whether this item of the job belongs to the shard.
    pub const fn has(self, piece: u64) -> bool {
        piece % self.count == self.index
    }

    /// Number of items in the shard if the whole job has `all` items.
    pub const fn share(self, all: u64) -> u64 {
        if all > self.index { (all - self.index).div_ceil(self.count) } else { 0 }
    }

    /// The number within the job of the `nth` item of the shard, both from 0; `None` on overflow.
    pub const fn piece(self, nth: u64) -> Option<u64> {
        match nth.checked_mul(self.count) {
            Some(first) => first.checked_add(self.index),
            None => None,
        }
    }
}

impl Default for Part {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, PartError> {
        let number = |text: &str| {
            text.parse::<u64>().map_err(|_| PartError::Number(text.escape_default().take(40).collect()))
        };
        let (index, count) = text.split_once('/').ok_or(PartError::Form)?;
        let (index, count) = (number(index)?, number(count)?);
        Self::new(index, count).ok_or(PartError::Beyond { index, count })
    }
}

/// Why a string does not denote a shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PartError {
    #[error("a shard has the form I/N")]
    Form,
    #[error("not a number: {0}")]
    Number(String),
    #[error("shard {index} of {count}: shards are counted from 0")]
    Beyond { index: u64, count: u64 },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_and_meet_nowhere() {
        let parts: Vec<Part> = ["0/3", "1/3", "2/3"].iter().flat_map(|text| text.parse()).collect();
        assert_eq!(parts.len(), 3);
        for piece in 0..100 {
            assert_eq!(parts.iter().filter(|part| part.has(piece)).count(), 1);
            assert!(Part::WHOLE.has(piece));
        }
        for all in 0..10 {
            for part in &parts {
                assert_eq!(part.share(all), (0..all).filter(|&piece| part.has(piece)).count() as u64);
            }
        }
        assert_eq!((0..3).map(|nth| parts[1].piece(nth)).collect::<Vec<_>>(), [Some(1), Some(4), Some(7)]);
        assert_eq!(parts[1].piece(u64::MAX), None);
        assert_eq!(parts[2].to_string(), "2/3");
    }

    #[test]
    fn mistakes_are_told() {
        let sentence = |text: &str| text.parse::<Part>().expect_err("an invalid shard").to_string();
        assert_eq!(sentence("3/3"), "shard 3 of 3: shards are counted from 0");
        assert_eq!(sentence("1"), "a shard has the form I/N");
        assert_eq!(sentence("x/2"), "not a number: x");
        assert!("0/0".parse::<Part>().is_err());
    }
}
