//! The house stands as it was drawn: imports go down the layers, and files stay small.
//!
//! The layers are the paragraphs of modules in `src/lib.rs`, lowest first.

use std::collections::{BTreeMap, BTreeSet};
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

/// The code without comments and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every name that follows a path in the code, such as `crate::`. `crate::{a, b}` names several.
fn imports(code: &str, path: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices(path) {
        if code[..at].ends_with(|c: char| c == '$' || c == ':' || c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + path.len()..];
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
        for import in imports(&code(&text), "crate::") {
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
    assert_eq!(imports(&code(text), "crate::"), ["base", "game", "search", "nnue"]);
    let text = "use super::{a::B, C};\nlet x = super::super::d::E;";
    assert_eq!(imports(&code(text), "super::"), ["a", "C", "super"]);
    assert_eq!(imports(&code(text), "super::super::"), ["d"]);
}

/// What the files of a folder import from one another: by the name of the file or subfolder, `mod` for `mod.rs`.
fn folder(path: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let module = code(&std::fs::read_to_string(path.join("mod.rs")).expect("text"));
    let mut children = BTreeSet::new();
    // Names that `mod.rs` gives to what stands in a file beside it.
    let mut aliases = BTreeMap::new();
    for line in module.split(';').map(|line| line.trim().trim_start_matches("pub ")) {
        if let Some(child) = line.rsplit_once("mod ").map(|(_, name)| name).filter(|name| !name.contains(' '))
        {
            children.insert(child.to_string());
        }
    }
    for child in &children {
        for statement in module.split(';').filter(|statement| statement.contains(&format!("use {child}::"))) {
            for name in imports(statement, &format!("{child}::")) {
                let name =
                    statement.split_once(&format!("{name} as ")).map_or(name.as_str(), |(_, as_name)| {
                        as_name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
                    });
                aliases.insert(name.to_string(), child.clone());
            }
        }
    }
    let mut out = BTreeMap::new();
    let own: BTreeSet<String> = children
        .iter()
        .filter(|child| !imports(&without_exports(&module), &format!("{child}::")).is_empty())
        .cloned()
        .collect();
    out.insert("mod".to_string(), own);
    for child in children.iter().filter(|child| *child != "tests") {
        let mut files = Vec::new();
        let (file, below) = (path.join(format!("{child}.rs")), path.join(child));
        if file.exists() {
            files.push((file, "super::".to_string()));
        }
        if below.exists() {
            let mut paths = Vec::new();
            sources(&below, &mut paths);
            for path in paths.into_iter().filter(|path| !path.ends_with("tests.rs")) {
                let depth = path.strip_prefix(&below).expect("below").components().count();
                let up = depth - usize::from(path.ends_with("mod.rs"));
                files.push((path, "super::".repeat(up + 1)));
            }
        }
        let mut named = BTreeSet::new();
        for (file, up) in files {
            let text = code(&std::fs::read_to_string(file).expect("text"));
            for name in imports(&text, &up).into_iter().filter(|name| !["super", ""].contains(&name.as_str()))
            {
                let target = match aliases.get(&name) {
                    Some(child) => child.clone(),
                    None if children.contains(&name) => name,
                    None => "mod".into(),
                };
                named.insert(target);
            }
        }
        named.remove(child);
        out.insert(child.clone(), named);
    }
    out
}

/// The code without `pub use`, which depends on nothing, and without `mod`.
fn without_exports(module: &str) -> String {
    module.split_inclusive(';').filter(|part| !part.trim_start().starts_with("pub use ")).collect()
}

#[test]
fn no_files_of_a_folder_import_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let (mut edges, mut circles) = (0, Vec::new());
    for path in paths.iter().filter(|path| path.ends_with("mod.rs")).filter_map(|path| path.parent()) {
        let mut files = folder(path);
        edges += files.values().map(BTreeSet::len).sum::<usize>();
        // Files that import nothing which is left are taken away until nothing changes: a circle stays.
        loop {
            let left: BTreeSet<String> = files.keys().cloned().collect();
            let before = files.len();
            files.retain(|_, imports| imports.iter().any(|import| left.contains(import)));
            if files.len() == before {
                break;
            }
        }
        if !files.is_empty() {
            circles.push(format!("{}: {files:?}", path.display()));
        }
    }
    assert!(edges > 150, "only {edges} imports");
    assert!(circles.is_empty(), "{circles:#?}");
}
