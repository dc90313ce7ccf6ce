//! Mutated game records in all formats: a record that can be read can be written and read again.

use super::bytes::{changed, changes, text_changes};
use super::check;
use super::sfens::walk;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use sanban::VariantId;
use sanban::formats::record::{Action, End, Format, Reader, Record, write};
use sanban::rules::Move;

/// A record of random play with a comment and an end.
fn record(game: VariantId, seed: u64, plies: usize) -> Record {
    let (end, made) = walk(game, seed, plies);
    let mut pos = end.clone();
    made.iter().for_each(|_| pos.undo());
    let mut record = Record::new(game, Some(pos.sfen()));
    let mut node = record.tree.root();
    let add = |record: &mut Record, node, mv: Move| record.tree.add(node, Action::Move(mv)).expect("a node");
    for (n, &mv) in made.iter().enumerate() {
        if n == 3 {
            record.tree.set_comment(node, "good { or } bad (77)\nnext".into());
        }
        node = add(&mut record, node, mv);
        pos.play(mv);
    }
    record.tree.add(node, Action::End(End::Resign));
    record
}

/// Reads bytes in a format, writes the result in every format, and reads it again.
fn reads(bytes: &[u8], format: Option<Format>, game: VariantId) -> TestCaseResult {
    let reader = Reader { format, game: Some(game), repair: bytes.len().is_multiple_of(2), strict: false };
    let reading = match reader.read(bytes) {
        Err(error) => {
            prop_assert!(error.line > 0 && !error.problem.is_empty(), "{}", error);
            return Ok(());
        }
        Ok(reading) => reading,
    };
    for record in &reading.records {
        for format in Format::ALL {
            let Ok(text) = write(record, format) else { continue };
            let again =
                Reader { format: Some(format), game: Some(record.game), repair: false, strict: false };
            let again = again.read_text(&text).map_err(|error| {
                TestCaseError::fail(format!("{} of {:?}: {error}: {text}", format.name(), reader.format))
            })?;
            prop_assert!(
                !again.records.is_empty() || record.moves().is_empty(),
                "{}: {}",
                format.name(),
                text
            );
        }
    }
    Ok(())
}

#[test]
fn records_are_read_or_refused() {
    let format = prop::sample::select(Format::ALL.to_vec());
    let changes = prop_oneof![3 => text_changes(), 1 => changes()];
    let record_of = (prop::sample::select(VariantId::ALL), any::<u64>(), 0usize..60);
    check(
        file!(),
        300,
        (record_of, format, any::<bool>(), changes),
        |((game, seed, plies), format, told, changes)| {
            let record = record(game, seed, plies);
            let Ok(text) = write(&record, format) else { return Ok(()) };
            reads(&changed(text.into_bytes(), &changes), told.then_some(format), record.game)
        },
    );
}
