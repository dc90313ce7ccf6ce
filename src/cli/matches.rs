//! `sanban match`: games between two engines.

use super::bar::bar;
use super::failure::{ExitStatus, Failure};
use super::program::program;
use super::text::{note, print, read_lines};
use crate::usi::Config;
use indicatif::ProgressBar;
use sanban_engine::Game;
use sanban_lab::arena;
use sanban_lab::arena::{
    Command, Conditions, Decision, Go, Ledger, Observer, Openings, Plan, Played, Record, RulesOf, Sprt,
    Standing, chooses_game, position,
};
use sanban_rules::{Position, Rules, Score, VariantId, with_game};
use sanban_system::{Part, checksum};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Play a match between two USI engines, in pairs of games from one opening with colours swapped.
///
/// Sanban's own rules adjudicate the games. One line per game is written to `--out`, and the same command resumes an
/// interrupted match. A game that repeats an earlier one move for move counts once: a pair with such a game is
/// excluded. Exit code 0: the games were played, or H1 was accepted; 1: H0 was accepted, or an engine failed; 2: the
/// match cannot be played; 130: interrupted, the current score is printed.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Command line of engine A; `-` is this program.
    #[arg(default_value = "-")]
    a: String,
    /// Command line of engine B; `-` is this program.
    #[arg(default_value = "-")]
    b: String,
    /// An option for both engines; rule options also apply to the referee.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common_pair)]
    options: Vec<(String, String)>,
    /// An option for engine A.
    #[arg(long = "option-a", value_name = "NAME=VALUE", value_parser = pair)]
    options_a: Vec<(String, String)>,
    /// An option for engine B.
    #[arg(long = "option-b", value_name = "NAME=VALUE", value_parser = pair)]
    options_b: Vec<(String, String)>,
    /// Limits per move: `nodes N`, `depth N`, `movetime N`, or a clock of `btime N wtime N binc N winc N byoyomi N`
    /// (milliseconds).
    #[arg(long, default_value = "nodes 5000", value_name = "LIMITS")]
    go: Go,
    /// Limits for engine A, instead of `--go`.
    #[arg(long, value_name = "LIMITS")]
    go_a: Option<Go>,
    /// Limits for engine B, instead of `--go`.
    #[arg(long, value_name = "LIMITS")]
    go_b: Option<Go>,
    /// Number of games, which must be even; with `--sprt`, the maximum.
    #[arg(long, value_parser = games, required_unless_present_any = ["sprt", "tally"])]
    games: Option<u64>,
    /// Stop when a sequential test accepts one of two Elo differences (5 % error on either side).
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Number of games played in parallel.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Number of random moves at the start of a game.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    plies: u16,
    /// File of openings to use instead, one `startpos [moves ...]` or `[sfen] SFEN [moves ...]` per line.
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    openings: Option<PathBuf>,
    /// Seed of the random openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Adjudicate a win when both engines agree on this score, in centipawns, for PLIES plies.
    #[arg(long, value_name = "CP,PLIES", value_parser = resign)]
    resign: Option<(Score, usize)>,
    /// Adjudicate a draw after this many moves.
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_moves: u32,
    /// Tolerance for a move beyond its time limit, in milliseconds.
    #[arg(long, default_value_t = 100, value_name = "MS", value_parser = clap::value_parser!(u32))]
    margin: u32,
    /// Kill an engine that does not answer within this many seconds beyond the limit.
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    patience: u32,
    /// The game.
    #[arg(long, default_value = "shogi", value_parser = VariantId::NAMES.to_vec())]
    game: String,
    /// Shard of the pairs, such as `0/4`, to split the match across machines.
    #[arg(long, default_value_t = Part::WHOLE, value_name = "I/N")]
    shard: Part,
    /// Continue when an engine loses two games in a row by a fault (crash, hang, time, illegal move), instead of
    /// stopping the match.
    #[arg(long)]
    recover: bool,
    /// Output file for the games, as JSON lines.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play nothing; combine the games of these files, such as all shards of a match.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "out", "shard"])]
    tally: Vec<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let bad = |text: &str| text.contains(['\n', '\r']);
    if name.trim().is_empty() || name.contains(char::is_whitespace) || bad(value) {
        return Err("expected NAME=VALUE".into());
    }
    Ok((name.to_string(), value.to_string()))
}

/// Parses an option of both engines.
fn common_pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = pair(text)?;
    // The referee would not see it. One of the engines may use another name for the game.
    if chooses_game(&name) { Err("--game says which game it is".into()) } else { Ok((name, value)) }
}

fn games(text: &str) -> Result<u64, String> {
    let even = text.parse().ok().filter(|&n: &u64| n > 0 && n.is_multiple_of(2) && n <= 1_000_000_000);
    even.ok_or_else(|| "expected an even number of games".into())
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
    let (elo0, elo1) = text.split_once(',').ok_or("expected ELO0,ELO1")?;
    match (number(elo0), number(elo1)) {
        (Some(elo0), Some(elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers, the smaller one first".into()),
    }
}

fn resign(text: &str) -> Result<(Score, usize), String> {
    let (score, plies) = text.split_once(',').ok_or("expected CP,PLIES")?;
    let score = score.trim().parse().ok().filter(|&n: &Score| n > 0);
    let plies = plies.trim().parse().ok().filter(|&n: &usize| (1..=10_000).contains(&n));
    score.zip(plies).ok_or_else(|| "expected centipawns and plies".into())
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if !args.tally.is_empty() {
        return tally(args);
    }
    with_game!(args.game.as_str(), G => matches::<G>(args)).unwrap_or(Ok(()))
}

fn matches<G: Game>(args: &Args) -> Result<(), Failure> {
    let rules = rules::<G>(&args.options)?;
    let go = [&args.go_a, &args.go_b].map(|go| go.clone().unwrap_or_else(|| args.go.clone()));
    let openings = match &args.openings {
        None => Openings::Random(args.plies.into()),
        Some(path) => Openings::Listed(openings::<G>(path, &rules)?),
    };
    let plan = Plan {
        engines: [command(args, &args.a, &args.options_a)?, command(args, &args.b, &args.options_b)?],
        conditions: Conditions {
            rules,
            go,
            margin: Duration::from_millis(args.margin.into()),
            resign: args.resign,
            max_moves: args.max_moves as usize,
        },
        openings,
        seed: args.seed,
        pairs: args.games.map(|games| games / 2),
        sprt: args.sprt,
        concurrency: args.concurrency.into(),
        part: args.shard,
        patience: Duration::from_secs(args.patience.into()),
        recover: args.recover,
    };
    warn_of_repetition(&plan);
    let mut old: Vec<Played> = Vec::new();
    let ledger = args
        .out
        .as_ref()
        .map(|path| Ledger::open(path, &about(args, &plan), |game| old.push(Played::from(&game))));
    let mut ledger = ledger.transpose()?;
    if !old.is_empty() {
        note(&format!("{} games are there already", old.len()));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let signal = stop.clone();
    // A second interrupt does not wait for the searches in progress.
    let _ = ctrlc::set_handler(move || {
        if signal.swap(true, Ordering::Relaxed) {
            std::process::exit(ExitStatus::Interrupted as i32);
        }
    });
    let games = plan.pairs.map_or(0, |pairs| 2 * plan.part.share(pairs));
    let template = if games > 0 {
        "{wide_bar} {pos}/{len} games  {msg}  {elapsed} of {duration}"
    } else {
        "{spinner} {pos} games  {msg}  {elapsed}"
    };
    let mut notes = Notes { sprt: args.sprt, bar: bar(games, template) };
    let (standing, result) = arena::run::<G>(&plan, &old, ledger.as_mut(), &mut notes, &stop);
    notes.bar.finish_and_clear();
    if let Err(error) = result {
        // The games played so far count, and the error is reported last.
        if standing.played > 0 {
            print(&describe(&standing, args.sprt))?;
        }
        return Err(error.into());
    }
    let interrupted = stop.load(Ordering::Relaxed) && !is_over(&plan, &standing);
    if interrupted {
        print(&format!("{}; interrupted", describe(&standing, args.sprt)))?;
        return Err(Failure::Interrupted);
    }
    conclude(&standing, args.sprt)
}

/// Have all games been played, or is the test decided?
fn is_over<R>(plan: &Plan<R>, standing: &Standing) -> bool {
    let all = plan.pairs.is_some_and(|pairs| standing.finished() >= plan.part.share(pairs));
    all || standing.decision.is_some()
}

/// Warns of openings that occur more than once.
fn warn_of_repetition<R>(plan: &Plan<R>) {
    let Openings::Listed(lines) = &plan.openings else { return };
    let (lines, pairs) = (lines.len() as u64, plan.pairs);
    if pairs.is_none_or(|pairs| pairs > lines) {
        let wanted = pairs.map_or("any number of".into(), |pairs| pairs.to_string());
        note(&format!(
            "{lines} openings for {wanted} pairs: they are repeated, and games that are equal count once"
        ));
    }
}

/// Combines the games of several files.
fn tally(args: &Args) -> Result<(), Failure> {
    let (mut about, mut games) = (None, Vec::new());
    for path in &args.tally {
        let found = Ledger::read(path, |game| games.push(Played::from(&game)))?;
        if about.is_some() && found.is_some() && found != about {
            return Err(Failure::Request(format!("{}: another match than the file before", path.display())));
        }
        about = found.or(about);
    }
    conclude(&Standing::tally(games, args.sprt), args.sprt)
}

/// Prints the result of a match and derives the exit code.
fn conclude(standing: &Standing, sprt: Option<Sprt>) -> Result<(), Failure> {
    let text = describe(standing, sprt);
    match standing.decision {
        Some(Decision::H0) => {
            print(&format!("{text}; H0 accepted"))?;
            Err(Failure::No)
        }
        Some(Decision::H1) => print(&format!("{text}; H1 accepted")),
        None => print(&text),
    }
}

/// The rule settings among the options of both engines.
fn rules<G: Game>(options: &[(String, String)]) -> Result<RulesOf<G>, Failure> {
    let (mut rules, mut config) = (G::rules(), Config::new());
    for (name, value) in options {
        let settings = <G::Position as Position>::Rules::SETTINGS;
        let Some(setting) = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name)) else {
            continue;
        };
        if let Some(sentence) = config.set(name, Some(value)) {
            return Err(Failure::Request(sentence));
        }
        if let Some(value) = config.rules.get(setting.name) {
            rules.set(setting.name, value).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(rules)
}

/// The command line of an engine with its options.
fn command(args: &Args, text: &str, own: &[(String, String)]) -> Result<Command, Failure> {
    let words = if text == "-" {
        program()?
    } else {
        Command::words(text).ok_or_else(|| format!("not a command line: {text}"))?
    };
    Ok(Command { words, options: args.options.iter().chain(own).cloned().collect(), game: args.game.clone() })
}

/// The openings in a file, each position once.
fn openings<G: Game>(path: &Path, rules: &RulesOf<G>) -> Result<Vec<String>, Failure> {
    let lines = read_lines(path, |line| {
        let text = line.strip_prefix("position ").unwrap_or(line).trim();
        let pos = position::<G>(rules, text).map_err(|error| error.to_string())?;
        // Files of SFENs omit the word `sfen`.
        let bare = !text.starts_with("startpos") && !text.starts_with("sfen ");
        Ok((pos.key(), if bare { format!("sfen {text}") } else { text.to_string() }))
    })?;
    if lines.is_empty() {
        return Err(Failure::Request(format!("{}: no opening in it", path.display())));
    }
    let mut seen = HashMap::new();
    let (mut kept, mut repeated) = (Vec::new(), Vec::new());
    for (line, (key, text)) in lines {
        match seen.entry(key) {
            Entry::Vacant(place) => {
                place.insert(line);
                kept.push(text);
            }
            Entry::Occupied(first) => repeated.push(format!("line {line} (as line {})", first.get())),
        }
    }
    if let Some(example) = repeated.first() {
        let (path, many) = (path.display(), repeated.len());
        note(&format!(
            "{path}: openings left out that lead to a position of an earlier line: {many}, such as {example}"
        ));
    }
    Ok(kept)
}

/// The settings that the games of a match depend on.
fn about<R>(args: &Args, plan: &Plan<R>) -> Value {
    let engine = |text: &str, command: &Command| {
        // The game is written as in earlier versions, so that their matches can be resumed.
        let game = (args.game != VariantId::NAMES[0]).then(|| format!("USI_Variant={}", args.game));
        let options = command.options.iter().map(|(name, value)| format!("{name}={value}"));
        let options: Vec<String> = game.into_iter().chain(options).collect();
        let program = std::fs::read(&command.words[0]).ok().map(|bytes| format!("{:016x}", checksum(&bytes)));
        json!({ "command": text, "options": options, "program": program })
    };
    let [a, b] = &plan.engines;
    let [go_a, go_b] = &plan.conditions.go;
    let openings = match &plan.openings {
        Openings::Random(plies) => format!("{plies} random plies"),
        Openings::Listed(lines) => {
            format!("{} listed, {:016x}", lines.len(), checksum(lines.join("\n").as_bytes()))
        }
    };
    json!({
        "game": args.game,
        "a": engine(&args.a, a),
        "b": engine(&args.b, b),
        "go_a": go_a.to_string(),
        "go_b": go_b.to_string(),
        "openings": openings,
        "seed": args.seed,
        "max_moves": args.max_moves,
        "resign": args.resign.map(|(score, plies)| format!("{score},{plies}")),
    })
}

/// A line with the current score of a match.
fn describe(standing: &Standing, sprt: Option<Sprt>) -> String {
    let [wins, draws, losses] = standing.games;
    let mut text =
        format!("{} games, {wins}-{draws}-{losses} (A wins, draws, B wins)", wins + draws + losses);
    if let Some(elo) = standing.pairs.elo() {
        text.push_str(&format!(", {elo}"));
    }
    let pairs = standing.pairs.0.map(|n| n.to_string());
    text.push_str(&format!(", pairs {}", pairs.join(" ")));
    for (player, name) in ["A", "B"].into_iter().zip(&standing.names) {
        if let Some(name) = name {
            text.push_str(&format!(", {player} {name}"));
        }
    }
    if standing.repeated > 0 {
        text.push_str(&format!(", pairs left out that repeat earlier games: {}", standing.repeated));
    }
    if let Some(sprt) = sprt {
        let Sprt { elo0, elo1 } = sprt;
        let (llr, bound) = (sprt.llr(&standing.pairs), Sprt::BOUND);
        text.push_str(&format!(", LLR {llr:+.2} of ±{bound:.2} ({elo0}, {elo1})"));
    }
    let [a, b] = standing.faults;
    if a + b > 0 {
        text.push_str(&format!(", lost by a fault: A {a}, B {b}"));
    }
    let speed = |player: usize| standing.nodes[player] as f64 / standing.time[player] as f64;
    if standing.time.iter().all(|&time| time > 0) {
        text.push_str(&format!(", knodes/s {:.0} and {:.0}", speed(0), speed(1)));
    }
    let hours = standing.elapsed.as_secs_f64() / 3600.0;
    if hours > 0.0 {
        text.push_str(&format!(", {:.0} games/h", standing.played as f64 / hours));
    }
    text
}

/// Writes messages to standard error, above a progress bar on a terminal.
struct Notes {
    sprt: Option<Sprt>,
    bar: ProgressBar,
}

impl Observer for Notes {
    fn fault(&mut self, record: &Record, name: &str) {
        let detail = record.detail.as_ref().map_or(String::new(), |detail| format!(" {detail}"));
        let ply = record.moves.len() + 1;
        let sentence =
            format!("pair {}: {name} lost by {}{detail} at move {ply}", record.pair, record.reason);
        self.bar.suspend(|| note(&sentence));
    }

    fn game(&mut self, standing: &Standing) {
        let [wins, draws, losses] = standing.games;
        let elo = standing.pairs.elo().map_or(String::new(), |elo| format!("  {elo}"));
        self.bar.set_message(format!("{wins}-{draws}-{losses}{elo}"));
        self.bar.set_position(2 * standing.finished());
    }

    fn report(&mut self, standing: &Standing) {
        if self.bar.is_hidden() {
            note(&describe(standing, self.sprt));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{Janggi, JanggiCasual};

    /// The referee uses the default rules of its game.
    #[test]
    fn passes_are_legal_where_the_game_has_them() {
        fn pass<G: Game>() -> bool {
            let rules = rules::<G>(&[]).map_err(|_| "options").expect("no options");
            position::<G>(&rules, "startpos").expect("a game").parse_usi("5i5i").is_some()
        }
        assert!(pass::<JanggiCasual>());
        assert!(!pass::<Janggi>());
    }
}
