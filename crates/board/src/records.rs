//! Reads and writes games and positions in every record format.

use super::error::BoardError;
use super::question::{Export, LONGEST_GAME, Place, Players, Source};
use super::tree::{Study, add_nodes, nodes};
use super::wire::text;
use sanban_formats::record::{
    Action, Format, Headers, Reader, Reading, Record, RecordError, encode, write_as as write_record,
};
use sanban_rules::{AnyPosition, VariantId};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Loaded {
    #[serde(serialize_with = "text")]
    pub game: VariantId,
    /// The start position, if it is not the standard one.
    pub sfen: Option<String>,
    /// The moves of the main line.
    pub moves: Vec<String>,
    pub record: Study,
    /// Number of games in the text.
    pub games: usize,
    /// Repairs and warnings, each with its position in the text.
    pub mends: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Written {
    pub text: String,
    /// The bytes of the file in the usual encoding of the format, one character each.
    pub bytes: String,
    /// Number of characters that the encoding cannot represent.
    pub lacking: usize,
    /// The parts of the game that the format cannot represent.
    pub loses: Vec<&'static str>,
}

/// Reads a game or a position. If the text is ambiguous, the game that the page shows is tried first.
pub(super) fn load(source: &Source) -> Result<Loaded, BoardError> {
    let bytes: Vec<u8> = match (&source.text, &source.bytes) {
        (Some(text), _) => text.trim().as_bytes().to_vec(),
        (None, Some(bytes)) => bytes.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        (None, None) => return Err(BoardError::NoText),
    };
    let Reading { records, mends, warnings, refused } = decipher(&bytes, source.game)?;
    let record = records.get(source.index).ok_or(BoardError::NoGame)?;
    // If several games share the board, the game that the page shows is preferred.
    let fits = |&game: &VariantId| main_line(record, game).is_some_and(|(_, complete)| complete);
    let game = source.game.filter(fits).unwrap_or(record.game);
    let (moves, _) = main_line(record, game).ok_or(BoardError::NoGame)?;
    if moves.len() > LONGEST_GAME {
        return Err(BoardError::LongGame(LONGEST_GAME));
    }
    let headers = record.headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let nodes = nodes(record, game)?;
    let warnings = warnings.iter().chain(&refused).map(ToString::to_string);
    Ok(Loaded {
        game,
        sfen: record.start.clone(),
        moves,
        record: Study { headers, nodes },
        games: records.len(),
        mends: mends.into_iter().chain(warnings).collect(),
    })
}

/// Decodes the bytes. The game that the page shows is tried first, then the one that the text suggests.
fn decipher(bytes: &[u8], shown: Option<VariantId>) -> Result<Reading, RecordError> {
    let read = |game| Reader { game, ..Reader::default() }.read(bytes);
    let starts = |record: &Record| main_line(record, record.game).is_some();
    match read(shown) {
        Ok(reading) if reading.records.iter().all(starts) => Ok(reading),
        // An SFEN of a different game may look like one of this game until its board is set up.
        first => read(None).or(first),
    }
}

/// The moves of the main line up to the first illegal one, and whether all are legal.
fn main_line(record: &Record, game: VariantId) -> Option<(Vec<String>, bool)> {
    let start = AnyPosition::parse(game, record.start_sfen()).ok()?;
    let (moves, stopped) = record.legal_from(&start);
    Some((moves.into_iter().map(|mv| start.display(mv)).collect(), !stopped))
}

/// Writes a game: the tree in `record`, or the moves.
pub(super) fn write(export: &Export) -> Result<Written, BoardError> {
    let Export { place, format: name, record, players } = export;
    let format = Format::from_name(name).ok_or_else(|| BoardError::Format(name.clone()))?;
    let record = match record {
        Some(study) => tree_record(place, study)?,
        None => game_record(place, players)?,
    };
    let custom = format.custom(name);
    let text = write_record(&record, format, custom)?;
    let (bytes, lacking) = encode(&text, custom);
    let bytes = bytes.into_iter().map(char::from).collect();
    Ok(Written { text, bytes, lacking, loses: format.loses(&record).words() })
}

fn tree_record(place: &Place, study: &Study) -> Result<Record, BoardError> {
    let mut record = Record::new(place.game, place.sfen.clone());
    for (name, value) in &study.headers {
        record.headers.set(name, value);
    }
    add_nodes(&mut record, &study.nodes)?;
    Ok(record)
}

/// The record of a game without variations.
pub(super) fn game_record(place: &Place, players: &Players) -> Result<Record, BoardError> {
    let mut record = Record::new(place.game, place.sfen.clone());
    let mut pos = place.start()?;
    let mut node = record.tree.root();
    for (n, text) in place.moves.iter().enumerate() {
        let illegal = || BoardError::Move { text: text.clone(), ply: n + 1 };
        let mv = pos.parse_usi(text).ok_or_else(illegal)?;
        node = record.tree.add(node, Action::Move(mv)).ok_or(BoardError::LongGame(LONGEST_GAME))?;
        pos.play(mv);
    }
    for (player, header) in [(&players.b, Headers::BLACK), (&players.w, Headers::WHITE)] {
        if let Some(player) = player {
            record.headers.set(header, player);
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use crate::ask::{Answer, Asked, ask};
    use crate::question::Question;
    use crate::wire::answer_json;
    use sanban_engine::solved::SolvedTables;
    use serde_json::{Value as Json, json};

    /// Returns the answer to a question, as the page receives it.
    fn answer(word: &str, mut question: Json) -> Json {
        question["ask"] = json!(word);
        let asked = Question::read(&question).and_then(|question| ask(question, &SolvedTables::default()));
        let answer = asked.map(|asked| match asked {
            Asked::Answer(answer @ (Answer::Loaded(_) | Answer::Written(_))) => answer,
            _ => panic!("unexpected answer"),
        });
        answer_json(&Json::Null, &answer)
    }

    fn read(question: Json) -> Json {
        answer("read", question)
    }

    fn write(question: Json) -> Json {
        answer("write", question)
    }

    #[test]
    fn usi_is_read() {
        let text = "position startpos moves 7g7f 3c3d";
        let game = read(json!({ "text": text, "game": "shogi" }));
        assert_eq!((game["game"].as_str(), &game["sfen"]), (Some("shogi"), &Json::Null));
        assert_eq!(game["moves"], json!(["7g7f", "3c3d"]));
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let mate = read(json!({ "text": format!("sfen {sfen} moves G*5b"), "game": "shogi" }));
        assert_eq!((mate["sfen"].as_str(), mate["moves"][0].as_str()), (Some(sfen), Some("G*5b")));
        let casual = read(json!({ "text": sanban_rules::janggi::START, "game": "janggicasual" }));
        assert_eq!(casual["game"], "janggicasual");
    }

    #[test]
    fn kif_goes_out_and_comes_back() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"];
        let written =
            write(json!({ "game": "shogi", "format": "kif", "moves": moves, "players": { "b": "A" } }));
        let text = written["text"].as_str().expect("a text");
        assert!(text.contains("先手：A") && text.contains("打"), "{text}");
        let read = read(json!({ "text": text, "game": "dobutsu" }));
        assert_eq!((read["game"].as_str(), &read["moves"]), (Some("shogi"), &json!(moves)));
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        for text in ["", "hello", "9/9 b - 1"] {
            let answer = read(json!({ "text": text, "game": "shogi" }));
            let error = answer["error"].clone();
            assert!(error.as_str().is_some_and(|error| !error.is_empty()), "{text}");
        }
        let text = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ５五玉(51)\n";
        let answer = read(json!({ "text": text, "game": "shogi" }));
        assert_eq!(
            (answer["moves"].clone(), answer["record"]["nodes"][2]["illegal"].clone()),
            (json!(["7g7f"]), json!(true))
        );
        let answer = read(json!({ "text": "startpos moves 7g7f\nstartpos moves 7g7f zzzz" }));
        // The moves before the error are kept, and the error is reported with its location.
        let report = answer["mends"][0].as_str().unwrap_or_default();
        assert!(report.starts_with("line 2, column 21: "), "{answer}");
    }

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
                let answer = read(json!({ "text": text, "game": shown }));
                assert_eq!(answer["game"], game, "{text} on {shown}: {answer}");
            }
        }
    }

    const STUDY: &str = "手合割：平手\n棋戦：名人戦\n先手：A\n後手：B\n備考：note\n手数----指手---------消費時間--\n*start\n   1 ７六歩(77)   ( 0:12/00:00:12)\n*first\n*second line\n   2 ３四歩(33)   ( 0:05/00:00:05)\n   3 ２六歩(27)   ( 0:01/00:00:13)\n   4 ４四歩(43)   ( 0:01/00:00:06)\n   5 投了\n\n変化：3手\n   3 ６六歩(67)\n*quiet\n   4 ８四歩(83)\n\n変化：4手\n   4 ３五歩(34)\n\n変化：2手\n   2 ８四歩(83)\n   3 中断\n";

    #[test]
    fn a_study_goes_out_and_comes_back_whole() {
        let before = sanban_formats::record::read(STUDY.as_bytes()).expect("a KIF");
        let answer = read(json!({ "text": STUDY, "game": "shogi" }));
        assert_eq!(answer["record"]["nodes"].as_array().map(Vec::len), Some(11));
        for format in ["kif", "kifu", "jkf"] {
            let question = json!({
                "game": "shogi", "format": format, "sfen": answer["sfen"], "record": answer["record"],
            });
            let written = write(question);
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
        let loses = write(question)["loses"].clone();
        assert!(loses.as_array().is_some_and(|loses| loses.contains(&json!("variations"))), "{loses}");
    }
}
