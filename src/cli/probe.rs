//! `sanban probe`: values of positions from a table.

use super::Failure;
use super::text::{each_line, unprinted};
use crate::dobutsu::Position;
use crate::dobutsu::table::Table;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Prints what perfect play leads to: `SFEN<TAB>win N|loss N|draw`, N in plies to the end of the game.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Which rules.
    #[arg(long, value_parser = ["dobutsu", "dobutsumate"])]
    game: String,
    /// A file written by `sanban solve`.
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// Positions, each in quotes; with `-` or none they come from standard input, one a line.
    sfen: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mate = args.game == "dobutsumate";
    let table = Table::load(&args.table, mate).map_err(|e| Failure::Request(e.to_string()))?;
    if mate { probe::<true>(&table, &args.sfen) } else { probe::<false>(&table, &args.sfen) }
}

fn probe<const MATE: bool>(table: &Table, sfens: &[String]) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = match sfens {
        [] => lines::<MATE>(table, &mut out),
        [dash] if dash == "-" => lines::<MATE>(table, &mut out),
        // One position without quotes comes as several words.
        words if words.iter().all(|word| !word.contains(' ')) => {
            answer::<MATE>(table, &words.join(" "), &mut out).map_err(|e| e.at(&words.join(" ")))
        }
        sfens => {
            sfens.iter().try_for_each(|sfen| answer::<MATE>(table, sfen, &mut out).map_err(|e| e.at(sfen)))
        }
    };
    // What was asked before the mistake is answered.
    let flushed = out.flush().map_err(|e| Trouble::Output(e).at(""));
    result.and(flushed)
}

/// Answers standard input line by line.
fn lines<const MATE: bool>(table: &Table, out: &mut impl Write) -> Result<(), Failure> {
    each_line(|sfen, number| answer::<MATE>(table, sfen, out).map_err(|e| e.at(&format!("line {number}"))))
}

/// What can go wrong with one position.
enum Trouble {
    Sfen(String),
    Output(io::Error),
}

impl Trouble {
    fn at(self, place: &str) -> Failure {
        match self {
            Self::Sfen(reason) => Failure::Request(format!("{place}: {reason}")),
            Self::Output(e) => unprinted(e),
        }
    }
}

fn answer<const MATE: bool>(table: &Table, sfen: &str, out: &mut impl Write) -> Result<(), Trouble> {
    let pos = Position::<MATE>::from_sfen(sfen).map_err(Trouble::Sfen)?;
    let value = pos.solved(table).ok_or_else(|| Trouble::Sfen("the table has no such position".into()))?;
    writeln!(out, "{sfen}\t{value}").map_err(Trouble::Output)
}
