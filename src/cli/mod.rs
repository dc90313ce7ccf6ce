//! The command line: one file per subcommand. Without a subcommand, the engine speaks USI.

mod analyze;
mod args;
mod bar;
mod bench;
mod board;
mod book;
mod convert;
mod csa;
mod eval;
mod failure;
mod interrupt;
mod manual;
mod matches;
mod mate;
mod perft;
mod probe;
mod problems;
mod psv;
mod records;
mod selfplay;
mod solve;
mod text;
mod train;
#[cfg(feature = "tune")]
mod tune;
mod units;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
pub use convert::record_files;
pub use failure::ExitStatus;
use failure::Failure;
use sanban_engine::search::STACK;
use sanban_protocol::usi::{Output, WELCOME};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// A USI, UCI and XBoard engine for shogi, Janggi and Dobutsu shogi. Without a command, it reads USI commands from
/// standard input; the line `uci` or `xboard` switches to that protocol.
#[derive(Parser)]
#[command(name = "sanban", version, after_help = exit_codes())]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Analyze(Box<analyze::Args>),
    Bench(bench::Args),
    Board(board::Args),
    Book(book::Args),
    Convert(convert::Args),
    Csa(csa::Args),
    Eval(eval::Args),
    Completions(manual::Completions),
    Man(manual::Man),
    Mate(mate::Args),
    Match(Box<matches::Args>),
    Perft(perft::Args),
    Solve(solve::Args),
    Probe(probe::Args),
    Problems(problems::Args),
    Selfplay(selfplay::Args),
    Train(train::Args),
    Psv(psv::Args),
    #[cfg(feature = "tune")]
    Tune(tune::Args),
}

/// Parses the command line and runs the subcommand.
pub fn run() -> ExitCode {
    match run_args(std::env::args_os(), None) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, message)) => {
            if let Some(message) = message {
                let _ = writeln!(std::io::stderr(), "sanban: {message}");
            }
            ExitCode::from(code)
        }
    }
}

/// Runs a command line whose first word is the program name. `program` is the command line that starts this program again,
/// if the engine is embedded in another one; a match against itself needs it.
///
/// # Errors
/// The exit code ([`ExitStatus`]) and, except after an interrupt or a negative answer, a message.
pub fn run_args<T: Into<OsString> + Clone>(
    args: impl IntoIterator<Item = T>,
    program: Option<Vec<String>>,
) -> Result<(), (u8, Option<String>)> {
    sanban_system::save_addresses();
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    // Even parsing the command line needs more stack than the main thread has on some systems.
    let Err(failure) = with_room(|| parse(args).and_then(|cli| dispatch(cli, program))) else {
        return Ok(());
    };
    let status = failure.status();
    let message = match failure {
        Failure::Request(message) | Failure::Work(message) => message,
        Failure::No | Failure::Open | Failure::Interrupted | Failure::Printed => String::new(),
    };
    // Control characters are replaced, since a terminal would interpret them.
    let message: String = message.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match status {
        ExitStatus::Done => Ok(()),
        _ => Err((status as u8, Some(message).filter(|message| !message.is_empty()))),
    }
}

/// Parses the command line. Help and version are printed immediately.
fn parse(args: Vec<OsString>) -> Result<Cli, Failure> {
    let (help, commands) = help_command(&args);
    let file = args.get(1).is_some_and(|word| std::path::Path::new(word).is_file());
    Cli::try_parse_from(args).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            // A reader that closes the pipe early is not an error.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => text::unprinted(error),
            _ => Failure::Printed,
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::Request(format!("expected a command: {} ({help} describes them)", commands.join(", ")))
        }
        ErrorKind::InvalidSubcommand if file => Failure::Request(format!(
            "{}; for a file, see sanban convert, analyze, mate and book",
            sentence(&error, &help)
        )),
        _ => Failure::Request(sentence(&error, &help)),
    })
}

fn exit_codes() -> String {
    let lines = ExitStatus::TABLE.map(|(status, meaning)| format!("\n  {:<3}  {meaning}", status as u8));
    format!("Exit codes:{}", lines.concat())
}

/// Runs the work on a thread with a large stack, if one can be started: the main thread's stack is small on some
/// systems.
fn with_room(work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let run = || take().map_or(Ok(()), |work| work());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("sanban".into()).stack_size(STACK);
        match thread.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}

/// Logs warnings, or the messages selected by `RUST_LOG`, to standard error.
fn show_warnings() {
    let mut builder = env_logger::Builder::new();
    builder
        .filter_level(log::LevelFilter::Warn)
        .parse_default_env()
        .format(|line, record| writeln!(line, "{}", record.args()));
    // Fails harmlessly if a logger is already installed, for example by an earlier command in the same Python process.
    let _ = builder.try_init();
}

fn dispatch(cli: Cli, program: Option<Vec<String>>) -> Result<(), Failure> {
    if cli.command.is_some() {
        show_warnings();
        interrupt::install();
    }
    match cli.command {
        None => usi(),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Board(args)) => board::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Csa(args)) => csa::run(&args),
        Some(Command::Completions(args)) => manual::completions(&args, Cli::command()),
        Some(Command::Man(args)) => manual::man(&args, Cli::command()),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Mate(args)) => mate::run(&args),
        Some(Command::Match(mut args)) => {
            args.program = program;
            matches::run(&args)
        }
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Probe(args)) => probe::run(&args),
        Some(Command::Problems(args)) => problems::run(&args),
        Some(Command::Selfplay(args)) => selfplay::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Psv(args)) => psv::run(&args),
        #[cfg(feature = "tune")]
        Some(Command::Tune(args)) => tune::run(&args),
    }
}

/// Formats a usage error and its hint on one line.
fn sentence(error: &clap::Error, help: &str) -> String {
    let text = error.to_string();
    let mut parts = text.split("\n\n").map(str::trim);
    let first = parts.next().unwrap_or_default().trim_start_matches("error: ");
    // Hints on passing an unknown option as a value are dropped.
    let is_hint = |tip: &&str| !tip.starts_with("to pass ");
    let tip = parts.flat_map(str::lines).find_map(|line| line.trim().strip_prefix("tip: ").filter(is_hint));
    let hint = tip.map_or(String::new(), |tip| format!("; {tip}"));
    let words: Vec<&str> = first.split_whitespace().collect();
    format!("{}{hint} ({help} lists the options)", words.join(" "))
}

/// The command line that prints the help of the subcommand named by these arguments, and the commands below it.
fn help_command(args: &[OsString]) -> (String, Vec<String>) {
    let (mut command, mut words) = (&Cli::command(), String::from("sanban"));
    for arg in args.iter().skip(1) {
        let Some(subcommand) = arg.to_str().and_then(|name| command.find_subcommand(name)) else { break };
        words = format!("{words} {}", subcommand.get_name());
        command = subcommand;
    }
    (words + " --help", command.get_subcommands().map(|below| below.get_name().to_string()).collect())
}

fn usi() -> ! {
    // A GUI that interrupts the process expects no further output.
    let _ = ctrlc::set_handler(|| std::process::exit(0));
    sanban_protocol::usi::begin_log();
    let out = Output::stdout();
    if std::io::stdin().is_terminal() {
        out.line(WELCOME);
    }
    sanban_protocol::serve(std::io::stdin().lock(), out);
    // Not a return: threads may still be running, and freeing gigabytes takes time.
    std::process::exit(0)
}
