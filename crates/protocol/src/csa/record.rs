//! The record of a game, written move by move, so that interrupted games are kept.

use super::summary::Summary;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub struct RecordFile(File);

impl RecordFile {
    /// Creates the file of a game in this directory.
    pub fn create(folder: &Path, summary: &Summary) -> io::Result<Self> {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "+-_.@".contains(c) { c } else { '_' };
        let name: String = summary.id.chars().map(safe).collect();
        let path = folder.join(format!("{}.csa", name.trim_start_matches('.')));
        let mut out = Self(File::create(path)?);
        let [black, white] = &summary.names;
        out.line(&format!("V2.2\nN+{black}\nN-{white}\n$EVENT:{}", summary.id))?;
        for line in &summary.lines {
            // A move with its time takes two lines in the file.
            match line.split_once(',') {
                Some((mv, time)) if line.starts_with(['+', '-']) => out.line(&format!("{mv}\n{time}"))?,
                _ => out.line(line)?,
            }
        }
        Ok(out)
    }

    pub fn line(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}
