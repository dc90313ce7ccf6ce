//! `sanban psv`: exports recorded games as training positions for other tools.

use super::args::same_file;
use super::failure::Failure;
use super::text::{note, print};
use sanban_lab::train::{psv, shard};
use sanban_system::Whole;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Export the searched positions of recorded shogi games as PackedSfenValue, 40 bytes each
///
/// Conversely, `sanban train --psv FILE` trains on such files.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Self-play shards (`*.games`)
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let name = args.out.display();
    if args.shards.iter().any(|path| same_file(path, &args.out)) {
        return Err(Failure::Request(format!("{name}: to be read and written at once")));
    }
    let failed = |error: std::io::Error| Failure::Work(format!("{name}: {error}"));
    let mut whole =
        Whole::replace(&args.out, psv::is_positions).map_err(|error| Failure::file(&args.out, &error))?;
    let mut out = BufWriter::new(whole.file());
    let (mut positions, mut searched, mut read) = (0, 0, 0);
    for path in &args.shards {
        // A damaged shard is reported and skipped.
        let records = match shard::read(path) {
            Ok((origin, records)) if origin.game == "shogi" => records,
            Ok((origin, _)) => {
                note(&format!("left out: {}: games of {}", path.display(), origin.game));
                continue;
            }
            Err(error) => {
                note(&format!("left out: {error}"));
                continue;
            }
        };
        read += 1;
        for (game, record) in records.iter().enumerate() {
            let mut bytes = vec![];
            if let Err(ply) = psv::export(record, &mut bytes) {
                let (path, offset) = (path.display(), shard::offset(&records, game));
                note(&format!(
                    "{path}: offset {offset}: game {game} left out: the move of ply {ply} is illegal"
                ));
                continue;
            }
            positions += bytes.len() / psv::SIZE;
            searched += record.plies.iter().filter(|ply| ply.score.is_some()).count();
            out.write_all(&bytes).map_err(failed)?;
        }
    }
    if read == 0 {
        return Err(Failure::Request("no shard could be read, nothing was written".into()));
    }
    out.flush().map_err(failed)?;
    drop(out);
    whole.finish().map_err(failed)?;
    if searched > positions {
        let before = searched - positions;
        note(&format!(
            "left out: {before} of {searched} searched positions, before the last random move of their games"
        ));
    }
    print(&format!("{positions} positions"))
}
