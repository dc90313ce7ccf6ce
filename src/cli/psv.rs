//! `sanban psv`: recorded games as training positions for other tools.

use super::Failure;
use crate::train::{psv, shard};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Writes the searched positions of recorded shogi games as PackedSfenValue, 40 bytes each
///
/// The other way round, `sanban train --psv FILE` learns from such files.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Shards (`*.games`)
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Work(format!("{}: {error}", args.out.display()));
    let mut out = BufWriter::new(File::create(&args.out).map_err(failed)?);
    let mut positions = 0;
    for path in &args.shards {
        // A damaged shard is left out, and told; the others are used.
        let records = match shard::read(path) {
            Ok((origin, records)) if origin.game == "shogi" => records,
            Ok((origin, _)) => {
                eprintln!("left out: {}: games of {}", path.display(), origin.game);
                continue;
            }
            Err(error) => {
                eprintln!("left out: {error}");
                continue;
            }
        };
        for (game, record) in records.iter().enumerate() {
            let mut bytes = vec![];
            if let Err(ply) = psv::export(record, &mut bytes) {
                eprintln!("{}: game {game}: the move of ply {ply} is illegal", path.display());
            }
            positions += bytes.len() / psv::SIZE;
            out.write_all(&bytes).map_err(failed)?;
        }
    }
    out.flush().map_err(failed)?;
    println!("{positions} positions");
    Ok(())
}
