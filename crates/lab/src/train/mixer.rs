//! Shuffles any number of positions and can remove duplicates. The positions are distributed at random over temporary
//! files, each of which fits into memory.

use super::psv::SIZE;
use sanban_rules::Rng;
use sanban_system::{checksum, unnamed_file};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Average size of a temporary file in bytes.
const BUCKET: u64 = 64 << 20;
/// Maximum number of temporary files. With more data, the files are larger.
const BUCKETS: u64 = 256;
/// Number of bytes at the start of a record that contain the position.
const POSITION: usize = 32;

/// Collects records of [`SIZE`] bytes and returns them in random order.
pub struct Mixer {
    dedupe: bool,
    rng: Rng,
    buckets: Vec<BufWriter<File>>,
}

impl Mixer {
    /// Creates a mixer for about this number of bytes, with temporary files in a directory. The order depends on the
    /// seed. With `dedupe`, only the first of equal positions is returned.
    pub fn new(dedupe: bool, seed: u64, bytes: u64, folder: &Path) -> io::Result<Self> {
        let bucket = |_| unnamed_file(folder).map(BufWriter::new);
        let buckets = (0..bytes.div_ceil(BUCKET).clamp(1, BUCKETS)).map(bucket).collect::<io::Result<_>>()?;
        Ok(Self { dedupe, rng: Rng::new(seed), buckets })
    }

    pub fn push(&mut self, record: &[u8; SIZE]) -> io::Result<()> {
        let number = self.buckets.len();
        // To find duplicates, equal positions must go into the same file.
        let bucket = if self.dedupe {
            (checksum(&record[..POSITION]) % number as u64) as usize
        } else {
            self.rng.below(number)
        };
        self.buckets[bucket].write_all(record)
    }

    /// Calls `each` for every record, and returns the number of duplicates removed.
    pub fn finish(mut self, mut each: impl FnMut(&[u8; SIZE]) -> io::Result<()>) -> io::Result<u64> {
        let mut removed = 0;
        for bucket in self.buckets {
            let mut file = bucket.into_inner()?;
            let (mut bytes, mut seen) = (vec![], HashSet::new());
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
            let mut records: Vec<&[u8; SIZE]> = bytes.as_chunks().0.iter().collect();
            let before = records.len();
            if self.dedupe {
                records.retain(|record| seen.insert(&record[..POSITION]));
            }
            removed += (before - records.len()) as u64;
            for last in (1..records.len()).rev() {
                records.swap(last, self.rng.below(last + 1));
            }
            records.into_iter().try_for_each(&mut each)?;
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mixes a thousand records, 400 of which are duplicates, with temporary files for `bytes` bytes. Returns the
    /// records and the number of removed duplicates.
    fn mixed(dedupe: bool, seed: u64, bytes: u64) -> (Vec<u16>, u64) {
        let mut mixer = Mixer::new(dedupe, seed, bytes, &std::env::temp_dir()).expect("enough disk space");
        for n in 0..1000_u16 {
            let mut record = [0; SIZE];
            record[..2].copy_from_slice(&(n % 600).to_le_bytes());
            record[SIZE - 2..].copy_from_slice(&n.to_le_bytes());
            mixer.push(&record).expect("enough disk space");
        }
        let mut out = vec![];
        let removed = mixer.finish(|record| {
            out.push(u16::from_le_bytes([record[SIZE - 2], record[SIZE - 1]]));
            Ok(())
        });
        (out, removed.expect("temporary files are readable"))
    }

    #[test]
    fn nothing_is_lost_or_invented() {
        for bytes in [0, 7 * BUCKET] {
            let (mut out, removed) = mixed(false, 3, bytes);
            assert!(removed == 0 && !out.is_sorted());
            out.sort_unstable();
            assert_eq!(out, (0..1000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_of_equal_positions_stays() {
        for bytes in [0, 7 * BUCKET] {
            let (mut out, removed) = mixed(true, 1, bytes);
            out.sort_unstable();
            assert_eq!((out, removed), ((0..600).collect(), 400));
        }
    }

    #[test]
    fn the_seed_determines_the_order() {
        assert_eq!(mixed(false, 5, 3 * BUCKET), mixed(false, 5, 3 * BUCKET));
        assert_ne!(mixed(false, 5, 3 * BUCKET), mixed(false, 6, 3 * BUCKET));
    }
}
