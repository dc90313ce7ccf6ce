//! The arguments of `sanban match`.

use crate::cli::args::variants;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sanban_lab::arena::{DrawRule, Format, Go, Protocol, Sprt, chooses_game};
use sanban_rules::{Score, VariantId};
use sanban_system::Part;
use std::path::PathBuf;

/// The default of `--margin`, in milliseconds.
pub(super) const MARGIN: u32 = 100;
/// The default of `--games`.
const GAMES: u64 = 100;
/// The default of `--patience`, in seconds.
pub(super) const PATIENCE: u32 = 60;

/// Play a match between two engines, or a tournament of more, in pairs of games from the same opening with colours
/// swapped.
///
/// Sanban referees the games by its own rules. One line per game is written to `--out`, and the same command resumes an
/// interrupted match. A pair with a game that repeats an earlier one move for move is not counted. Exit code 0: the
/// games were played, or H1 was accepted; 1: H0 was accepted, or an engine failed; 2: the match cannot be played; 130:
/// interrupted (the current score is printed).
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// The command line of this program, if it is not that of the process.
    #[arg(skip)]
    pub program: Option<Vec<String>>,
    /// Command lines of the engines A, B and so on; `-` is this program, which is also the default for A and B.
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// File with more engines, in TOML or JSON: a list `engine` with `command` and optionally `name`, `folder`,
    /// `options`, `protocol`, `go` (limits), and `time` (a factor for all times).
    #[arg(long = "engines", value_name = "FILE")]
    pub engines_file: Option<PathBuf>,
    /// Protocol of all engines. By default, each is asked: first in USI, then in UCI and CECP (the protocol of XBoard).
    #[arg(long, value_parser = protocols())]
    pub protocol: Option<Protocol>,
    /// Protocol of engine A.
    #[arg(long, value_parser = protocols())]
    pub protocol_a: Option<Protocol>,
    /// Protocol of engine B.
    #[arg(long, value_parser = protocols())]
    pub protocol_b: Option<Protocol>,
    /// Tournament format: every engine against every other, or the first engine against the others.
    #[arg(long, default_value_t = Format::RoundRobin, value_parser = PossibleValuesParser::new(Format::NAMES).try_map(|text| text.parse::<Format>()))]
    pub format: Format,
    /// An option for all engines; rule options also apply to the referee.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common_pair)]
    pub options: Vec<(String, String)>,
    /// An option for engine A.
    #[arg(long = "option-a", value_name = "NAME=VALUE", value_parser = pair)]
    pub options_a: Vec<(String, String)>,
    /// An option for engine B.
    #[arg(long = "option-b", value_name = "NAME=VALUE", value_parser = pair)]
    pub options_b: Vec<(String, String)>,
    /// Limits per move: `nodes N`, `depth N`, `movetime N`, or a clock of `btime N wtime N binc N winc N byoyomi N`
    /// (milliseconds).
    #[arg(long, default_value = "nodes 5000", value_name = "LIMITS")]
    pub go: Go,
    /// Limits for engine A, instead of `--go`.
    #[arg(long, value_name = "LIMITS")]
    pub go_a: Option<Go>,
    /// Limits for engine B, instead of `--go`.
    #[arg(long, value_name = "LIMITS")]
    pub go_b: Option<Go>,
    /// Number of games per pairing, which must be even; with `--sprt`, the maximum [default: 100 if engines are named,
    /// unlimited with `--sprt`].
    #[arg(long, value_name = "N", value_parser = games, required_unless_present_any = ["sprt", "tally", "engines"])]
    pub games: Option<u64>,
    /// Stop when a sequential probability ratio test accepts one of two Elo differences, ELO0 (H0) or ELO1 (H1), with
    /// error probabilities of 5 %.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Number of games played in parallel.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Number of random moves at the start of a game.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub plies: u16,
    /// File of openings to use instead of random moves: one `startpos [moves ...]`, `[sfen] SFEN [moves ...]` or
    /// `fen FEN [moves ...]` per line, or game records in any format that `convert` reads.
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    pub openings: Option<PathBuf>,
    /// Maximum number of moves to take from a game record.
    #[arg(long, default_value_t = 24, value_name = "N", requires = "openings")]
    pub opening_plies: u16,
    /// Play the openings of the file in random order, determined by `--seed`.
    #[arg(long, requires = "openings")]
    pub shuffle: bool,
    /// Seed for the random openings and their order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Adjudicate a win when both engines agree on a score of at least CP centipawns for PLIES plies.
    #[arg(long, value_name = "CP,PLIES", value_parser = resign)]
    pub resign: Option<(Score, usize)>,
    /// Adjudicate a loss when an engine's own score was -CP centipawns or less for MOVES of its moves in a row.
    #[arg(long, value_name = "CP,MOVES", value_parser = resign_alone)]
    pub resign_alone: Option<(Score, usize)>,
    /// Adjudicate a draw when, from ply FROM on, the scores of both engines stayed within CP centipawns of zero for
    /// PLIES plies.
    #[arg(long, value_name = "FROM,CP,PLIES", value_parser = draw)]
    pub draw: Option<DrawRule>,
    /// Adjudicate positions with this solved table: a file or directory written by `sanban solve`.
    #[arg(long, value_name = "PATH")]
    pub table: Option<PathBuf>,
    /// Let the engines search on the opponent's time.
    #[arg(long)]
    pub ponder: bool,
    /// Adjudicate a draw after this many moves.
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// Tolerance for exceeding a time limit, in milliseconds.
    #[arg(long, default_value_t = MARGIN, value_name = "MS", value_parser = clap::value_parser!(u32))]
    pub margin: u32,
    /// Kill an engine that does not answer within this many seconds beyond the limit; it has at least 60 seconds to
    /// start.
    #[arg(long, default_value_t = PATIENCE, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub patience: u32,
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = variants())]
    pub game: VariantId,
    /// Play only this shard of the pairs, such as `0/4`, to split the match across machines.
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N")]
    pub shard: Part,
    /// Continue when an engine loses two games in a row through faults (crash, hang, timeout, illegal move), instead of
    /// stopping the match.
    #[arg(long)]
    pub recover: bool,
    /// Output file for the games, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Directory for logs of the communication with each engine.
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,
    /// HTML file to write, with the cross table and the games.
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// PGN file to write. `sanban convert` converts the output file to other formats.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Do not play; combine the games of these files, such as all shards of a match.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "out", "shard"])]
    pub tally: Vec<PathBuf>,
}

impl Args {
    /// Number of games per pairing; `None` if only the test ends the match.
    pub fn most(&self) -> Option<u64> {
        self.games.or(self.sprt.is_none().then_some(GAMES))
    }
}

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::NAMES).try_map(|text| text.parse::<Protocol>())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    // The names of UCI options contain spaces.
    if name.trim() != name || name.is_empty() || text.contains(['\n', '\r']) {
        return Err("expected NAME=VALUE".into());
    }
    Ok((name.to_string(), value.to_string()))
}

/// Parses an option of all engines.
fn common_pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = pair(text)?;
    // The option would not affect the referee, and other engines may use other names for the game.
    if chooses_game(&name) { Err("use --game to select the game".into()) } else { Ok((name, value)) }
}

fn games(text: &str) -> Result<u64, String> {
    let even = text.parse().ok().filter(|&n: &u64| n > 0 && n.is_multiple_of(2) && n <= 1_000_000_000);
    even.ok_or_else(|| "expected an even number from 2 to 1000000000".into())
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
    let (elo0, elo1) = text.split_once(',').ok_or("expected ELO0,ELO1")?;
    match (number(elo0), number(elo1)) {
        (Some(elo0), Some(elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers from -1000 to 1000, the smaller one first".into()),
    }
}

fn draw(text: &str) -> Result<DrawRule, String> {
    let expected = || "expected FROM,CP,PLIES".to_string();
    let (from, rest) = text.split_once(',').ok_or_else(expected)?;
    let (score, plies) = rest.split_once(',').ok_or_else(expected)?;
    let [from, plies] = [from, plies].map(|text| text.trim().parse::<usize>().ok().filter(|&n| n <= 100_000));
    let score = score.trim().parse().ok().filter(|score| (0..=30_000).contains(score));
    match (from, score, plies) {
        (Some(from), Some(score), Some(plies)) if plies > 0 => Ok(DrawRule { from, score, plies }),
        _ => Err(expected()),
    }
}

fn resign(text: &str) -> Result<(Score, usize), String> {
    score_and_count(text)
        .ok_or_else(|| "expected CP,PLIES, with CP at least 1 and PLIES from 1 to 10000".into())
}

fn resign_alone(text: &str) -> Result<(Score, usize), String> {
    score_and_count(text)
        .ok_or_else(|| "expected CP,MOVES, with CP at least 1 and MOVES from 1 to 10000".into())
}

/// Parses a positive score and a number from 1 to 10,000, separated by a comma.
fn score_and_count(text: &str) -> Option<(Score, usize)> {
    let (score, count) = text.split_once(',')?;
    let score = score.trim().parse().ok().filter(|&n: &Score| n > 0);
    let count = count.trim().parse().ok().filter(|&n: &usize| (1..=10_000).contains(&n));
    score.zip(count)
}
