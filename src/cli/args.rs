//! Argument types shared by several subcommands.

use super::failure::Failure;
use clap::builder::RangedU64ValueParser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sanban_engine::nnue::FV_SCALE;
use sanban_engine::nnue::NetworkChoice;
use sanban_engine::solved::SolvedTables;
use sanban_engine::{Engine, Game, NetworkSource};
use sanban_protocol::usi::command::{Command as UsiCommand, clip};
use sanban_rules::{AnyPosition, VariantId};
use std::path::{Path, PathBuf};

/// Whether both paths refer to the same existing file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Parser for the value of `--game`.
pub fn variants() -> impl TypedValueParser<Value = VariantId> {
    PossibleValuesParser::new(VariantId::NAMES).try_map(|name| name.parse::<VariantId>())
}

/// The network options of a command.
#[derive(clap::Args)]
pub struct NetworkArgs {
    /// Network file, or `handwritten` [default: the engine's default evaluation]
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<PathBuf>,
    /// Output divisor for network files that do not contain one
    #[arg(long, value_name = "N", default_value_t = FV_SCALE, value_parser = clap::value_parser!(i32).range(1..=128))]
    pub fv_scale: i32,
}

impl NetworkArgs {
    /// Loads the network, by default the embedded one.
    pub fn load<G: Game>(&self) -> Result<NetworkChoice, Failure> {
        G::load_network(&self.source()).map_err(|error| Failure::Request(error.to_string()))
    }

    /// Creates an engine that uses the network.
    pub fn engine(&self, game: VariantId) -> Result<Box<dyn Engine>, Failure> {
        let mut engine = <dyn Engine>::new(game);
        engine.load_network(&self.source()).map_err(|error| Failure::Request(error.to_string()))?;
        Ok(engine)
    }

    fn source(&self) -> NetworkSource {
        let named = |path: &PathBuf| NetworkSource::named(path, self.fv_scale);
        self.eval_file.as_ref().map_or_else(NetworkSource::default, named)
    }
}

/// A number that is not smaller than `least`.
pub fn at_least(least: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..)
}

/// The solved games that a command uses.
#[derive(clap::Args)]
pub struct SolvedArgs {
    /// Table written by `sanban solve`, used to show the value of every move; may be given once per rule set
    #[arg(long, value_name = "FILE")]
    dobutsu_table: Vec<PathBuf>,
    /// Directory of tables written by `sanban solve --game janggi`, used to show the value of every move in these
    /// endings
    #[arg(long, value_name = "DIR")]
    janggi_tables: Option<PathBuf>,
}

impl SolvedArgs {
    pub fn read(&self) -> Result<SolvedTables, Failure> {
        let mut tables = SolvedTables::default();
        for path in &self.dobutsu_table {
            tables.read(path).map_err(|error| Failure::Request(error.to_string()))?;
        }
        if let Some(folder) = &self.janggi_tables {
            tables.read_endings(folder).map_err(|error| Failure::Request(error.to_string()))?;
        }
        Ok(tables)
    }
}

/// Splits `startpos|SFEN [moves ...]` into SFEN and moves.
pub fn read_position(text: &str) -> Result<(Option<String>, Vec<String>), String> {
    if Path::new(text).is_file() {
        return Err("expected startpos or an SFEN, found a file".into());
    }
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    let known = |word: &&&str| matches!(**word, "startpos" | "sfen") || word.contains('/');
    if let Some(word) = words.first().filter(|word| !known(word)) {
        return Err(format!("expected startpos or an SFEN, found {}", clip(word)));
    }
    if let ["startpos", word] = words[..]
        && word != "moves"
    {
        return Err(format!("expected `moves` after startpos, found {word}"));
    }
    match UsiCommand::parse(format!("position {text}").as_bytes()).0 {
        UsiCommand::Position { sfen, moves, .. } => Ok((sfen, moves)),
        _ => Err("expected startpos or an SFEN".into()),
    }
}

/// Parses the position `startpos|SFEN [moves ...]` of a game.
pub fn position(game: VariantId, text: &str) -> Result<AnyPosition, String> {
    let (sfen, moves) = read_position(text.trim())?;
    let moves = moves.iter().map(String::as_str);
    AnyPosition::replay(game, sfen.as_deref(), moves).map_err(|error| error.to_string())
}
