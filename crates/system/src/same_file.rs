//! Tests whether a path still refers to an open file.

use std::fs::File;
use std::path::Path;

/// Returns whether this path still refers to the open file. Another process may have deleted or replaced it in the
/// meantime. Symbolic links are followed. Always true on systems without inode numbers.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let same = |found: std::fs::Metadata, open: std::fs::Metadata| {
            (found.dev(), found.ino()) == (open.dev(), open.ino())
        };
        std::fs::metadata(path).is_ok_and(|found| file.metadata().is_ok_and(|open| same(found, open)))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
