//! Parser for the line that describes the end of a game in words, such as `まで77手で先手の勝ち`.

use super::end::{End, Outcome, has_no_winner, side_name};
use super::source::is_blank;
use sanban_rules::Color;

/// The contents of a line that states how a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub moves: Option<usize>,
    /// The end of the game; `None` if the line only counts the moves.
    pub end: Option<End>,
    /// Whether the words contain information that `end` does not have.
    pub says_more: bool,
    /// Whether the words contain more than standard phrases, even if `end` stores them.
    pub is_prose: bool,
}

/// The cause of the end according to the words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Foul,
    Time,
    Declaration,
    Default,
    Mate,
    /// A resignation, or no cause given.
    Plain,
}

/// Words that name a cause, in order of precedence.
const CAUSES: [(&str, Cause); 13] = [
    (PERPETUAL, Cause::Foul),
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

/// Perpetual check, a foul by the side that gives check.
const PERPETUAL: &str = "連続王手";

/// Words that follow the name of the side that lost, in order of precedence.
const LOSSES: [&str; 12] =
    ["負", "敗", "投了", "切れ", "反則", PERPETUAL, "二歩", "王手放置", "打ち歩詰", "打歩詰", "時間切", "詰"];

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

/// Words that add no information to the description of an end.
const FILLERS: [&str; 35] = [
    "反則行為",
    "反則",
    "時間切れ",
    "切れ",
    "入玉",
    "宣言",
    "不戦",
    "詰まし",
    "詰み",
    "詰",
    "玉",
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
    /// Parses a summary that starts with `まで`, or the words that describe an end. `to_move` is the side to move;
    /// `players` are the names of black and white, because the winner may be given by name.
    pub fn parse(text: &str, to_move: Color, players: [Option<&str>; 2]) -> Self {
        let english = english(text, to_move);
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.trim_start_matches("以上").trim_start_matches("まで").trim_start_matches(['、', ',']);
        let (moves, words) = count(text.strip_suffix("以上").unwrap_or(text));
        let words = ["をもちまして", "をもって", "にて", "まで", "で", "、", ","]
            .iter()
            .find_map(|particle| words.strip_prefix(particle))
            .unwrap_or(words)
            .trim_start_matches('、')
            .trim_end_matches(['。', '、', '.', '!', '！', '）', ')', '」', '】']);
        if words.is_empty() {
            return Self { moves, end: None, says_more: false, is_prose: false };
        }
        let (end, is_prose) = english.unwrap_or_else(|| end_of(words, to_move, players));
        let kept = matches!(end, End::Won(..) | End::Other(_));
        Self { moves, end: Some(end), says_more: is_prose && !kept, is_prose }
    }

    /// The end that `text` states in standard phrases, such as `後手投了`.
    pub fn plain_end(text: &str, to_move: Color, players: [Option<&str>; 2]) -> Option<End> {
        let told = Self::parse(text, to_move, players);
        told.end.filter(|end| !told.is_prose && told.moves.is_none() && end.is_known())
    }

    /// Parses a phrase that is written in place of a move: a KIF keyword, or words that name the winner or a common
    /// end. Also returns whether the phrase contains information that the end does not have.
    pub fn of_phrase(words: &str, to_move: Color, players: [Option<&str>; 2]) -> (End, bool) {
        let known = End::from_kif(words);
        if known.is_known() {
            return (known, false);
        }
        match Self::parse(words, to_move, players) {
            Self { end: Some(end), says_more, is_prose, .. }
                if !is_prose || end != End::Mate && matches!(end.outcome(to_move), Outcome::Win(_)) =>
            {
                (end, says_more)
            }
            _ => (known, false),
        }
    }
}

/// Parses an end in English, as written by sites outside Japan: `まで77手でsente wins`, `black resigns`.
pub(super) fn english(text: &str, to_move: Color) -> Option<(End, bool)> {
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
        "loses" | "lost" | "lose" | "resigns" | "resigned" | "resign" => !side,
        _ => return None,
    };
    let cause = parts.next();
    // Reject phrases such as `White wins a pawn`.
    if cause.is_some_and(|word| !matches!(word, "on" | "by" | "due" | "after")) {
        return None;
    }
    let plain = cause.is_none() && winner != to_move;
    Some((if plain { End::Resign } else { End::Won(winner, words.into()) }, false))
}

/// The end that the words describe, and whether they contain more than standard phrases.
fn end_of(words: &str, to_move: Color, players: [Option<&str>; 2]) -> (End, bool) {
    // By far the most common phrase.
    let plain = words.strip_suffix("の勝ち").and_then(|name| SIDES.iter().find(|side| side.0 == name));
    if let Some(&(_, winner)) = plain {
        let end = if winner == to_move { End::Won(winner, words.into()) } else { End::Resign };
        return (end, false);
    }
    let known = End::from_kif(words);
    if known.is_known() {
        return (known, false);
    }
    let words = &with_sides(words, players)[..];
    if has_no_winner(words) {
        return (End::Other(words.into()), false);
    }
    let cause = CAUSES.iter().find(|(word, _)| words.contains(word)).map_or(Cause::Plain, |cause| cause.1);
    let undecided = UNDECIDED.iter().find(|(word, _)| words.contains(word)).map(|known| &known.1);
    let undecided = undecided.filter(|_| !words.contains(PERPETUAL));
    let more = says_more(words);
    if let Some(points) = points(words) {
        let counted = End::Counted(points);
        let outcome = counted.outcome(to_move);
        let named = winner(words, to_move, Cause::Plain);
        if named.is_none_or(|winner| outcome == Outcome::Win(winner)) {
            return (counted, false);
        }
    }
    let Some(winner) = winner(words, to_move, cause) else {
        return match (undecided, cause) {
            (Some(end), _) => (end.clone(), more),
            (None, Cause::Mate) => (End::Mate, more),
            _ => (known, true),
        };
    };
    let own = winner == to_move;
    let end = match cause {
        _ if undecided.is_some() => None,
        Cause::Foul if own => Some(End::FoulWin),
        Cause::Foul => Some(End::FoulLoss),
        Cause::Default if own => Some(End::DefaultWin),
        Cause::Default => Some(End::DefaultLoss),
        Cause::Declaration if own && !words.contains(['負', '敗']) => Some(End::Declaration),
        Cause::Time if !own => Some(End::Timeout),
        Cause::Mate if !own => Some(End::Mate),
        Cause::Plain if !own && !more => Some(End::Resign),
        _ => None,
    };
    (end.unwrap_or_else(|| End::Won(winner, words.into())), more)
}

/// The points of both sides in a phrase about an impasse: `先手30点、後手24点`, `black 30, white 24`.
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
fn winner(words: &str, to_move: Color, cause: Cause) -> Option<Color> {
    let sides = sides(words);
    let before = |at: usize| sides.iter().rev().find(|side| side.0 < at).map(|side| side.1);
    let after = |at: usize| sides.iter().find(|side| side.0 > at).map(|side| side.1);
    // In `先手に勝ち`, the winner is the side that is not named.
    let subject = |at: usize| {
        let own = sides.iter().rev().filter(|side| side.0 < at);
        let is_object = |&&(start, _): &&(usize, Color)| {
            let name = words[start..].trim_start_matches(['先', '後', '上', '下', '手', '▲', '△', '☗', '☖']);
            name.starts_with(['に', 'を']) && !name.starts_with("によ")
        };
        let subject = own.clone().find(|side| !is_object(side)).map(|side| side.1);
        subject.or_else(|| own.clone().next().map(|side| !side.1))
    };
    if let Some(at) = words.rfind('勝') {
        let side = if words[at..].starts_with("勝者") { after(at) } else { subject(at) };
        return side.or((cause != Cause::Plain).then_some(to_move));
    }
    if let Some(at) = words.find("敗者") {
        return after(at).map(|loser| !loser);
    }
    if ["詰めろ", "不詰"].iter().any(|word| words.contains(word)) {
        return None;
    }
    if let Some(at) = words.find("詰ま").filter(|&at| !words[at..].starts_with("詰まされ")) {
        return before(at);
    }
    let (word, at) = LOSSES.iter().find_map(|&word| Some((word, words.rfind(word)?)))?;
    let loser = if matches!(word, "負" | "敗") { subject(at) } else { before(at) };
    match cause {
        Cause::Mate => loser.map(|loser| !loser),
        // Without the name of a side, the loser is unknown, since either side may have given the last check.
        _ if words.contains(PERPETUAL) => loser.map(|loser| !loser),
        _ => Some(!loser.unwrap_or(to_move)),
    }
}

/// The sides that a phrase mentions, in order, each with its byte offset.
fn sides(words: &str) -> Vec<(usize, Color)> {
    let mut out: Vec<(usize, Color)> = SIDES
        .into_iter()
        .flat_map(|(word, color)| words.match_indices(word).map(move |(at, _)| (at, word, color)))
        .filter(|&(at, word, _)| {
            // `先` and `後` also begin other words and names.
            let next = words[at + word.len()..].chars().next();
            !matches!(word, "先" | "後") || next.is_none_or(|c| "の勝負がは敗投".contains(c))
        })
        .map(|(at, _, color)| (at, color))
        .collect();
    out.sort_unstable_by_key(|side| side.0);
    out
}

/// Replaces the names of the players by the names of their sides.
fn with_sides(words: &str, players: [Option<&str>; 2]) -> String {
    let mut out = words.to_string();
    for color in Color::ALL {
        let whole: Option<String> = players[color.index()].map(|name| name.split_whitespace().collect());
        for name in whole.into_iter().chain(short_name(players, color)) {
            let is_word = SIDES.iter().any(|side| side.0 == name)
                || UNDECIDED.iter().any(|known| known.0 == name)
                || FILLERS.contains(&&name[..]);
            if !name.is_empty() && !is_word {
                out = out.replace(&name, side_name(color, false));
            }
        }
    }
    out
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
        // Only the full names distinguish the players.
        return players[color.index()].map(|name| name.split_whitespace().collect());
    }
    Some(own)
}

/// Returns whether the words contain more than the winner and a usual cause.
fn says_more(words: &str) -> bool {
    let sides = [false, true].iter().flat_map(|&odds| Color::ALL.map(|color| side_name(color, odds)));
    let rest = sides.fold(words.to_string(), |rest, name| rest.replace(name, ""));
    let rest = FILLERS.iter().fold(rest, |rest, filler| rest.replace(filler, ""));
    let undecided = UNDECIDED.iter().fold(rest, |rest, (word, _)| rest.replace(word, ""));
    undecided.chars().any(|c| !is_punctuation(c) && super::names::from_mark(c).is_none())
}

fn is_punctuation(c: char) -> bool {
    is_blank(c) || "。、．，.,・「」『』（）()!！".contains(c)
}

/// The number of moves at the beginning of `text`, such as `115手` or `第百十五手`, and the rest of `text`.
fn count(text: &str) -> (Option<usize>, &str) {
    let (moves, rest) = number(text.strip_prefix('第').unwrap_or(text));
    let Some(moves) = moves else { return (None, text) };
    match rest.strip_prefix('手') {
        Some(rest) => (Some(moves), rest.strip_prefix('目').unwrap_or(rest)),
        None if text.starts_with(|c: char| c.is_ascii_digit()) => (Some(moves), rest),
        None => (None, text),
    }
}

/// The number at the beginning of `text`, in Arabic or Japanese numerals, and the rest of `text`.
fn number(text: &str) -> (Option<usize>, &str) {
    let (mut sum, mut unit, mut found) = (0usize, 0usize, false);
    for (at, c) in text.char_indices() {
        let digit = match c {
            '0'..='9' => c as usize - '0' as usize,
            '０'..='９' => c as usize - '０' as usize,
            '〇' => 0,
            '壱' | '壹' => 1,
            '弐' | '貳' => 2,
            '参' => 3,
            '十' | '拾' | '百' => {
                sum += unit.max(1) * if c == '百' { 100 } else { 10 };
                (unit, found) = (0, true);
                continue;
            }
            '廿' | '卅' => {
                sum += if c == '廿' { 20 } else { 30 };
                found = true;
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

/// The description of an outcome, for messages.
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

    /// The outcome that `text` describes, with black to move.
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
        let expected = Summary { moves: Some(2), end: Some(End::FoulWin), says_more: false, is_prose: false };
        assert_eq!(foul, expected);
        let counted = Summary::parse("まで百十五手", Color::Black, [None; 2]);
        assert_eq!(counted, Summary { moves: Some(115), end: None, says_more: false, is_prose: false });
    }
}
