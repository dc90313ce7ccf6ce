//! The house stands as it was drawn: imports go down the layers, and files stay small.
//!
//! The layers are the paragraphs of modules in `src/lib.rs`, lowest first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most lines of a file, and of the one that holds the search function.
const LONGEST: usize = 800;
const LONGEST_SEARCH: usize = 1000;

/// Modules that serve every game alike and must not know one.
const GENERIC: [&str; 3] = ["mate", "perft", "search"];

/// Imports between modules of one layer that are allowed: the command line starts what stands beside it, and what can
/// be tuned stands on the common vocabulary.
const BESIDE: [(&str, &str); 2] = [("cli", "train"), ("params", "base")];

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = Vec::new();
    sources(&root, &mut out);
    assert!(out.len() > 30, "found only {} files", out.len());
    out.into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("text");
            (path.strip_prefix(&root).expect("below src").to_path_buf(), text)
        })
        .collect()
}

/// Layer of every module.
fn layers() -> BTreeMap<String, usize> {
    let lib = include_str!("../src/lib.rs");
    let mut out = BTreeMap::new();
    let paragraphs = lib.split("\n\n").filter(|p| p.lines().any(|line| line.starts_with("pub mod ")));
    for (layer, paragraph) in paragraphs.enumerate() {
        for line in paragraph.lines() {
            if let Some(name) = line.strip_prefix("pub mod ") {
                out.insert(name.trim_end_matches(';').to_string(), layer);
            }
        }
    }
    out
}

/// Every module that is named after `crate::` in the code, comments left out. `crate::{a, b}` names several.
fn imports(text: &str) -> Vec<String> {
    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut out = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let first = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        match rest.strip_prefix('{') {
            Some(group) => {
                let (mut depth, mut start) = (1, true);
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 1 => start = true,
                        _ if start && !c.is_whitespace() => {
                            out.push(first(&group[i..]));
                            start = false;
                        }
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            None => out.push(first(rest)),
        }
    }
    out
}

#[test]
fn imports_go_down() {
    let layers = layers();
    assert!(layers["base"] < layers["game"] && layers["game"] < layers["shogi"]);
    assert!(layers["search"] < layers["games"] && layers["games"] < layers["usi"]);
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (path, text) in files() {
        let top = path.components().next().expect("a name").as_os_str().to_string_lossy();
        let own = top.trim_end_matches(".rs");
        let Some(&layer) = layers.get(own) else { continue };
        for import in imports(&text) {
            let Some(&below) = layers.get(&import) else { continue };
            seen += 1;
            let beside = BESIDE.contains(&(own, import.as_str()));
            let game = below == layers["shogi"] && GENERIC.contains(&own);
            if import != own && !beside && (below >= layer || game) {
                wrong.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert!(seen > 100, "only {seen} imports");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for (path, text) in files() {
        let most = if path.ends_with("search/alphabeta.rs") { LONGEST_SEARCH } else { LONGEST };
        let lines = text.lines().count();
        if lines > most {
            long.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::base::Move;\n// use crate::usi;\nuse crate::{game::{Game, Rules}, search::*};\nlet x = crate::nnue::f();";
    assert_eq!(imports(text), ["base", "game", "search", "nnue"]);
}
