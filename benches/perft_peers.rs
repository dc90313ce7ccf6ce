//! Compares perft with the published crates `haitaka` and `rsshogi`: single-threaded, without a hash table, in one
//! process.
//!
//! `cargo bench -p sanban-benches --bench perft_peers` prints a table: the counts must agree, the times are the best of several
//! interleaved rounds, and the ratio is our time divided by the faster peer's. CPU time is used where the system
//! reports it, to reduce the influence of other programs.

use sanban::system::clock::processor_time;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Name, SFEN, depth.
const CASES: [(&str, &str, u32); 3] = [
    ("start position", sanban::rules::shogi::START, 6),
    ("middle game", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4),
    ("593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3),
];
const ROUNDS: usize = 3;

/// Perft as in haitaka's own example: moves to the leaves are counted in bulk, and positions are copied.
fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_board_moves(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        board.generate_drops(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        return nodes;
    }
    let mut visit = |moves: haitaka::PieceMoves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += haitaka_perft(&child, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut visit);
    board.generate_drops(&mut visit);
    nodes
}

fn time(f: impl FnOnce() -> u64) -> (u64, Duration) {
    let (start, processor) = (Instant::now(), processor_time());
    let nodes = black_box(f());
    let elapsed = processor.and_then(|before| processor_time()?.checked_sub(before));
    (nodes, elapsed.unwrap_or_else(|| start.elapsed()))
}

fn main() {
    println!(
        "{:<16}{:>3}{:>14}  {:>20}  {:>20}  {:>20}  ratio",
        "position", "d", "nodes", "sanban", "haitaka", "rsshogi"
    );
    for (name, sfen, depth) in CASES {
        let mut own = sanban::rules::shogi::Position::from_sfen(sfen).expect("a valid SFEN");
        let haitaka: haitaka::Board = sfen.parse().expect("a valid SFEN");
        let rsshogi = rsshogi::board::position_from_sfen(sfen).expect("a valid SFEN");
        let mut best = [Duration::MAX; 3];
        let mut counts = [0; 3];
        for _ in 0..ROUNDS {
            let runs = [
                time(|| sanban::rules::perft::plain(&mut own, depth)),
                time(|| haitaka_perft(&haitaka, depth)),
                time(|| rsshogi::board::perft::perft(&rsshogi, depth as u8).expect("a depth above 0").nodes),
            ];
            for (i, (nodes, elapsed)) in runs.into_iter().enumerate() {
                counts[i] = nodes;
                best[i] = best[i].min(elapsed);
            }
        }
        // A different count is a bug of the peer: our counts are tested against the reference tables.
        let show = |i: usize| {
            let rate = counts[i] as f64 / best[i].as_secs_f64() / 1e6;
            let mark = if counts[i] == counts[0] { "" } else { " (!)" };
            format!("{:.3} s {rate:.0} M/s{mark}", best[i].as_secs_f64())
        };
        let ratio = best[1].min(best[2]).as_secs_f64() / best[0].as_secs_f64();
        println!(
            "{name:<16}{depth:>3}{:>14}  {:>20}  {:>20}  {:>20}  {ratio:.2}",
            counts[0],
            show(0),
            show(1),
            show(2)
        );
    }
}
