//! `sanban book`: shows and builds opening books.

mod files;
mod games;
mod grow;

use super::args::{at_least, position, read_position, variants};
use super::failure::Failure;
use super::text::{note, print};
use clap::Subcommand;
use files::{failure, format_of, not_empty, read, spinner, write};
use sanban_formats::book::{Collection, Pruning};
use sanban_lab::book::minimax::minimax;
use sanban_rules::{AnyPosition, VariantId};
use sanban_study::teach::names::{Found, Namer, Table};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Show, build and convert opening books
///
/// Books can be read in all supported formats. The file extension determines the output format: .db, .ybb, .sbk or .bin
/// (Apery). An Apery book does not store its positions: only those reachable from the start position are found.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = variants(), global = true)]
    game: VariantId,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(name = "from-games")]
    Games(games::Args),
    Think(grow::Args),
    /// Propagate values from the leaves, across transpositions and cycles
    Minimax {
        /// The book
        book: PathBuf,
        /// Output file [default: update BOOK in place]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Value of a draw by repetition for black, in centipawns
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i32).range(-30_000..=30_000), allow_negative_numbers = true)]
        draw: i32,
    },
    /// Merge several books: if books have the same move, the entry with the greater depth is kept, and counts are added
    Merge {
        /// The books
        #[arg(required = true)]
        books: Vec<PathBuf>,
        /// Output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Convert a book to a different format
    Convert {
        /// The book
        book: PathBuf,
        /// Output file
        out: PathBuf,
    },
    /// Show the book entries for a position, with the names of openings and castles (shogi)
    Show {
        /// Print a line of JSON per move: `move`, `reply`, `score`, `depth` and `count`
        #[arg(long)]
        json: bool,
        /// The book
        book: PathBuf,
        /// `startpos` or an SFEN, optionally followed by `moves ...`
        #[arg(default_value = "startpos", num_args = 1..)]
        position: Vec<String>,
    },
    /// Remove positions and moves from a book
    Prune {
        /// The book
        book: PathBuf,
        /// Output file [default: update BOOK in place]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Maximum ply of a position; the start position has ply 1
        #[arg(long, value_parser = at_least(1))]
        ply: Option<usize>,
        /// Maximum loss of a move compared with the best move, in centipawns
        #[arg(long, value_parser = clap::value_parser!(i32).range(0..), allow_negative_numbers = true)]
        loss: Option<i32>,
        /// Minimum number of times that a move was played
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
        count: Option<u32>,
        /// Maximum number of moves per position
        #[arg(long, value_parser = at_least(1))]
        moves: Option<usize>,
        /// Keep only positions reachable from the start position by book moves
        #[arg(long)]
        reachable: bool,
    },
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game;
    match &args.command {
        Command::Games(args) => games::run(args, game),
        Command::Think(args) => grow::run(args, game),
        Command::Minimax { book, out, draw } => {
            let out = out.as_ref().unwrap_or(book);
            let format = format_of(out)?;
            let mut collection = read(book, game)?;
            let bar = spinner("propagating values");
            minimax(&mut collection, *draw);
            bar.finish_and_clear();
            write(&collection, out, format)
        }
        Command::Merge { books, out } => {
            let format = format_of(out)?;
            let mut all = Collection::new(game);
            for path in books {
                all.merge(read(path, game)?);
            }
            write(&all, out, format)
        }
        Command::Convert { book, out } => {
            let format = format_of(out)?;
            write(&read(book, game)?, out, format)
        }
        Command::Show { json, book, position } => show(game, book, &position.join(" "), *json),
        Command::Prune { book, out, ply, loss, count, moves, reachable } => {
            let out = out.as_ref().unwrap_or(book);
            let format = format_of(out)?;
            let mut collection = read(book, game)?;
            collection.prune(&Pruning {
                ply: *ply,
                loss: *loss,
                count: *count,
                moves: *moves,
                reachable: *reachable,
            });
            not_empty(&collection, out)?;
            write(&collection, out, format)
        }
    }
}

fn show(game: VariantId, path: &Path, text: &str, json: bool) -> Result<(), Failure> {
    let pos = position(game, text)?;
    let mut opened = sanban_formats::book::open(path, &pos, false).map_err(|error| failure(path, &error))?;
    opened.left_out.iter().for_each(|sentence| note(&format!("{}: {sentence}", path.display())));
    let moves = opened.book.find(&pos, None).map_err(|error| failure(path, &error))?;
    if moves.is_empty() {
        note("the book does not contain this position");
        return Err(Failure::No);
    }
    if json {
        return moves.iter().try_for_each(|known| {
            let line = json!({
                "move": pos.display(known.mv),
                "reply": known.reply.map(|reply| pos.display(reply)),
                "score": known.score,
                "depth": known.depth,
                "count": known.count,
            });
            print(&line.to_string())
        });
    }
    let namer = if game == VariantId::Shogi { namer(text) } else { None };
    print("move   reply     value  depth  count")?;
    for known in moves {
        let reply = known.reply.map_or_else(|| "-".into(), |reply| pos.display(reply));
        let mv = pos.display(known.mv);
        let names = namer.as_ref().map_or_else(String::new, |(namer, _)| {
            let found = namer.clone().play(known.mv).unwrap_or_default();
            found.iter().map(|found| format!("  {}", told(found))).collect()
        });
        print(&format!(
            "{mv:<6} {reply:<6} {:>8} {:>6} {:>6}{names}",
            known.score, known.depth, known.count
        ))?;
    }
    if let Some((_, found)) = namer.filter(|(_, found)| !found.is_empty()) {
        print("")?;
        for found in &found {
            print(&format!("{:>4}  {}", found.ply, told(found)))?;
        }
    }
    Ok(())
}

/// Replays a game of shogi up to the position; returns the names found in it.
fn namer(text: &str) -> Option<(Namer<'static>, Vec<Found<'static>>)> {
    let (sfen, moves) = read_position(text.trim()).ok()?;
    let mut namer = Namer::new(Table::built_in(), sfen.as_deref()).ok()?;
    let mut pos = AnyPosition::replay(VariantId::Shogi, sfen.as_deref(), []).ok()?;
    let mut found = Vec::new();
    for text in &moves {
        let mv = pos.parse_usi(text)?;
        found.extend(namer.play(mv).ok()?);
        pos.play(mv);
    }
    Some((namer, found))
}

/// Formats a name, such as `☗ Third-File Rook (三間飛車)`.
fn told(found: &Found) -> String {
    let mark = ['☗', '☖'][found.side.index()];
    format!("{mark} {} ({})", found.name.english, found.name.japanese)
}
