//! `sanban match`: games between engines.

mod args;
mod describe;
mod engines;
mod live;
mod openings;
mod page;
mod pgn;

use super::bar::bar;
use super::failure::{Failure, make_directory};
use super::interrupt;
use super::text::{note, print};
pub(super) use args::Args;
use args::{MARGIN, PATIENCE};
use describe::describe;
use engines::{Contestant, contestants};
use indicatif::ProgressBar;
use live::Live;
use sanban_lab::arena;
use sanban_lab::arena::{
    Adjudication, Command, Conditions, Decision, DrawRule, Observer, Openings, Plan, Played, Record, Sprt,
    Table, pairings,
};
use sanban_protocol::usi::Config;
use sanban_rules::janggi::ENDS_SETTING;
use sanban_rules::{AnyPosition, Score, VariantId};
use sanban_system::{Journal, Whole, checksum, read_whole};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The kind of file of the games, as stored in its first line.
const KIND: &str = "match";
/// Files of up to this size in bytes are identified by their content, larger ones by their size.
const LARGEST: u64 = 1 << 28;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if !args.tally.is_empty() {
        return tally(args);
    }
    if (args.page.is_some() || args.pgn.is_some()) && args.out.is_none() {
        return Err(Failure::Request("--page and --pgn require --out".into()));
    }
    check_outputs(args)?;
    let start = start(args.game, &args.options)?;
    let engines = contestants(args)?;
    if engines.len() > 2 && args.sprt.is_some() {
        return Err(Failure::Request("--sprt compares exactly two engines".into()));
    }
    let openings = match &args.openings {
        None => Openings::Random(args.plies.into()),
        Some(path) => {
            let shuffle = args.shuffle.then_some(args.seed);
            Openings::Listed(openings::read(path, &start, args.opening_plies.into(), shuffle)?)
        }
    };
    let solver = args.table.as_ref().map(|path| arena::solver(args.game, path)).transpose();
    let solver = solver.map_err(|error| Failure::Request(error.to_string()))?;
    if let Some(folder) = &args.logs {
        make_directory(folder)?;
    }
    let plan = Plan {
        engines: engines.iter().map(|engine| engine.command.clone()).collect(),
        format: args.format,
        conditions: Conditions {
            start,
            go: engines.iter().map(|engine| engine.go.clone()).collect(),
            ponder: args.ponder,
            margin: Duration::from_millis(args.margin.into()),
            adjudication: Adjudication {
                resign: args.resign,
                resign_alone: args.resign_alone,
                draw: args.draw,
            },
            max_moves: args.max_moves as usize,
        },
        openings,
        seed: args.seed,
        pairs: args.most().map(|games| games / 2),
        sprt: args.sprt,
        concurrency: args.concurrency.into(),
        part: args.shard,
        patience: Duration::from_secs(args.patience.into()),
        recover: args.recover,
        logs: args.logs.clone(),
    };
    warn_of_repetition(&plan);
    let mut old: Vec<Played> = Vec::new();
    let mut live = args.page.as_deref().map(|path| Live::new(path, args.game));
    let journal = args.out.as_ref().map(|path| {
        Journal::open(path, KIND, &about(args, &engines, &plan), |_, game| {
            let game: Record = game?;
            old.push(Played::from(&game));
            if let Some(live) = &mut live {
                live.add(game);
            }
            Ok(())
        })
    });
    let mut journal = journal.transpose()?;
    if !old.is_empty() {
        note(&format!("{} games already played", old.len()));
    }
    // A second interrupt does not wait for the searches in progress.
    let stop = interrupt::flag();
    let games = plan.pairs.map_or(0, |pairs| 2 * plan.part.share(pairs) * plan.pairings().len() as u64);
    let template = if games > 0 {
        "{wide_bar} {pos}/{len} games  {msg}  {elapsed} of {duration}"
    } else {
        "{spinner} {pos} games  {msg}  {elapsed}"
    };
    let mut notes = Notes { sprt: args.sprt, bar: bar(games, template), live };
    let (table, result) = arena::run(&plan, solver.as_deref(), &old, journal.as_mut(), &mut notes, &stop);
    notes.bar.finish_and_clear();
    // Closes the file, so that its games can be read.
    drop(journal);
    if let Some(path) = &args.out {
        save(args, &table, std::slice::from_ref(path))?;
    }
    if let Err(error) = result {
        // The games played so far count, and the error is reported last.
        if table.played > 0 {
            print(&describe(&table, args.sprt))?;
        }
        return Err(error.into());
    }
    let interrupted = stop.load(Ordering::Relaxed) && !is_over(&plan, &table);
    if interrupted {
        print(&format!("{}; interrupted", describe(&table, args.sprt)))?;
        return Err(Failure::Interrupted);
    }
    conclude(&table, args.sprt)
}

/// Checks before the first game that the page and the PGN file can be written.
fn check_outputs(args: &Args) -> Result<(), Failure> {
    let outputs: Vec<&Path> =
        [&args.out, &args.page, &args.pgn].into_iter().flatten().map(PathBuf::as_path).collect();
    for (at, path) in outputs.iter().enumerate() {
        if outputs[..at].contains(path) {
            return Err(Failure::Request(format!("{}: given for two outputs", path.display())));
        }
    }
    if let Some(path) = &args.page {
        drop(Whole::replace(path, page::is_own).map_err(|error| Failure::file(path, &error))?);
    }
    if let Some(path) = &args.pgn {
        drop(Whole::replace(path, pgn::is_own).map_err(|error| Failure::file(path, &error))?);
    }
    Ok(())
}

/// Writes the page and the PGN file of the games in these files, if requested.
fn save(args: &Args, table: &Table, files: &[PathBuf]) -> Result<(), Failure> {
    if args.page.is_none() && args.pgn.is_none() {
        return Ok(());
    }
    let (mut game, mut records) = (args.game, Vec::new());
    for path in files {
        let about = Journal::read(path, KIND, |_, game| game.map(|game| records.push(game)))?;
        if let Some(known) = about.as_ref().and_then(|about| about["game"].as_str()) {
            let unknown = |error| Failure::Request(format!("{}: {error}", path.display()));
            game = known.parse::<VariantId>().map_err(unknown)?;
        }
    }
    page::sort(&mut records);
    if let Some(path) = &args.page {
        page::write(path, game, table, &records, None)?;
    }
    if let Some(path) = &args.pgn {
        pgn::write(path, game, table, &records)?;
    }
    Ok(())
}

/// Whether all games have been played or the SPRT is decided.
fn is_over(plan: &Plan, table: &Table) -> bool {
    let pairings = plan.pairings().len() as u64;
    let all = plan.pairs.is_some_and(|pairs| table.finished() >= pairings * plan.part.share(pairs));
    all || table.is_decided()
}

/// Warns if openings will be repeated.
fn warn_of_repetition(plan: &Plan) {
    let Openings::Listed(lines) = &plan.openings else { return };
    let (lines, pairs) = (lines.len() as u64, plan.pairs);
    if pairs.is_none_or(|pairs| pairs > lines) {
        let wanted = pairs.map_or("any number of".into(), |pairs| pairs.to_string());
        note(&format!(
            "{lines} openings for {wanted} pairs: openings are repeated, and pairs with a repeated game do not count"
        ));
    }
}

fn tally(args: &Args) -> Result<(), Failure> {
    let (mut about, mut games) = (None, Vec::new());
    for path in &args.tally {
        let found =
            Journal::read(path, KIND, |_, game| game.map(|game: Record| games.push(Played::from(&game))))?;
        if about.is_some() && found.is_some() && found != about {
            return Err(Failure::Request(format!(
                "{}: belongs to a different match from the previous file",
                path.display()
            )));
        }
        about = found.or(about);
    }
    let about = about.unwrap_or_default();
    let names = names(&about);
    let format = about["format"].as_str().and_then(|text| text.parse().ok()).unwrap_or_default();
    let pairings = pairings(format, names.len());
    let table = Table::tally(names, &pairings, &games, args.sprt);
    save(args, &table, &args.tally)?;
    conclude(&table, args.sprt)
}

/// The names of the engines in the first line of a file. In tournaments, the command line replaces a missing name.
fn names(about: &Value) -> Vec<Option<String>> {
    let name = |engine: &Value| engine["name"].as_str().map(str::to_string);
    match about["engines"].as_array() {
        Some(engines) => {
            let command = |engine: &Value| engine["command"].as_str().map(str::to_string);
            engines.iter().map(|engine| name(engine).or_else(|| command(engine))).collect()
        }
        None => ["a", "b"].map(|engine| name(&about[engine])).to_vec(),
    }
}

/// Prints the result of a match and derives the exit code.
fn conclude(table: &Table, sprt: Option<Sprt>) -> Result<(), Failure> {
    let text = describe(table, sprt);
    match table.first().and_then(|standing| standing.decision) {
        Some(Decision::H0) => {
            print(&format!("{text}; H0 accepted"))?;
            Err(Failure::No)
        }
        Some(Decision::H1) => print(&format!("{text}; H1 accepted")),
        None => print(&text),
    }
}

/// The start position under the rule settings among the common options.
fn start(game: VariantId, options: &[(String, String)]) -> Result<AnyPosition, Failure> {
    let (mut pos, mut config) = (AnyPosition::new(game), Config::new());
    for (name, value) in options {
        // Engines have no option for this setting: in UCI and CECP, the name of the game implies it.
        if game.is_janggi() && name.eq_ignore_ascii_case(ENDS_SETTING) {
            pos.set_rule(ENDS_SETTING, value).map_err(|error| format!("{name}: {error}"))?;
            continue;
        }
        let Some(setting) =
            game.info().settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        if let Some(sentence) = config.set(name, Some(value)) {
            return Err(Failure::Request(sentence));
        }
        if let Some(value) = config.rules.get(setting.name) {
            pos.set_rule(setting.name, value).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(pos.restarted())
}

/// The settings that the games of a match depend on.
fn about(args: &Args, engines: &[Contestant], plan: &Plan) -> Value {
    let engine = |engine: &Contestant| {
        let command = &engine.command;
        // Written as in earlier versions, so that their matches can be resumed.
        let game = (args.game != VariantId::Shogi).then(|| format!("USI_Variant={}", args.game));
        let options = command.options.iter().map(|(name, value)| format!("{name}={value}"));
        let options: Vec<String> = game.into_iter().chain(options).collect();
        let program = read_whole(Path::new(&command.words[0]), LARGEST)
            .ok()
            .map(|bytes| format!("{:016x}", checksum(&bytes)));
        let mut out = json!({ "command": engine.text, "options": options, "program": program });
        if let Some(name) = &command.name {
            out["name"] = json!(name);
        }
        if let Some(folder) = &command.folder {
            out["folder"] = json!(folder);
        }
        // Only a stated protocol: at this point, no engine has been asked.
        if let Some(protocol) = command.protocol.get() {
            out["protocol"] = json!(protocol.to_string());
        }
        let files = contents(command);
        if !files.is_empty() {
            out["files"] = json!(files);
        }
        out
    };
    let openings = match &plan.openings {
        Openings::Random(plies) => format!("{plies} random plies"),
        Openings::Listed(lines) => {
            format!("{} listed, {:016x}", lines.len(), checksum(lines.join("\n").as_bytes()))
        }
    };
    let mut out = Map::new();
    out.insert("game".into(), json!(args.game.name()));
    if let [a, b] = engines {
        out.insert("a".into(), engine(a));
        out.insert("b".into(), engine(b));
        out.insert("go_a".into(), json!(a.go.to_string()));
        out.insert("go_b".into(), json!(b.go.to_string()));
    } else {
        out.insert("format".into(), json!(args.format.to_string()));
        let all = engines.iter().map(|contestant| {
            let mut out = engine(contestant);
            out["go"] = json!(contestant.go.to_string());
            out
        });
        out.insert("engines".into(), all.collect());
    }
    out.insert("openings".into(), json!(openings));
    out.insert("seed".into(), json!(args.seed));
    out.insert("max_moves".into(), json!(args.max_moves));
    let pair = |rule: Option<(Score, usize)>| rule.map(|(score, plies)| format!("{score},{plies}"));
    out.insert("resign".into(), json!(pair(args.resign)));
    // Written only if given, since files of earlier versions do not have these keys.
    if let Some(rule) = pair(args.resign_alone) {
        out.insert("resign_alone".into(), json!(rule));
    }
    if let Some(DrawRule { from, score, plies }) = args.draw {
        out.insert("draw".into(), json!(format!("{from},{score},{plies}")));
    }
    if let Some(path) = &args.table {
        out.insert("table".into(), json!(path));
    }
    if args.ponder {
        out.insert("ponder".into(), json!(true));
    }
    if args.margin != MARGIN {
        out.insert("margin".into(), json!(args.margin));
    }
    if args.patience != PATIENCE {
        out.insert("patience".into(), json!(args.patience));
    }
    Value::Object(out)
}

/// Names and checksums of the files that a command line and its options refer to, except the program: networks, books,
/// scripts.
fn contents(command: &Command) -> Vec<String> {
    let folder = command.folder.as_deref().unwrap_or(Path::new(""));
    let values = command.options.iter().map(|(_, value)| value);
    let named = command.words.iter().skip(1).chain(values).map(|name| (name, folder.join(name)));
    let content = |(name, path): (&String, PathBuf)| {
        // A directory is taken to be the value of the option EvalDir.
        let path = if path.is_dir() { path.join("nn.bin") } else { path };
        let size = path.metadata().ok().filter(|about| about.is_file())?.len();
        let sum = if size <= LARGEST { checksum(&read_whole(&path, LARGEST).ok()?) } else { size };
        Some(format!("{name} {sum:016x}"))
    };
    named.filter_map(content).collect()
}

/// Writes messages to standard error, above a progress bar on a terminal.
struct Notes {
    sprt: Option<Sprt>,
    bar: ProgressBar,
    live: Option<Live>,
}

impl Observer for Notes {
    fn fault(&mut self, record: &Record, name: &str) {
        let detail = record.detail.as_ref().map_or(String::new(), |detail| format!(" {detail}"));
        let ply = record.moves.len() + 1;
        let sentence =
            format!("pair {}: {name} lost by {}{detail} at move {ply}", record.pair, record.reason);
        self.bar.suspend(|| note(&sentence));
    }

    fn game(&mut self, record: &Record, table: &Table) {
        if let Some(live) = &mut self.live {
            live.add(record.clone());
        }
        if let (2, Some(standing)) = (table.names.len(), table.first()) {
            let [wins, draws, losses] = standing.games;
            let elo = standing.pairs.elo().map_or(String::new(), |elo| format!("  {elo}"));
            self.bar.set_message(format!("{wins}-{draws}-{losses}{elo}"));
        }
        self.bar.set_position(2 * table.finished());
    }

    fn report(&mut self, table: &Table) {
        if let Some(live) = &mut self.live
            && let Err(Failure::Request(text) | Failure::Work(text)) = live.write(table)
        {
            self.bar.suspend(|| note(&text));
            self.live = None;
        }
        // The table of more than two engines does not fit into the progress bar.
        if self.bar.is_hidden() || table.names.len() > 2 {
            self.bar.suspend(|| note(&describe(table, self.sprt)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The referee uses the default rules of its game.
    #[test]
    fn passes_are_legal_where_the_game_has_them() {
        let pass = |game| {
            let start = start(game, &[]).map_err(|_| "options").expect("no options");
            start.parse_usi("5i5i").is_some()
        };
        assert!(pass(VariantId::JanggiCasual));
        assert!(!pass(VariantId::Janggi));
    }
}
