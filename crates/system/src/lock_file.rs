//! Files that one process at a time has under their name.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Files left behind that are cleared away before somebody else must be at it.
const ATTEMPTS: usize = 4;

/// A file that was created and locked. Dropped, it is deleted. One that a process left behind when it was killed is
/// locked by nobody and taken over.
pub struct Claim {
    file: File,
    path: PathBuf,
    kept: bool,
}

impl Claim {
    /// Creates the file.
    ///
    /// # Errors
    /// [`ErrorKind::ResourceBusy`]: another process has it. Otherwise what the system says.
    pub fn new(path: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(file) => {
                    // File systems without locks: that the file was not there must do.
                    if let Err(TryLockError::WouldBlock) = file.try_lock() {
                        return Err(busy());
                    }
                    return Ok(Self { file, path: path.into(), kept: false });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => clear(path)?,
                Err(error) => return Err(error),
            }
        }
        Err(busy())
    }

    /// The file.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file another name, under which it stays.
    ///
    /// # Errors
    /// What the system says; the file is deleted then.
    pub fn rename(mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Deletes a file that nobody has locked. What is opened here may bear another name by now: only the name is deleted,
/// and nothing is written.
fn clear(path: &Path) -> io::Result<()> {
    let gone = |error: io::Error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) };
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => return Err(not_a_file()),
        Ok(_) => {}
        Err(error) => return gone(error),
    }
    let file = match OpenOptions::new().write(true).open(path) {
        Ok(file) => file,
        Err(error) => return gone(error),
    };
    match file.try_lock() {
        Ok(()) => fs::remove_file(path).or_else(gone),
        Err(TryLockError::WouldBlock) => Err(busy()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// What is to be written or read is a folder, a pipe or a device.
pub(super) fn not_a_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "not a file")
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another process is writing it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_one_has_it_and_what_was_left_behind_is_taken_over() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        fs::write(&path, "left behind").expect("a writable directory");
        let claim = Claim::new(&path).expect("nobody holds it");
        assert_eq!(fs::metadata(&path).expect("the file").len(), 0);
        assert!(Claim::new(&path).is_err_and(|error| error.kind() == ErrorKind::ResourceBusy));
        drop(claim);
        assert!(!path.exists());
    }
}
