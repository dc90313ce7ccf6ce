//! `sanban csa`: plays on a server.

use super::failure::{Failure, make_directory};
use super::interrupt;
use super::text::{note, print};
use sanban_protocol::csa::{self, CsaError, Settings, Tally};
use sanban_protocol::usi::Config;
use sanban_protocol::usi::options;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The environment variable with the password.
const PASSWORD: &str = "CSA_PASSWORD";
/// Default of `NetworkDelay2` in milliseconds.
const DELAY: &str = "1000";

/// Play shogi on a server that speaks the CSA protocol, such as shogi-server or Floodgate.
///
/// The password is read from a file or from the environment variable `CSA_PASSWORD`, never from the command line. A
/// connection that is lost or cannot be made is tried again, with a message each time. Exit code 0: the games were played;
/// 1: the server rejected the login or could not be reached, or a record could not be written; 2: the request is invalid; 130: interrupted (the game in progress is finished first).
#[derive(clap::Args)]
pub(super) struct Args {
    /// Host name or address of the server.
    #[arg(long)]
    host: String,
    /// Port of the server.
    #[arg(long, value_name = "N", default_value_t = 4081)]
    port: u16,
    /// Account name.
    #[arg(long)]
    user: String,
    /// File whose first line is the password, instead of the variable `CSA_PASSWORD`.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Game name to send in front of the password, as Floodgate requires, such as `floodgate-300-10F`.
    #[arg(long, value_name = "NAME")]
    game_name: Option<String>,
    /// Number of games to finish [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Number of failed attempts to connect in a row after which to give up [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: Option<u32>,
    /// Directory for the game records.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Engine option; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Do not search on the opponent's time.
    #[arg(long)]
    no_ponder: bool,
    /// Do not send the score and the expected moves with each move.
    #[arg(long)]
    no_comments: bool,
    /// Send an empty line after this many seconds without a message; the protocol requires at least 30.
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=3600))]
    keep_alive: u32,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if !options::is_known(name) {
        return Err(format!("unknown option: {name}"));
    }
    match Config::new().set(name, Some(value)) {
        Some(note) => Err(note),
        None => Ok((name.into(), value.into())),
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let word = |name: &str, text: &str| match text.chars().any(|c| c.is_whitespace() || c.is_control())
        || text.is_empty()
    {
        true => Err(Failure::Request(format!("{name}: expected one word"))),
        false => Ok(()),
    };
    word("--user", &args.user)?;
    let secret = password(args)?;
    word("password", &secret)?;
    let password = match &args.game_name {
        Some(name) => {
            word("--game-name", name)?;
            format!("{name},{secret}")
        }
        None => secret,
    };
    if let Some(folder) = &args.records {
        make_directory(folder)?;
    }
    let is_set = |name: &str| args.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    let mut options = args.options.clone();
    if !is_set("NetworkDelay2") {
        options.push(("NetworkDelay2".into(), DELAY.into()));
    }
    let settings = Settings {
        host: args.host.clone(),
        port: args.port,
        user: args.user.clone(),
        password,
        games: args.games,
        attempts: args.attempts,
        ponder: !args.no_ponder,
        comments: !args.no_comments,
        keep_alive: Duration::from_secs(args.keep_alive.into()),
        records: args.records.clone(),
        options,
    };
    // A second interrupt does not wait for the end of the game.
    let stop = interrupt::flag();
    let tally = csa::play(&settings, &stop, &mut |text| note(text)).map_err(|error| match error {
        CsaError::Unreachable { ref source, .. } => Failure::system(error.to_string(), source),
        CsaError::Record { ref path, ref source } => Failure::file(path, source),
        error => Failure::Work(error.to_string()),
    })?;
    print(&describe(&tally))?;
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The password: the first line of the file, or the value of the variable.
fn password(args: &Args) -> Result<String, Failure> {
    match &args.password_file {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
            Ok(text.lines().next().unwrap_or_default().trim().to_string())
        }
        None => std::env::var(PASSWORD).map_err(|_| {
            Failure::Request(format!("no password: neither --password-file nor {PASSWORD} is set"))
        }),
    }
}

fn describe(tally: &Tally) -> String {
    let [wins, draws, losses] = tally.games;
    let mut out = format!("{} games, {wins}-{draws}-{losses} (wins, draws, losses)", tally.finished());
    if tally.stopped > 0 {
        out += &format!(", stopped by the server: {}", tally.stopped);
    }
    if tally.cut > 0 {
        out += &format!(", interrupted and not counted: {}", tally.cut);
    }
    out
}
