//! Mutated books of all formats: every move found in a book is legal, and errors are reported.

use super::bytes::{changed, changed_text, changes, text_changes};
use super::check;
use super::sfens::walk;
use crate::scratch::Scratch;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use sanban::formats::book;
use sanban::formats::book::{BookMove, apery, db, sbk, ybb};
use sanban::rules::{AnyPosition, VariantId, shogi};
use std::path::Path;

/// Maximum number of positions in a book.
const POSITIONS: u64 = 6;

/// Positions from random play with some of their moves; no board occurs twice.
fn positions(game: VariantId, seed: u64) -> Vec<(AnyPosition, Vec<BookMove>)> {
    let mut out: Vec<(AnyPosition, Vec<BookMove>)> = vec![];
    for n in 0..POSITIONS {
        let (pos, _) = walk(game, seed + n, 10 * n as usize);
        let moves = pos.legal_moves();
        let known = moves.iter().take(3).map(|&mv| BookMove { score: 31, depth: 7, ..BookMove::new(mv) });
        if out.iter().all(|(other, _)| other.key() != pos.key()) {
            out.push((pos, known.collect()));
        }
    }
    out
}

/// Opens a book, both in memory and on the fly, and looks up all positions of the original.
fn asks(game: VariantId, path: &Path, seed: u64) -> TestCaseResult {
    for on_the_fly in [false, true] {
        match book::open(path, &AnyPosition::new(game), on_the_fly) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(mut opened) => {
                for (pos, _) in positions(game, seed) {
                    for ply in [None, Some(1), Some(book::ply(&pos))] {
                        for found in opened.book.find(&pos, ply).unwrap_or_default() {
                            prop_assert!(pos.is_legal(found.mv), "{}", pos.sfen());
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

fn text(game: VariantId, path: &str, seed: u64, changes: &[super::bytes::Change]) -> TestCaseResult {
    let mut text = format!("{}\n", db::HEADER).into_bytes();
    for (pos, moves) in positions(game, seed) {
        db::write(&mut text, &pos, &pos.sfen(), None, &moves).expect("written to memory");
    }
    let text = changed_text(&String::from_utf8(text).expect("text"), changes);
    std::fs::write(path, text).expect("a writable file");
    asks(game, path.as_ref(), seed)
}

#[test]
fn text_books_are_read_or_refused() {
    let path = Scratch::new();
    let file = path.file("book.db");
    let games = [VariantId::Shogi, VariantId::Janggi, VariantId::Dobutsu];
    check(file!(), 200, (0usize..3, any::<u32>(), text_changes()), |(game, seed, changes)| {
        text(games[game], &file, seed.into(), &changes)
    });
}

#[test]
fn binary_books_are_read_or_refused() {
    let path = Scratch::new();
    let file = path.file("book.bin");
    check(file!(), 300, (0usize..3, any::<u32>(), changes()), |(format, seed, changes)| {
        let book = positions(VariantId::Shogi, seed.into());
        let pages = book.iter().filter_map(|(pos, moves)| {
            Some(ybb::Page { pos: pos.get::<shogi::Position>()?.clone(), ply: Some(book::ply(pos)), moves })
        });
        let mut bytes = vec![];
        match format {
            0 => ybb::write(&mut bytes, pages),
            1 => sbk::write(&mut bytes, pages),
            _ => apery::write(&mut bytes, pages),
        }
        .expect("written to memory");
        std::fs::write(&file, changed(bytes, &changes)).expect("a writable file");
        asks(VariantId::Shogi, file.as_ref(), seed.into())
    });
}
