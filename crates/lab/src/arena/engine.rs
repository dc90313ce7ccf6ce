//! An engine process controlled through two pipes, as by a GUI.

use super::command::{Command, VARIANT, VariantOption, chooses_game, game_option};
use super::fault::{EngineError, EngineFault, Trouble};
use super::guard::Guard;
use super::pipe::{Lines, Log, write};
use sanban_rules::Score;
use sanban_rules::printable::printable;
use sanban_rules::score::{mate_in, mated_in};
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

/// Maximum length of an engine's name in characters.
const LONGEST_NAME: usize = 200;
/// Minimum time limit for the start, which includes loading a network on a busy machine.
const START: Duration = Duration::from_secs(60);
/// Time limit for the exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// Options that may be sent to every engine, whether declared or not.
const UNDECLARED: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub best: String,
    /// The expected reply.
    pub ponder: Option<String>,
    /// The last score that the engine reported, for the side to move.
    pub score: Option<Score>,
    /// The depth of the last report.
    pub depth: u32,
    /// The number of nodes in the last report.
    pub nodes: u64,
    /// Time from the command (`go` or `ponderhit`) to the answer.
    pub took: Duration,
}

/// A running engine.
pub struct Engine {
    label: String,
    name: String,
    stdin: Option<ChildStdin>,
    stdout: Lines,
    line: Vec<u8>,
    log: Option<Log>,
    guard: Guard,
    patience: Duration,
    /// Whether the engine writes the file of a square on the first of ten ranks with two digits.
    two_digits: bool,
}

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready. `patience`: the maximum time that an answer may
    /// take beyond its limit; `ponders`: the engine will also search on the opponent's time; `log`: the file to which
    /// the dialogue is appended.
    ///
    /// # Errors
    /// The engine does not start, does not answer or lacks an option, or the log cannot be written.
    pub fn start(
        command: &Command,
        patience: Duration,
        ponders: bool,
        log: Option<&Path>,
    ) -> Result<Self, EngineError> {
        let name = command.words.first().cloned().unwrap_or_default();
        let mut process = std::process::Command::new(&name);
        process.args(command.words.iter().skip(1)).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        // The engine runs in a separate process group, so that it can be killed together with the processes it has
        // started, and Ctrl-C does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let called = format!("{} ({name})", command.label);
        let failed = |error: std::io::Error| EngineError {
            engine: called.clone(),
            fault: EngineFault::Start(error.to_string()),
        };
        let log = log.map(|path| {
            Log::open(path).map_err(|error| EngineError {
                engine: called.clone(),
                fault: EngineFault::Start(format!("{}: {error}", path.display())),
            })
        });
        let log = log.transpose()?;
        let mut child = process.spawn().map_err(failed)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let guard = Guard::new(child).map_err(failed)?;
        let stdout = stdout.ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?;
        let mut engine = Self {
            label: command.label.clone(),
            name,
            stdin,
            stdout: Lines::new(stdout, ponders).map_err(failed)?,
            line: Vec::new(),
            log,
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
                name = Some(printable(rest.trim(), LONGEST_NAME));
            } else if let Some(rest) = line.strip_prefix("option name ") {
                declared.extend(rest.split_whitespace().next().map(str::to_lowercase));
                variant = VariantOption::read(rest).or(variant.take());
            }
        });
        hello.map_err(|trouble| EngineFault::Silent { trouble, word: "usiok" })?;
        self.name = command.name.clone().or(name).unwrap_or_else(|| self.name.clone());
        // This option is set first, because engines reset other settings when the game changes.
        let chosen = command.options.iter().find(|(name, _)| chooses_game(name)).cloned();
        let chosen = match chosen {
            Some(option) => Some(option),
            None => game_option(command.game, variant)?,
        };
        // Fairy-Stockfish, which declares the UCI option, writes two digits.
        let uci = chosen.as_ref().is_some_and(|(name, _)| name.eq_ignore_ascii_case(VARIANT[1]));
        self.two_digits = uci && command.game.is_janggi();
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
            // Sanban's message about a value that it rejected or changed begins with the name of the option.
            if let Some(text) = line.strip_prefix("info string ")
                && let Some((name, _)) = text.split_once(':')
                && command.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name))
            {
                refused = Some(text.to_string());
            }
        });
        ready.map_err(|trouble| EngineFault::Silent { trouble, word: "readyok" })?;
        refused.map_or(Ok(()), |line| Err(EngineFault::Value(line)))
    }

    /// The given name, or the one that the engine reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the engine in messages: label and name.
    pub fn called(&self) -> String {
        format!("{} ({})", self.label, self.name)
    }

    /// Begins a new game: the engine drops the state of the last one.
    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.ask("usinewgame\nisready\n", "readyok", |_| ())
    }

    /// Sends commands, the last of which is `go`, and waits for the move, at most for the time limit of the search plus
    /// `patience`.
    pub fn go(&mut self, commands: &str, limit: Option<Duration>) -> Result<Answer, Trouble> {
        let start = Instant::now();
        self.guard.arm(start + limit.unwrap_or_default() + self.patience);
        self.send_position(commands)?;
        self.wait_for_move(start)
    }

    /// Sends commands, the last of which is `go ponder`. [`Engine::ponderhit`] or [`Engine::stop`] must follow.
    pub fn ponder(&mut self, commands: &str) -> Result<(), Trouble> {
        self.guard.arm(Instant::now() + self.patience);
        self.send_position(commands)?;
        if self.guard.disarm() { Ok(()) } else { Err(Trouble::Hang) }
    }

    /// Sends `ponderhit`, since the opponent played the expected move, and waits for the answer like [`Engine::go`].
    pub fn ponderhit(&mut self, limit: Option<Duration>) -> Result<Answer, Trouble> {
        let start = Instant::now();
        self.guard.arm(start + limit.unwrap_or_default() + self.patience);
        self.send("ponderhit\n")?;
        self.wait_for_move(start)
    }

    /// Ends a ponder search.
    pub fn stop(&mut self) -> Result<(), Trouble> {
        let start = Instant::now();
        self.guard.arm(start + self.patience);
        self.send("stop\n")?;
        self.wait_for_move(start).map(drop)
    }

    fn send_position(&mut self, commands: &str) -> Result<(), Trouble> {
        // A second `bestmove` after the last search is not the answer to this one.
        while self.stdout.pending(&mut self.line) {
            if let Some(log) = &mut self.log {
                log.printed(&self.line);
            }
        }
        if self.two_digits { self.send(&with_two_digits(commands)) } else { self.send(commands) }
    }

    fn wait_for_move(&mut self, start: Instant) -> Result<Answer, Trouble> {
        let (mut best, mut info) = (None, Vec::new());
        while best.is_none() {
            self.read()?;
            if self.line.starts_with(b"bestmove") {
                best = Some(text(&self.line).into_owned());
            } else if self.line.starts_with(b"info ") && self.line.windows(7).any(|part| part == b" score ") {
                // Only the last such line is parsed.
                std::mem::swap(&mut info, &mut self.line);
            }
        }
        let took = start.elapsed();
        if !self.guard.disarm() {
            return Err(Trouble::Hang);
        }
        let (score, depth, nodes) = read_info(&text(&info));
        let best = best.unwrap_or_default();
        let mut words = best.split_whitespace().skip(1);
        let mv = |word: &str| if self.two_digits { with_one_digit(word) } else { word.to_string() };
        let best = words.next().map(mv).unwrap_or_default();
        let ponder = words.next().filter(|word| *word == "ponder").and_then(|_| words.next()).map(mv);
        Ok(Answer { best, ponder, score, depth, nodes, took })
    }

    /// Reports the end of the game to the engine, which does not answer.
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

    /// Sends commands immediately, without a buffer.
    fn send(&mut self, commands: &str) -> Result<(), Trouble> {
        if let Some(log) = &mut self.log {
            log.sent(commands);
        }
        if write(self.stdin.as_mut(), commands) { Ok(()) } else { Err(self.trouble()) }
    }

    /// Reads a line.
    fn read(&mut self) -> Result<(), Trouble> {
        if !self.stdout.next(&mut self.line) {
            return Err(self.trouble());
        }
        if let Some(log) = &mut self.log {
            log.printed(&self.line);
        }
        Ok(())
    }

    /// The reason why the output of the engine ended.
    fn trouble(&self) -> Trouble {
        if self.guard.disarm() { Trouble::Crash } else { Trouble::Hang }
    }
}

impl Drop for Engine {
    /// Sends `quit` and waits briefly; then the guard kills any remaining process.
    fn drop(&mut self) {
        self.guard.arm(Instant::now() + FAREWELL);
        let _ = self.send("quit\n");
        self.stdin = None;
        self.stdout.drain();
    }
}

/// Converts commands for Fairy-Stockfish on a board of ten ranks: `8a7c` becomes `08a7c`.
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

/// Converts a move of Fairy-Stockfish to the usual notation.
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

fn text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(line)
}

/// Score, depth and nodes of an `info` line.
fn read_info(line: &str) -> (Option<Score>, u32, u64) {
    let (mut score, mut depth, mut nodes) = (None, 0, 0);
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "score" => {
                let kind = words.next();
                let value = words.next().unwrap_or_default();
                score = match kind {
                    Some("cp") => read_number(value).map(|cp| cp as Score),
                    Some("mate") => read_mate(value),
                    _ => None,
                };
            }
            "depth" => depth = words.next().and_then(read_number).unwrap_or(0.0) as u32,
            "nodes" => nodes = words.next().and_then(read_number).unwrap_or(0.0) as u64,
            "pv" => break,
            _ => {}
        }
    }
    (score, depth, nodes)
}

/// A number, which some engines write with a fraction or an exponent, rounded to an integer.
fn read_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).map(f64::round)
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
        assert_eq!(read_info(line), (Some(-31), 3, 4711));
        assert_eq!(read_info("info score mate 3 upperbound nodes 2"), (Some(mate_in(3)), 0, 2));
        assert_eq!(read_info("info score mate -"), (Some(mated_in(1)), 0, 0));
        assert_eq!(read_info("info score mate x nodes y"), (None, 0, 0));
        assert_eq!(read_info("info score"), (None, 0, 0));
        assert_eq!(read_info("info score cp -12.6 depth 4.0 nodes 1e6"), (Some(-13), 4, 1_000_000));
        assert_eq!(read_info("info score cp nan nodes inf"), (None, 0, 0));
    }

    #[test]
    fn moves_on_ten_ranks_are_translated() {
        let ours = "position startpos moves 8a7c 5i5i 7c8a\ngo depth 3 movetime 5\n";
        let theirs = "position startpos moves 08a7c 5i5i 7c08a\ngo depth 3 movetime 5\n";
        assert_eq!(with_two_digits(ours), theirs);
        assert_eq!(with_two_digits("position startpos moves\ngo\n"), "position startpos moves\ngo\n");
        for mv in ["8a7c", "5i5i", "7j8a", "resign"] {
            let line = with_two_digits(&format!("position startpos moves {mv}\ngo\n"));
            assert_eq!(with_one_digit(line.split_whitespace().nth(3).expect("line has a move")), mv);
        }
    }
}
