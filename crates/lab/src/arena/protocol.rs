//! The protocols of engines. The arena speaks USI; [`Translator`] converts its commands to UCI and CECP, and the answers
//! back.

use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::uci::{cecp_text_of_usi, fen, text_of_usi, usi_text, usi_text_of_cecp};
use sanban_rules::{AnyPosition, Score};
use std::fmt::{self, Write as _};
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Usi,
    Uci,
    /// The protocol of XBoard, version 2.
    Cecp,
}

impl Protocol {
    pub const NAMES: [&'static str; 3] = ["usi", "uci", "cecp"];
    /// Every protocol, in the order in which engines are asked.
    pub(super) const ALL: [Self; 3] = [Self::Usi, Self::Uci, Self::Cecp];

    pub(super) fn hello(self) -> &'static str {
        ["usi\n", "uci\n", "xboard\nprotover 2\n"][self as usize]
    }

    /// The first word of the answer.
    pub(super) fn word(self) -> &'static str {
        ["usiok", "uciok", "feature"][self as usize]
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected one of {}", Protocol::NAMES.join(", "))]
pub struct UnknownProtocol;

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, UnknownProtocol> {
        let at = Self::NAMES.iter().position(|name| *name == text);
        at.map(|at| Self::ALL[at]).ok_or(UnknownProtocol)
    }
}

/// The features of a CECP engine that the arena uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub ping: bool,
    pub set_board: bool,
    pub user_move: bool,
    pub memory: bool,
    pub cores: bool,
}

/// Converts commands and answers between USI and the protocol of an engine.
#[derive(Debug)]
pub(super) struct Translator {
    pub protocol: Protocol,
    start: AnyPosition,
    /// Whether the engine has the same start position.
    is_standard: bool,
    pub variant: String,
    pub features: Features,
    /// The `position` command whose moves a CECP engine knows, besides its last answer; `None` before a game.
    known: Option<String>,
    /// Whether the engine has answered with a move since.
    moved: bool,
    last: String,
    /// Whether the first player is to move in the last position.
    first: bool,
    /// Number of the last `ping`.
    pings: u32,
}

impl Translator {
    pub fn new(protocol: Protocol, start: &AnyPosition) -> Self {
        Self {
            protocol,
            is_standard: start.sfen() == AnyPosition::new(start.variant()).sfen(),
            start: start.clone(),
            variant: String::new(),
            features: Features::default(),
            known: None,
            moved: false,
            last: String::new(),
            first: true,
            pings: 0,
        }
    }

    /// The commands that begin a game, and the line that answers them; empty if there is no answer.
    pub fn new_game(&mut self) -> (String, String) {
        (self.known, self.moved) = (None, false);
        match self.protocol {
            Protocol::Usi => ("usinewgame\nisready\n".into(), "readyok".into()),
            Protocol::Uci => ("ucinewgame\nisready\n".into(), "readyok".into()),
            Protocol::Cecp => {
                let new = format!("new\nvariant {}\nforce\npost\neasy\n", self.variant);
                let (ping, pong) = self.ping();
                (new + &ping, pong)
            }
        }
    }

    /// In CECP, a `ping` and its answer, both empty if the engine has no `ping`.
    pub fn ping(&mut self) -> (String, String) {
        if !self.features.ping {
            return Default::default();
        }
        self.pings += 1;
        (format!("ping {}\n", self.pings), format!("pong {}", self.pings))
    }

    /// The commands that report the end of a game: `win`, `lose` or `draw`.
    pub fn game_over(&self, result: &str) -> String {
        match self.protocol {
            Protocol::Usi => format!("gameover {result}\n"),
            Protocol::Uci => String::new(),
            Protocol::Cecp => "force\nresult *\n".into(),
        }
    }

    /// Converts a `position` and a `go` command.
    pub fn search(&mut self, commands: &str) -> String {
        let (line, go) = commands.split_once('\n').unwrap_or((commands, ""));
        let (place, moves) = line.split_once(" moves").unwrap_or((line, ""));
        let place = place.trim_start_matches("position").trim();
        let sfen = place.strip_prefix("sfen").map(str::trim);
        // The referee has parsed the position.
        let sfen = sfen.filter(|_| place != "startpos");
        let pos = sfen
            .and_then(|sfen| self.start.with_sfen(sfen).ok())
            .map_or_else(|| self.start.sfen(), |pos| pos.sfen());
        let board = (sfen.is_some() || !self.is_standard).then(|| {
            let hands = !self.start.variant().is_janggi();
            fen(&pos, hands, 0)
        });
        let black = pos.split(' ').nth(1) != Some("w");
        self.first = black == moves.split_whitespace().count().is_multiple_of(2);
        if self.protocol == Protocol::Uci {
            let mut out =
                board.map_or_else(|| "position startpos".into(), |fen| format!("position fen {fen}"));
            if !moves.trim().is_empty() {
                out += " moves";
            }
            for mv in moves.split_whitespace() {
                out.push(' ');
                out += &text_of_usi(&self.start, mv).unwrap_or_else(|| mv.into());
            }
            return out + "\n" + &uci_go(go);
        }
        let mut out = String::new();
        let new = match &self.known {
            Some(known) => {
                line.strip_prefix(known.as_str()).filter(|new| new.is_empty() || new.starts_with(' '))
            }
            None => None,
        };
        let fresh = new.is_none();
        let new = new.unwrap_or_else(|| {
            if self.known.is_some() {
                out += &format!("new\nvariant {}\nforce\n", self.variant);
            }
            if let Some(fen) = &board {
                out += &format!("setboard {fen}\n");
            }
            moves
        });
        let own = usize::from(self.moved && !fresh);
        for mv in new.split_whitespace().skip(own) {
            let word = if self.features.user_move { "usermove " } else { "" };
            self.last = cecp_text_of_usi(&self.start, mv).unwrap_or_else(|| mv.into());
            out += &format!("{word}{}\n", self.last);
        }
        (self.known, self.moved) = (Some(line.into()), false);
        self.cecp_go(go, fresh, &mut out);
        out
    }

    /// Whether the engine can set up an opening, given as the words after `position`: in CECP, a board needs `setboard`.
    pub fn can_set_up(&self, opening: &str) -> bool {
        self.protocol != Protocol::Cecp
            || self.features.set_board
            || self.is_standard && opening.starts_with("startpos")
    }

    fn cecp_go(&self, go: &str, fresh: bool, out: &mut String) {
        let limits = Limits::read(go);
        // Writing to a string cannot fail.
        if let Some(depth) = limits.depth {
            let _ = writeln!(out, "sd {depth}");
        }
        if let Some(time) = limits.move_time {
            let _ = writeln!(out, "st {}", seconds(time));
        }
        if let Some(clock) = limits.clock {
            let (mine, theirs) = if self.first { (0, 1) } else { (1, 0) };
            if fresh && limits.move_time.is_none() {
                let base = clock.left[mine].div_ceil(1000).max(1);
                let increment = seconds(clock.increment[mine]);
                let _ = writeln!(out, "level 0 {}:{:02} {increment}", base / 60, base % 60);
            }
            let [mine, theirs] = [mine, theirs].map(|side| clock.left[side] / 10);
            let _ = write!(out, "time {mine}\notim {theirs}\n");
        }
        out.push_str("go\n");
    }

    /// Converts a move of the engine to USI. Other words are returned as they are.
    pub fn usi(&self, word: &str) -> String {
        let usi = match self.protocol {
            Protocol::Usi => None,
            Protocol::Uci => usi_text(&self.start, word),
            Protocol::Cecp => usi_text_of_cecp(&self.start, word),
        };
        usi.unwrap_or_else(|| word.into())
    }

    /// The answer to `go` that a line of a CECP engine contains, in USI. A claim or a refusal is returned as it is,
    /// unless it is a resignation.
    pub fn cecp_answer(&mut self, line: &str) -> Option<String> {
        let line = line.trim();
        if let Some(mv) = line.strip_prefix("move ") {
            self.moved = true;
            return Some(self.usi(mv.trim()));
        }
        let lost = if self.first { "0-1" } else { "1-0" };
        if line == "resign" || line.starts_with(lost) {
            return Some("resign".into());
        }
        self.known.as_ref()?;
        let is_claim = ["1-0", "0-1", "1/2-1/2"].iter().any(|result| line.starts_with(result));
        // Other errors concern commands that the engine does not know.
        let is_refusal = line.starts_with("Illegal move")
            || line.starts_with("Error") && !self.last.is_empty() && line.ends_with(&self.last);
        (is_claim || is_refusal).then(|| line.to_string())
    }
}

/// A time in seconds, with a fraction only if it has one.
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

#[derive(Default)]
struct Limits {
    nodes: Option<u64>,
    depth: Option<u64>,
    move_time: Option<u64>,
    clock: Option<Clock>,
    ponder: bool,
}

/// A clock without byoyomi, in milliseconds: of the first player, then of the second.
#[derive(Clone, Copy, Default)]
struct Clock {
    left: [u64; 2],
    increment: [u64; 2],
}

impl Limits {
    fn read(go: &str) -> Self {
        let mut out = Self::default();
        let mut words = go.split_whitespace().skip(1);
        let (mut clock, mut byoyomi) = (Clock::default(), 0);
        let mut timed = false;
        while let Some(word) = words.next() {
            if word == "ponder" {
                out.ponder = true;
                continue;
            }
            let number = words.next().and_then(|text| text.parse().ok()).unwrap_or_default();
            match word {
                "nodes" => out.nodes = Some(number),
                "depth" => out.depth = Some(number),
                "movetime" => out.move_time = Some(number),
                "btime" => (clock.left[0], timed) = (number, true),
                "wtime" => clock.left[1] = number,
                "binc" => clock.increment[0] = number,
                "winc" => clock.increment[1] = number,
                "byoyomi" => byoyomi = number,
                _ => {}
            }
        }
        // Byoyomi is part of the time for this move, and comes again with every move.
        for side in 0..2 {
            clock.left[side] += byoyomi;
            clock.increment[side] += byoyomi;
        }
        out.clock = timed.then_some(clock);
        out
    }
}

/// Converts `go` to UCI, in which the first player is white.
fn uci_go(go: &str) -> String {
    let limits = Limits::read(go);
    let mut out = String::from(if limits.ponder { "go ponder" } else { "go" });
    let mut add = |word: &str, number: u64| {
        let _ = write!(out, " {word} {number}");
    };
    let fixed = [("nodes", limits.nodes), ("depth", limits.depth), ("movetime", limits.move_time)];
    for (word, number) in fixed {
        if let Some(number) = number {
            add(word, number);
        }
    }
    if let Some(Clock { left, increment }) = limits.clock {
        add("wtime", left[0]);
        add("btime", left[1]);
        if increment != [0; 2] {
            add("winc", increment[0]);
            add("binc", increment[1]);
        }
    }
    out + "\n"
}

/// Score, depth and nodes of a line of thinking in CECP: `PLY SCORE TIME NODES PV`.
pub(super) fn read_thinking(line: &str) -> Option<(Option<Score>, u32, u64)> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '&', '+', '-']).parse().ok()?;
    let score: Score = words.next()?.parse().ok()?;
    words.next()?.parse::<f64>().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score.saturating_abs() - 100_000 {
        moves @ 0..=10_000 => mate_score(moves as usize, score < 0),
        _ => score,
    };
    Some((Some(score), depth, nodes))
}

pub(super) fn mate_score(moves: usize, mated: bool) -> Score {
    let plies = 2 * moves.min(500);
    if mated { mated_in(plies) } else { mate_in(plies.max(2) - 1) }
}

/// The names and values in a line `feature NAME=VALUE ...`.
pub(super) fn read_features(line: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = line.trim_start_matches("feature").trim_start();
    while let Some((name, text)) = rest.split_once('=') {
        let (value, after) = match text.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        };
        out.push((name.trim().to_string(), value.to_string()));
        rest = after.trim_start();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;

    fn translator(protocol: Protocol, game: VariantId) -> Translator {
        let mut out = Translator::new(protocol, &AnyPosition::new(game));
        out.variant = game.name().into();
        out.features = Features { ping: true, set_board: true, user_move: true, memory: true, cores: true };
        out
    }

    #[test]
    fn commands_are_translated_to_uci() {
        let mut uci = translator(Protocol::Uci, VariantId::Shogi);
        assert_eq!(
            uci.search("position startpos moves 7g7f 3c3d\ngo btime 1000 wtime 2000 byoyomi 50\n"),
            "position startpos moves c3c4 g7g6\ngo wtime 1050 btime 2050 winc 50 binc 50\n"
        );
        assert_eq!(
            uci.search("position sfen 4k4/9/9/9/9/9/9/9/4K4 w P2b 2 moves B*5e\ngo ponder nodes 5 depth 3\n"),
            "position fen 4k4/9/9/9/9/9/9/9/4K4[Pbb] b - - 0 1 moves B@e5\ngo ponder nodes 5 depth 3\n"
        );
        assert_eq!(
            uci.search("position startpos moves\ngo movetime 9\n"),
            "position startpos\ngo movetime 9\n"
        );
        let mut uci = translator(Protocol::Uci, VariantId::Janggi);
        assert!(
            uci.search("position startpos moves 8a7c 5i5i\ngo nodes 1\n").contains(" moves b10c8 e2e2\n")
        );
        assert_eq!([uci.usi("b10c8"), uci.usi("(none)")], ["8a7c", "(none)"]);
    }

    #[test]
    fn a_cecp_engine_is_sent_new_moves_only() {
        let mut cecp = translator(Protocol::Cecp, VariantId::Janggi);
        assert_eq!(
            cecp.new_game(),
            ("new\nvariant janggi\nforce\npost\neasy\nping 1\n".into(), "pong 1".into())
        );
        let first = cecp.search("position startpos moves 9j9i\ngo btime 1500 wtime 2500 binc 100 winc 200\n");
        assert_eq!(first, "usermove a0a1\nlevel 0 0:03 0.2\ntime 250\notim 150\ngo\n");
        assert_eq!(cecp.cecp_answer("move a9a8").as_deref(), Some("9a9b"));
        let second = cecp.search("position startpos moves 9j9i 9a9b 5i5i\ngo movetime 1000 depth 7\n");
        assert_eq!(second, "usermove e1e1\nsd 7\nst 1\ngo\n");
        // Another game begins without notice.
        assert_eq!(
            cecp.search("position sfen 4k4/9/9/9/9/9/9/9/9/4K4 b - 1 moves\ngo depth 1\n"),
            "new\nvariant janggi\nforce\nsetboard 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1\nsd 1\ngo\n"
        );
        assert_eq!(cecp.cecp_answer("0-1 {White resigns}").as_deref(), Some("resign"));
        assert_eq!(cecp.cecp_answer("1-0 {I win}").as_deref(), Some("1-0 {I win}"));
        assert_eq!(cecp.cecp_answer("Hint: a0a1"), None);
    }

    #[test]
    fn features_and_thinking_are_read() {
        let features = read_features("feature ping=1 myname=\"An engine\" variants=\"shogi,janggi\" done=1");
        let texts: Vec<_> = features.iter().map(|(name, value)| format!("{name}:{value}")).collect();
        assert_eq!(texts, ["ping:1", "myname:An engine", "variants:shogi,janggi", "done:1"]);
        assert_eq!(read_thinking("10 -9 17 4847 12 28181 0\tb9c7"), Some((Some(-9), 10, 4847)));
        assert_eq!(read_thinking("3 100002 1 99 a0a1"), Some((Some(mate_in(3)), 3, 99)));
        assert_eq!(read_thinking("3 -100002 1 99 a0a1"), Some((Some(mated_in(4)), 3, 99)));
        assert_eq!(read_thinking("# a comment"), None);
    }
}
