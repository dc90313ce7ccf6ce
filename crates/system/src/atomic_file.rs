//! Files that are written or read whole: what bears a name is complete.

use super::lock_file::{Claim, not_a_file};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use thiserror::Error;

/// Why a file is not read or written.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// For messages.
impl From<FileError> for String {
    fn from(error: FileError) -> Self {
        error.to_string()
    }
}

/// A file that is being written, under its name and `.part`; by one process at a time. Dropped unfinished, it is deleted.
pub struct Whole {
    part: Claim,
    path: PathBuf,
}

impl Whole {
    /// What a file is called until it is finished.
    pub fn part(path: &Path) -> PathBuf {
        path.with_added_extension("part")
    }

    /// Begins a file; what bears its name stays as it is until `finish`. Devices and the like are not replaced.
    ///
    /// # Errors
    /// Something else than a file bears the name, another process writes it, or what the system says.
    pub fn create(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(not_a_file());
        }
        Ok(Self { part: Claim::new(&Self::part(path))?, path: path.into() })
    }

    /// Takes so much room on the disk, so that there is some when the work is done.
    ///
    /// # Errors
    /// There is no room.
    pub fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let zeroes = vec![0; bytes.min(1 << 20) as usize];
        let file = self.part.file();
        let mut left = bytes;
        while left > 0 {
            let n = left.min(zeroes.len() as u64);
            file.write_all(&zeroes[..n as usize])?;
            left -= n;
        }
        file.rewind()
    }

    /// What is written so far.
    pub fn file(&mut self) -> &mut File {
        self.part.file()
    }

    /// Gives the file its name. It ends where the last write has ended.
    ///
    /// # Errors
    /// What the system says; nothing bears the name then that did not before.
    pub fn finish(mut self) -> io::Result<()> {
        let file = self.part.file();
        let end = file.stream_position()?;
        file.set_len(end)?;
        file.sync_all()?;
        self.part.rename(&self.path)
    }
}

/// Writes a file at once.
///
/// # Errors
/// What the system says, with the file's name.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let attempt = || {
        let mut whole = Whole::create(path)?;
        whole.file().write_all(bytes)?;
        whole.finish()
    };
    attempt().map_err(|source| FileError { path: path.into(), source })
}

/// Opens a file to be read: not a pipe or a device, which may have no end.
///
/// # Errors
/// It is not there, cannot be read or is no file.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Asked before: to open a pipe may take for ever.
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(not_a_file()) }
}

/// Reads a file of at most so many bytes.
///
/// # Errors
/// It cannot be read or is too large.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let attempt = || {
        let file = open_file(path)?;
        let size = file.metadata()?.len();
        if size > most {
            return Err(io::Error::other(format!("{size} bytes, expected a file of at most {most}")));
        }
        let mut bytes = vec![];
        // It may grow meanwhile.
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    attempt().map_err(|source| FileError { path: path.into(), source })
}

/// What tells whether a file is still the one that was read: length and time of the last change; `None` without it.
pub type Stamp = Option<(u64, SystemTime)>;

/// The stamp of a file.
pub fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok().filter(|about| about.is_file())?;
    Some((about.len(), about.modified().ok()?))
}

/// Where a file may lie: as it was given, or beside the program.
pub fn find(path: &Path) -> PathBuf {
    if path.is_absolute() || path.exists() {
        return path.to_path_buf();
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(path)));
    beside.filter(|beside| beside.exists()).unwrap_or_else(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let mut whole = Whole::create(&path).expect("a writable directory");
        whole.file().write_all(b"half").expect("room for four bytes");
        let part = Whole::part(&path);
        assert!(part.exists() && !path.exists());
        let second = write_whole(&path, b"another");
        assert!(second.is_err_and(|error| error.to_string().ends_with("another process is writing it")));
        drop(whole);
        assert!(!part.exists() && !path.exists());
        write_whole(&path, b"all of it").expect("a writable directory");
        assert_eq!(read_whole(&path, 9).expect("the file"), b"all of it");
        assert!(read_whole(&path, 8).is_err_and(|error| error.to_string().contains("9 bytes")));
        assert!(!part.exists());
    }

    #[test]
    fn reserved_room_is_given_back() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let mut whole = Whole::create(&path).expect("a writable directory");
        whole.reserve(3 << 20).expect("room for three megabytes");
        assert_eq!(fs::metadata(Whole::part(&path)).expect("the part").len(), 3 << 20);
        whole.file().write_all(b"little").and_then(|()| whole.finish()).expect("room is there");
        assert_eq!(fs::read(&path).expect("the file"), b"little");
    }

    #[test]
    fn only_files_are_read_and_replaced() {
        let dir = Scratch::new();
        assert!(read_whole(&dir.0, 1000).is_err_and(|error| error.to_string().ends_with("not a file")));
        assert!(Whole::create(&dir.0).is_err());
        assert!(!Whole::part(&dir.0).exists());
    }
}
