//! Shogi's move generator against the reference counts in `perft/`.

use sanban::base::MoveList;
use sanban::shogi::Position;

/// Deepest count that is checked here, in nodes; `sanban perft --suite` goes further.
const MAX_NODES: u64 = 200_000;

fn perft(pos: &mut Position, depth: u32) -> u64 {
    if depth == 1 {
        return pos.count() as u64;
    }
    let mut moves = MoveList::new();
    pos.legal(&mut moves);
    moves
        .into_iter()
        .map(|mv| {
            pos.make(mv, &mut ());
            let nodes = perft(pos, depth - 1);
            pos.unmake();
            nodes
        })
        .sum()
}

#[test]
fn every_reference_position_agrees() {
    let text = include_str!("../perft/shogi.perft");
    let (mut positions, mut counts) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut fields = line.split(" ;D");
        let sfen = fields.next().expect("a SFEN");
        let mut pos = Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
        positions += 1;
        for field in fields {
            let (depth, nodes) = field.trim().split_once(' ').expect("depth and count");
            let nodes: u64 = nodes.parse().expect("a count");
            if nodes <= MAX_NODES {
                assert_eq!(perft(&mut pos, depth.parse().expect("a depth")), nodes, "{sfen} depth {depth}");
                counts += 1;
            }
        }
    }
    assert!(positions > 150 && counts > 400, "{positions} positions, {counts} counts");
}
