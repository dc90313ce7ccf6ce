//! The temporary files and lock files of this process, which are deleted when a signal terminates it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the list. The lock is held while a file is created, so that [`delete_all`] waits until the file is in the
/// list.
pub(crate) fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a file from the list after it was deleted or renamed to its final name.
pub(crate) fn forget(path: &Path) {
    let mut files = files();
    if let Some(at) = files.iter().rposition(|known| known == path) {
        files.swap_remove(at);
    }
}

/// Deletes all files in the list. The process must exit immediately afterwards: files that are still being written are
/// lost, and other threads can no longer create any.
pub fn delete_all() {
    let mut files = files();
    for path in files.drain(..) {
        // It may have been deleted already.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}
