//! The reference counts of every game, and the counting itself: threads, tables and splitting do not change the count.

use sanban::Variant;
use sanban::engine::perft::Perft;
use sanban::rules::perft::plain;
use sanban::rules::{AnyPosition, Shogi, VariantId, each_board};
use std::ops::ControlFlow;

/// Checks every count of a suite with at most `max_nodes` leaves; `sanban perft --suite` checks larger ones. Returns
/// the number of counts checked.
fn suite(id: VariantId, text: &str, max_nodes: u64) -> usize {
    let mut counts = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut fields = line.split(" ;D");
        let sfen = fields.next().expect("an SFEN");
        let pos = AnyPosition::parse(id, sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
        assert_eq!(pos.sfen(), AnyPosition::parse(id, &pos.sfen()).expect("a valid SFEN").sfen());
        for field in fields {
            let (depth, nodes) = field.trim().split_once(' ').expect("depth and count");
            let nodes: u64 = nodes.parse().expect("a count");
            if nodes <= max_nodes {
                let depth = depth.parse().expect("a depth");
                let found = each_board!(pos.board(), pos => plain(&mut pos.clone(), depth));
                assert_eq!(found, nodes, "{id}: {sfen} depth {depth}");
                counts += 1;
            }
        }
    }
    counts
}

#[test]
fn every_reference_position_of_shogi_agrees() {
    assert!(suite(VariantId::Shogi, include_str!("../../perft/shogi.perft"), 200_000) > 400);
}

#[test]
fn every_reference_position_of_janggi_agrees() {
    assert!(suite(VariantId::Janggi, include_str!("../../perft/janggi.perft"), 300_000) >= 45);
    assert!(suite(VariantId::JanggiCasual, include_str!("../../perft/janggicasual.perft"), 300_000) >= 45);
    let traditional = include_str!("../../perft/janggitraditional.perft");
    assert!(suite(VariantId::JanggiTraditional, traditional, 300_000) >= 35);
}

#[test]
fn every_reference_position_of_dobutsu_agrees() {
    assert!(suite(VariantId::Dobutsu, include_str!("../../perft/dobutsu.perft"), 700_000) > 90);
    assert!(suite(VariantId::DobutsuMate, include_str!("../../perft/dobutsumate.perft"), 700_000) > 90);
}

const POSITIONS: [&str; 2] =
    [sanban::rules::shogi::START, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"];

#[test]
fn threads_and_tables_do_not_change_a_count() {
    for sfen in POSITIONS {
        let pos = AnyPosition::parse(VariantId::Shogi, sfen).unwrap();
        for depth in 0..=3 {
            let expected = plain(&mut Shogi::parse(sfen).unwrap(), depth);
            for (threads, hash) in [(1, 0), (1, 1), (3, 0), (3, 1)] {
                let perft = Perft::new(threads, hash).unwrap();
                assert_eq!(perft.total(&pos, depth), expected, "{sfen} {depth} {threads} {hash}");
                assert_eq!(
                    perft.total(&pos, depth),
                    expected,
                    "a second time: {sfen} {depth} {threads} {hash}"
                );
            }
        }
    }
}

#[test]
fn a_count_names_every_root_move_and_can_be_ended() {
    let pos = AnyPosition::parse(VariantId::Shogi, POSITIONS[0]).unwrap();
    let perft = Perft::new(2, 0).unwrap();
    let counts = perft.divide(&pos, 3, &|_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(counts.len(), 30);
    assert_eq!(counts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 25_470);
    assert!(
        perft
            .divide(&pos, 3, &|done, _| if done > 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
            .is_none()
    );
}
