//! The temporary files and lock files of this process, which it deletes when a signal ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files, while one is being created: [`delete_all`] waits until it is in the list.
pub(crate) fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file has been deleted or has got its final name.
pub(crate) fn forget(path: &Path) {
    let mut files = files();
    if let Some(at) = files.iter().rposition(|known| known == path) {
        files.swap_remove(at);
    }
}

/// Deletes all of them. The process must end at once: files that are still being written are lost, and no other thread
/// can create one from now on.
pub fn delete_all() {
    let mut files = files();
    for path in files.drain(..) {
        // It may have been deleted already.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}
