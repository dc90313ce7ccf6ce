//! The `sanban` binary. Without a subcommand, it speaks USI on standard input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(all(target_arch = "x86_64", unix, target_feature = "avx2"))]
    sanban_system::processor::keep();
    sanban::cli::run()
}
