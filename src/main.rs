//! The `sanban` binary: without a subcommand it speaks USI on standard input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    sanban::cli::run()
}
