//! A private temporary directory or file, deleted when dropped. For the tests of all crates.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A private temporary directory.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sanban-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable folder");
        Self(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a UTF-8 path").to_string()
    }

    /// The names of the entries in the directory.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder").flatten();
        let mut names: Vec<_> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file in a private temporary directory.
pub struct ScratchFile {
    path: String,
    _folder: Scratch,
}

impl ScratchFile {
    /// A path for a file with this name, which does not exist yet.
    pub fn new(name: &str) -> Self {
        let folder = Scratch::new();
        Self { path: folder.file(name), _folder: folder }
    }

    /// A file with these bytes.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let file = Self::new(name);
        std::fs::write(&file.path, bytes).expect("a writable folder");
        file
    }

    pub fn path(&self) -> &str {
        &self.path
    }
}
