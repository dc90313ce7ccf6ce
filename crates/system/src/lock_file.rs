//! Lock files: only one process at a time can hold the lock file of a given name.
//!
//! The file is locked and names its holder. A file that a killed process has left behind is not locked by any process
//! and is taken over. On file systems without locks (Lustre without `flock`, NFS without a lock daemon) it must be
//! deleted by hand, as the error says.

use super::leftovers;
use super::same_file::is_at;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Number of attempts to open a file that other processes take over or delete in the meantime.
const ATTEMPTS: usize = 8;
/// The first line of every lock file.
const MARK: &str = "lock file of sanban, which may be deleted when no sanban is running\n";
/// The suffix of the names of temporary files.
pub(super) const PART: &str = ".part";
/// Longest lock file, in bytes.
const LONGEST: u64 = 4096;

/// A lock file that this process holds. It is deleted when dropped.
pub struct Claim {
    file: File,
    path: PathBuf,
}

impl Claim {
    /// Creates the lock file, or takes over one that was left behind.
    ///
    /// # Errors
    /// [`ErrorKind::ResourceBusy`]: another process holds it. [`ErrorKind::AlreadyExists`]: an existing file of this
    /// name is not a lock file; it is left unchanged. Otherwise the error reported by the system.
    pub fn new(path: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let mut leftovers = leftovers::files();
            let (file, created) = match open(path)? {
                Some(opened) => opened,
                None => continue,
            };
            let locked = try_lock(&file, path);
            match locked {
                Locked::Yes => {}
                Locked::Busy => return Err(busy()),
                Locked::Unavailable if created => warn(path),
                Locked::Unavailable => return Err(unlockable(path)),
            }
            // The file may have been deleted or taken over before it was locked.
            if !is_at(&file, path) {
                continue;
            }
            let mut claim = Self { file, path: path.into() };
            let written = claim.write();
            if written.is_ok() {
                leftovers.push(path.into());
            }
            drop(leftovers);
            if let Err(error) = written {
                if error.kind() == ErrorKind::AlreadyExists {
                    // Not one of ours: leave it in place.
                    claim.path = PathBuf::new();
                }
                return Err(error);
            }
            return Ok(claim);
        }
        Err(busy())
    }

    /// Returns whether the lock file is still in place. Another process or the user may have deleted it.
    pub(super) fn is_held(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Records the temporary file that belongs to this lock, so that the next process that takes over the lock file
    /// deletes it.
    pub(super) fn guard(&mut self, name: &str) -> io::Result<()> {
        writeln!(self.file, "temporary {name}")
    }

    /// Writes the new holder to the file, after deleting the temporary file that an earlier holder left behind.
    fn write(&mut self) -> io::Result<()> {
        self.delete_temporary()?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(format!("{MARK}process {}\n", std::process::id()).as_bytes())
    }

    /// Deletes the temporary file that an earlier holder was writing. Fails if this is not a lock file.
    fn delete_temporary(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.file.rewind()?;
        Read::by_ref(&mut self.file).take(LONGEST).read_to_end(&mut bytes)?;
        // The holder may have been killed before it had written everything.
        if !bytes.starts_with(MARK.as_bytes()) && !MARK.as_bytes().starts_with(&bytes) {
            return Err(not_ours(&self.path));
        }
        let text = String::from_utf8_lossy(&bytes);
        let name =
            text.split_inclusive('\n').find_map(|line| line.strip_suffix('\n')?.strip_prefix("temporary "));
        if let Some(name) = name.filter(|name| is_temporary(name)) {
            let path = self.path.with_file_name(name);
            if path.is_file() && !path.is_symlink() {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        leftovers::forget(&self.path);
        // The file is still locked, so a process that opens it now will notice that it was deleted.
        if self.is_held() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens the lock file or creates it. Returns whether it was created, or `None` when it was deleted in the meantime.
fn open(path: &Path) -> io::Result<Option<(File, bool)>> {
    match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        Ok(file) => return Ok(Some((file, true))),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    // Checked first, because opening a pipe can block forever.
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => return Err(not_a_file()),
        Ok(_) => {}
        // A symbolic link to a missing target is not ours.
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => return Err(not_ours(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => Ok(Some((file, false))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Warns that files cannot be locked on this file system.
pub(super) fn warn(path: &Path) {
    let path = path.display();
    log::warn!("{path}: this file system has no locks; make sure only one process writes to these files");
}

/// The result of locking a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locked {
    Yes,
    Busy,
    /// The file system has no locks.
    Unavailable,
}

/// Locks a file if no other process has it.
pub(super) fn try_lock(file: &File, path: &Path) -> Locked {
    match file.try_lock() {
        Ok(()) => Locked::Yes,
        Err(TryLockError::WouldBlock) => Locked::Busy,
        Err(TryLockError::Error(error)) => {
            log::debug!("{}: cannot be locked: {error}", path.display());
            Locked::Unavailable
        }
    }
}

/// Returns whether this is the name of a temporary file: no directories, and 16 random hexadecimal digits.
fn is_temporary(name: &str) -> bool {
    let digits = name.strip_suffix(PART).and_then(|rest| rest.rsplit_once('.')).map(|(_, digits)| digits);
    let beside = Path::new(name).file_name().is_some_and(|last| last == name);
    beside && digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The error for a directory, a pipe or a device where a file is expected.
pub(super) fn not_a_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "not a file")
}

fn not_ours(path: &Path) -> io::Error {
    let sentence = format!("{} is not a lock file of sanban; it was left unchanged", path.display());
    io::Error::new(ErrorKind::AlreadyExists, sentence)
}

/// The error for a lock file that exists on a file system without locks.
fn unlockable(path: &Path) -> io::Error {
    let path = path.display();
    let sentence = format!(
        "another process may be writing to it; this file system has no locks: if no sanban is running, delete {path}"
    );
    io::Error::new(ErrorKind::ResourceBusy, sentence)
}

fn busy() -> io::Error {
    io::Error::new(ErrorKind::ResourceBusy, "another process is writing to it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_one_process_has_it_and_what_was_left_behind_is_taken_over() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        // The holder was killed before, while and after writing the file.
        let [part, user] = ["file.0123456789abcdef.part", "file.part"].map(|name| dir.0.join(name));
        fs::write(&part, "half").expect("a writable directory");
        fs::write(&user, "mine").expect("a writable directory");
        let text = |name: &str| format!("{MARK}process 1\ntemporary {name}\n");
        let cut = text("file.0123456789abcdef.part").trim_end().to_string();
        let full = text("file.0123456789abcdef.part");
        for left in ["", &MARK[..9], MARK, &text("file.part"), &text("file"), &cut, &full] {
            fs::write(&path, left).expect("a writable directory");
            let claim = Claim::new(&path).expect("no process holds it");
            assert_eq!((part.exists(), user.exists()), (left != full, true), "{left}");
            assert!(Claim::new(&path).is_err_and(|error| error.kind() == ErrorKind::ResourceBusy));
            drop(claim);
            assert!(!path.exists());
        }
    }

    #[test]
    fn files_of_others_stay() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        fs::write(&path, "precious").expect("a writable directory");
        let error = Claim::new(&path).err().expect("an error");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"precious"[..]));
        // Only temporary files in the directory of the lock file are deleted.
        let other = dir.0.join("other");
        fs::create_dir(dir.0.join("folder")).expect("a writable directory");
        let inside = dir.0.join("folder/x.0123456789abcdef.part");
        fs::write(&inside, "precious").expect("a writable directory");
        let text = format!("{MARK}temporary folder/x.0123456789abcdef.part\n");
        fs::write(&other, text).expect("a writable directory");
        drop(Claim::new(&other));
        assert!(inside.exists() && !other.exists());
    }

    #[test]
    fn a_deleted_lock_file_is_not_held() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let first = Claim::new(&path).expect("a writable directory");
        fs::remove_file(&path).expect("a file to delete");
        let second = Claim::new(&path).expect("no lock file");
        assert!(!first.is_held() && second.is_held());
        drop(first);
        assert!(path.exists());
    }
}
