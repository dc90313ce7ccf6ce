//! Files that are replaced atomically: readers see either the old content or the complete new content.

use super::available::affordable;
use super::checksum;
use super::clock::seed;
use super::leftovers;
use super::lock_file::{Claim, PART, not_a_file};
use super::same_file::is_at;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use thiserror::Error;

/// Longest file name, in bytes, that is used in the names of its temporary file and lock file (most systems allow 255).
const LONGEST_NAME: usize = 200;
/// Longest chain of symbolic links to follow.
const LINKS: usize = 40;

/// Why a file could not be read or written.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl From<FileError> for String {
    fn from(error: FileError) -> Self {
        error.to_string()
    }
}

/// A file that is being written under a temporary name, by one process at a time. It is deleted if it is dropped
/// unfinished.
///
/// An existing file of the final name stays unchanged until [`Whole::finish`] replaces it. Symbolic links are followed,
/// and the permissions of the replaced file are kept. A file that is not recognised as the right kind of file is never
/// replaced.
pub struct Whole {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    /// Identity of the existing file when writing began.
    before: Option<Identity>,
    lock: Claim,
    kept: bool,
}

impl Whole {
    /// Starts a new file. An existing file of that name must be empty.
    ///
    /// # Errors
    /// The same as for [`Whole::replace`].
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::replace(path, |_| false)
    }

    /// Starts a file. `is_own` decides whether an existing non-empty file of that name may be replaced.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`]: `is_own` rejected the existing file of that name. [`ErrorKind::ResourceBusy`]:
    /// another process is writing to it. Otherwise, the name belongs to something that is not a regular file, or the
    /// system reports an error.
    pub fn replace(path: &Path, is_own: impl FnOnce(&mut File) -> bool) -> io::Result<Self> {
        let target = resolve(path)?;
        let about = fs::metadata(&target).ok();
        if about.as_ref().is_some_and(|about| !about.is_file()) {
            return Err(not_a_file());
        }
        let mut lock = Claim::new(&Self::lock_file(&target))?;
        if about.is_some() {
            // A file is replaced only if it is writable and has been checked.
            let mut old = OpenOptions::new().read(true).write(true).open(&target)?;
            if old.metadata()?.len() > 0 && !is_own(&mut old) {
                return Err(io::Error::new(
                    ErrorKind::AlreadyExists,
                    "the existing file is not one that this command writes; delete it or choose a different name",
                ));
            }
        }
        let name = temporary_name(&target);
        // Recorded before the file exists, so that the next process can delete it if this one is killed.
        lock.guard(&name)?;
        let temporary = target.with_file_name(&name);
        let mut leftovers = leftovers::files();
        let file = create_like(&temporary, about.as_ref())?;
        leftovers.push(temporary.clone());
        drop(leftovers);
        Ok(Self { file, temporary, before: identity(&target), target, lock, kept: false })
    }

    /// The path of the lock file that exists while a file is being written.
    pub fn lock_file(path: &Path) -> PathBuf {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        if name.len() > LONGEST_NAME {
            name = format!("{:016x}", checksum(name.as_encoded_bytes())).into();
        }
        name.push(".sanban-lock");
        path.with_file_name(name)
    }

    /// Allocates this much disk space, so that a full disk is noticed before the work is done.
    pub fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let zeroes = vec![0; bytes.min(1 << 20) as usize];
        let mut left = bytes;
        while left > 0 {
            let n = left.min(zeroes.len() as u64);
            self.file.write_all(&zeroes[..n as usize])?;
            left -= n;
        }
        self.file.rewind()
    }

    /// The file under its temporary name.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Ends the file at the current position and renames it to its final name.
    ///
    /// # Errors
    /// Another program has changed the file or taken it over, or the system reports an error. The existing file of that
    /// name is then left in place.
    pub fn finish(mut self) -> io::Result<()> {
        let end = self.file.stream_position()?;
        self.file.set_len(end)?;
        self.file.sync_all()?;
        if !self.lock.is_held() || !is_at(&self.file, &self.temporary) {
            return Err(io::Error::other("another process has taken it over"));
        }
        if identity(&self.target) != self.before {
            self.kept = true;
            let name = self.temporary.display();
            return Err(io::Error::other(format!(
                "another program has changed it; the new content is in {name}"
            )));
        }
        fs::rename(&self.temporary, &self.target)?;
        self.kept = true;
        sync_directory_of(&self.target);
        Ok(())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        leftovers::forget(&self.temporary);
        // The lock file is removed afterwards, when `lock` is dropped.
        if !self.kept && is_at(&self.file, &self.temporary) {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Deletes the lock file and temporary file that a killed process has left next to a complete file: it may have been
/// killed after renaming the file. For callers that find the file complete and do not write it.
pub fn clear_leftovers(path: &Path) {
    let lock = resolve(path).map(|target| Whole::lock_file(&target));
    if let Ok(lock) = lock
        && lock.exists()
    {
        // It is left in place if another process holds it or if it is not a lock file.
        drop(Claim::new(&lock));
    }
}

/// Resolves symbolic links; the file itself need not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            // An absolute link replaces the directory.
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "too many symbolic links"))
}

/// A random name for a target's temporary file, so that it does not collide with the files of other programs.
fn temporary_name(target: &Path) -> String {
    let name = target
        .file_name()
        .and_then(|name| name.to_str())
        .filter(|name| name.len() <= LONGEST_NAME && !name.contains('\n'));
    // The process ID distinguishes two processes, and the time distinguishes two files of one process.
    let number = checksum(format!("{} {}", seed(), std::process::id()).as_bytes());
    format!("{}.{number:016x}{PART}", name.unwrap_or("sanban"))
}

/// Creates a file with the owner and the permissions of another one.
fn create_like(path: &Path, other: Option<&Metadata>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
        let Some(other) = other else { return options.open(path) };
        // No other user may read the file until its owner is set.
        let file = options.mode(0o600).open(path)?;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
            // Only the superuser can change the owner of a file.
            let _ = fchown(&file, Some(other.uid()), Some(other.gid()));
        }
        file.set_permissions(fs::Permissions::from_mode(other.mode() & 0o7777))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    {
        let _ = other;
        options.open(path)
    }
}

/// Creates a temporary file in a directory. It has no name there (on Windows, only until it is closed), so that nothing
/// is left behind if the process is killed.
pub fn unnamed_file(directory: &Path) -> io::Result<File> {
    let path = directory.join(temporary_name(directory));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // FILE_FLAG_DELETE_ON_CLOSE
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000);
    // A signal that deletes temporary files waits until this one has no name.
    let _leftovers = leftovers::files();
    let file = options.open(&path)?;
    #[cfg(not(windows))]
    fs::remove_file(&path)?;
    Ok(file)
}

/// Flushes the directory of a file to disk, where the system supports this.
pub(super) fn sync_directory_of(path: &Path) {
    #[cfg(unix)]
    {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        if let Ok(directory) = File::open(directory.unwrap_or(Path::new("."))) {
            // Some file systems do not support this, and there is no alternative.
            let _ = directory.sync_all();
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Distinguishes a file from an earlier file of the same name: inode number (where available), length, and modification
/// time.
type Identity = (u64, u64, Option<SystemTime>);

fn identity(path: &Path) -> Option<Identity> {
    let about = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&about);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, about.len(), about.modified().ok()))
}

/// Returns a function that recognises files by their first bytes.
pub fn begins_with(start: &[u8]) -> impl Fn(&mut File) -> bool + use<'_> {
    move |file| {
        let mut found = vec![0; start.len()];
        file.rewind().and_then(|()| file.read_exact(&mut found)).is_ok() && found == start
    }
}

/// Writes a complete file; see [`Whole::replace`] for `is_own`.
pub fn write_whole(
    path: &Path,
    bytes: &[u8],
    is_own: impl FnOnce(&mut File) -> bool,
) -> Result<(), FileError> {
    let attempt = || {
        let mut whole = Whole::replace(path, is_own)?;
        whole.file().write_all(bytes)?;
        whole.finish()
    };
    attempt().map_err(|source| FileError { path: path.into(), source })
}

/// Opens a regular file for reading. Pipes and devices are rejected, because they may have no end.
///
/// # Errors
/// The file is missing, cannot be read, or is not a regular file.
pub fn open_file(path: &Path) -> io::Result<File> {
    open(path, |_| false).map(|(file, _)| file)
}

/// Opens a regular file, or another one that is `allowed`. Also returns its length.
fn open(path: &Path, allowed: impl Fn(&fs::Metadata) -> bool) -> io::Result<(File, u64)> {
    // Checked first, because opening a pipe can block forever.
    let about = fs::metadata(path)?;
    if about.is_dir() {
        // The reason why a directory cannot be read says more.
        fs::read_dir(path)?;
    }
    if about.is_file() || allowed(&about) { Ok((File::open(path)?, about.len())) } else { Err(not_a_file()) }
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// The file cannot be read, is too large, or does not fit into memory.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let read = open(path, |_| false).and_then(|(file, length)| read_to_end(file, length, most));
    read.map_err(|source| FileError { path: path.into(), source })
}

/// Like [`read_whole`], but also reads a pipe, such as a FIFO or `/dev/stdin`, to its end.
///
/// # Errors
/// The same as for [`read_whole`].
pub fn read_file_or_pipe(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    #[cfg(unix)]
    let is_pipe = |about: &fs::Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type());
    #[cfg(not(unix))]
    let is_pipe = |_: &fs::Metadata| false;
    let read = open(path, is_pipe).and_then(|(file, length)| read_to_end(file, length, most));
    read.map_err(|source| FileError { path: path.into(), source })
}

/// Smallest and largest step by which the buffer of a reader grows beyond the expected length, in bytes.
const STEP: [usize; 2] = [1 << 16, 1 << 28];

/// Reads at most `most` bytes to the end of the input; `expected` is their probable number.
///
/// # Errors
/// The input cannot be read, is longer, or does not fit into memory.
pub fn read_to_end(mut input: impl Read, expected: u64, most: u64) -> io::Result<Vec<u8>> {
    if expected > most {
        return Err(io::Error::other(format!("{expected} bytes, expected a file of at most {most}")));
    }
    let mut bytes = Vec::new();
    // One spare byte of capacity lets the end of the input be detected without a reallocation.
    let mut more = usize::try_from(expected).map_or(usize::MAX, |expected| expected.saturating_add(1));
    loop {
        if more > STEP[1] && affordable(more) < more || bytes.try_reserve_exact(more).is_err() {
            return Err(io::Error::new(ErrorKind::OutOfMemory, "not enough memory"));
        }
        let room = (bytes.capacity() - bytes.len()) as u64;
        let read = input.by_ref().take(room).read_to_end(&mut bytes)? as u64;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("more than {most} bytes")));
        }
        if read < room {
            return Ok(bytes);
        }
        more = bytes.len().clamp(STEP[0], STEP[1]);
    }
}

/// The length and modification time of a file, which show whether it has changed; `None` if not available.
pub type Stamp = Option<(u64, SystemTime)>;

pub fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok().filter(|about| about.is_file())?;
    Some((about.len(), about.modified().ok()?))
}

/// Finds a file by its path as given, or next to the executable; returns the path as given if it is found in neither
/// place.
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

    fn never(_: &mut File) -> bool {
        false
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let mut whole = Whole::create(&path).expect("a writable directory");
        whole.file().write_all(b"half").expect("enough disk space");
        let (part, lock) = (whole.temporary.clone(), Whole::lock_file(&path));
        assert!(part.exists() && lock.exists() && !path.exists());
        let second = write_whole(&path, b"another", never);
        assert!(second.is_err_and(|error| error.to_string().ends_with("another process is writing to it")));
        drop(whole);
        assert!(dir.names().is_empty());
        write_whole(&path, b"all of it", never).expect("a writable directory");
        assert_eq!(read_whole(&path, 9).expect("the file"), b"all of it");
        assert!(read_whole(&path, 8).is_err_and(|error| error.to_string().contains("9 bytes")));
        assert_eq!(dir.names(), ["file"]);
    }

    #[test]
    fn reserved_room_is_given_back() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let mut whole = Whole::create(&path).expect("a writable directory");
        whole.reserve(3 << 20).expect("enough disk space");
        assert_eq!(fs::metadata(&whole.temporary).expect("the temporary file").len(), 3 << 20);
        whole.file().write_all(b"little").and_then(|()| whole.finish()).expect("enough disk space");
        assert_eq!(fs::read(&path).expect("the file"), b"little");
    }

    #[test]
    fn an_unnamed_file_leaves_nothing_behind() {
        let dir = Scratch::new();
        let mut files: Vec<File> =
            (0..20).map(|_| unnamed_file(&dir.0).expect("a writable directory")).collect();
        assert!(cfg!(windows) || dir.names().is_empty());
        for (n, file) in files.iter_mut().enumerate() {
            file.write_all(&[n as u8; 3]).and_then(|()| file.rewind()).expect("enough disk space");
        }
        for (n, file) in files.iter_mut().enumerate() {
            let mut bytes = vec![];
            file.read_to_end(&mut bytes).expect("the file is readable");
            assert_eq!(bytes, [n as u8; 3]);
        }
        drop(files);
        assert!(dir.names().is_empty());
    }

    #[test]
    fn only_files_are_read_and_replaced() {
        let dir = Scratch::new();
        assert!(read_whole(&dir.0, 1000).is_err_and(|error| error.to_string().ends_with("not a file")));
        // A sparse file that no memory can hold.
        let huge = dir.0.join("huge");
        File::create(&huge).and_then(|file| file.set_len(1 << 42)).expect("a sparse file");
        let error = read_whole(&huge, u64::MAX).expect_err("4 TB");
        assert!(error.to_string().ends_with("not enough memory"), "{error}");
        // An endless device is neither a file nor a pipe, and an endless input is read up to the bound.
        #[cfg(unix)]
        assert!(read_file_or_pipe(Path::new("/dev/zero"), 1000).is_err());
        assert_eq!(read_to_end(&[7; 1000][..], 0, 1000).ok(), Some(vec![7; 1000]));
        assert!(
            read_to_end(io::repeat(0), 0, 1 << 20)
                .is_err_and(|error| error.to_string() == "more than 1048576 bytes")
        );
        assert!(Whole::create(&dir.0).is_err());
        assert_eq!(dir.names(), ["huge"]);
    }

    #[test]
    fn files_of_another_kind_and_temporary_files_of_others_stay() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        fs::write(&path, "precious").expect("a writable directory");
        fs::write(dir.0.join("file.part"), "mine").expect("a writable directory");
        let refused = write_whole(&path, b"new", begins_with(b"new")).expect_err("a foreign file");
        assert_eq!(refused.source.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"precious"[..]));
        for old in ["", "newer"] {
            fs::write(&path, old).expect("a writable directory");
            write_whole(&path, b"new", begins_with(b"new")).expect("a file of the right kind");
            assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"new"[..]));
        }
        assert_eq!(fs::read(dir.0.join("file.part")).ok().as_deref(), Some(&b"mine"[..]));
        assert_eq!(dir.names(), ["file", "file.part"]);
    }

    #[test]
    fn a_file_that_was_changed_meanwhile_stays_and_the_work_is_kept() {
        let dir = Scratch::new();
        let path = dir.0.join("file");
        let mut whole = Whole::create(&path).expect("a writable directory");
        whole.file().write_all(b"hours of work").expect("enough disk space");
        let part = whole.temporary.clone();
        fs::write(&path, "precious").expect("a writable directory");
        let error = whole.finish().expect_err("a file that another program created").to_string();
        assert!(error.contains(&*part.to_string_lossy()), "{error}");
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"precious"[..]));
        assert_eq!(fs::read(&part).ok().as_deref(), Some(&b"hours of work"[..]));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = Scratch::new();
        let [real, link, chain, new] = ["folder/real", "link", "chain", "new"].map(|name| dir.0.join(name));
        fs::create_dir(dir.0.join("folder")).expect("a writable directory");
        fs::write(&real, "old").expect("a writable directory");
        symlink("folder/real", &link).and_then(|()| symlink("link", &chain)).expect("links");
        symlink("folder/fresh", &new).expect("a link");
        for mode in [0o600, 0o640, 0o664] {
            fs::set_permissions(&real, fs::Permissions::from_mode(mode)).expect("permissions can be set");
            write_whole(&chain, b"new", |_| true).expect("a writable directory");
            assert_eq!(fs::metadata(&real).expect("the file").permissions().mode() & 0o777, mode);
        }
        assert!(link.is_symlink() && chain.is_symlink());
        assert_eq!(fs::read(&real).ok().as_deref(), Some(&b"new"[..]));
        // A link to a file that does not exist yet.
        write_whole(&new, b"new", never).expect("a writable directory");
        assert!(new.is_symlink() && dir.0.join("folder/fresh").is_file());
        symlink("circle", dir.0.join("circle")).expect("a link");
        assert!(write_whole(&dir.0.join("circle"), b"", never).is_err());
    }
}
