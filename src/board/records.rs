//! Reads and writes games and positions in every record format.

use super::place::Place;
use super::tree;
use super::view::LONGEST_GAME;
use sanban_engine::Game;
use sanban_formats::record::{
    Action, Format, Headers, Reader, Reading, Record, RecordError, encode, write_as as write_record,
};
use sanban_rules::{Position, Variant, VariantId, with_game, with_variant};
use serde_json::{Value as Json, json};

/// Reads a game or a position: `text`, or the `bytes` of a file (one character each). If the text is ambiguous, the
/// game that the page shows is tried first. If the text has several games, `index` selects one.
///
/// The answer has the `moves` of the main line and the whole tree in `record`, see [`super::tree`]. An error has the
/// `line` and `column` of the text that cannot be parsed.
pub(super) fn read(question: &Json) -> Result<Json, String> {
    let bytes: Vec<u8> = match (question["text"].as_str(), question["bytes"].as_str()) {
        (Some(text), _) => text.trim().as_bytes().to_vec(),
        (None, Some(bytes)) => bytes.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        (None, None) => return Err("no text to read".into()),
    };
    let shown: Option<VariantId> = question["game"].as_str().and_then(|shown| shown.parse().ok());
    let Reading { records, mends, warnings, refused } = match decipher(&bytes, shown) {
        Ok(reading) => reading,
        Err(RecordError { line, column, problem }) => {
            let error = format!("line {line}, column {column}: {problem}");
            return Ok(json!({ "error": error, "line": line, "column": column }));
        }
    };
    let index = question["index"].as_u64().unwrap_or_default() as usize;
    let record = records.get(index).ok_or("the text has no game in it")?;
    // A board that several games share belongs to the game that is shown.
    let usual = |game: VariantId| with_variant!(game, G => G::START);
    let fits = |&game: &VariantId| {
        (record.start.is_some() || usual(game) == usual(record.game))
            && main_line(record, game).is_some_and(|(_, complete)| complete)
    };
    let game = shown.filter(fits).unwrap_or(record.game);
    let (moves, _) = main_line(record, game).ok_or("the start position is none of this game")?;
    if moves.len() > LONGEST_GAME {
        return Err(format!("a game of more than {LONGEST_GAME} moves"));
    }
    let headers: Vec<_> = record.headers.iter().map(|(name, value)| json!([name, value])).collect();
    let nodes = with_variant!(game, G => tree::to_json::<G>(record))?;
    let warnings = warnings.iter().chain(&refused).map(ToString::to_string);
    let mends: Vec<String> = mends.into_iter().chain(warnings).collect();
    Ok(json!({
        "game": game.name(),
        "sfen": record.start,
        "moves": moves,
        "record": { "headers": headers, "nodes": nodes },
        "games": records.len(),
        "mends": mends,
    }))
}

/// Decodes the bytes. The game that the page shows is tried first, then the one that the text suggests.
fn decipher(bytes: &[u8], shown: Option<VariantId>) -> Result<Reading, RecordError> {
    let read = |game| Reader { game, ..Reader::default() }.read(bytes);
    let starts = |record: &Record| main_line(record, record.game).is_some();
    match read(shown) {
        Ok(reading) if reading.records.iter().all(starts) => Ok(reading),
        // An SFEN of another game may look like one of this game until its board is set up.
        first => read(None).or(first),
    }
}

/// The moves of the main line up to the first illegal one, and whether all are legal.
fn main_line(record: &Record, game: VariantId) -> Option<(Vec<String>, bool)> {
    with_variant!(game, G => {
        let (_, moves, stopped) = record.legal_moves::<G>().ok()?;
        Some((moves.into_iter().map(<G as Variant>::Position::usi).collect(), !stopped))
    })
}

/// Writes a game in the named `format`: the tree in `record`, or the `moves`. `players` may have the names `b` and `w`.
/// The answer has the `text`, its `bytes` in the usual encoding of the format (one character each), and in `loses` what
/// the format cannot represent.
pub(super) fn write(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    let name = question["format"].as_str().unwrap_or_default();
    let format = Format::from_name(name).ok_or_else(|| format!("no format is called {name:.20}"))?;
    let record = if question["record"].is_object() {
        with_game!(place.game, G => tree_record::<G>(&place, &question["record"]))
    } else {
        with_game!(place.game, G => record::<G>(&place, &question["players"]))
    };
    let record = record.ok_or("no such game")??;
    let custom = format.custom(name);
    let text = write_record(&record, format, custom).map_err(|error| error.to_string())?;
    let (bytes, lacking) = encode(&text, custom);
    let bytes: String = bytes.into_iter().map(char::from).collect();
    Ok(json!({ "text": text, "bytes": bytes, "lacking": lacking, "loses": format.loses(&record).words() }))
}

fn tree_record<G: Game>(place: &Place, json: &Json) -> Result<Record, String> {
    let mut record = Record::new(G::ID, place.sfen.map(str::to_string));
    for header in json["headers"].as_array().into_iter().flatten() {
        if let (Some(name), Some(value)) = (header[0].as_str(), header[1].as_str()) {
            record.headers.set(name, value);
        }
    }
    tree::from_json::<G>(&mut record, &json["nodes"])?;
    Ok(record)
}

/// The record of a game; `players` may have the names `b` and `w`.
pub(super) fn record<G: Game>(place: &Place, players: &Json) -> Result<Record, String> {
    let mut record = Record::new(G::ID, place.sfen.map(str::to_string));
    let mut pos = G::parse(place.sfen.unwrap_or(G::START)).map_err(|error| error.to_string())?;
    let mut node = record.tree.root();
    for (n, text) in place.moves.iter().enumerate() {
        let mv = pos.parse_usi(text).ok_or_else(|| format!("illegal move {text:.8} at ply {}", n + 1))?;
        node = record.tree.add(node, Action::Move(mv)).ok_or("too many moves")?;
        pos.make(mv, &mut ());
    }
    for (side, header) in [("b", Headers::BLACK), ("w", Headers::WHITE)] {
        if let Some(player) = players[side].as_str() {
            record.headers.set(header, player);
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usi_is_read() {
        let text = "position startpos moves 7g7f 3c3d";
        let game = read(&json!({ "text": text, "game": "shogi" })).expect("a game");
        assert_eq!((game["game"].as_str(), &game["sfen"]), (Some("shogi"), &Json::Null));
        assert_eq!(game["moves"], json!(["7g7f", "3c3d"]));
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let mate =
            read(&json!({ "text": format!("sfen {sfen} moves G*5b"), "game": "shogi" })).expect("a game");
        assert_eq!((mate["sfen"].as_str(), mate["moves"][0].as_str()), (Some(sfen), Some("G*5b")));
        let casual = read(&json!({ "text": sanban_rules::janggi::START, "game": "janggicasual" }))
            .expect("a position");
        assert_eq!(casual["game"], "janggicasual");
    }

    #[test]
    fn kif_goes_out_and_comes_back() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"];
        let written =
            write(&json!({ "game": "shogi", "format": "kif", "moves": moves, "players": { "b": "A" } }));
        let text = written.expect("a KIF")["text"].as_str().map(str::to_string).expect("a text");
        assert!(text.contains("先手：A") && text.contains("打"), "{text}");
        let read = read(&json!({ "text": text, "game": "dobutsu" })).expect("a game");
        assert_eq!((read["game"].as_str(), &read["moves"]), (Some("shogi"), &json!(moves)));
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        for text in ["", "hello", "9/9 b - 1"] {
            let answer = read(&json!({ "text": text, "game": "shogi" }));
            let error = answer.unwrap_or_else(|error| json!({ "error": error }))["error"].clone();
            assert!(error.as_str().is_some_and(|error| !error.is_empty()), "{text}");
        }
        let text = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ５五玉(51)\n";
        let answer = read(&json!({ "text": text, "game": "shogi" })).expect("an answer");
        assert_eq!(
            (answer["moves"].clone(), answer["record"]["nodes"][2]["illegal"].clone()),
            (json!(["7g7f"]), json!(true))
        );
        let answer =
            read(&json!({ "text": "startpos moves 7g7f\nstartpos moves 7g7f zzzz" })).expect("an answer");
        // The moves before the fault come out, and the fault is reported with its place.
        let report = answer["mends"][0].as_str().unwrap_or_default();
        assert!(report.starts_with("line 2, column 21: "), "{answer}");
    }

    /// A position of another game than the one shown is recognised.
    #[test]
    fn the_board_of_another_game_is_recognised() {
        for (text, shown, game) in [
            (sanban_rules::janggi::START, "shogi", "janggicasual"),
            (sanban_rules::dobutsu::START, "shogi", "dobutsu"),
            (sanban_rules::shogi::START, "dobutsu", "shogi"),
            (sanban_rules::shogi::START, "janggi", "shogi"),
            (sanban_rules::dobutsu::START, "dobutsumate", "dobutsumate"),
        ] {
            for text in [text.to_string(), format!("sfen {text}"), format!("position sfen {text}")] {
                let answer = read(&json!({ "text": text, "game": shown })).expect("an answer");
                assert_eq!(answer["game"], game, "{text} on {shown}: {answer}");
            }
        }
    }

    const STUDY: &str = "手合割：平手\n棋戦：名人戦\n先手：A\n後手：B\n備考：note\n手数----指手---------消費時間--\n*start\n   1 ７六歩(77)   ( 0:12/00:00:12)\n*first\n*second line\n   2 ３四歩(33)   ( 0:05/00:00:05)\n   3 ２六歩(27)   ( 0:01/00:00:13)\n   4 ４四歩(43)   ( 0:01/00:00:06)\n   5 投了\n\n変化：3手\n   3 ６六歩(67)\n*quiet\n   4 ８四歩(83)\n\n変化：4手\n   4 ３五歩(34)\n\n変化：2手\n   2 ８四歩(83)\n   3 中断\n";

    #[test]
    fn a_study_goes_out_and_comes_back_whole() {
        let before = sanban_formats::record::read(STUDY.as_bytes()).expect("a KIF");
        let answer = read(&json!({ "text": STUDY, "game": "shogi" })).expect("an answer");
        assert_eq!(answer["record"]["nodes"].as_array().map(Vec::len), Some(11));
        for format in ["kif", "kifu", "jkf"] {
            let question = json!({
                "game": "shogi", "format": format, "sfen": answer["sfen"], "record": answer["record"],
            });
            let written = write(&question).expect("a text");
            assert_eq!(written["loses"], json!([]), "{format}");
            let text = written["text"].as_str().expect("a text");
            assert_eq!(
                sanban_formats::record::read(text.as_bytes()).expect(text),
                before,
                "{format}\n{text}"
            );
            let bytes: Vec<u8> = written["bytes"].as_str().expect("bytes").chars().map(|c| c as u8).collect();
            assert_eq!(sanban_formats::record::read(&bytes).expect("a game"), before, "{format}");
        }
        let question = json!({
            "game": "shogi", "format": "csa", "sfen": answer["sfen"], "record": answer["record"],
        });
        let loses = write(&question).expect("a text")["loses"].clone();
        assert!(loses.as_array().is_some_and(|loses| loses.contains(&json!("variations"))), "{loses}");
    }
}
