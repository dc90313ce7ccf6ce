//! An inverted index: the entries of some positions by their rows of the first layer.

pub trait Entries {
    /// Calls `f` with every row and its entry.
    fn each(&self, f: impl FnMut(usize, u16));
}

#[derive(Default)]
pub struct RowIndex {
    counts: Vec<u16>,
    /// The end of each row's range in `entries`.
    ends: Vec<u16>,
    entries: Vec<u16>,
    /// The rows in use, those with few entries first, so that the branch predictor learns the loop lengths.
    used: Vec<u16>,
    /// The number of rows for each number of entries.
    lengths: Vec<u16>,
}

impl RowIndex {
    /// Builds the index by counting sort. The total number of rows of all entries must not exceed 65,535.
    pub fn find(&mut self, rows: usize, entries: &impl Entries) {
        self.counts.clear();
        self.counts.resize(rows, 0);
        entries.each(|row, _| self.counts[row] += 1);
        // At first, `ends` holds the start of each range; every entry advances it.
        self.ends.clear();
        let most = self.counts.iter().copied().max().unwrap_or(0);
        self.lengths.clear();
        self.lengths.resize(usize::from(most) + 1, 0);
        let mut sum = 0;
        for &count in &self.counts {
            self.ends.push(sum);
            sum += count;
            self.lengths[usize::from(count)] += 1;
        }
        self.entries.resize(sum.into(), 0);
        entries.each(|row, entry| {
            let at = &mut self.ends[row];
            self.entries[usize::from(*at)] = entry;
            *at += 1;
        });
        let mut sum = 0;
        for length in &mut self.lengths[1..] {
            sum += std::mem::replace(length, sum);
        }
        self.used.resize(sum.into(), 0);
        for (row, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let at = &mut self.lengths[usize::from(count)];
            self.used[usize::from(*at)] = row as u16;
            *at += 1;
        }
    }

    pub fn rows(&self) -> &[u16] {
        &self.used
    }

    /// Calls `f` with every row in use and its entries.
    #[inline]
    pub fn each(&self, mut f: impl FnMut(usize, &[u16])) {
        for &row in &self.used {
            let row = usize::from(row);
            let end = usize::from(self.ends[row]);
            f(row, &self.entries[end - usize::from(self.counts[row])..end]);
        }
    }
}
