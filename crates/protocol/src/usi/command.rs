//! Parses a line of input into a [`Command`]. The functions have no side effects, and no input makes them fail.

use super::help;
use super::number::Number;
use crate::uci::{halfmove_clock, sfen};
use sanban_engine::search::Clock;
use sanban_rules::Color;
pub use sanban_rules::clip;
use std::time::Duration;

/// Longest time accepted, in milliseconds (about 30 years).
const MAX_MILLIS: u64 = 1_000_000_000_000;

/// One line from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `usi`: identify yourself and list the options.
    Usi,
    /// `uci`: switch to UCI.
    Uci,
    /// `xboard`: switch to CECP.
    Xboard,
    /// `isready`: load all files, allocate memory and answer `readyok`.
    IsReady,
    /// `usinewgame`: clear the state of the last game.
    UsiNewGame,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        name: String,
        /// Everything after the word `value`; `None` without that word (a button).
        value: Option<String>,
    },
    /// `position`: set up a position.
    Position {
        /// The SFEN; `None` for the game's start position.
        sfen: Option<String>,
        /// The halfmove clock of a FEN.
        clock: u16,
        /// The moves from that position.
        moves: Vec<String>,
    },
    /// A `position` command that cannot be read, with the reason. Until the next valid one, there is no position to
    /// search.
    NoPosition(String),
    /// `go`: search.
    Go(Go),
    /// `stop` or `gameover`: end the search.
    Stop,
    /// `ponderhit`: the opponent played the expected move, with these times on the clock if any were sent.
    PonderHit(Option<Clock>),
    /// `usi_tunables`: list the search parameters that can be tuned.
    Tunables,
    /// `help`: list the commands.
    Help,
    /// `quit`: exit.
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `key`: show the hash key.
    Key,
    /// `moves`: list the legal moves.
    Moves,
    /// `perft N` or `go perft N`: count the leaves at depth N.
    Perft(u32),
    /// `bench [N]`: search fixed positions to depth N.
    Bench(u32),
    /// Nothing to do: an empty line, an invalid command, or a UCI command that has no effect here.
    Nothing,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    pub clock: Option<Clock>,
    /// The exact time for this move (`movetime`).
    pub move_time: Option<Duration>,
    /// A random time between this and three times as much (`rtime`).
    pub random_time: Option<Duration>,
    /// Maximum iteration depth in plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Solve a mate problem instead of playing.
    pub mate: Option<Mate>,
    /// Consider these moves only.
    pub search_moves: Vec<String>,
}

/// The time a mate problem may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mate {
    /// The search ends when it finds an answer or is stopped.
    Infinite,
    /// The search ends after at most this long.
    Within(Duration),
}

impl Command {
    /// Converts a command received over UCI, where white is the first player and `mate` is a number of moves.
    pub fn in_uci(mut self) -> Self {
        if let Self::Go(Go { clock, .. }) | Self::PonderHit(clock) = &mut self {
            *clock = clock.map(Clock::swapped);
        }
        if let Self::Go(go) = &mut self {
            go.mate_in_moves();
        }
        self
    }

    /// Parses one line, with or without its line terminator. The second value is a note for the user.
    pub fn parse(line: &[u8]) -> (Self, Option<String>) {
        let text = String::from_utf8_lossy(line).replace('\0', " ");
        let text = text.trim_start_matches('\u{feff}').trim();
        let (word, rest) = split_word(text);
        let mut note = None;
        let command = match word {
            "usi" => Self::Usi,
            "uci" => Self::Uci,
            "xboard" => Self::Xboard,
            "isready" => Self::IsReady,
            "usinewgame" | "ucinewgame" => Self::UsiNewGame,
            "setoption" => set_option(rest, &mut note),
            "position" => position(rest),
            "go" => go(rest, &mut note),
            "stop" | "gameover" => Self::Stop,
            "ponderhit" => {
                let mut go = Go::default();
                read_limits(&mut rest.split_whitespace(), &mut go, &mut note);
                Self::PonderHit(go.clock)
            }
            "help" => Self::Help,
            "usi_tunables" => Self::Tunables,
            "quit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "key" => Self::Key,
            "moves" => Self::Moves,
            "perft" => perft(rest, &mut note),
            "bench" => match rest {
                "" => Self::Bench(super::bench::DEPTH),
                _ => match depth(rest).filter(|&n| n > 0) {
                    Some(n) => Self::Bench(n),
                    None => refuse(&mut note, format!("bench: not a depth: {}", clip(rest))),
                },
            },
            "" | "debug" | "register" | "copyprotection" => Self::Nothing,
            _ => {
                let hint = help::command_like(word).map(|meant| format!("; did you mean {meant}?"));
                refuse(&mut note, format!("unknown command: {}{}", clip(text), hint.unwrap_or_default()))
            }
        };
        (command, note)
    }
}

fn refuse(note: &mut Option<String>, text: String) -> Command {
    note.get_or_insert(text);
    Command::Nothing
}

/// Splits `text` into its first word and the rest, without the space between them.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// Parses `name NAME [value VALUE]`. A value is the rest of the line unchanged, spaces included.
fn set_option(rest: &str, note: &mut Option<String>) -> Command {
    let (word, rest) = split_word(rest);
    if word != "name" || rest.is_empty() {
        return refuse(note, "setoption: expected setoption name NAME value VALUE".into());
    }
    let (mut name, mut value) = (rest, None);
    for (at, _) in rest.match_indices("value") {
        let (before, after) = rest.split_at(at);
        let after = after.trim_start_matches("value");
        let apart = |c: Option<char>| c.is_none_or(char::is_whitespace);
        if before.ends_with(char::is_whitespace) && apart(after.chars().next()) {
            (name, value) = (before.trim_end(), Some(after.trim().to_string()));
            break;
        }
    }
    Command::SetOption { name: name.to_string(), value }
}

/// Parses `[startpos | [sfen] SFEN | fen FEN] [moves ...]`.
fn position(rest: &str) -> Command {
    let mut words = rest.split_whitespace().peekable();
    if words.peek().is_none() {
        return Command::NoPosition("position: expected startpos or an SFEN".into());
    }
    let is_fen = words.next_if_eq(&"fen").is_some();
    let mut fields = Vec::new();
    for word in words.by_ref() {
        match word {
            "moves" => break,
            "sfen" if fields.is_empty() => {}
            _ => fields.push(word),
        }
    }
    let mut clock = 0;
    let sfen = match fields.join(" ") {
        _ if fields == ["startpos"] => None,
        fen if is_fen => match sfen(&fen) {
            Ok(sfen) => {
                clock = halfmove_clock(&fen);
                Some(sfen)
            }
            Err(error) => return Command::NoPosition(format!("position fen: {error}")),
        },
        sfen => Some(sfen),
    };
    Command::Position { sfen, clock, moves: words.map(str::to_string).collect() }
}

fn go(rest: &str, note: &mut Option<String>) -> Command {
    if let Some(after) = rest.strip_prefix("perft") {
        return perft(after.trim(), note);
    }
    let mut go = Go::default();
    let strange = read_limits(&mut rest.split_whitespace(), &mut go, note);
    let limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.infinite;
    if strange && !go.is_timed() && !limited {
        // The unknown parameters may have been meant as a clock.
        go.clock();
    }
    Command::Go(go)
}

fn perft(rest: &str, note: &mut Option<String>) -> Command {
    match depth(rest) {
        Some(n) => Command::Perft(n),
        None if rest.is_empty() => refuse(note, "perft: expected a depth".into()),
        None => refuse(note, format!("perft: not a depth: {}", clip(rest))),
    }
}

/// Parses a depth: a whole number of plies less than 256.
fn depth(text: &str) -> Option<u32> {
    let number = Number::read(text.trim()).filter(|number| number.is_whole())?;
    u32::try_from(number.signed()).ok().filter(|&n| n < 256)
}

/// Maximum length of the message about words of one `go` command that cannot be read, in bytes.
const LONGEST_REPORT: usize = 300;

/// Reads the words after `go` and reports those that cannot be read. A time that cannot be read counts as zero, so that
/// the intended time is not exceeded. Returns whether there were unknown parameters.
fn read_limits<'a>(
    words: &mut impl Iterator<Item = &'a str>,
    go: &mut Go,
    note: &mut Option<String>,
) -> bool {
    let mut words = words.peekable();
    let mut in_moves = false;
    let mut report = |text: String| {
        let note = note.get_or_insert_default();
        if note.len() + text.len() <= LONGEST_REPORT {
            note.push_str(if note.is_empty() { "go: " } else { "; " });
            note.push_str(&text);
        }
    };
    let mut strange = false;
    let mut seen: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        let was_in_moves = std::mem::take(&mut in_moves);
        if is_known(word) {
            if seen.contains(&word) {
                report(format!("{word} is repeated; the last value is used"));
            }
            seen.push(word);
        }
        match (word, time(word), count(word)) {
            ("infinite", ..) => go.infinite = true,
            ("ponder", ..) => go.ponder = true,
            ("searchmoves", ..) => in_moves = true,
            ("mate", ..) => {
                let endless = words.next_if(|&next| next == "infinite").is_some()
                    || words.peek().is_none_or(|next| is_known(next));
                go.mate = Some(if endless {
                    Mate::Infinite
                } else {
                    let time = read_number(word, &mut words, &mut report).map(millis);
                    Mate::Within(time.unwrap_or_default())
                });
            }
            (_, Some(set), _) => {
                let number = read_number(word, &mut words, &mut report);
                set(go, number.map(millis).unwrap_or_default());
            }
            (_, _, Some(set)) => {
                if let Some(number) = read_number(word, &mut words, &mut report) {
                    if word != "movestogo" && number.signed() < 1 {
                        report(format!("{word} must be at least 1; using 1"));
                    }
                    set(go, number.count());
                }
            }
            _ if was_in_moves => {
                go.search_moves.push(word.to_string());
                in_moves = true;
            }
            _ => {
                report(format!("unknown parameter: {}", clip(word)));
                strange = true;
            }
        }
    }
    strange
}

/// Reads the number after a keyword. A missing number is reported; anything else in its place is reported and skipped.
fn read_number<'a>(
    word: &str,
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
    report: &mut impl FnMut(String),
) -> Option<Number> {
    let found = words.next_if(|next| !is_known(next));
    let number = found.and_then(Number::read);
    if number.is_none() {
        report(format!("{word}: expected a number, found {}", found.map_or("nothing".to_string(), clip)));
    }
    number
}

/// Returns whether this is a keyword of the `go` command.
fn is_known(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves" | "mate")
        || time(word).is_some()
        || count(word).is_some()
}

/// Returns the setter of a keyword that is followed by a time.
fn time(word: &str) -> Option<fn(&mut Go, Duration)> {
    Some(match word {
        "btime" => |go, time| go.clock().time[0] = time,
        "wtime" => |go, time| go.clock().time[1] = time,
        "binc" => |go, time| go.clock().increment[0] = time,
        "winc" => |go, time| go.clock().increment[1] = time,
        "byoyomi" => |go, time| go.clock().byoyomi = time,
        "movetime" => |go, time| go.move_time = Some(time),
        "rtime" => |go, time| go.random_time = Some(time),
        _ => return None,
    })
}

/// Returns the setter of a keyword that is followed by a count.
fn count(word: &str) -> Option<fn(&mut Go, u64)> {
    Some(match word {
        // Some programs send 0 to mean that there is no further time control.
        "movestogo" => |go, n| go.clock().moves_to_go = Some(small(n)).filter(|_| n > 0),
        "depth" => |go, n| go.depth = Some(small(n)),
        "nodes" => |go, n| go.nodes = Some(n.max(1)),
        _ => return None,
    })
}

fn millis(number: Number) -> Duration {
    number.millis(MAX_MILLIS)
}

fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX).max(1)
}

impl Go {
    fn clock(&mut self) -> &mut Clock {
        self.clock.get_or_insert_default()
    }

    /// Whether the time limits the search.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.random_time.is_some()
    }

    /// Converts `mate` from UCI, where it is a number of moves.
    fn mate_in_moves(&mut self) {
        if let Some(Mate::Within(moves)) = self.mate {
            let plies = u32::try_from(moves.as_millis().saturating_mul(2)).unwrap_or(u32::MAX);
            self.depth = Some(self.depth.map_or(plies, |depth| depth.min(plies)).max(1));
        }
        self.mate = None;
    }

    /// Deducts the time since the command arrived from the times for the move and from the mover's clock.
    pub fn deduct(&mut self, passed: Duration, side: Color) {
        for time in [&mut self.move_time, &mut self.random_time].into_iter().flatten() {
            *time = time.saturating_sub(passed);
        }
        if let Some(clock) = &mut self.clock {
            let [black, white] = &mut clock.time;
            let [for_black, for_white] = &mut clock.increment;
            let (main, increment) =
                if side == Color::Black { (black, for_black) } else { (white, for_white) };
            // A time below the increment means that the increment has not been added yet. The deduction must not cause
            // that impression.
            let included = *main >= *increment;
            let spare = if included { *main - *increment } else { *main };
            let from_main = passed.min(spare);
            *main -= from_main;
            let passed = passed - from_main;
            let from_byoyomi = passed.min(clock.byoyomi);
            clock.byoyomi -= from_byoyomi;
            let from_increment = (passed - from_byoyomi).min(*increment);
            *increment -= from_increment;
            *main -= if included { from_increment } else { Duration::ZERO };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        let (command, note) = Command::parse(line.as_bytes());
        assert_eq!(note, None, "{line}");
        command
    }

    fn go(line: &str) -> Go {
        match parse(line) {
            Command::Go(go) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn note(line: &[u8]) -> String {
        Command::parse(line).1.unwrap_or_default()
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn line_ends_marks_and_spaces_do_not_matter() {
        for line in ["usi", "usi\r\n", "  usi \n", "\u{feff}usi\n", "usi\0"] {
            assert_eq!(parse(line), Command::Usi, "{line:?}");
        }
        assert_eq!(parse(" \r\n"), Command::Nothing);
        assert_eq!(parse("position  startpos\tmoves \r"), parse("position startpos"));
    }

    #[test]
    fn options_have_values_with_spaces_and_without_anything() {
        let option = |line: &str| match parse(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        let (name, path) = ("EvalFile".to_string(), "C:\\my nets\\value file.bin".to_string());
        assert_eq!(option("setoption name EvalFile value C:\\my nets\\value file.bin"), (name, Some(path)));
        assert_eq!(option("setoption name EvalFile value "), ("EvalFile".into(), Some(String::new())));
        assert_eq!(option("setoption name EvalFile value"), ("EvalFile".into(), Some(String::new())));
        assert_eq!(option("setoption name Clear"), ("Clear".into(), None));
        assert_eq!(option("setoption name DrawValueBlack value -3").1, Some("-3".into()));
        assert_eq!(option("setoption name valueless value 1"), ("valueless".into(), Some("1".into())));
        assert!(note(b"setoption Threads 4").contains("setoption name NAME"));
    }

    #[test]
    fn positions_with_and_without_their_words() {
        let sfen = |s: &str| Command::Position { sfen: Some(s.into()), clock: 0, moves: vec![] };
        assert_eq!(parse("position sfen 9/9 b - 1"), sfen("9/9 b - 1"));
        assert_eq!(parse("position 9/9 b -"), sfen("9/9 b -"));
        assert_eq!(parse("position sfen 9/9 b - moves "), sfen("9/9 b -"));
        assert!(matches!(parse("position"), Command::NoPosition(_)));
        let moves = vec!["7g7f".to_string(), "3c3d".into()];
        assert_eq!(
            parse("position startpos moves 7g7f 3c3d"),
            Command::Position { sfen: None, clock: 0, moves }
        );
    }

    #[test]
    fn a_clock_with_everything() {
        let go = go("go btime 1000 wtime -5 byoyomi 3000 binc 10 winc 20 movestogo 7 depth 9 nodes 77");
        let clock = go.clock.unwrap();
        assert_eq!((clock.time, clock.increment), ([ms(1000), ms(0)], [ms(10), ms(20)]));
        assert_eq!((clock.byoyomi, clock.moves_to_go), (ms(3000), Some(7)));
        assert_eq!((go.depth, go.nodes, go.infinite, go.ponder), (Some(9), Some(77), false, false));
    }

    #[test]
    fn other_kinds_of_go() {
        assert_eq!(go("go"), Go::default());
        assert!(go("go ponder").ponder && go("go infinite").infinite);
        assert_eq!(go("go mate").mate, Some(Mate::Infinite));
        assert_eq!(go("go mate infinite").mate, Some(Mate::Infinite));
        assert!(!go("go mate infinite").infinite);
        assert_eq!(go("go mate 5000").mate, Some(Mate::Within(ms(5000))));
        assert_eq!(go("go searchmoves 7g7f P*5e depth 3").search_moves, ["7g7f", "P*5e"]);
        assert_eq!(go("go searchmoves 7g7f P*5e depth 3").depth, Some(3));
        assert_eq!(go("go rtime 100").random_time, Some(ms(100)));
        assert_eq!(go("go movetime 99999999999999999999").move_time, Some(ms(MAX_MILLIS)));
        assert_eq!(parse("go perft 4"), Command::Perft(4));
        assert_eq!(parse("perft 4"), Command::Perft(4));
    }

    #[test]
    fn a_ponderhit_may_bring_times() {
        assert_eq!(parse("ponderhit"), Command::PonderHit(None));
        let Command::PonderHit(Some(clock)) = parse("ponderhit btime 5 wtime 6 byoyomi 7") else { panic!() };
        assert_eq!((clock.time, clock.byoyomi), ([ms(5), ms(6)], ms(7)));
    }

    #[test]
    fn what_cannot_be_read_is_named_and_left_out() {
        let (command, note) = Command::parse(b"go depth x nodes 5 hello");
        assert_eq!(note.unwrap(), "go: depth: expected a number, found x; unknown parameter: hello");
        let Command::Go(go) = command else { panic!() };
        assert_eq!((go.depth, go.nodes), (None, Some(5)));
        assert_eq!(super::clip(&"x".repeat(50)), "x".repeat(40) + "...");
    }

    #[test]
    fn numbers_may_have_fractions_and_exponents() {
        let clock = go("go btime 200.5 wtime 1e3 byoyomi 1.5e3 binc .5 winc 0.25").clock.unwrap();
        let us = Duration::from_micros;
        assert_eq!((clock.time, clock.byoyomi), ([us(200_500), ms(1000)], ms(1500)));
        assert_eq!(clock.increment, [us(500), us(250)]);
        assert_eq!(go("go movetime 500.5").move_time, Some(us(500_500)));
        assert_eq!((go("go depth 5.0").depth, go("go nodes 1e6").nodes), (Some(5), Some(1_000_000)));
        assert_eq!(go("go mate 1.5e3").mate, Some(Mate::Within(ms(1500))));
        assert_eq!(go("go movestogo 12.0").clock.unwrap().moves_to_go, Some(12));
        assert_eq!(go("go movestogo 0").clock.unwrap().moves_to_go, None);
        assert_eq!((parse("go perft 4.0"), parse("bench 1e1")), (Command::Perft(4), Command::Bench(10)));
        assert!(note(b"perft 2.5").contains("not a depth: 2.5"));
        assert_eq!(parse("ponderhit btime 200.5"), parse("ponderhit btime 2.005e2"),);
    }

    #[test]
    fn an_unreadable_clock_gives_no_time() {
        let read = |line: &str| {
            let (command, note) = Command::parse(line.as_bytes());
            assert!(note.is_some(), "{line}: nothing is reported");
            let Command::Go(go) = command else { panic!("{line}") };
            go
        };
        for bad in ["x", "200ms", "1,000", "0x10", "nan", "inf", "1:30", "\u{ff12}\u{ff10}", "null", "--5"] {
            for word in ["btime", "wtime", "binc", "winc", "byoyomi"] {
                let clock = read(&format!("go {word} {bad}")).clock.expect("a clock");
                assert_eq!(clock, Clock::default(), "{word} {bad}");
            }
            assert_eq!(read(&format!("go movetime {bad}")).move_time, Some(ms(0)), "{bad}");
            assert_eq!(read(&format!("go rtime {bad}")).random_time, Some(ms(0)), "{bad}");
            assert_eq!(read(&format!("go mate {bad}")).mate, Some(Mate::Within(ms(0))), "{bad}");
        }
        // The number is missing, or the word is unknown.
        assert_eq!(read("go btime wtime 1000").clock.unwrap().time, [ms(0), ms(1000)]);
        assert_eq!(read("go movetime").move_time, Some(ms(0)));
        assert_eq!(read("go time 200 otim 200").clock, Some(Clock::default()));
        assert_eq!(read("go btime=200 wtime=200").clock, Some(Clock::default()));
        // The valid parts of the clock are kept.
        assert_eq!(read("go btime x byoyomi 3000").clock.unwrap().byoyomi, ms(3000));
        assert_eq!(read("go depth 3 hello").clock, None);
        let Command::PonderHit(Some(clock)) = Command::parse(b"ponderhit btime x").0 else { panic!() };
        assert_eq!(clock, Clock::default());
        assert!(
            note(b"go btime x wtime y")
                .contains("btime: expected a number, found x; wtime: expected a number, found y")
        );
    }

    #[test]
    fn noise_is_named_in_ascii_and_short() {
        for line in
            [&b"\xff\xfe\x00\x01 garbage"[..], "こんにちは世界".repeat(1000).as_bytes(), &[b'a'; 1 << 20]]
        {
            let note = note(line);
            assert!(note.starts_with("unknown command: ") && note.len() < 500, "{note}");
            assert!(note.bytes().all(|b| (b' '..127).contains(&b)), "{note}");
        }
    }

    #[test]
    fn time_lost_comes_off_the_clock() {
        let mut go = go("go btime 100 wtime 500 byoyomi 1000 movetime 50");
        go.deduct(ms(200), Color::Black);
        let clock = go.clock.unwrap();
        assert_eq!((clock.time, clock.byoyomi, go.move_time), ([ms(0), ms(500)], ms(900), Some(ms(0))));
    }

    #[test]
    fn time_lost_comes_off_the_increment_in_the_end() {
        let left = |line: &str, passed| {
            let mut go = go(line);
            go.deduct(ms(passed), Color::White);
            go.clock.unwrap().budget(Color::White)
        };
        assert_eq!(left("go btime 0 wtime 0 binc 1000 winc 1000", 400), ms(600), "increment not added yet");
        assert_eq!(left("go btime 9 wtime 1500 binc 0 winc 1000", 400), ms(1100), "increment already added");
        assert_eq!(left("go btime 9 wtime 1500 binc 0 winc 1000", 700), ms(800));
        assert_eq!(left("go btime 9 wtime 700 binc 0 winc 1000 byoyomi 100", 900), ms(900));
        assert_eq!(left("go btime 9 wtime 700 binc 0 winc 1000 byoyomi 100", 9000), ms(0));
    }
}
