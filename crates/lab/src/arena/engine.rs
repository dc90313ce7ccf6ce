//! An engine process connected by two pipes, as a GUI runs it.

use super::guard::Guard;
use super::record::Player;
use sanban_rules::Score;
use sanban_rules::score::{mate_in, mated_in};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// No line of an engine is longer, in bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// Least time to start: networks are read, on a busy machine.
const START: Duration = Duration::from_secs(60);
/// Time to end after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// Options that every engine may be sent, declared or not.
const UNDECLARED: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Options to set: name and value.
    pub options: Vec<(String, String)>,
    /// The game, which is set by the option that the engine declares for it, unless one of `options` does.
    pub game: String,
}

/// The options that choose the game: our own, and the one of engines that also speak UCI.
const VARIANT: [&str; 2] = ["USI_Variant", "UCI_Variant"];

/// Does this option choose the game?
pub fn chooses_game(option: &str) -> bool {
    VARIANT.iter().any(|name| name.eq_ignore_ascii_case(option))
}

/// An option of an engine that chooses the game.
struct VariantOption {
    name: String,
    default: String,
    /// The games that it names.
    games: Vec<String>,
}

impl VariantOption {
    /// Reads the text after `option name`.
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let name = words.next().filter(|name| chooses_game(name))?.to_string();
        let (mut default, mut games) = (String::new(), Vec::new());
        while let Some(word) = words.next() {
            match word {
                "default" => default = words.next()?.to_string(),
                "var" => games.push(words.next()?.to_string()),
                _ => {}
            }
        }
        Some(Self { name, default, games })
    }
}

impl Command {
    /// Reads a command line, with quotes as in a shell; the name of an existing file is one word, even with spaces.
    /// `None` when a quote is not closed or the line is empty.
    pub fn words(text: &str) -> Option<Vec<String>> {
        if Path::new(text).is_file() {
            return Some(vec![text.to_string()]);
        }
        shlex::split(text).filter(|words| !words.is_empty())
    }
}

/// A fault of an engine other than breaking the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It ended, or closed its output.
    Crash,
    /// It did not answer in time and was killed.
    Hang,
}

/// Why an engine cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{engine}: {fault}")]
pub struct EngineError {
    /// Which engine it is.
    pub engine: String,
    /// The fault.
    pub fault: EngineFault,
}

/// A fault that keeps an engine from playing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFault {
    /// The system cannot start it; the message of the system.
    #[error("{0}")]
    Start(String),
    /// It failed before it had answered with this word.
    #[error("{} without {word}", .trouble.verb())]
    Silent {
        /// The fault that occurred instead.
        trouble: Trouble,
        /// The word.
        word: &'static str,
    },
    /// It does not offer this option.
    #[error("it has no option {0}")]
    Option(String),
    /// The option that chooses the game does not name this one.
    #[error("it does not play {game}: its {option} has no such value")]
    Game {
        /// The game.
        game: String,
        /// The option.
        option: String,
    },
    /// It does not accept a value; the message of the engine.
    #[error("{0}")]
    Value(String),
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub best: String,
    /// The last score it reported, for the side to move.
    pub score: Option<Score>,
    /// Nodes by the last report.
    pub nodes: u64,
    /// Time from the command to the answer.
    pub took: Duration,
}

/// A running engine.
pub struct Engine {
    player: Player,
    name: String,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
    guard: Guard,
    patience: Duration,
    /// Does it write the file of a square on the first of ten ranks with two digits?
    two_digits: bool,
}

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready.
    /// `patience`: the longest time any answer may take beyond its limit.
    ///
    /// # Errors
    /// When it does not start, does not answer, or lacks an option.
    pub fn start(player: Player, command: &Command, patience: Duration) -> Result<Self, EngineError> {
        let name = command.words.first().cloned().unwrap_or_default();
        let mut process = std::process::Command::new(&name);
        process.args(command.words.iter().skip(1)).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A separate process group: it is killed together with everything it has started, and a Ctrl-C does not reach
        // it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let called = format!("{player} ({name})");
        let failed = |error: std::io::Error| EngineError {
            engine: called.clone(),
            fault: EngineFault::Start(error.to_string()),
        };
        let mut child = process.spawn().map_err(failed)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let guard = Guard::new(child).map_err(failed)?;
        let stdout = stdout.ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?;
        let mut engine = Self {
            player,
            name,
            stdin,
            stdout: BufReader::with_capacity(1 << 13, stdout),
            line: Vec::new(),
            guard,
            patience: patience.max(START),
            two_digits: false,
        };
        let fit = engine.shake_hands(command);
        fit.map_err(|fault| EngineError { engine: engine.called(), fault })?;
        engine.patience = patience;
        Ok(engine)
    }

    fn shake_hands(&mut self, command: &Command) -> Result<(), EngineFault> {
        let mut declared: Vec<String> = UNDECLARED.map(str::to_lowercase).to_vec();
        let (mut name, mut variant) = (None, None);
        let hello = self.ask("usi\n", "usiok", |line| {
            if let Some(rest) = line.strip_prefix("id name ") {
                name = Some(rest.chars().filter(|c| !c.is_control()).collect());
            } else if let Some(rest) = line.strip_prefix("option name ") {
                declared.extend(rest.split_whitespace().next().map(str::to_lowercase));
                variant = VariantOption::read(rest).or(variant.take());
            }
        });
        hello.map_err(|trouble| EngineFault::Silent { trouble, word: "usiok" })?;
        self.name = name.unwrap_or_else(|| self.name.clone());
        // Set this first: engines reset other settings with the game.
        let chosen = command.options.iter().find(|(name, _)| chooses_game(name)).cloned();
        let chosen = match chosen {
            Some(option) => Some(option),
            None => game_option(&command.game, variant)?,
        };
        // So does Fairy-Stockfish; it declares the option that UCI has.
        let uci = chosen.as_ref().is_some_and(|(name, _)| name.eq_ignore_ascii_case(VARIANT[1]));
        self.two_digits = uci && command.game.starts_with("janggi");
        let mut text = String::new();
        for (option, value) in
            chosen.iter().chain(command.options.iter().filter(|(name, _)| !chooses_game(name)))
        {
            if !declared.contains(&option.to_lowercase()) {
                return Err(EngineFault::Option(option.clone()));
            }
            text.push_str(&format!("setoption name {option} value {value}\n"));
        }
        text.push_str("isready\n");
        let mut refused = None;
        let ready = self.ask(&text, "readyok", |line| {
            // Sanban's message about a value that it cannot use.
            if let Some(text) = line.strip_prefix("info string ")
                && text.ends_with("the old value stays")
            {
                refused = Some(text.to_string());
            }
        });
        ready.map_err(|trouble| EngineFault::Silent { trouble, word: "readyok" })?;
        refused.map_or(Ok(()), |line| Err(EngineFault::Value(line)))
    }

    /// The name that the engine reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player and the name that its engine reports, for messages.
    pub fn called(&self) -> String {
        format!("{} ({})", self.player, self.name)
    }

    /// Begins a new game: the engine drops the state of the last one.
    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.ask("usinewgame\nisready\n", "readyok", |_| ())
    }

    /// Sends commands, `go` the last of them, and waits for the move: for as long as the limits of the search allow,
    /// and this engine's patience more.
    pub fn go(&mut self, commands: &str, limit: Option<Duration>) -> Result<Answer, Trouble> {
        let start = Instant::now();
        self.guard.arm(start + limit.unwrap_or_default() + self.patience);
        if self.two_digits {
            self.send(&with_two_digits(commands))?
        } else {
            self.send(commands)?
        }
        let (mut best, mut info) = (None, Vec::new());
        while best.is_none() {
            self.read()?;
            if self.line.starts_with(b"bestmove") {
                best = text(&self.line).split_whitespace().nth(1).map(str::to_string).or(Some(String::new()));
            } else if self.line.starts_with(b"info ") && self.line.windows(7).any(|part| part == b" score ") {
                // Only the last one is read.
                std::mem::swap(&mut info, &mut self.line);
            }
        }
        let took = start.elapsed();
        if !self.guard.disarm() {
            return Err(Trouble::Hang);
        }
        let (score, nodes) = read_info(&text(&info));
        let best = best.unwrap_or_default();
        let best = if self.two_digits { with_one_digit(&best) } else { best };
        Ok(Answer { best, score, nodes, took })
    }

    /// Reports the end of the game to the engine; there is no answer.
    pub fn game_over(&mut self, result: &str) -> Result<(), Trouble> {
        self.guard.arm(Instant::now() + self.patience);
        self.send(&format!("gameover {result}\n"))?;
        if self.guard.disarm() { Ok(()) } else { Err(Trouble::Hang) }
    }

    /// Sends commands and reads up to the line that answers them.
    fn ask(&mut self, commands: &str, answer: &str, mut hear: impl FnMut(&str)) -> Result<(), Trouble> {
        self.guard.arm(Instant::now() + self.patience);
        self.send(commands)?;
        loop {
            self.read()?;
            let line = text(&self.line);
            if line.trim_end() == answer {
                break;
            }
            hear(line.trim_end());
        }
        if self.guard.disarm() { Ok(()) } else { Err(Trouble::Hang) }
    }

    /// Writes immediately, without a buffer.
    fn send(&mut self, commands: &str) -> Result<(), Trouble> {
        let sent = self.stdin.as_mut().map(|stdin| stdin.write_all(commands.as_bytes()));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err(self.trouble()) }
    }

    /// Reads a line.
    fn read(&mut self) -> Result<(), Trouble> {
        self.line.clear();
        let read = (&mut self.stdout).take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        if read.is_ok_and(|bytes| bytes > 0) { Ok(()) } else { Err(self.trouble()) }
    }

    /// Why its output ended.
    fn trouble(&self) -> Trouble {
        if self.guard.disarm() { Trouble::Crash } else { Trouble::Hang }
    }
}

impl Drop for Engine {
    /// Sends `quit` and waits a little; then the guard kills any process that is left.
    fn drop(&mut self) {
        self.guard.arm(Instant::now() + FAREWELL);
        let _ = self.send("quit\n");
        self.stdin = None;
        let _ = std::io::copy(&mut self.stdout, &mut std::io::sink());
    }
}

impl Trouble {
    /// The verb for messages.
    fn verb(self) -> &'static str {
        match self {
            Self::Crash => "ended",
            Self::Hang => "hung",
        }
    }
}

/// Commands as Fairy-Stockfish reads them on a board of ten ranks: `8a7c` is `08a7c`.
fn with_two_digits(commands: &str) -> String {
    let Some((position, moves)) = commands.split_once(" moves") else { return commands.into() };
    let (moves, rest) = moves.split_once('\n').unwrap_or((moves, ""));
    let mut out = format!("{position} moves");
    let mut letters = moves.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_digit() && letters.peek() == Some(&'a') {
            out.push('0');
        }
        out.push(letter);
    }
    out.push('\n');
    out.push_str(rest);
    out
}

/// A move of Fairy-Stockfish as all other engines write it.
fn with_one_digit(mv: &str) -> String {
    let mut out = String::new();
    let mut letters = mv.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '0' || !letters.peek().is_some_and(char::is_ascii_digit) {
            out.push(letter);
        }
    }
    out
}

/// The option to set so that an engine plays a game; engines play shogi by default.
fn game_option(game: &str, declared: Option<VariantOption>) -> Result<Option<(String, String)>, EngineFault> {
    match declared {
        Some(VariantOption { default, .. }) if default == game => Ok(None),
        Some(VariantOption { name, games, .. }) => {
            match games.iter().find(|known| known.eq_ignore_ascii_case(game)) {
                Some(known) => Ok(Some((name, known.clone()))),
                None if games.is_empty() => Ok(Some((name, game.into()))),
                None => Err(EngineFault::Game { game: game.into(), option: name }),
            }
        }
        None if game == "shogi" => Ok(None),
        None => Err(EngineFault::Option(VARIANT[0].into())),
    }
}

fn text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(line)
}

/// Score and nodes of an `info` line.
fn read_info(line: &str) -> (Option<Score>, u64) {
    let (mut score, mut nodes) = (None, 0);
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "score" => {
                let kind = words.next();
                let value = words.next().unwrap_or_default();
                score = match kind {
                    Some("cp") => value.parse().ok(),
                    Some("mate") => read_mate(value),
                    _ => None,
                };
            }
            "nodes" => nodes = words.next().and_then(|n| n.parse().ok()).unwrap_or(0),
            "pv" => break,
            _ => {}
        }
    }
    (score, nodes)
}

/// The score of a mate in the given number of plies; some engines only report which side mates (`+`, `-`).
fn read_mate(text: &str) -> Option<Score> {
    let plies = text.trim_start_matches(['+', '-']);
    let plies: usize = if plies.is_empty() { 1 } else { plies.parse().ok()? };
    let plies = plies.min(1000);
    Some(if text.starts_with('-') { mated_in(plies) } else { mate_in(plies) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let line = "info depth 3 seldepth 5 score cp -31 nodes 4711 nps 1 time 2 pv 7g7f nodes";
        assert_eq!(read_info(line), (Some(-31), 4711));
        assert_eq!(read_info("info score mate 3 upperbound nodes 2"), (Some(mate_in(3)), 2));
        assert_eq!(read_info("info score mate -"), (Some(mated_in(1)), 0));
        assert_eq!(read_info("info score mate x nodes y"), (None, 0));
        assert_eq!(read_info("info score"), (None, 0));
    }

    #[test]
    fn moves_on_ten_ranks_are_translated() {
        let ours = "position startpos moves 8a7c 5i5i 7c8a\ngo depth 3 movetime 5\n";
        let theirs = "position startpos moves 08a7c 5i5i 7c08a\ngo depth 3 movetime 5\n";
        assert_eq!(with_two_digits(ours), theirs);
        assert_eq!(with_two_digits("position startpos moves\ngo\n"), "position startpos moves\ngo\n");
        for mv in ["8a7c", "5i5i", "7j8a", "resign"] {
            let line = with_two_digits(&format!("position startpos moves {mv}\ngo\n"));
            assert_eq!(with_one_digit(line.split_whitespace().nth(3).expect("a move")), mv);
        }
    }

    #[test]
    fn the_game_is_chosen_by_the_declared_option() {
        let set = |game, line| game_option(game, VariantOption::read(line));
        let combo = "UCI_Variant type combo default chess var chess var janggi var Shogi";
        let option = |name: &str, value: &str| Ok(Some((name.to_string(), value.to_string())));
        assert_eq!(set("janggi", combo), option("UCI_Variant", "janggi"));
        assert_eq!(set("shogi", combo), option("UCI_Variant", "Shogi"));
        assert!(matches!(set("dobutsu", combo), Err(EngineFault::Game { .. })));
        assert_eq!(set("janggi", "USI_Variant type string default shogi"), option("USI_Variant", "janggi"));
        assert_eq!(set("shogi", "USI_Variant type string default shogi"), Ok(None));
        assert_eq!(set("shogi", "Threads type spin default 1"), Ok(None));
        assert_eq!(set("janggi", "Threads type spin"), Err(EngineFault::Option("USI_Variant".into())));
    }

    #[test]
    fn command_lines_have_quotes() {
        let words = |text| Command::words(text);
        assert_eq!(words("a 'b c' d"), Some(vec!["a".into(), "b c".into(), "d".into()]));
        assert_eq!((words("a 'b"), words(" ")), (None, None));
    }
}
