//! The files of the page. They are embedded in the program: no request path reaches the disk.
//!
//! A debug build (`cargo build`) reads the same files from the source tree, so that a change is visible after a reload
//! of the page.

use once_cell::sync::Lazy;
use sanban_system::checksum;
use std::borrow::Cow;

pub(super) struct File {
    pub content: Cow<'static, [u8]>,
    pub kind: &'static str,
    /// Whether browsers open the file directly, and not only on behalf of another file of the page.
    pub root: bool,
}

macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        /// The file of the page at this path, if any.
        pub(super) fn file(path: &str) -> Option<File> {
            let path = if path == "/" { "/index.html" } else { path };
            let (name, embedded, kind): (&str, &'static [u8], _) = match path {
                $(concat!("/", $name) => ($name, include_bytes!(concat!("../../../web/", $name)), $kind),)*
                _ => return None,
            };
            let mut content = Cow::Borrowed(embedded);
            if cfg!(debug_assertions)
                && let Ok(bytes) = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/web/").to_string() + name)
            {
                content = Cow::Owned(bytes);
            }
            let root = ROOTS.contains(&name);
            if root {
                content = Cow::Owned(named(&content));
            }
            Some(File { content, kind, root })
        }

        /// The names of all files.
        pub(super) const NAMES: &[&str] = &[$($name),*];

        const CONTENTS: &[&[u8]] = &[$(include_bytes!(concat!("../../../web/", $name))),*];
    };
}

/// The files that browsers open directly. They contain the version of the page.
const ROOTS: [&str; 2] = ["index.html", "worker-cache.js"];

/// Fills in the placeholders of a file.
fn named(content: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(content)
        .replace("@VERSION@", version())
        .replace("@FILES@", &NAMES.join(" "))
        .replace("@SERVER@", "yes")
        .into_bytes()
}

/// The version of the program and a checksum of the page's files, by which a page detects that the program was
/// replaced.
pub(super) fn version() -> &'static str {
    static VERSION: Lazy<String> = Lazy::new(|| {
        let hash = checksum(&CONTENTS.concat());
        format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hash as u32 ^ (hash >> 32) as u32)
    });
    &VERSION
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

files! {
    "index.html": HTML,
    "style.css": CSS,
    "layout.css": CSS,
    "icon.svg": SVG,
    "icon-192.png": PNG,
    "icon-512.png": PNG,
    "manifest.webmanifest": MANIFEST,
    "opened.js": SCRIPT,
    "main.js": SCRIPT,
    "state.js": SCRIPT,
    "dom.js": SCRIPT,
    "sfen.js": SCRIPT,
    "games.js": SCRIPT,
    "tree.js": SCRIPT,
    "words.js": SCRIPT,
    "words-en.js": SCRIPT,
    "words-ja.js": SCRIPT,
    "words-child.js": SCRIPT,
    "words-ko.js": SCRIPT,
    "settings.js": SCRIPT,
    "store.js": SCRIPT,
    "clocks.js": SCRIPT,
    "engine.js": SCRIPT,
    "game.js": SCRIPT,
    "table.js": SCRIPT,
    "tasks.js": SCRIPT,
    "home.js": SCRIPT,
    "faces.js": SCRIPT,
    "ending.js": SCRIPT,
    "points.js": SCRIPT,
    "board.js": SCRIPT,
    "pieces.js": SCRIPT,
    "pictures.js": SCRIPT,
    "notation.js": SCRIPT,
    "input.js": SCRIPT,
    "dialogs.js": SCRIPT,
    "movelist.js": SCRIPT,
    "told.js": SCRIPT,
    "onefile.js": SCRIPT,
    "study.js": SCRIPT,
    "analysis.js": SCRIPT,
    "graph.js": SCRIPT,
    "report.js": SCRIPT,
    "records.js": SCRIPT,
    "links.js": SCRIPT,
    "image.js": SCRIPT,
    "editor.js": SCRIPT,
    "sounds.js": SCRIPT,
    "worker-cache.js": SCRIPT,
    "learn.js": SCRIPT,
    "exercises.js": SCRIPT,
    "staging.js": SCRIPT,
    "judge.js": SCRIPT,
    "practise.js": SCRIPT,
    "solved.js": SCRIPT,
    "problems.js": SCRIPT,
    "lessons.js": SCRIPT,
    "lessons-en.js": SCRIPT,
    "lessons-ja.js": SCRIPT,
    "lessons-ko.js": SCRIPT,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest size of what the first board needs, in bytes.
    const MOST: usize = 240_000;
    /// The files that are loaded after the first board, or when they are first needed, such as lessons, the editor and
    /// the other languages; [`MOST_LATER`] limits their total size.
    const LATER: [&str; 30] = [
        "input.js",
        "analysis.js",
        "graph.js",
        "study.js",
        "movelist.js",
        "told.js",
        "records.js",
        "ending.js",
        "sounds.js",
        "icon-192.png",
        "icon-512.png",
        "judge.js",
        "practise.js",
        "solved.js",
        "problems.js",
        "links.js",
        "words-child.js",
        "onefile.js",
        "editor.js",
        "image.js",
        "report.js",
        "words-en.js",
        "words-ko.js",
        "learn.js",
        "exercises.js",
        "staging.js",
        "lessons.js",
        "lessons-en.js",
        "lessons-ja.js",
        "lessons-ko.js",
    ];
    const MOST_LATER: usize = 320_000;

    #[test]
    fn the_page_is_light_and_whole() {
        let weight = |later: bool| -> usize {
            let names = NAMES.iter().filter(|name| LATER.contains(name) == later);
            names.filter_map(|name| file(&format!("/{name}"))).map(|f| f.content.len()).sum()
        };
        assert!(weight(false) > 10_000 && weight(false) < MOST, "{} bytes", weight(false));
        assert!(weight(true) > 10_000 && weight(true) < MOST_LATER, "{} bytes", weight(true));
        // Every imported script exists, and nothing is loaded from another origin.
        for name in NAMES {
            let content = file(&format!("/{name}")).map_or_else(Default::default, |file| file.content);
            let text = String::from_utf8_lossy(&content);
            for part in text.split("from \"./").skip(1) {
                let import = part.split('"').next().unwrap_or_default();
                assert!(NAMES.contains(&import), "{name} imports {import}");
                assert!(
                    LATER.contains(name) || !LATER.contains(&import),
                    "{name} loads {import} when the page is opened"
                );
            }
            for part in text.split("://").skip(1) {
                let own = part.starts_with("www.w3.org/") || part.starts_with('$');
                assert!(own, "{name} refers to another origin: {part:.40}");
            }
        }
    }

    #[test]
    fn only_the_files_of_the_page_have_a_path() {
        assert!(file("/").is_some() && file("/index.html").is_some());
        for path in
            ["", "/web", "/../Cargo.toml", "//etc/passwd", "/etc/passwd", "/main.js/", "/%2e%2e/Cargo.toml"]
        {
            assert!(file(path).is_none(), "{path}");
        }
    }
}
