//! Parses a line into a [`Command`].

use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `protover N`: list the features.
    Features,
    /// `new`: set up the start position; the engine plays the second side.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `setboard FEN`.
    SetBoard(String),
    /// `usermove MOVE`, or a bare move.
    Move(String),
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the other side.
    PlayOther,
    /// `?`: move now.
    MoveNow,
    /// `undo` (1) or `remove` (2): take back this number of moves.
    Undo(usize),
    /// `result`: the game is over.
    Result,
    /// `level MOVES BASE INCREMENT`.
    Level {
        /// Moves per time control; 0 if the base time covers the whole game.
        moves: u32,
        /// Time for the moves of each time control, or for the whole game.
        base: Duration,
        /// Increment per move.
        increment: Duration,
    },
    /// `st N`: use at most this much time per move.
    MoveTime(Duration),
    /// `sd N`: search at most this many plies deep.
    Depth(u32),
    /// `time N`: the engine's clock.
    Time(Duration),
    /// `otim N`: the opponent's clock.
    OpponentTime(Duration),
    /// `post` or `nopost`: whether to show thinking output.
    Post(bool),
    /// `hard` or `easy`: whether to ponder.
    Ponder(bool),
    /// `analyze`: start an analysis.
    Analyze,
    /// `exit`: end the analysis.
    Exit,
    /// `ping N`.
    Ping(String),
    /// `option NAME[=VALUE]`, `memory N` or `cores N`.
    Option { name: String, value: Option<String> },
    /// `hint`: the expected move.
    Hint,
    /// `d`, `moves`, `eval` or `key`, as in USI.
    Show(String),
    /// Nothing to do.
    Nothing,
    /// A line that cannot be read, with the reason.
    Error { reason: String, line: String },
}

impl Command {
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let error = |reason: &str| Self::Error { reason: reason.into(), line: text.into() };
        match word {
            "protover" => Self::Features,
            "new" => Self::New,
            "variant" => Self::Variant(rest.into()),
            "setboard" => Self::SetBoard(rest.into()),
            "usermove" => Self::Move(rest.into()),
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "?" => Self::MoveNow,
            "undo" => Self::Undo(1),
            "remove" => Self::Undo(2),
            "result" => Self::Result,
            "level" => level(rest).unwrap_or_else(|| error("expected level MOVES BASE INCREMENT")),
            "st" => seconds(rest).map_or_else(|| error("expected a number of seconds"), Self::MoveTime),
            "sd" => match rest.parse() {
                Ok(depth) if depth > 0 => Self::Depth(depth),
                _ => error("expected a depth"),
            },
            "time" => hundredths(rest).map_or_else(|| error("expected centiseconds"), Self::Time),
            "otim" => hundredths(rest).map_or_else(|| error("expected centiseconds"), Self::OpponentTime),
            "post" => Self::Post(true),
            "nopost" => Self::Post(false),
            "hard" => Self::Ponder(true),
            "easy" => Self::Ponder(false),
            "analyze" => Self::Analyze,
            "exit" => Self::Exit,
            "ping" => Self::Ping(rest.into()),
            "memory" => option("Hash", rest),
            "cores" => option("Threads", rest),
            "option" => match rest.split_once('=') {
                Some((name, value)) => option(name.trim(), value),
                None => Self::Option { name: rest.into(), value: None },
            },
            "hint" => Self::Hint,
            "d" | "moves" | "eval" | "key" if rest.is_empty() => Self::Show(word.into()),
            // These have no effect here.
            "" | "xboard" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics"
            | "draw" | "bk" | "." | "lift" | "put" | "hover" => Self::Nothing,
            _ if rest.is_empty() && looks_like_a_move(word) => Self::Move(word.into()),
            _ => error("unknown command"),
        }
    }
}

fn option(name: &str, value: &str) -> Command {
    Command::Option { name: name.into(), value: Some(value.into()) }
}

/// Returns whether this may be a move from a GUI that does not send `usermove`, such as `c3c4`, `P@e5` or `@@@@`.
fn looks_like_a_move(word: &str) -> bool {
    let is_short = (4..=7).contains(&word.len()) && word.is_ascii();
    is_short && (word.contains('@') || word.as_bytes().get(1).is_some_and(u8::is_ascii_digit))
}

fn level(text: &str) -> Option<Command> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words[..] else { return None };
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds(minutes)?.checked_mul(60)? + seconds(rest)?,
        None => seconds(base)?.checked_mul(60)?,
    };
    Some(Command::Level { moves: moves.parse().ok()?, base, increment: seconds(increment)? })
}

/// Parses a number of seconds, possibly with a fraction.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&number).then(|| Duration::from_secs_f64(number))
}

/// Parses a time in centiseconds. A clock that has run out may be negative.
fn hundredths(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(number.clamp(0, 100_000_000_000).unsigned_abs() * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let level = |text: &str| match Command::parse(text) {
            Command::Level { moves, base, increment } => {
                Some((moves, base.as_millis(), increment.as_millis()))
            }
            _ => None,
        };
        assert_eq!(level("level 40 5 0"), Some((40, 300_000, 0)));
        assert_eq!(level("level 0 0:30 0.5"), Some((0, 30_000, 500)));
        for text in ["level 40 5", "level x 5 0", "level 40 -5 0", "level 1 5 1e99"] {
            assert!(matches!(Command::parse(text), Command::Error { .. }), "{text}");
        }
        assert_eq!(Command::parse("time -3"), Command::Time(Duration::ZERO));
        assert_eq!(Command::parse("time 1234"), Command::Time(Duration::from_millis(12_340)));
        assert!(matches!(Command::parse("time now"), Command::Error { .. }));
        assert!(matches!(Command::parse("sd 0"), Command::Error { .. }));
    }

    #[test]
    fn moves_need_no_word_before_them() {
        for text in ["c3c4", "b2h8+", "P@e5", "@@@@", "a0a1"] {
            assert_eq!(Command::parse(text), Command::Move(text.into()));
            assert_eq!(Command::parse(&format!("usermove {text}")), Command::Move(text.into()));
        }
        for text in ["hello", "c3c4 now", "edit", "c3", "将将将"] {
            assert!(matches!(Command::parse(text), Command::Error { .. }), "{text}");
        }
    }

    #[test]
    fn values_of_options_may_contain_anything() {
        let option = |name: &str, value: Option<&str>| Command::Option {
            name: name.into(),
            value: value.map(str::to_string),
        };
        assert_eq!(Command::parse("option BookFile=my book=2.db"), option("BookFile", Some("my book=2.db")));
        assert_eq!(Command::parse("option Clear"), option("Clear", None));
        assert_eq!(Command::parse("memory 64"), option("Hash", Some("64")));
    }
}
