//! The page of a match that is being played.

use super::page;
use crate::cli::failure::Failure;
use sanban_lab::arena::{Record, Table};
use sanban_rules::VariantId;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Seconds after which a browser reloads the page.
const REFRESH: u64 = 10;
/// Writing the page takes at most `1 / SHARE` of the run time.
const SHARE: u32 = 20;

/// The games played so far, and the page that shows them.
pub(super) struct Live {
    path: PathBuf,
    game: VariantId,
    records: Vec<Record>,
    /// When the page may be written again.
    due: Instant,
}

impl Live {
    pub(super) fn new(path: &Path, game: VariantId) -> Self {
        Self { path: path.into(), game, records: Vec::new(), due: Instant::now() }
    }

    pub(super) fn add(&mut self, record: Record) {
        self.records.push(record);
    }

    /// Writes the page, unless it was written too recently.
    pub(super) fn write(&mut self, table: &Table) -> Result<(), Failure> {
        let begin = Instant::now();
        if begin < self.due {
            return Ok(());
        }
        page::sort(&mut self.records);
        page::write(&self.path, self.game, table, &self.records, Some(REFRESH))?;
        self.due = begin + begin.elapsed().saturating_mul(SHARE).max(Duration::from_secs(1));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_lab::arena::{Format, pairings};

    #[test]
    fn only_the_page_of_a_running_match_is_loaded_again() {
        let path = std::env::temp_dir().join(format!("sanban-live-{}.html", std::process::id()));
        let table = Table::new(vec![Some("one".into()), Some("two".into())], &pairings(Format::default(), 2));
        let mut live = Live::new(&path, VariantId::Shogi);
        live.write(&table).expect("a page");
        let text = std::fs::read_to_string(&path).expect("the page");
        assert!(text.contains("http-equiv=\"refresh\"") && text.contains("\"names\":[\"one\",\"two\"]"));
        // The page is not written again immediately.
        std::fs::remove_file(&path).expect("the page");
        live.write(&table).expect("nothing to write");
        assert!(!path.exists());
        page::write(&path, VariantId::Shogi, &table, &[], None).expect("a page");
        let text = std::fs::read_to_string(&path).expect("the page");
        assert!(!text.contains("http-equiv") && !text.contains("{{"));
        std::fs::remove_file(&path).expect("the page");
    }
}
