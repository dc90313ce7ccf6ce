//! Game ends, and their names in the formats.

use super::names;
use sanban_rules::Color;

/// The end of a game, after its last move. "The player" is the side to move in the final position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The player resigns.
    Resign,
    /// The game is interrupted, or its record is incomplete.
    Interrupt,
    /// An impasse: both kings have entered, and both sides have enough points for a draw.
    Impasse,
    /// An impasse with the points of black and white. If exactly one side has fewer than 24 points, it loses; otherwise
    /// the game is a draw.
    Counted([u8; 2]),
    /// A draw for another reason.
    Draw,
    /// A draw by repetition.
    Repetition,
    /// The player is mated.
    Mate,
    /// The position of a mate problem has no mate.
    NoMate,
    /// The player has run out of time.
    Timeout,
    /// The other side has broken a rule, so the player wins.
    FoulWin,
    /// The player has broken a rule and loses.
    FoulLoss,
    /// The player declares a win by points.
    Declaration,
    /// The player wins by default.
    DefaultWin,
    /// The player loses by default.
    DefaultLoss,
    /// The other side wins by the try rule: its king has reached the goal square.
    Try,
    /// The game has reached the agreed number of moves: a draw.
    MaxMoves,
    /// A win that no other variant describes: the winner and the text of the record, such as `時間切れにより先手の勝ち` with black
    /// to move.
    Won(Color, Box<str>),
    /// Another end, as the text of the record.
    Other(Box<str>),
}

/// The number of points that a side needs for a draw by impasse.
pub const ENOUGH: u8 = 24;

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side wins.
    Win(Color),
    /// A draw.
    Draw,
    /// The outcome is unknown.
    Unknown,
}

/// The names of each end in KIF, in CSA (without `%`; empty if CSA has no name) and in Western notation.
const NAMES: [(End, &str, &str, &str); 15] = [
    (End::Resign, "投了", "TORYO", "resigns"),
    (End::Interrupt, "中断", "CHUDAN", "interrupted"),
    (End::Impasse, "持将棋", "JISHOGI", "impasse"),
    (End::Draw, "引き分け", "HIKIWAKE", "draw"),
    (End::Repetition, "千日手", "SENNICHITE", "repetition"),
    (End::Mate, "詰み", "TSUMI", "mated"),
    (End::NoMate, "不詰", "FUZUMI", "no-mate"),
    (End::Timeout, "切れ負け", "TIME_UP", "time-up"),
    (End::FoulWin, "反則勝ち", "", "foul-win"),
    (End::FoulLoss, "反則負け", "ILLEGAL_MOVE", "foul-loss"),
    (End::Declaration, "入玉勝ち", "KACHI", "declares"),
    (End::DefaultWin, "不戦勝", "", "default-win"),
    (End::DefaultLoss, "不戦敗", "", "default-loss"),
    (End::Try, "トライ", "", "try"),
    (End::MaxMoves, "最大手数", "MAX_MOVES", "max-moves"),
];

impl End {
    /// The outcome; `to_move` is the side to move.
    pub fn outcome(&self, to_move: Color) -> Outcome {
        match self {
            Self::Resign | Self::Mate | Self::Timeout | Self::FoulLoss | Self::DefaultLoss | Self::Try => {
                Outcome::Win(!to_move)
            }
            Self::FoulWin | Self::Declaration | Self::DefaultWin => Outcome::Win(to_move),
            Self::Won(winner, _) => Outcome::Win(*winner),
            Self::Counted(points) => match points.map(|points| points < ENOUGH) {
                [false, true] => Outcome::Win(Color::Black),
                [true, false] => Outcome::Win(Color::White),
                _ => Outcome::Draw,
            },
            Self::Impasse | Self::Draw | Self::Repetition | Self::MaxMoves => Outcome::Draw,
            Self::Interrupt | Self::NoMate | Self::Other(_) => Outcome::Unknown,
        }
    }

    fn names(&self) -> Option<&'static (Self, &'static str, &'static str, &'static str)> {
        if matches!(self, Self::Counted(_)) {
            return Self::Impasse.names();
        }
        NAMES.iter().find(|(end, ..)| end == self)
    }

    /// Returns whether the meaning of the end is known.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Other(text) => &**text == "封じ手" || has_no_winner(text),
            _ => true,
        }
    }

    /// Returns whether the end states only a winner or a draw, without further details.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Resign | Self::Draw => true,
            Self::Won(winner, text) => [false, true]
                .iter()
                .any(|&odds| text.strip_suffix("の勝ち") == Some(side_name(*winner, odds))),
            _ => false,
        }
    }

    /// The text of the record if the end has no KIF keyword, otherwise the keyword.
    pub(super) fn words(&self) -> &str {
        match self {
            Self::Won(_, text) | Self::Other(text) => text,
            known => known.kif(),
        }
    }

    /// An end that states only the winner; `to_move` is the side to move.
    pub fn won(winner: Color, to_move: Color) -> Self {
        match winner == to_move {
            true => Self::Won(winner, format!("{}の勝ち", side_name(winner, false)).into()),
            false => Self::Resign,
        }
    }

    /// The KIF keyword. Strings that are empty or would be read as a move in KIF are written as an interruption.
    pub fn kif(&self) -> &str {
        match self {
            Self::Won(_, text) | Self::Other(text) if is_kif_word(text) => text,
            known => known.names().map_or("中断", |names| names.1),
        }
    }

    /// The end for a KIF keyword. Unknown words become [`End::Other`].
    pub fn from_kif(word: &str) -> Self {
        let known = match word {
            "詰" => Some(Self::Mate),
            "時間切れ" | "時間切れ負け" => Some(Self::Timeout),
            "引分" | "引分け" => Some(Self::Draw),
            "宣言勝ち" | "入玉宣言勝ち" => Some(Self::Declaration),
            _ => NAMES.iter().find(|names| names.1 == word).map(|names| names.0.clone()),
        };
        known.unwrap_or_else(|| Self::Other(word.into()))
    }

    /// The CSA keyword without `%`; `None` if CSA has no keyword for the end. `to_move` is the side to move.
    pub fn csa(&self, to_move: Color) -> Option<&'static str> {
        match self {
            // The sign denotes the side that broke the rule.
            Self::FoulWin if to_move == Color::Black => Some("-ILLEGAL_ACTION"),
            Self::FoulWin => Some("+ILLEGAL_ACTION"),
            // CSA has a keyword for an impasse only if it is a draw.
            Self::Counted(_) if self.outcome(to_move) != Outcome::Draw => None,
            other => other.names().map(|names| names.2).filter(|name| !name.is_empty()),
        }
    }

    /// The end for a CSA keyword (without `%`). `to_move` is the side to move.
    pub fn from_csa(word: &str, to_move: Color) -> Option<Self> {
        match word {
            "+ILLEGAL_ACTION" | "-ILLEGAL_ACTION" => {
                let culprit = if word.starts_with('+') { Color::Black } else { Color::White };
                Some(if culprit == to_move { Self::FoulLoss } else { Self::FoulWin })
            }
            "ILLEGAL_ACTION" => Some(Self::FoulWin),
            _ => {
                NAMES.iter().find(|names| !names.2.is_empty() && names.2 == word).map(|names| names.0.clone())
            }
        }
    }

    /// The keyword of Western notation.
    pub fn western(&self) -> &str {
        match self {
            Self::Won(_, text) | Self::Other(text) => text,
            known => known.names().map_or("interrupted", |names| names.3),
        }
    }

    /// The end for a keyword of Western notation.
    pub fn from_western(word: &str) -> Option<Self> {
        NAMES.iter().find(|names| names.3 == word).map(|names| names.0.clone())
    }

    /// The last line of a KIF or KI2 file; `to_move` is the side to move. With `odds`, the sides are named as in
    /// handicap games.
    pub fn summary(&self, moves: usize, to_move: Color, odds: bool) -> String {
        let name = |color| side_name(color, odds);
        let (player, other) = (name(to_move), name(!to_move));
        match self {
            Self::Resign => format!("まで{moves}手で{other}の勝ち"),
            Self::Timeout => format!("まで{moves}手で時間切れにより{other}の勝ち"),
            Self::FoulWin => format!("まで{moves}手で{player}の反則勝ち"),
            Self::FoulLoss => format!("まで{moves}手で{player}の反則負け"),
            Self::Declaration => format!("まで{moves}手で{player}の入玉勝ち"),
            Self::Won(_, words) => format!("まで{moves}手で{words}"),
            Self::Counted(_) => format!("まで{moves}手で{}", self.count(odds)),
            other => format!("まで{moves}手で{}", other.kif()),
        }
    }

    /// The text of an impasse with its points; the KIF keyword of other ends.
    pub fn count(&self, odds: bool) -> String {
        let Self::Counted([black, white]) = self else { return self.kif().into() };
        let [first, second] = Color::ALL.map(|color| side_name(color, odds));
        let points = format!("（{first}{black}点、{second}{white}点）");
        match self.outcome(Color::Black) {
            Outcome::Win(winner) => format!("持将棋により{}の勝ち{points}", side_name(winner, odds)),
            _ => format!("持将棋{points}"),
        }
    }

    /// The end whose KIF keyword is at the beginning of `text`, and the rest of `text`.
    pub fn word_at(text: &str) -> Option<(Self, &str)> {
        let others = ["時間切れ負け", "時間切れ", "引き分け", "引分け", "引分", "入玉宣言勝ち", "宣言勝ち"];
        let words = others.into_iter().chain(NAMES.iter().map(|names| names.1));
        let word = words.filter(|word| text.starts_with(word)).max_by_key(|word| word.len())?;
        Some((Self::from_kif(word), &text[word.len()..]))
    }
}

/// Returns whether the text of an end states that both sides lose.
pub(super) fn has_no_winner(text: &str) -> bool {
    let both = ["両者", "双方", "両対局者"].iter().any(|word| text.contains(word));
    both && !text.contains('勝') && text.contains(['負', '敗'])
}

/// Returns whether `text` can be written in place of a move in KIF without being read as a move.
fn is_kif_word(text: &str) -> bool {
    let first =
        text.trim_start_matches(|c: char| c.is_whitespace() || names::from_mark(c).is_some()).chars().next();
    first.is_some_and(|c| c != '同' && names::digit(c).is_none())
}

/// The Japanese name of a side: sente or gote, or with `odds` shitate or uwate.
pub fn side_name(color: Color, odds: bool) -> &'static str {
    match (color, odds) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::Summary;
    use super::*;

    #[test]
    fn names_come_back() {
        for (end, ..) in &NAMES {
            assert_eq!(End::from_kif(end.kif()), *end);
            assert_eq!(End::from_western(end.western()).as_ref(), Some(end));
            for side in Color::ALL {
                if let Some(word) = end.csa(side) {
                    assert_eq!(End::from_csa(word, side).as_ref(), Some(end), "{word}");
                }
                let line = end.summary(77, side, side == Color::White);
                assert_eq!(Summary::parse(&line, side, [None; 2]).end.as_ref(), Some(end), "{line}");
            }
        }
        assert_eq!(End::from_kif("封じ手"), End::Other("封じ手".into()));
        for text in ["", " ", "316", "▲７", "同"] {
            assert_eq!(End::Other(text.into()).kif(), "中断", "{text:?}");
        }
    }

    #[test]
    fn winners() {
        assert_eq!(End::Resign.outcome(Color::White), Outcome::Win(Color::Black));
        assert_eq!(End::Declaration.outcome(Color::White), Outcome::Win(Color::White));
        assert_eq!(End::Repetition.outcome(Color::White), Outcome::Draw);
        assert_eq!(End::Interrupt.outcome(Color::White), Outcome::Unknown);
    }
}
