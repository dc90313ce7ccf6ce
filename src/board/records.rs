//! Games and positions as texts, in every format of records.

use super::place::Place;
use super::view::LONGEST_GAME;
use sanban_engine::Game;
use sanban_formats::record::{Action, Format, Reader, Record, write as write_record};
use sanban_rules::{Position, Variant, VariantId, with_game};
use serde_json::{Value as Json, json};

/// Reads a game or a position: `text`, or the `bytes` of a file (one character each). The game that the page shows is
/// tried first where the text leaves it open.
pub(super) fn read(question: &Json) -> Result<Json, String> {
    let bytes: Vec<u8> = match (question["text"].as_str(), question["bytes"].as_str()) {
        (Some(text), _) => text.trim().as_bytes().to_vec(),
        (None, Some(bytes)) => bytes.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        (None, None) => return Err("no text to read".into()),
    };
    let shown = question["game"]
        .as_str()
        .and_then(|shown| VariantId::NAMES.iter().find(|name| **name == shown))
        .copied();
    let read = |game| Reader { game, ..Reader::default() }.read(&bytes);
    let reading = read(shown).or_else(|_| read(None)).map_err(|error| error.to_string())?;
    let record = reading.records.first().ok_or("the text has no game in it")?;
    // A board that several games share is of the one that is shown.
    let fits = |game: &&str| legal(record, game).is_some_and(|(_, complete)| complete);
    let game = shown.filter(fits).unwrap_or(record.game);
    let (moves, _) = legal(record, game).ok_or("the start position is none of this game")?;
    if moves.len() > LONGEST_GAME {
        return Err(format!("a game of more than {LONGEST_GAME} moves"));
    }
    Ok(json!({ "game": game, "sfen": record.start, "moves": moves }))
}

/// The moves of the main line up to the first that the game forbids, and whether those are all.
fn legal(record: &Record, game: &str) -> Option<(Vec<String>, bool)> {
    with_game!(game, G => {
        let (_, moves, stopped) = record.legal_moves::<G>().ok()?;
        (moves.into_iter().map(<G as Variant>::Position::usi).collect(), !stopped)
    })
}

/// Writes a game in a `format`, by its name; `players` may have the names `b` and `w`.
pub(super) fn write(question: &Json) -> Result<Json, String> {
    let place = Place::read(question)?;
    let name = question["format"].as_str().unwrap_or_default();
    let format = Format::from_name(name).ok_or_else(|| format!("no format is called {name:.20}"))?;
    let record =
        with_game!(place.game, G => record::<G>(&place, &question["players"])).ok_or("no such game")??;
    let text = write_record(&record, format).map_err(|error| error.to_string())?;
    Ok(json!({ "text": text }))
}

/// The record of a game; `players` may have the names `b` and `w`.
pub(super) fn record<G: Game>(place: &Place, players: &Json) -> Result<Record, String> {
    let mut record = Record::new(G::NAME, place.sfen.map(str::to_string));
    let mut pos = G::parse(place.sfen.unwrap_or(G::START)).map_err(|error| error.to_string())?;
    let mut node = record.tree.root();
    for (n, text) in place.moves.iter().enumerate() {
        let mv = pos.parse_usi(text).ok_or_else(|| format!("illegal move {text:.8} at ply {}", n + 1))?;
        node = record.tree.add(node, Action::Move(mv)).ok_or("too many moves")?;
        pos.make(mv, &mut ());
    }
    for (side, header) in [("b", "先手"), ("w", "後手")] {
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
        assert_eq!(game, json!({ "game": "shogi", "sfen": null, "moves": ["7g7f", "3c3d"] }));
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
            assert!(answer.is_err_and(|error| !error.is_empty()), "{text}");
        }
    }
}
