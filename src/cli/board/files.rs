//! The files of the page. They are part of the program: no path leads to the disk.

pub(super) struct File {
    pub content: &'static [u8],
    pub kind: &'static str,
}

macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        /// The file of this path; nothing else has one.
        pub(super) fn file(path: &str) -> Option<File> {
            match path {
                $(concat!("/", $name) => Some(File {
                    content: include_bytes!(concat!("../../../web/", $name)),
                    kind: $kind,
                }),)*
                "/" => file("/index.html"),
                _ => None,
            }
        }

        /// The name of every file.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$($name),*];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

files! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": SVG,
    "main.js": SCRIPT,
    "state.js": SCRIPT,
    "settings.js": SCRIPT,
    "play.js": SCRIPT,
    "moving.js": SCRIPT,
    "clocks.js": SCRIPT,
    "analysis.js": SCRIPT,
    "records.js": SCRIPT,
    "board.js": SCRIPT,
    "pieces.js": SCRIPT,
    "pictures.js": SCRIPT,
    "engine.js": SCRIPT,
    "games.js": SCRIPT,
    "words.js": SCRIPT,
    "notation.js": SCRIPT,
    "graph.js": SCRIPT,
    "report.js": SCRIPT,
    "editor.js": SCRIPT,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page may weigh, without the engine, in bytes.
    const MOST: usize = 300_000;

    #[test]
    fn the_page_is_light_and_whole() {
        let weight: usize =
            NAMES.iter().filter_map(|name| file(&format!("/{name}"))).map(|f| f.content.len()).sum();
        assert!(weight > 10_000 && weight < MOST, "{weight} bytes");
        // Every script that another one imports is there, and nothing is loaded from elsewhere.
        for name in NAMES {
            let content = file(&format!("/{name}")).map_or(&b""[..], |file| file.content);
            let text = String::from_utf8_lossy(content);
            for part in text.split("from \"./").skip(1) {
                let import = part.split('"').next().unwrap_or_default();
                assert!(NAMES.contains(&import), "{name} imports {import}");
            }
            for part in text.split("://").skip(1) {
                let own = part.starts_with("www.w3.org/") || part.starts_with('$');
                assert!(own, "{name} names an address: {part:.40}");
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
