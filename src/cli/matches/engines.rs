//! The engines of a match: command lines, and files in TOML or JSON.

use super::args::Args;
use crate::cli::failure::Failure;
use sanban_formats::record::LARGEST;
use sanban_lab::arena::{Command, Go, Protocol};
use sanban_system::read_file_or_pipe;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(super) struct Contestant {
    /// The command line as given.
    pub text: String,
    pub command: Command,
    pub go: Go,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineFile {
    #[serde(alias = "engines")]
    engine: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The name in tables and records.
    name: Option<String>,
    /// The command line; `-` is this program.
    command: String,
    folder: Option<PathBuf>,
    #[serde(default)]
    options: BTreeMap<String, Text>,
    /// The protocol; by default, the engine is asked.
    protocol: Option<String>,
    /// Limits, instead of `--go`.
    go: Option<String>,
    /// A factor for all times of the limits.
    time: Option<f64>,
}

/// The value of an option, given as a string, a number or a boolean.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) if text.contains(['\n', '\r']) => {
                Err(serde::de::Error::custom("the value of an option must be one line"))
            }
            Value::String(text) => Ok(Self(text)),
            value @ (Value::Number(_) | Value::Bool(_)) => Ok(Self(value.to_string())),
            _ => Err(serde::de::Error::custom("expected a string, a number, true or false")),
        }
    }
}

/// Reads a file of engines: TOML, or JSON if its name ends with `.json`.
fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let bytes = read_file_or_pipe(path, LARGEST)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Request(format!("{}: not UTF-8 text", path.display())))?;
    let text = text.trim_start_matches('\u{feff}');
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let file: Result<EngineFile, String> = if is_json {
        serde_json::from_str(text).map_err(|error| error.to_string())
    } else {
        toml::from_str(text).map_err(|error| error.to_string())
    };
    let wrong = |error: String| {
        // Error messages of the parsers have several lines.
        let words: Vec<&str> = error.split_whitespace().collect();
        Failure::Request(format!("{}: {}", path.display(), words.join(" ")))
    };
    let file = file.map_err(wrong)?;
    if file.engine.is_empty() {
        return Err(Failure::Request(format!("{}: contains no engines", path.display())));
    }
    Ok(file.engine)
}

/// The engines of the command line, then those of the file. Without a file, missing engines are this program.
pub(super) fn contestants(args: &Args) -> Result<Vec<Contestant>, Failure> {
    let mut out = Vec::new();
    let own =
        [(&args.options_a, &args.go_a, args.protocol_a), (&args.options_b, &args.go_b, args.protocol_b)];
    let mut lines = args.engines.clone();
    if args.engines_file.is_none() {
        while lines.len() < 2 {
            lines.push("-".into());
        }
    }
    for (at, text) in lines.iter().enumerate() {
        let protocol = own.get(at).and_then(|own| own.2);
        let command = command(args, text, protocol)?;
        out.push(Contestant { text: text.clone(), command, go: args.go.clone() });
        if let Some((options, go, _)) = own.get(at) {
            let contestant = &mut out[at];
            contestant.command.options.extend(options.iter().cloned());
            contestant.go = go.as_ref().unwrap_or(&args.go).clone();
        }
    }
    for entry in
        args.engines_file.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten()
    {
        if let Some(name) = entry.name.iter().find(|name| name.contains(char::is_control)) {
            return Err(Failure::Request(format!("name: {name:?} contains a control character")));
        }
        if let Some(folder) = entry.folder.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::Request(format!("folder: {}: no such directory", folder.display())));
        }
        let protocol = entry.protocol.as_ref().map(|text| text.parse());
        let protocol = protocol.transpose().map_err(|error| format!("protocol: {error}"))?;
        let mut command = command(args, &entry.command, protocol)?;
        command.name = entry.name;
        command.folder = entry.folder;
        command.options.extend(entry.options.into_iter().map(|(name, Text(value))| (name, value)));
        let go = match &entry.go {
            Some(text) => text.parse().map_err(|error| format!("{text}: {error}"))?,
            None => args.go.clone(),
        };
        let go = match entry.time {
            Some(factor) if (0.001..=1000.0).contains(&factor) => go.scaled(factor),
            Some(factor) => {
                return Err(Failure::Request(format!("time: {factor} is not between 0.001 and 1000")));
            }
            None => go,
        };
        out.push(Contestant { text: entry.command, command, go });
    }
    if out.len() < 2 {
        return Err(Failure::Request("a match needs at least two engines".into()));
    }
    let two = out.len() == 2;
    for (at, contestant) in out.iter_mut().enumerate() {
        let number = if two { ["A", "B"][at].to_string() } else { (at + 1).to_string() };
        contestant.command.label = format!("engine {number}");
    }
    Ok(out)
}

/// Creates the command for an engine, with the common options, and with its own protocol or the common one.
fn command(args: &Args, text: &str, protocol: Option<Protocol>) -> Result<Command, Failure> {
    let words = match &args.program {
        Some(words) if text == "-" => words.clone(),
        None if text == "-" => {
            let path = std::env::current_exe().map_err(|error| format!("path of this program: {error}"))?;
            let word = path.into_os_string().into_string();
            vec![word.map_err(|_| "path of this program: not UTF-8".to_string())?]
        }
        _ => Command::words(text).ok_or_else(|| format!("invalid command line: {text}"))?,
    };
    let protocol = protocol.or(args.protocol).map_or_else(OnceLock::new, OnceLock::from);
    let options = args.options.clone();
    Ok(Command { words, options, game: args.game, protocol, ..Command::default() })
}
