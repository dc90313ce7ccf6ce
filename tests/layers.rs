//! Structural rules that the compiler does not check: files are short, the files of a directory do not import each
//! other in a cycle, and game-independent code does not name a game.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Maximum number of lines in a file, and in the file with the search function.
const LONGEST: usize = 800;
const LONGEST_SEARCH: usize = 1000;

/// Folders of game-independent code, which must not name a game.
const GENERIC: [&str; 3] = ["crates/engine/src/mate", "crates/engine/src/perft", "crates/engine/src/search"];
/// The names of the games, as modules and as types.
const GAMES: [&str; 7] = ["shogi", "janggi", "dobutsu", "Shogi", "Janggi", "Dobutsu", "DobutsuMate"];

/// The source directories of the program and of the crates below it.
const SOURCES: [&str; 9] = [
    "src",
    "crates/system/src",
    "crates/rules/src",
    "crates/engine/src",
    "crates/formats/src",
    "crates/lab/src",
    "crates/protocol/src",
    "crates/study/src",
    "crates/board/src",
];

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    SOURCES.iter().for_each(|folder| sources(&root.join(folder), &mut out));
    assert!(out.len() > 30, "found only {} files", out.len());
    out.into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("text");
            (path.strip_prefix(root).expect("below the root").to_path_buf(), text)
        })
        .collect()
}

/// The code without comments and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every name that follows a path such as `crate::` in the code. A group such as `crate::{a, b}` has several.
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
fn what_serves_every_game_knows_none() {
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let name = path.to_string_lossy();
        if !GENERIC.iter().any(|folder| name.starts_with(folder)) || name.ends_with("tests.rs") {
            continue;
        }
        let code = code(&text);
        let named =
            imports(&code, "sanban_rules::").into_iter().filter(|name| GAMES.contains(&name.as_str()));
        wrong.extend(named.map(|game| format!("{name}: {game}")));
        if imports(&code, "crate::").iter().any(|import| import == "games") {
            wrong.push(format!("{name}: imports the list of games"));
        }
    }
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

/// The imports of the files of a directory from one another, by the name of the file or subdirectory; `mod` is
/// `mod.rs`.
fn folder(path: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let module = code(&std::fs::read_to_string(path.join("mod.rs")).expect("text"));
    let mut children = BTreeSet::new();
    // The names under which `mod.rs` imports items of the other files.
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

/// The code without `pub use`, which does not count as an import.
fn without_exports(module: &str) -> String {
    module.split_inclusive(';').filter(|part| !part.trim_start().starts_with("pub use ")).collect()
}

/// Removes files that import none of the remaining ones, until only cycles and the files that lead to them remain.
fn keep_cycles(files: &mut BTreeMap<String, BTreeSet<String>>) {
    loop {
        let left: BTreeSet<String> = files.keys().cloned().collect();
        files.retain(|_, imports| imports.iter().any(|import| left.contains(import)));
        if files.len() == left.len() {
            break;
        }
    }
}

/// The imports of the top-level modules of a crate from one another. A name that `lib.rs` exports counts as its module.
fn modules(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let lib = code(&std::fs::read_to_string(root.join("lib.rs")).expect("text"));
    let mut homes = BTreeMap::new();
    for statement in
        lib.split(';').filter_map(|part| part.split_once("pub use ")).map(|(_, statement)| statement)
    {
        let Some((module, names)) = statement.split_once("::") else { continue };
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
            homes.insert(name.to_string(), module.to_string());
        }
    }
    let mut paths = Vec::new();
    sources(root, &mut paths);
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in paths.iter().filter(|path| !path.ends_with("lib.rs") && !path.ends_with("tests.rs")) {
        let top = path.strip_prefix(root).expect("below").components().next().expect("a name");
        let own = top.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        let text = code(&std::fs::read_to_string(path).expect("text"));
        let named =
            imports(&text, "crate::").into_iter().map(|name| homes.get(&name).cloned().unwrap_or(name));
        out.entry(own.clone()).or_default().extend(named.filter(|name| *name != own));
    }
    out
}

#[test]
fn no_files_of_a_folder_import_each_other_in_a_cycle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    SOURCES.iter().for_each(|folder| sources(&root.join(folder), &mut paths));
    let (mut edges, mut cycles) = (0, Vec::new());
    for path in paths.iter().filter(|path| path.ends_with("mod.rs")).filter_map(|path| path.parent()) {
        let mut files = folder(path);
        edges += files.values().map(BTreeSet::len).sum::<usize>();
        keep_cycles(&mut files);
        if !files.is_empty() {
            cycles.push(format!("{}: {files:?}", path.display()));
        }
    }
    for folder in SOURCES.iter().filter(|folder| **folder != "src") {
        let mut files = modules(&root.join(folder));
        edges += files.values().map(BTreeSet::len).sum::<usize>();
        keep_cycles(&mut files);
        if !files.is_empty() {
            cycles.push(format!("{folder}: {files:?}"));
        }
    }
    assert!(edges > 150, "only {edges} imports");
    assert!(cycles.is_empty(), "{cycles:#?}");
}
