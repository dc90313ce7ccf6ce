//! The counting itself: however the work is divided, remembered or shown, the count is the same.

use sanban::game::Game as _;
use sanban::games::Shogi;
use sanban::perft::{Perft, plain};
use std::ops::ControlFlow;

const POSITIONS: [&str; 2] =
    [sanban::shogi::START, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"];

#[test]
fn threads_and_tables_do_not_change_a_count() {
    for sfen in POSITIONS {
        let pos = Shogi::parse(sfen).unwrap();
        for depth in 0..=3 {
            let expected = plain(&mut pos.clone(), depth);
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
    let pos = Shogi::parse(POSITIONS[0]).unwrap();
    let perft = Perft::new(2, 0).unwrap();
    let counts = perft.divide(&pos, 3, |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(counts.len(), 30);
    assert_eq!(counts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 25_470);
    assert!(
        perft
            .divide(&pos, 3, |done, _| if done > 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
            .is_none()
    );
}
