//! `sanban completions` and `sanban man`, generated from the definitions of the commands.

use super::failure::{Failure, make_directory};
use super::text::print_bytes;
use clap::Command;
use clap_complete::Shell;
use sanban_system::{begins_with, write_whole};
use std::path::PathBuf;

/// Print the completion script for a shell
///
/// For bash: `sanban completions bash > ~/.local/share/bash-completion/completions/sanban`.
#[derive(clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Write manual pages, one for each command
#[derive(clap::Args)]
pub(super) struct Man {
    /// Output directory
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn completions(args: &Completions, mut command: Command) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "sanban", &mut text);
    print_bytes(&text)
}

pub(super) fn man(args: &Man, command: Command) -> Result<(), Failure> {
    make_directory(&args.folder)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    pages(&command, args)
}

/// Writes the manual pages of a command and its subcommands.
fn pages(command: &Command, args: &Man) -> Result<(), Failure> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        pages(subcommand, args)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let path = args.folder.join(page.get_filename());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::file(&path, &error))?;
    Ok(write_whole(&path, &text, begins_with(b".ie \\n(.g .ds Aq"))?)
}
