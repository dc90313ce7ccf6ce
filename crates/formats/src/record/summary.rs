//! The line that describes the end of a game in words: `まで77手で先手の勝ち`.

use super::end::{End, Outcome, side_name};
use super::source::is_blank;
use sanban_rules::Color;

/// The contents of a line that states how a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of moves.
    pub moves: Option<usize>,
    /// The end of the game; `None` if the line only counts the moves.
    pub end: Option<End>,
    /// Do the words contain more information than the end?
    pub says_more: bool,
}

/// The cause of the end, as far as the words show it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Foul,
    Time,
    Declaration,
    Default,
    Mate,
    /// A resignation, or no cause is given.
    Plain,
}

/// Words that name a cause; the first that occurs counts.
const CAUSES: [(&str, Cause); 12] = [
    ("反則", Cause::Foul),
    ("二歩", Cause::Foul),
    ("打ち歩詰", Cause::Foul),
    ("王手放置", Cause::Foul),
    ("時間切れ", Cause::Time),
    ("切れ負け", Cause::Time),
    ("切れ勝ち", Cause::Time),
    ("入玉", Cause::Declaration),
    ("宣言", Cause::Declaration),
    ("不戦", Cause::Default),
    ("不詰", Cause::Plain),
    ("詰", Cause::Mate),
];

/// Words for a game without a winner.
const UNDECIDED: [(&str, End); 8] = [
    ("千日手", End::Repetition),
    ("持将棋", End::Impasse),
    ("引き分け", End::Draw),
    ("引分", End::Draw),
    ("中断", End::Interrupt),
    ("打ち切り", End::Interrupt),
    ("最大手数", End::MaxMoves),
    ("不詰", End::NoMate),
];

/// Words that name a side.
const SIDES: [(&str, Color); 10] = [
    ("先手", Color::Black),
    ("下手", Color::Black),
    ("▲", Color::Black),
    ("☗", Color::Black),
    ("先", Color::Black),
    ("後手", Color::White),
    ("上手", Color::White),
    ("△", Color::White),
    ("☖", Color::White),
    ("後", Color::White),
];

/// Words without information.
const FILLERS: [&str; 33] = [
    "反則行為",
    "反則",
    "時間切れ",
    "切れ",
    "入玉",
    "宣言",
    "不戦",
    "詰み",
    "詰",
    "投了",
    "勝利",
    "勝者",
    "敗者",
    "勝ち",
    "負け",
    "勝",
    "負",
    "敗",
    "により",
    "による",
    "よって",
    "ました",
    "しました",
    "です",
    "番",
    "の",
    "が",
    "は",
    "で",
    "に",
    "し",
    "、",
    "：",
];

impl Summary {
    /// Reads the text from `まで` on, or the words of an end. `to_move` is the side to move; `players` are the names of
    /// black and white, because the winner may be given by name.
    pub fn parse(text: &str, to_move: Color, players: [Option<&str>; 2]) -> Self {
        let english = english(text, to_move);
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.trim_start_matches("以上").trim_start_matches("まで").trim_start_matches(['、', ',']);
        let (moves, rest) = number(text);
        let words = rest.strip_prefix('手').unwrap_or(rest);
        let words = ["をもちまして", "をもって", "にて", "まで", "で", "、", ","]
            .iter()
            .find_map(|particle| words.strip_prefix(particle))
            .unwrap_or(words)
            .trim_start_matches('、')
            .trim_end_matches(['。', '.', '!', '！']);
        if words.is_empty() {
            return Self { moves, end: None, says_more: false };
        }
        let (end, says_more) = english.unwrap_or_else(|| end_of(words, to_move, players));
        Self { moves, end: Some(end), says_more }
    }
}

impl End {
    /// The end described by a phrase: a known word of KIF, otherwise a win that the phrase names, otherwise the phrase
    /// itself.
    pub fn from_words(words: &str, to_move: Color) -> Self {
        match Self::from_kif(words) {
            Self::Other(text) => match Summary::parse(words, to_move, [None; 2]).end {
                Some(told @ (Self::Won(..) | Self::Counted(_))) => told,
                _ => Self::Other(text),
            },
            known => known,
        }
    }
}

/// An end in English, as sites outside of Japan write it: `まで77手でsente wins`, `black resigns`.
fn english(text: &str, to_move: Color) -> Option<(End, bool)> {
    let words = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).trim_end_matches('.');
    let mut parts = words.split_ascii_whitespace();
    let side = match parts.next()?.to_ascii_lowercase().as_str() {
        "sente" | "black" | "shitate" => Color::Black,
        "gote" | "white" | "uwate" => Color::White,
        _ => return None,
    };
    let verb = parts.next()?.to_ascii_lowercase();
    let winner = match verb.as_str() {
        "wins" | "won" | "win" => side,
        "loses" | "lost" | "resigns" | "resigned" => !side,
        _ => return None,
    };
    let plain = parts.next().is_none() && winner != to_move;
    Some((if plain { End::Resign } else { End::Won(winner, words.into()) }, false))
}

fn end_of(words: &str, to_move: Color, players: [Option<&str>; 2]) -> (End, bool) {
    // The commonest by far.
    let plain = words.strip_suffix("の勝ち").and_then(|name| SIDES.iter().find(|side| side.0 == name));
    if let Some(&(_, winner)) = plain {
        let end = if winner == to_move { End::Won(winner, words.into()) } else { End::Resign };
        return (end, false);
    }
    let known = End::from_kif(words);
    if !matches!(known, End::Other(_)) {
        return (known, false);
    }
    let cause = CAUSES.iter().find(|(word, _)| words.contains(word)).map_or(Cause::Plain, |cause| cause.1);
    let undecided = UNDECIDED.iter().find(|(word, _)| words.contains(word)).map(|known| &known.1);
    let more = says_more(words, players);
    if let Some(points) = points(words) {
        let counted = End::Counted(points);
        let outcome = counted.outcome(to_move);
        let named = winner(words, to_move, players, Cause::Plain);
        if named.is_none_or(|winner| outcome == Outcome::Win(winner)) {
            return (counted, false);
        }
    }
    let Some(winner) = winner(words, to_move, players, cause) else {
        return match (undecided, cause) {
            (Some(end), _) => (end.clone(), more),
            (None, Cause::Mate) => (End::Mate, more),
            _ => (known, false),
        };
    };
    let own = winner == to_move;
    let end = match cause {
        // 連続王手の千日手 is a foul, although the words do not call it one.
        _ if undecided.is_some() => None,
        Cause::Foul if own => Some(End::FoulWin),
        Cause::Foul => Some(End::FoulLoss),
        Cause::Default if own => Some(End::DefaultWin),
        Cause::Default => Some(End::DefaultLoss),
        Cause::Declaration if own => Some(End::Declaration),
        Cause::Time if !own => Some(End::Timeout),
        Cause::Mate if !own => Some(End::Mate),
        Cause::Plain if !own && !more => Some(End::Resign),
        _ => None,
    };
    match end {
        Some(end) => (end, more),
        None => (End::Won(winner, words.into()), false),
    }
}

/// The points of both sides in the words about an impasse: `先手30点、後手24点`, `black 30, white 24`.
fn points(words: &str) -> Option<[u8; 2]> {
    let words = words.to_lowercase();
    if !["持将棋", "入玉", "点", "impasse", "jishogi"].iter().any(|word| words.contains(word)) {
        return None;
    }
    let of = |color: Color| {
        let english = [["black", "sente"], ["white", "gote"]][color.index()].map(|name| (name, color));
        SIDES.into_iter().filter(|(_, side)| *side == color).chain(english).find_map(|(name, _)| {
            words.match_indices(name).find_map(|(at, _)| {
                let rest = words[at + name.len()..].trim_start_matches(|c| "の：:はが=＝_ 点数".contains(c));
                let (points, after) = number(rest);
                let fits = after.starts_with('点') || !rest.starts_with(&super::names::KANJI[..]);
                points.filter(|_| fits).and_then(|points| u8::try_from(points).ok())
            })
        })
    };
    Some([of(Color::Black)?, of(Color::White)?])
}

/// The winner according to the words.
fn winner(words: &str, to_move: Color, players: [Option<&str>; 2], cause: Cause) -> Option<Color> {
    let side_before = |at: usize| sides(&words[..at], players).max_by_key(|side| side.0).map(|side| side.1);
    let side_after = |at: usize| sides(&words[at..], players).min_by_key(|side| side.0).map(|side| side.1);
    if let Some(at) = words.rfind('勝') {
        let side = if words[at..].starts_with("勝者") { side_after(at) } else { side_before(at) };
        return side.or((cause != Cause::Plain).then_some(to_move));
    }
    if let Some(at) = words.find("敗者") {
        return side_after(at).map(|loser| !loser);
    }
    let lost = ["負", "敗", "投了", "切れ", "反則", "詰"].iter().find_map(|word| words.rfind(word));
    let loser = side_before(lost?);
    match cause {
        Cause::Mate => loser.map(|loser| !loser),
        _ => Some(!loser.unwrap_or(to_move)),
    }
}

/// The positions of names of sides, with the sides.
fn sides<'a>(words: &'a str, players: [Option<&'a str>; 2]) -> impl Iterator<Item = (usize, Color)> + 'a {
    let named = SIDES.into_iter().filter_map(|(word, color)| Some((words.rfind(word)?, color)));
    named.chain(Color::ALL.into_iter().filter_map(move |color| {
        let name = short_name(players, color)?;
        Some((words.rfind(&name)?, color))
    }))
}

/// The shortest form of a player's name: the name up to a space, or its first two characters.
fn short_name(players: [Option<&str>; 2], color: Color) -> Option<String> {
    let name = |color: Color| {
        let name = players[color.index()]?.trim();
        let first = name.split([' ', '　', '(', '（']).next().unwrap_or_default();
        let short: String =
            if first.len() < name.len() { first.into() } else { name.chars().take(2).collect() };
        (!short.is_empty()).then_some(short)
    };
    let own = name(color)?;
    if name(!color).is_some_and(|other| other.starts_with(&own) || own.starts_with(&other)) {
        // Only the full names distinguish them.
        return players[color.index()].map(|name| name.split_whitespace().collect());
    }
    Some(own)
}

/// Do the words contain more than the winner and one of the usual causes?
fn says_more(words: &str, players: [Option<&str>; 2]) -> bool {
    let mut rest = words.to_string();
    for color in Color::ALL {
        let whole: Option<String> = players[color.index()].map(|name| name.split_whitespace().collect());
        let names = whole.into_iter().chain(short_name(players, color)).filter(|name| !name.is_empty());
        rest = names.fold(rest, |rest, name| rest.replace(&name, ""));
        rest = rest.replace(side_name(color, false), "").replace(side_name(color, true), "");
    }
    rest = FILLERS.iter().fold(rest, |rest, filler| rest.replace(filler, ""));
    let undecided = UNDECIDED.iter().fold(rest, |rest, (word, _)| rest.replace(word, ""));
    undecided.chars().any(|c| !is_punctuation(c))
}

/// Is the character punctuation?
fn is_punctuation(c: char) -> bool {
    is_blank(c) || "。、．，.,・「」『』（）()!！".contains(c)
}

/// The number at the beginning of a text, in any digits, and the rest.
fn number(text: &str) -> (Option<usize>, &str) {
    let (mut sum, mut unit, mut found) = (0usize, 0usize, false);
    for (at, c) in text.char_indices() {
        let digit = match c {
            '0'..='9' => c as usize - '0' as usize,
            '０'..='９' => c as usize - '０' as usize,
            '〇' => 0,
            '十' | '百' => {
                sum += unit.max(1) * if c == '十' { 10 } else { 100 };
                (unit, found) = (0, true);
                continue;
            }
            _ => match super::names::KANJI.iter().position(|&known| known == c) {
                Some(digit) => digit + 1,
                None => return (found.then_some(sum + unit), &text[at..]),
            },
        };
        (unit, found) = ((unit * 10 + digit).min(1_000_000), true);
    }
    (found.then_some(sum + unit), "")
}

/// The words for an outcome.
pub fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::Black) => "a win for black",
        Outcome::Win(Color::White) => "a win for white",
        Outcome::Draw => "a draw",
        Outcome::Unknown => "no result",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome of a sentence after which black is to move.
    fn outcome(text: &str) -> Outcome {
        let players = [Some("羽生 善治"), Some("谷川浩司")];
        let end = Summary::parse(text, Color::Black, players).end;
        end.map_or(Outcome::Unknown, |end| end.outcome(Color::Black))
    }

    #[test]
    fn winners_in_any_wording() {
        let (black, white) = (Outcome::Win(Color::Black), Outcome::Win(Color::White));
        for (text, expected) in [
            ("まで2手で先手の勝ち", black),
            ("まで2手で後手の勝ち", white),
            ("まで２手にて先手勝ち", black),
            ("まで百十五手で先手の勝ち", black),
            ("2手まで後手勝ち", white),
            ("以上2手で先手の勝ち", black),
            ("まで2手でsente wins", black),
            ("まで2手で White wins", white),
            ("まで2手で Black resigns.", white),
            ("まで2手で gote wins on time", white),
            ("まで2手にて☖の勝ち", white),
            ("まで2手をもって後手勝利", white),
            ("まで、2手で後手の勝ちです。", white),
            ("まで2手で後手の反則行為により先手の勝ち", black),
            ("まで2手で先手の反則負け", white),
            ("まで2手で反則勝ち", black),
            ("まで2手で反則負け", white),
            ("まで2手で後手の二歩により先手の勝ち", black),
            ("まで2手で時間切れにより先手の勝ち", black),
            ("まで2手で時間切れにより後手の勝ち", white),
            ("まで2手で後手の時間切れ負け", black),
            ("まで2手で先手時間切れ", white),
            ("まで2手で先手が投了", white),
            ("まで2手で後手投了", black),
            ("まで2手で先手の入玉宣言勝ち", black),
            ("まで2手で後手の入玉宣言勝ち", white),
            ("まで2手で羽生の勝ち", black),
            ("まで2手で谷川九段の勝ち", white),
            ("まで2手で谷川浩司の投了", black),
            ("まで2手で勝者：先手", black),
            ("まで2手で☖の勝ち", white),
            ("まで2手で連続王手の千日手により先手の勝ち", black),
            ("まで2手で千日手", Outcome::Draw),
            ("まで2手で持将棋により引き分け", Outcome::Draw),
            ("まで2手で中断", Outcome::Unknown),
            ("まで2手詰", white),
            ("まで2手", Outcome::Unknown),
            ("まで2手で後手玉詰み", black),
        ] {
            assert_eq!(outcome(text), expected, "{text}");
        }
        let foul = Summary::parse("まで2手で後手の反則行為により先手の勝ち", Color::Black, [None; 2]);
        assert_eq!(foul, Summary { moves: Some(2), end: Some(End::FoulWin), says_more: false });
        let counted = Summary::parse("まで百十五手", Color::Black, [None; 2]);
        assert_eq!(counted, Summary { moves: Some(115), end: None, says_more: false });
    }
}
