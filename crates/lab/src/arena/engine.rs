//! An engine process controlled through two pipes, as by a GUI.

use super::clock::Go;
use super::command::{Command, VARIANT, VariantOption, chooses_game, game_option, uci_names};
use super::conditions::Conditions;
use super::fault::{EngineError, EngineFault, Trouble};
use super::guard::Guard;
use super::pipe::{Lines, Log, write};
use super::protocol::{Protocol, Translator, mate_score, read_features, read_thinking};
use sanban_rules::Score;
use sanban_rules::printable::printable;
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::uci::named;
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

/// Maximum length of an engine's name in characters.
const LONGEST_NAME: usize = 200;
/// Minimum time limit for the start, which includes loading a network on a busy machine.
const START: Duration = Duration::from_secs(60);
/// Time limit for the exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);
/// Time in which an engine that is asked for its protocol must answer: to the first greeting, to the second, and in all.
const ASKED: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(10)];
/// Time after which the features of a CECP engine are complete if it does not end them.
const FEATURES: Duration = Duration::from_secs(2);
/// Options that may be sent to every USI engine, whether declared or not, and their names in UCI.
const UNDECLARED: [[&str; 2]; 2] = [["USI_Hash", "Hash"], ["USI_Ponder", "Ponder"]];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub best: String,
    pub ponder: Option<String>,
    /// The last score that the engine reported, for the side to move.
    pub score: Option<Score>,
    pub depth: u32,
    pub nodes: u64,
    /// Time from the command (`go` or `ponderhit`) to the answer.
    pub took: Duration,
}

pub struct Engine {
    label: String,
    name: String,
    stdin: Option<ChildStdin>,
    stdout: Lines,
    line: Vec<u8>,
    log: Option<Log>,
    guard: Guard,
    patience: Duration,
    /// Whether a USI engine writes the file of a square on the first of ten ranks with two digits.
    two_digits: bool,
    translator: Translator,
    /// A claim or refusal of a CECP engine that came after its move.
    claim: Option<String>,
}

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready. `patience`: the maximum time that an answer may
    /// take beyond its limit; `go`: its limits; `log`: the file to which the dialogue is appended. An engine whose protocol
    /// is unknown is asked.
    ///
    /// # Errors
    /// The engine does not start, does not answer or lacks an option, its protocol does not know a limit, or the log
    /// cannot be written.
    pub fn start(
        command: &Command,
        patience: Duration,
        conditions: &Conditions,
        go: &Go,
        log: Option<&Path>,
    ) -> Result<Self, EngineError> {
        let mut engine = Self::spawn(command, patience, conditions, log)?;
        let fit = match command.protocol.get() {
            Some(_) => engine.hello(),
            None => engine.find_protocol().and_then(|(protocol, asked, lines)| {
                // Other threads may have found it as well.
                let _ = command.protocol.set(protocol);
                if asked == Protocol::Usi {
                    return Ok(lines);
                }
                // The engine has read greetings of several protocols.
                engine = Self::spawn(command, patience, conditions, log).map_err(|error| error.fault)?;
                engine.hello()
            }),
        };
        let fit = fit.and_then(|lines| engine.shake_hands(command, &lines, conditions.ponder, go));
        fit.map_err(|fault| EngineError { engine: engine.called(), fault })?;
        engine.patience = patience;
        Ok(engine)
    }

    fn spawn(
        command: &Command,
        patience: Duration,
        conditions: &Conditions,
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
        let protocol = command.protocol.get().copied();
        // Where pipes cannot be polled, a thread allows to wait for an answer to a greeting.
        let threaded = conditions.ponder || cfg!(not(unix)) && protocol != Some(Protocol::Usi);
        Ok(Self {
            label: command.label.clone(),
            name,
            stdin,
            stdout: Lines::new(stdout, threaded).map_err(failed)?,
            line: Vec::new(),
            log,
            guard,
            patience: patience.max(START),
            two_digits: false,
            translator: Translator::new(protocol.unwrap_or(Protocol::Usi), &conditions.start),
            claim: None,
        })
    }

    /// Greets the engine in every protocol until it answers. Returns the protocol of the answer, the last one in which it
    /// was asked, and the lines of the answer.
    fn find_protocol(&mut self) -> Result<(Protocol, Protocol, Vec<String>), EngineFault> {
        let start = Instant::now();
        self.guard.arm(start + ASKED[2]);
        let mut lines = Vec::new();
        for (protocol, time) in Protocol::ALL.into_iter().zip(ASKED) {
            let fault = |trouble| match trouble {
                Trouble::Hang => EngineFault::Protocol,
                Trouble::Crash => EngineFault::Silent { trouble, word: protocol.word() },
            };
            self.send(protocol.hello()).map_err(fault)?;
            while let Some(more) = self.stdout.next_before(&mut self.line, start + time) {
                self.heard(more).map_err(fault)?;
                let line = text(&self.line).trim_end().to_string();
                let answers = |known: &Protocol| line.split(' ').next() == Some(known.word());
                if let Some(known) = Protocol::ALL.into_iter().find(answers) {
                    return if self.guard.disarm() {
                        Ok((known, protocol, lines))
                    } else {
                        Err(EngineFault::Protocol)
                    };
                }
                lines.push(line);
            }
        }
        Err(EngineFault::Protocol)
    }

    /// Greets the engine in its protocol. Returns the lines of the answer.
    fn hello(&mut self) -> Result<Vec<String>, EngineFault> {
        let protocol = self.translator.protocol;
        let silent = |trouble| EngineFault::Silent { trouble, word: protocol.word() };
        let mut lines = Vec::new();
        if protocol != Protocol::Cecp {
            let hello = self.ask(protocol.hello(), protocol.word(), |line| lines.push(line.to_string()));
            return hello.map(|()| lines).map_err(silent);
        }
        let whole = Instant::now() + self.patience;
        self.guard.arm(whole);
        self.send(protocol.hello()).map_err(silent)?;
        let (mut end, mut waits) = (None, false);
        loop {
            match self.stdout.next_before(&mut self.line, end.unwrap_or(whole)) {
                None if end.is_some() => break,
                None => return Err(silent(Trouble::Hang)),
                Some(more) => self.heard(more).map_err(silent)?,
            }
            let line = text(&self.line).trim_end().to_string();
            if !line.starts_with("feature") {
                continue;
            }
            let features = read_features(&line);
            lines.push(line);
            let done = features.iter().find(|(name, _)| name == "done").map(|(_, value)| value.as_str());
            if done == Some("1") {
                break;
            }
            waits |= done == Some("0");
            end = Some(if waits { whole } else { whole.min(Instant::now() + FEATURES) });
        }
        if self.guard.disarm() { Ok(lines) } else { Err(silent(Trouble::Hang)) }
    }

    /// Sets the options of an engine that has answered the greeting with these lines, and waits until it is ready.
    fn shake_hands(
        &mut self,
        command: &Command,
        lines: &[String],
        ponders: bool,
        go: &Go,
    ) -> Result<(), EngineFault> {
        let protocol = self.translator.protocol;
        if protocol == Protocol::Cecp {
            if ponders {
                return Err(EngineFault::Unable("--ponder is not possible with an engine that speaks CECP"));
            }
            if go.has_nodes() {
                return Err(EngineFault::Unable(
                    "CECP has no limit by nodes: use depth, movetime or a clock",
                ));
            }
        }
        let mut declared: Vec<String> = Vec::new();
        if protocol == Protocol::Usi {
            declared.extend(UNDECLARED.map(|[name, _]| name.to_lowercase()));
        }
        let (mut name, mut variant, mut accepted) = (None, None, String::new());
        for line in lines {
            if let Some(rest) = line.strip_prefix("id name ") {
                name = Some(printable(rest.trim(), LONGEST_NAME));
            } else if let Some(rest) = line.strip_prefix("option name ") {
                declared.extend(rest.split(" type ").next().map(|name| name.trim().to_lowercase()));
                variant = VariantOption::read(rest).or(variant.take());
            } else if line.starts_with("feature") {
                for (feature, value) in read_features(line) {
                    let features = &mut self.translator.features;
                    let on = value == "1";
                    match feature.as_str() {
                        "ping" => features.ping = on,
                        "setboard" => features.set_board = on,
                        "usermove" => features.user_move = on,
                        "memory" => features.memory = on,
                        "smp" => features.cores = on,
                        "myname" => name = Some(printable(&value, LONGEST_NAME)),
                        "variants" => variant = Some(VariantOption::of_cecp(&value)),
                        "option" => declared.extend(value.split(" -").next().map(str::to_lowercase)),
                        _ => {}
                    }
                    // Moves are sent and read in coordinates.
                    if feature != "done" {
                        let refused = ["san", "colors"].contains(&feature.as_str()) && on;
                        accepted += &format!("{} {feature}\n", if refused { "rejected" } else { "accepted" });
                    }
                }
            }
        }
        self.name = command.name.clone().or(name).unwrap_or_else(|| self.name.clone());
        let names = match protocol {
            Protocol::Usi => [command.game.name(); 2],
            _ => uci_names(command.game, &command.options),
        };
        // This option is set first, because engines reset other settings when the game changes.
        let chosen = command.options.iter().find(|(name, _)| chooses_game(name)).cloned();
        let chosen = match chosen {
            Some(option) => Some(option),
            None => game_option(command.game, names, protocol, variant)?,
        };
        let game = chosen.as_ref().map_or(names[0], |(_, game)| game.as_str()).to_string();
        // Fairy-Stockfish, which declares the UCI option, writes two digits in USI.
        let uci = chosen.as_ref().is_some_and(|(name, _)| name.eq_ignore_ascii_case(VARIANT[1]));
        self.two_digits = protocol == Protocol::Usi && uci && command.game.is_janggi();
        let mut text = accepted;
        if protocol == Protocol::Cecp {
            text += &format!("new\nvariant {game}\nforce\n");
        } else if let Some((name, value)) = &chosen {
            if !declared.contains(&name.to_lowercase()) {
                return Err(EngineFault::Option(name.clone()));
            }
            text += &format!("setoption name {name} value {value}\n");
        }
        let rules =
            named(&game).filter(|_| protocol != Protocol::Usi).map_or(&[][..], |variant| variant.rules);
        for (option, value) in command.options.iter().filter(|(name, _)| !chooses_game(name)) {
            let other = UNDECLARED.iter().find(|[usi, _]| usi.eq_ignore_ascii_case(option));
            let known = |name: &str| declared.contains(&name.to_lowercase());
            let is = |name: &str| option.eq_ignore_ascii_case(name);
            let features = &self.translator.features;
            text += &match protocol {
                Protocol::Cecp if features.memory && (is("Hash") || is("USI_Hash")) => {
                    format!("memory {value}\n")
                }
                Protocol::Cecp if features.cores && is("Threads") => format!("cores {value}\n"),
                Protocol::Cecp if known(option) => format!("option {option}={value}\n"),
                Protocol::Usi | Protocol::Uci if known(option) => {
                    format!("setoption name {option} value {value}\n")
                }
                Protocol::Uci if let Some([_, uci]) = other.filter(|[_, uci]| known(uci)) => {
                    format!("setoption name {uci} value {value}\n")
                }
                // The name of the game implies this rule.
                _ if rules.contains(&(option.as_str(), value.as_str())) => String::new(),
                _ => return Err(EngineFault::Option(option.clone())),
            };
        }
        self.translator.variant = game;
        let (ready, word) = match protocol {
            Protocol::Cecp => self.translator.ping(),
            _ => ("isready\n".into(), "readyok".into()),
        };
        text += &ready;
        let mut refused = None;
        let ready = self.ask(&text, &word, |line| {
            // Sanban's message about a value that it rejected or changed begins with the name of the option.
            if let Some(text) = line.strip_prefix("info string ").or(line.strip_prefix("# "))
                && let Some((name, _)) = text.split_once(':')
                && command.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name))
            {
                refused = Some(text.to_string());
            } else if line.starts_with("Error (unknown variant)") {
                refused = Some(line.to_string());
            }
        });
        let word = if protocol == Protocol::Cecp { "pong" } else { "readyok" };
        ready.map_err(|trouble| EngineFault::Silent { trouble, word })?;
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

    /// Checks that the engine can set up an opening, given as the words after `position`.
    ///
    /// # Errors
    /// The protocol has no command for it.
    pub fn check_opening(&self, opening: &str) -> Result<(), EngineError> {
        let fault =
            EngineFault::Unable("the engine has no setboard, so games must begin at its start position");
        let error = || EngineError { engine: self.called(), fault };
        if self.translator.can_set_up(opening) { Ok(()) } else { Err(error()) }
    }

    pub fn new_game(&mut self) -> Result<(), Trouble> {
        self.claim = None;
        let (commands, answer) = self.translator.new_game();
        self.ask(&commands, &answer, |_| ())
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
        let cecp = self.translator.protocol == Protocol::Cecp;
        while self.stdout.pending(&mut self.line) {
            if let Some(log) = &mut self.log {
                log.printed(&self.line);
            }
            if cecp && self.claim.is_none() {
                self.claim = self.translator.cecp_answer(&text(&self.line));
            }
        }
        match self.translator.protocol {
            Protocol::Usi if self.two_digits => self.send(&with_two_digits(commands)),
            Protocol::Usi => self.send(commands),
            // The game is over for the engine.
            Protocol::Cecp if self.claim.is_some() => Ok(()),
            _ => {
                let commands = self.translator.search(commands);
                self.send(&commands)
            }
        }
    }

    fn wait_for_move(&mut self, start: Instant) -> Result<Answer, Trouble> {
        let protocol = self.translator.protocol;
        let (mut best, mut info) = (self.claim.take(), Vec::new());
        while best.is_none() {
            self.read()?;
            if protocol == Protocol::Cecp {
                best = self.translator.cecp_answer(&text(&self.line));
                if best.is_none() && self.line.trim_ascii_start().first().is_some_and(u8::is_ascii_digit) {
                    std::mem::swap(&mut info, &mut self.line);
                }
            } else if self.line.starts_with(b"bestmove") {
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
        let best = best.unwrap_or_default();
        if protocol == Protocol::Cecp {
            // The engine must not answer to the opponent's move before its limits are sent.
            self.send("force\n")?;
            let (score, depth, nodes) = read_thinking(&text(&info)).unwrap_or_default();
            return Ok(Answer { best, ponder: None, score, depth, nodes, took });
        }
        let (score, depth, nodes) = read_info(&text(&info), protocol == Protocol::Uci);
        let mut words = best.split_whitespace().skip(1);
        let mv = |word: &str| {
            if self.two_digits { with_one_digit(word) } else { self.translator.usi(word) }
        };
        let best = words.next().map(mv).unwrap_or_default();
        let ponder = words.next().filter(|word| *word == "ponder").and_then(|_| words.next()).map(mv);
        Ok(Answer { best, ponder, score, depth, nodes, took })
    }

    /// Reports the end of the game to the engine, which does not answer.
    pub fn game_over(&mut self, result: &str) -> Result<(), Trouble> {
        self.guard.arm(Instant::now() + self.patience);
        let commands = self.translator.game_over(result);
        self.send(&commands)?;
        if self.guard.disarm() { Ok(()) } else { Err(Trouble::Hang) }
    }

    /// Sends commands and reads up to the line that answers them, unless `answer` is empty.
    fn ask(&mut self, commands: &str, answer: &str, mut hear: impl FnMut(&str)) -> Result<(), Trouble> {
        self.guard.arm(Instant::now() + self.patience);
        self.send(commands)?;
        while !answer.is_empty() {
            self.read()?;
            let line = text(&self.line);
            if line.trim_end() == answer {
                break;
            }
            hear(line.trim_end());
        }
        if self.guard.disarm() { Ok(()) } else { Err(Trouble::Hang) }
    }

    fn send(&mut self, commands: &str) -> Result<(), Trouble> {
        if let Some(log) = &mut self.log {
            log.sent(commands);
        }
        if write(self.stdin.as_mut(), commands) { Ok(()) } else { Err(self.trouble()) }
    }

    fn read(&mut self) -> Result<(), Trouble> {
        let more = self.stdout.next(&mut self.line);
        self.heard(more)
    }

    fn heard(&mut self, more: bool) -> Result<(), Trouble> {
        if !more {
            return Err(self.trouble());
        }
        if let Some(log) = &mut self.log {
            log.printed(&self.line);
        }
        Ok(())
    }

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

/// Score, depth and nodes of an `info` line. `counts_moves`: mates are counted in moves, as in UCI, not in plies.
fn read_info(line: &str, counts_moves: bool) -> (Option<Score>, u32, u64) {
    let (mut score, mut depth, mut nodes) = (None, 0, 0);
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "score" => {
                let kind = words.next();
                let value = words.next().unwrap_or_default();
                score = match kind {
                    Some("cp") => read_number(value).map(|cp| cp as Score),
                    Some("mate") if counts_moves => {
                        let moves: Option<i32> = value.parse().ok();
                        moves.map(|moves| mate_score(moves.unsigned_abs() as usize, moves <= 0))
                    }
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
        assert_eq!(read_info(line, false), (Some(-31), 3, 4711));
        assert_eq!(read_info("info score mate 3 upperbound nodes 2", false), (Some(mate_in(3)), 0, 2));
        assert_eq!(read_info("info score mate -", false), (Some(mated_in(1)), 0, 0));
        assert_eq!(read_info("info score mate x nodes y", false), (None, 0, 0));
        assert_eq!(read_info("info score", false), (None, 0, 0));
        assert_eq!(read_info("info score cp -12.6 depth 4.0 nodes 1e6", false), (Some(-13), 4, 1_000_000));
        assert_eq!(read_info("info score mate 3 nodes 2", true), (Some(mate_in(5)), 0, 2));
        assert_eq!(read_info("info score mate -2", true), (Some(mated_in(4)), 0, 0));
        assert_eq!(read_info("info score cp nan nodes inf", false), (None, 0, 0));
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
