//! Reads files of games for all commands: records, matches, and self-play shards.

use sanban_formats::record::{Action, End, Headers, Judge, Reader, Reading, Record};
use sanban_lab::train::record::Result as Played;
use sanban_lab::train::shard;
use sanban_rules::{Color, UnknownVariant, VariantId};

/// Parses the bytes of a file of any of these kinds.
pub(super) fn read(reader: &Reader, bytes: &[u8]) -> Result<Reading, String> {
    read_with(reader, bytes, &mut (), &mut |_| ())
}

/// Like [`read`]; `judge` chooses between possible moves when a missing move is restored, and `each` is called with each
/// record as soon as it is finished.
pub(super) fn read_with(
    reader: &Reader,
    bytes: &[u8],
    judge: &mut dyn Judge,
    each: &mut dyn FnMut(&Record),
) -> Result<Reading, String> {
    if !bytes.starts_with(shard::MAGIC) {
        return reader.read_with(bytes, judge, each).map_err(|error| error.to_string());
    }
    let (origin, games) = shard::parse(bytes).map_err(|error| error.to_string())?;
    let game: VariantId = origin.game.parse().map_err(|error: UnknownVariant| error.to_string())?;
    let records = games.iter().enumerate().map(|(number, played)| {
        let mut record = Record::new(game, None);
        for name in [Headers::BLACK, Headers::WHITE] {
            record.headers.set(name, &origin.evaluation);
        }
        let about = format!(
            "game {}, seed {}, {} nodes a move",
            origin.first + number as u64,
            origin.seed,
            origin.nodes
        );
        record.headers.set(Headers::NOTE, &about);
        let mut node = record.tree.root();
        for ply in &played.plies {
            node = record.tree.add(node, Action::Move(ply.mv)).ok_or("too many moves")?;
            let comment = ply.score.map_or_else(|| "random move".into(), |score| format!("score {score}"));
            record.tree.set_comment(node, comment);
        }
        let to_move = if played.plies.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let end = match played.result {
            Played::Win => End::won(Color::Black, to_move),
            Played::Loss => End::won(Color::White, to_move),
            Played::Draw => End::Draw,
        };
        record.tree.add(node, Action::End(end));
        Ok(record)
    });
    let records: Vec<Record> = records.collect::<Result<_, &str>>()?;
    records.iter().for_each(each);
    Ok(Reading { records, ..Reading::default() })
}
