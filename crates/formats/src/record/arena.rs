//! Reader for the output file of `sanban match`: a line of JSON that describes the match, then one line per game.

use super::end::{End, Outcome, side_name};
use super::error::RecordError;
use super::json::Json;
use super::source::{Source, clip, trim};
use super::tree::{Action, Headers, Record};
use super::usi;
use sanban_rules::{Color, VariantId};

/// Returns whether `text` seems to be the output file of a match.
pub(super) fn is_match(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let starts = |word: &str| line.trim_start().starts_with(word);
    starts("{\"match\"") || starts("{") && line.contains("\"pair\"") && line.contains("\"moves\"")
}

/// The description of the match in the first line.
struct Match {
    game: VariantId,
    /// The names of the engines, or their command lines.
    names: Vec<String>,
}

/// Reads input with one game per line; `game` is used if the first line does not name the game.
pub(super) fn read(source: &mut Source<'_>, game: Option<VariantId>) -> Vec<Result<Record, RecordError>> {
    source.ignore("{}[],:");
    let mut about = Match { game: game.unwrap_or_default(), names: vec!["A".into(), "B".into()] };
    let mut out = Vec::new();
    for line in source.lines() {
        let text = trim(line.text);
        if text.is_empty() {
            continue;
        }
        let value = match Json::parse(text) {
            Ok((value, rest)) if trim(rest).is_empty() => value,
            Ok((_, rest)) => {
                out.push(Err(source.error_at(rest, "expected one game per line")));
                source.claim(line.text);
                continue;
            }
            Err((at, problem)) => {
                out.push(Err(source.error_at(at, format!("JSON: {problem}"))));
                source.claim(line.text);
                continue;
            }
        };
        if let Some(told) = value.field("match", source) {
            // The whole first line describes the match.
            source.claim(line.text);
            about.read(told, source);
            continue;
        }
        let record = about.game(&value, source);
        if record.is_err() {
            source.claim(line.text);
        }
        out.push(record);
    }
    if out.is_empty() {
        out.push(Err(source.end().error(0, "expected a line with a game")));
    }
    out
}

impl Match {
    fn read(&mut self, told: &Json<'_>, source: &mut Source<'_>) {
        let game = told.field("game", source).and_then(|game| game.string(source));
        self.game = game.and_then(|name| name.parse().ok()).unwrap_or(self.game);
        let engines: Vec<&Json<'_>> = match told.field("engines", source).and_then(Json::items) {
            Some(engines) => engines.iter().collect(),
            None => ["a", "b"].iter().filter_map(|field| told.field(field, source)).collect(),
        };
        self.names.resize(engines.len().max(2), String::new());
        for (name, engine) in self.names.iter_mut().zip(engines) {
            let text = |field: &str, source: &mut Source<'_>| {
                engine.field(field, source).and_then(|text| text.string(source))
            };
            if let Some(known) = text("name", source) {
                *name = known;
                continue;
            }
            // `-` denotes this program.
            let command = text("command", source);
            let command = command.map(|command| if command == "-" { "sanban".into() } else { command });
            let options = engine.field("options", source).and_then(Json::items);
            let options: Vec<String> =
                options.unwrap_or_default().iter().filter_map(|option| option.string(source)).collect();
            if let Some(command) = command {
                *name = [vec![command], options].concat().join(" ");
            }
        }
    }

    /// The names of the engines of a game.
    fn players(&self, value: &Json<'_>, source: &mut Source<'_>) -> [&str; 2] {
        let engines = value.field("engines", source).and_then(Json::items).unwrap_or_default();
        let numbers: Vec<usize> =
            engines.iter().filter_map(|number| Some(number.number(source)? as usize)).collect();
        let [a, b] = numbers[..] else { return [0, 1].map(|at| self.names[at].as_str()) };
        [a, b].map(|at| self.names.get(at).map_or("", String::as_str))
    }

    fn game(&self, value: &Json<'_>, source: &mut Source<'_>) -> Result<Record, RecordError> {
        let expected =
            |source: &Source<'_>, what: &str| source.error_at(value.text(), format!("expected {what}"));
        let text = |name: &str, source: &mut Source<'_>| {
            value.field(name, source).and_then(|text| text.string(source))
        };
        let opening = text("opening", source).unwrap_or_else(|| "startpos".into());
        let moves = value.field("moves", source).and_then(Json::items);
        let moves = moves.ok_or_else(|| expected(source, "the moves of a game"))?;
        let words: Option<Vec<String>> = moves.iter().map(|mv| mv.string(source)).collect();
        let words = words.ok_or_else(|| expected(source, "moves in USI notation"))?;
        let mut line = opening.clone();
        if !words.is_empty() {
            line += if opening.contains(" moves ") { " " } else { " moves " };
            line += &words.join(" ");
        }
        // The game as a line in USI notation; errors are reported at its location in this file.
        let mut inner = Source::new(&line);
        let games: Result<Vec<Record>, RecordError> =
            usi::read(&mut inner, Some(self.game)).into_iter().collect();
        let place = |error: RecordError, source: &Source<'_>| source.error_at(value.text(), error.problem);
        let mut record = match games {
            Ok(mut games) if games.len() == 1 => games.remove(0),
            Ok(_) => return Err(expected(source, "one game")),
            Err(error) => return Err(place(error, source)),
        };
        for warning in inner.finish() {
            let warning = place(warning, source);
            source.warn_of(warning);
        }
        let one_of = |name: &str, known: &[&str], source: &mut Source<'_>| {
            let told = text(name, source);
            if let (Some(told), Some(field)) = (&told, value.field(name, source))
                && !known.contains(&&told[..])
            {
                let problem = format!("expected {}, found {}", known.join(" or "), clip(told));
                source.warn_of(source.error_at(field.text(), problem));
            }
            told
        };
        let result = one_of("result", &["win", "loss", "draw"], source);
        let black = one_of("black", &["a", "b"], source).as_deref() == Some("b");
        let names = self.players(value, source);
        let names = [names[usize::from(black)], names[usize::from(!black)]];
        record.headers.set(Headers::BLACK, names[0]);
        record.headers.set(Headers::WHITE, names[1]);
        let opened = opening.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count());
        self.comments(&mut record, value, opened, source);
        if record.end().is_none() {
            let a = if black { Color::White } else { Color::Black };
            let outcome = match result.as_deref() {
                Some("win") => Outcome::Win(a),
                Some("loss") => Outcome::Win(!a),
                Some("draw") => Outcome::Draw,
                _ => Outcome::Unknown,
            };
            let reason = text("reason", source).unwrap_or_default();
            finish(&mut record, outcome, &reason, text("detail", source));
        }
        Ok(record)
    }

    /// Adds scores, depths and times of the moves, if the file has them, and data about the whole game.
    fn comments(&self, record: &mut Record, value: &Json<'_>, opened: usize, source: &mut Source<'_>) {
        let line = record.tree.main_line();
        let list = |name: &str, source: &mut Source<'_>| -> Vec<Option<f64>> {
            let items = value.field(name, source).and_then(Json::items).unwrap_or_default();
            let number = |item: &Json<'_>| {
                if item.text() == "null" {
                    source.claim(item.text());
                }
                item.number(source)
            };
            items.iter().map(number).collect()
        };
        let (scores, depths) = (list("scores", source), list("depths", source));
        let (times, counts) = (list("times", source), list("move_nodes", source));
        for (index, &node) in line.iter().skip(opened).enumerate() {
            let number = |list: &[Option<f64>]| list.get(index).copied().flatten();
            let words = [("score", number(&scores)), ("depth", number(&depths)), ("nodes", number(&counts))];
            let words: Vec<String> =
                words.iter().filter_map(|(name, n)| n.map(|n| format!("{name} {n}"))).collect();
            if !words.is_empty() {
                record.tree.add_comment(node, &words.join(", "));
            }
            if let Some(time) = number(&times).filter(|time| (0.0..4e9).contains(time)) {
                record.tree.set_time(node, Some(std::time::Duration::from_millis(time as u64)));
            }
        }
        let mut about = Vec::new();
        for (name, words) in
            [("pair", "pair"), ("nodes", "nodes of A and B"), ("time", "time of A and B in milliseconds")]
        {
            let Some(field) = value.field(name, source) else { continue };
            source.claim(field.text());
            about.push(format!("{words}: {}", field.text().trim_matches(['[', ']']).replace(',', ", ")));
        }
        if !about.is_empty() {
            record.tree.add_comment(record.tree.root(), &about.join("; "));
        }
    }
}

/// Adds the end of a game with this outcome and reason.
fn finish(record: &mut Record, outcome: Outcome, reason: &str, detail: Option<String>) {
    let moves = record.moves().len();
    let to_move = if moves.is_multiple_of(2) { record.first_side() } else { !record.first_side() };
    let known = match reason {
        "no-move" => Some(End::Mate),
        "rule" => Some(End::Repetition),
        "declaration" => Some(End::Declaration),
        "resignation" => Some(End::Resign),
        "max-moves" => Some(End::MaxMoves),
        "illegal-move" => Some(End::FoulLoss),
        "time" => Some(End::Timeout),
        _ => None,
    };
    let end = match known.filter(|end| end.outcome(to_move) == outcome) {
        Some(end) => end,
        None => match outcome {
            Outcome::Win(winner) => End::Won(winner, format!("{}の勝ち", side_name(winner, false)).into()),
            Outcome::Draw => End::Draw,
            Outcome::Unknown => return,
        },
    };
    let last = record.tree.main_line().last().copied().unwrap_or(record.tree.root());
    let Some(node) = record.tree.add(last, Action::End(end)) else { return };
    let words: Vec<String> =
        Some(reason.to_string()).into_iter().chain(detail).filter(|word| !word.is_empty()).collect();
    if !words.is_empty() {
        record.tree.set_comment(node, words.join(": "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_several_engines() {
        let text = r#"{"match":{"game":"shogi","format":"round-robin","engines":[{"command":"a","options":[]},{"command":"-","options":[],"name":"second"},{"command":"-","options":["Hash=1"]}]}}
{"pair":0,"black":"b","result":"win","reason":"resignation","opening":"startpos moves 7g7f","moves":["3c3d"],"nodes":[1,2],"time":[3,4],"engines":[1,2],"scores":[null],"depths":[3],"times":[5],"move_nodes":[7]}
"#;
        let mut source = Source::new(text);
        let games: Vec<Record> =
            read(&mut source, None).into_iter().collect::<Result<_, _>>().expect("games");
        let player = |color| games[0].headers.player(color);
        assert_eq!(player(Color::Black), Some("sanban Hash=1"));
        assert_eq!(player(Color::White), Some("second"));
        let last = games[0].tree.main_line()[1];
        assert_eq!(games[0].tree.comment(last), "depth 3, nodes 7");
        assert!(source.finish().is_empty());
    }

    #[test]
    fn games_of_a_match() {
        let text = r#"{"match":{"game":"shogi","a":{"command":"one","options":[]},"b":{"command":"-","options":["Hash=1"]}}}
{"pair":0,"black":"b","result":"win","reason":"resignation","opening":"startpos moves 7g7f","moves":["3c3d","2g2f"],"nodes":[1,2],"time":[3,4]}
{"pair":1,"black":"a","result":"draw","reason":"adjudication","opening":"startpos","moves":[],"nodes":[1,2],"time":[3,4],"odd":5}
"#;
        let mut source = Source::new(text);
        let games: Vec<Record> =
            read(&mut source, None).into_iter().collect::<Result<_, _>>().expect("games");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].moves().len(), 3);
        assert_eq!(games[0].headers.player(Color::Black), Some("sanban Hash=1"));
        assert_eq!(games[0].outcome(), Outcome::Win(Color::White));
        assert_eq!(games[1].outcome(), Outcome::Draw);
        let warnings: Vec<String> = source.finish().iter().map(ToString::to_string).collect();
        assert_eq!(warnings, ["line 3, column 122: unexpected text: \"odd\":5"], "{warnings:?}");
    }
}
