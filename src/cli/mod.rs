//! The command line: one file a subcommand; without a subcommand the engine speaks USI.

mod probe;
mod solve;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// One engine, three boards: shogi, Janggi and Dobutsu shogi over USI.
#[derive(Parser)]
#[command(name = "sanban", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Probe(probe::Args),
}

/// Why a subcommand ended early, in a sentence.
enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Request(String),
    /// It could not be done: exit code 1.
    Work(String),
}

/// Reads the command line and runs what it asks for. A mistake on it ends with exit code 2.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Probe(args)) => probe::run(&args),
        None => Ok(()),
    };
    let (message, code) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Request(message)) => (message, 2),
        Err(Failure::Work(message)) => (message, 1),
    };
    eprintln!("sanban: {message}");
    ExitCode::from(code)
}
