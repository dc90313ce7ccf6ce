//! The command line: one file a subcommand; without a subcommand the engine speaks USI.

use std::process::ExitCode;

/// Reads the command line and runs what it asks for.
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
