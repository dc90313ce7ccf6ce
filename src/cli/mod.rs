//! The command line: one file a subcommand; without a subcommand the engine speaks USI.

mod bench;
mod eval;
mod mate;
mod perft;
mod probe;
mod psv;
mod selfplay;
mod solve;
mod text;
mod train;

use crate::game::{Game, Position};
use crate::nnue::FV_SCALE;
use crate::search::STACK;
use crate::usi::command::{Command as UsiCommand, clip};
use crate::usi::{Output, WELCOME};
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One engine, three boards: shogi, Janggi and Dobutsu shogi. Without a command it speaks USI.
#[derive(Parser)]
#[command(name = "sanban", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Eval(eval::Args),
    Mate(mate::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Probe(probe::Args),
    Selfplay(selfplay::Args),
    Train(train::Args),
    Psv(psv::Args),
}

/// Why a subcommand ended early, in a sentence.
enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Request(String),
    /// It could not be done: exit code 1.
    Work(String),
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Request(sentence)
    }
}

/// Reads the command line and runs what it asks for.
pub fn run() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => with_room(|| dispatch(cli)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // Nobody to read it is no mistake.
            let _ = error.print();
            Ok(())
        }
        Err(error) => Err(Failure::Request(sentence(&error))),
    };
    let (message, code) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Request(message)) => (message, 2),
        Err(Failure::Work(message)) => (message, 1),
    };
    // What a terminal would obey is not passed on.
    let message: String = message.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let _ = writeln!(std::io::stderr(), "sanban: {message}");
    ExitCode::from(code)
}

/// Does the work on a thread with room for a deep search: some systems give the first one little.
fn with_room(work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("sanban".into()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Failure::Work(format!("cannot start a thread: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        None => usi(),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Mate(args)) => mate::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Probe(args)) => probe::run(&args),
        Some(Command::Selfplay(args)) => selfplay::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Psv(args)) => psv::run(&args),
    }
}

/// A usage error and the hint to it, on one line.
fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut parts = text.split("\n\n").map(str::trim);
    let first = parts.next().unwrap_or_default().trim_start_matches("error: ");
    let hint =
        parts.find_map(|part| part.strip_prefix("tip: ")).map_or(String::new(), |tip| format!("; {tip}"));
    let words: Vec<&str> = first.split_whitespace().collect();
    format!("{}{hint} (sanban --help shows what there is)", words.join(" "))
}

/// Speaks USI until the end.
fn usi() -> ! {
    // A GUI that ends the process wants nothing else from it.
    let _ = ctrlc::set_handler(|| std::process::exit(0));
    let out = Output::new(std::io::stdout());
    if std::io::stdin().is_terminal() {
        out.line(WELCOME);
    }
    crate::usi::serve(std::io::stdin().lock(), out);
    // Not a return: threads may still be at work, and freeing gigabytes takes time.
    std::process::exit(0)
}

/// Do both paths lead to the same file, which exists?
fn same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// The network of a command that may name one.
#[derive(clap::Args)]
struct NetworkArgs {
    /// Network file, or `handwritten`; without it, what the engine plays with anyway
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Divisor of network files that do not carry their own
    #[arg(long, default_value_t = FV_SCALE, value_parser = clap::value_parser!(i32).range(1..=128))]
    fv_scale: i32,
}

impl NetworkArgs {
    fn load<G: Game>(&self) -> Result<G::Network, Failure> {
        let load = |path: &PathBuf| G::load_network(path, self.fv_scale).map_err(Failure::Request);
        self.eval_file.as_ref().map_or_else(|| Ok(G::Network::default()), load)
    }
}

/// The SFEN and the moves of `startpos|SFEN [moves ...]`.
fn read_position(text: &str) -> Result<(Option<String>, Vec<String>), String> {
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    if let Some(word) =
        words.first().filter(|word| **word != "startpos" && **word != "sfen" && !word.contains('/'))
    {
        let file = if Path::new(text).is_file() { ", a file" } else { "" };
        return Err(format!("expected startpos or a SFEN, found {}{file}", clip(word)));
    }
    if let ["startpos", word] = words[..]
        && word != "moves"
    {
        return Err(format!("expected `moves` after startpos, found {word}"));
    }
    match UsiCommand::parse(format!("position {text}").as_bytes()).0 {
        UsiCommand::Position { sfen, moves } => Ok((sfen, moves)),
        _ => Err("expected startpos or a SFEN".into()),
    }
}

/// The position of `startpos|SFEN [moves ...]`.
fn position<G: Game>(text: &str) -> Result<G::Position, String> {
    let (sfen, moves) = read_position(text.trim())?;
    let mut pos = G::parse(sfen.as_deref().unwrap_or(G::START)).map_err(|e| e.to_string())?;
    for (n, text) in moves.iter().enumerate() {
        let mv = pos.parse_usi(text).ok_or_else(|| format!("illegal move {text} at ply {}", n + 1))?;
        pos.make(mv, &mut ());
    }
    Ok(pos)
}
