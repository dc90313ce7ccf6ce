//! Microbenchmarks of the hot paths, compared with published crates that offer the same functions.
//!
//! `cargo bench -p sanban-benches --bench micro`

use criterion::{Criterion, criterion_group, criterion_main};
use sanban::engine::Evaluator;
use sanban::engine::eval::shogi::Handwritten;
use sanban::rules::MoveList;
use sanban::rules::shogi::{Position, START};
use std::hint::black_box;

const CASES: [(&str, &str); 2] =
    [("start", START), ("middle", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")];

fn legal(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    pos.legal(&mut moves);
    moves
}

fn generation(c: &mut Criterion) {
    for (name, sfen) in CASES {
        let mut group = c.benchmark_group(format!("generate/{name}"));
        let pos = Position::from_sfen(sfen).expect("a valid SFEN");
        let haitaka: haitaka::Board = sfen.parse().expect("a valid SFEN");
        let rsshogi = rsshogi::board::position_from_sfen(sfen).expect("a valid SFEN");
        group.bench_function("sanban list", |b| b.iter(|| legal(black_box(&pos)).len()));
        group.bench_function("sanban count", |b| b.iter(|| black_box(&pos).count()));
        group.bench_function("haitaka count", |b| {
            b.iter(|| {
                let mut n = 0;
                let board = black_box(&haitaka);
                board.generate_board_moves(|moves| {
                    n += moves.into_iter().len();
                    false
                });
                board.generate_drops(|moves| {
                    n += moves.into_iter().len();
                    false
                });
                n
            });
        });
        group.bench_function("rsshogi list", |b| {
            b.iter(|| {
                let mut list = rsshogi::board::Move32List::new();
                rsshogi::board::movegen::generate_legal_all_move32(black_box(&rsshogi), &mut list);
                list.len()
            });
        });
        group.bench_function("sanban checks", |b| {
            b.iter(|| {
                let mut moves = MoveList::new();
                black_box(&pos).checks(&mut moves);
                moves.len()
            });
        });
        group.finish();
    }
}

fn moving(c: &mut Criterion) {
    for (name, sfen) in CASES {
        let mut pos = Position::from_sfen(sfen).expect("a valid SFEN");
        let moves = legal(&pos);
        c.bench_function(&format!("make and unmake {} moves/{name}", moves.len()), |b| {
            b.iter(|| {
                for &mv in &moves {
                    pos.make(mv, &mut ());
                    pos.unmake();
                }
            });
        });
        c.bench_function(&format!("SEE of {} moves/{name}", moves.len()), |b| {
            b.iter(|| moves.iter().filter(|&&mv| pos.see_ge(mv, 0)).count());
        });
        c.bench_function(&format!("mate in one/{name}"), |b| b.iter(|| black_box(&pos).mate_in_one()));
    }
}

fn evaluation(c: &mut Criterion) {
    for (name, sfen) in CASES {
        let pos = Position::from_sfen(sfen).expect("a valid SFEN");
        let mut eval = Handwritten::default();
        eval.reset(&pos);
        c.bench_function(&format!("evaluation/{name}"), |b| b.iter(|| eval.evaluate(black_box(&pos))));
    }
}

criterion_group!(benches, generation, moving, evaluation);
criterion_main!(benches);
