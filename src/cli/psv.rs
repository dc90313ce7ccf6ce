//! `sanban psv`: exports recorded games as training positions for other tools; counts, prints, shuffles and splits
//! files of positions.

use super::args::same_file;
use super::failure::Failure;
use super::text::{note, print, unprinted};
use sanban_lab::train::TrainError;
use sanban_lab::train::mixer::Mixer;
use sanban_lab::train::psv::{self, Entry};
use sanban_lab::train::shard;
use sanban_rules::Position as _;
use sanban_system::{Whole, begins_with};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Export, count, print, shuffle, dedupe and split shogi training positions
///
/// Reads self-play shards (`*.games`) and files of positions (PackedSfenValue, hcpe, hcpe3), and writes
/// PackedSfenValue, 40 bytes per position. Without `--out`, the positions are only counted. `sanban train --psv FILE`
/// trains on such files.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Self-play shards and files of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Put the positions in random order
    #[arg(long)]
    shuffle: bool,
    /// Remove duplicate positions, keeping the first; the order becomes random
    #[arg(long)]
    dedupe: bool,
    /// Seed for the random order [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Distribute the positions in turn over this number of output files, `NAME-1.psv` and so on
    #[arg(long, value_name = "FILES", requires = "out", value_parser = clap::value_parser!(u16).range(1..=999))]
    split: Option<u16>,
    /// Print a line per position: SFEN, move or `-`, score and result (1, 0 or -1) for the side to move, separated by
    /// tabs
    #[arg(long, conflicts_with = "out")]
    print: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.seed.is_some() && !args.shuffle && !args.dedupe {
        return Err(Failure::Request("--seed needs --shuffle or --dedupe".into()));
    }
    // clap does not enforce `requires = "out"` if `--print`, which conflicts with it, is given.
    if args.split.is_some() && args.out.is_none() {
        return Err(Failure::Request("--split needs --out".into()));
    }
    let mut output = Output::open(args)?;
    let mut tally = Tally::default();
    let whole;
    if args.dedupe || args.shuffle {
        let folder =
            args.out.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        let temporary = folder.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let failed =
            |error: io::Error| Failure::Work(format!("temporary files in {}: {error}", temporary.display()));
        // Positions take a byte or more in shards and 40 in the output.
        let bytes =
            args.files.iter().filter_map(|path| path.metadata().ok()).map(|about| 40 * about.len()).sum();
        let mut mixer = Mixer::new(args.dedupe, args.seed.unwrap_or(1), bytes, &temporary).map_err(failed)?;
        whole = read_all(&args.files, |record| mixer.push(record).map_err(failed))?;
        let removed = mixer.finish(|record| {
            tally.add(record);
            output.write(record)
        });
        let removed = removed.map_err(|error| output.failure(&error))?;
        if args.dedupe {
            note(&format!("skipped: {removed} duplicate positions"));
        }
    } else {
        whole = read_all(&args.files, |record| {
            tally.add(record);
            output.write(record).map_err(|error| output.failure(&error))
        })?;
    }
    output.finish()?;
    if !args.print {
        print(&tally.to_string())?;
    }
    if whole { Ok(()) } else { Err(Failure::No) }
}

/// Calls `each` with every position of the files. Parts that cannot be read are reported and skipped; returns whether
/// everything was read.
fn read_all(
    files: &[PathBuf],
    mut each: impl FnMut(&[u8; psv::SIZE]) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let (mut read, mut whole, mut failure) = (false, true, None);
    for path in files {
        let shard = is_shard(path);
        let mut pass = |record: &[u8; psv::SIZE]| {
            if failure.is_none() {
                failure = each(record).err();
            }
        };
        let done = if shard {
            read_shard(path, &mut pass)
        } else {
            psv::visit(path, |entry| pass(&entry.to_bytes()))
        };
        match done {
            Ok(left_out) => {
                read = true;
                // The positions left out of a shard are unsuitable for training, so the file is complete without them.
                whole &= shard || left_out.is_empty();
                left_out.iter().for_each(|sentence| note(sentence));
            }
            Err(error) => {
                whole = false;
                note(&format!("skipped: {error}"));
            }
        }
        if let Some(failure) = failure.take() {
            return Err(failure);
        }
    }
    if read { Ok(whole) } else { Err(Failure::Request("no file could be read; nothing was written".into())) }
}

fn is_shard(path: &Path) -> bool {
    File::open(path).is_ok_and(|mut file| begins_with(shard::MAGIC)(&mut file))
}

/// Calls `each` with the searched positions of recorded games. Returns messages about skipped games and positions.
fn read_shard(path: &Path, mut each: impl FnMut(&[u8; psv::SIZE])) -> Result<Vec<String>, TrainError> {
    let (origin, records) = shard::read(path)?;
    if origin.game != "shogi" {
        return Err(TrainError::OtherGame { path: path.into(), found: origin.game, expected: "shogi" });
    }
    let (mut left_out, mut searched, mut positions) = (vec![], 0, 0);
    for (game, record) in records.iter().enumerate() {
        let mut bytes = vec![];
        if let Err(ply) = psv::export(record, &mut bytes) {
            let (path, offset) = (path.display(), shard::offset(&records, game));
            left_out.push(format!(
                "{path}: offset {offset}: game {game} skipped: the move at ply {ply} is illegal"
            ));
            continue;
        }
        searched += record.plies.iter().filter(|ply| ply.score.is_some()).count();
        let records = bytes.as_chunks().0;
        positions += records.len();
        records.iter().for_each(&mut each);
    }
    if searched > positions {
        left_out.push(format!(
            "{}: skipped {} of {searched} searched positions because they precede the last random move of their game",
            path.display(),
            searched - positions
        ));
    }
    Ok(left_out)
}

/// The number of positions, and the results of their games.
#[derive(Default)]
struct Tally {
    positions: u64,
    won: u64,
    lost: u64,
    without_move: u64,
}

impl Tally {
    fn add(&mut self, record: &[u8; psv::SIZE]) {
        self.positions += 1;
        match record[38] as i8 {
            1 => self.won += 1,
            -1 => self.lost += 1,
            _ => {}
        }
        self.without_move += u64::from(record[34..36] == [0, 0]);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { positions, won, lost, without_move } = self;
        let drawn = positions - won - lost;
        write!(f, "{positions} positions; the side to move won {won}, drew {drawn}, lost {lost}")?;
        if *without_move > 0 {
            write!(f, "; {without_move} without a move")?;
        }
        Ok(())
    }
}

enum Output {
    /// None: the positions are only counted.
    Nothing,
    /// Standard output, as text.
    Text(BufWriter<io::Stdout>),
    /// The files in turn, one position at a time.
    Files { files: Vec<Target>, next: usize },
}

struct Target {
    path: PathBuf,
    whole: Whole,
    bytes: Vec<u8>,
}

/// Number of bytes per write.
const BLOCK: usize = 1 << 16;

impl Output {
    fn open(args: &Args) -> Result<Self, Failure> {
        let Some(out) = &args.out else {
            return Ok(if args.print { Self::Text(BufWriter::new(io::stdout())) } else { Self::Nothing });
        };
        let paths = args.split.map_or_else(|| vec![out.clone()], |number| numbered(out, number));
        let target = |path: PathBuf| {
            if args.files.iter().any(|input| same_file(input, &path)) {
                return Err(Failure::Request(format!("{} is both input and output", path.display())));
            }
            let whole =
                Whole::replace(&path, psv::is_positions).map_err(|error| Failure::file(&path, &error))?;
            Ok(Target { path, whole, bytes: Vec::with_capacity(BLOCK + psv::SIZE) })
        };
        let files = paths.into_iter().map(target).collect::<Result<_, _>>()?;
        Ok(Self::Files { files, next: 0 })
    }

    fn write(&mut self, record: &[u8; psv::SIZE]) -> io::Result<()> {
        match self {
            Self::Nothing => Ok(()),
            Self::Text(out) => match Entry::from_bytes(record) {
                Some(Entry { pos, score, mv, result }) => {
                    let mv = mv.map_or_else(|| "-".into(), |mv| pos.display(mv));
                    writeln!(out, "{}\t{mv}\t{score}\t{result}", pos.sfen())
                }
                None => Err(io::Error::other("a position cannot be decoded")),
            },
            Self::Files { files, next } => {
                let at = *next;
                *next = (at + 1) % files.len();
                let Target { whole, bytes, .. } = &mut files[at];
                bytes.extend_from_slice(record);
                if bytes.len() >= BLOCK {
                    whole.file().write_all(bytes)?;
                    bytes.clear();
                }
                Ok(())
            }
        }
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let name = match self {
            Self::Files { files, .. } => files[0].path.display().to_string(),
            _ => "standard output".into(),
        };
        Failure::Work(format!("{name}: {error}"))
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Nothing => Ok(()),
            Self::Text(mut out) => out.flush().map_err(unprinted),
            Self::Files { files, .. } => {
                files.into_iter().try_for_each(|Target { path, mut whole, bytes }| {
                    let written = whole.file().write_all(&bytes).and_then(|()| whole.finish());
                    written.map_err(|error| Failure::Work(format!("{}: {error}", path.display())))
                })
            }
        }
    }
}

/// The paths `NAME-1.EXTENSION` and so on.
fn numbered(path: &Path, number: u16) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    let extension = extension.unwrap_or_default();
    (1..=number).map(|n| path.with_file_name(format!("{stem}-{n}{extension}"))).collect()
}
