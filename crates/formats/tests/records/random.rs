//! Random games with all elements that a record can have.

use sanban_formats::record::{Action, Board, End, Headers, NodeId, Record};
use sanban_rules::shogi::Position;
use sanban_rules::{AnyPosition, Move, Position as _, Rng, VariantId};
use std::time::Duration;

/// Start positions: the standard start position, handicaps, positions from games, and a problem.
const STARTS: [Option<&str>; 8] = [
    None,
    Some("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
    Some("lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 1"),
    Some("9/3+R1+R3/2+B3+B2/1G5G1/+S+S1k1+S+S2/2GNGN3/9/9/4K4 b 2N2L9P 1"),
];

fn random_move(rng: &mut Rng, board: &Board) -> Option<Move> {
    let pos = Position::from_sfen(&board.sfen()).ok()?;
    let list = pos.legal_moves();
    list.get(rng.below(list.len().max(1))).copied()
}

const WORDS: [&str; 6] = ["好手", "*解析 0", "と金 (77)", "変化：3手", "a { b } ( c )", "まで 次の一手"];
const NAMES: [&str; 4] = ["羽生 善治", "Bonanza 6.0", "表千家", "A B"];
const ENDS: [End; 12] = [
    End::Resign,
    End::Interrupt,
    End::Impasse,
    End::Repetition,
    End::Mate,
    End::Timeout,
    End::FoulLoss,
    End::Declaration,
    End::Draw,
    End::NoMate,
    End::MaxMoves,
    End::FoulWin,
];

/// A random game with comments, variations, times and an end.
pub fn shogi(rng: &mut Rng) -> Record {
    let start = STARTS[rng.below(STARTS.len())];
    let mut record = Record::new(VariantId::Shogi, start.map(str::to_string));
    for name in [Headers::STARTED, Headers::EVENT, Headers::BLACK, Headers::WHITE, "消費時間"] {
        if rng.below(2) == 0 {
            record.headers.set(name, NAMES[rng.below(NAMES.len())]);
        }
    }
    let mut board = Board::from_start(start).expect("a position");
    let root = record.tree.root();
    let timed = rng.below(2) == 0;
    let length = 20 + rng.below(100);
    grow(rng, &mut record, root, &mut board, length, timed, 3);
    if rng.below(3) == 0 {
        record.tree.set_comment(root, WORDS[rng.below(6)].into());
    }
    record
}

fn grow(
    rng: &mut Rng,
    record: &mut Record,
    parent: NodeId,
    board: &mut Board,
    length: usize,
    timed: bool,
    branches: usize,
) {
    let before = board.made();
    let mut line = vec![parent];
    while line.len() <= length {
        let Some(mv) = random_move(rng, board) else { break };
        let Some(&node) = line.last() else { break };
        if record.tree.children(node).any(|child| record.tree.mv(child) == Some(mv)) {
            break;
        }
        let node = record.tree.add(node, Action::Move(mv)).expect("a node");
        board.play(mv).expect("a legal move");
        texts(rng, record, node, timed);
        line.push(node);
    }
    if let Some(&last) = line.last()
        && last != parent
        && rng.below(3) > 0
    {
        let end = record.tree.add(last, Action::End(ENDS[rng.below(ENDS.len())].clone())).expect("a node");
        texts(rng, record, end, timed);
    }
    for _ in 0..if branches > 0 { rng.below(branches) } else { 0 } {
        let at = rng.below(line.len());
        while board.made() > before + at {
            board.undo();
        }
        let length = 1 + rng.below(8);
        let (node, made) = (line[at], board.made());
        grow(rng, record, node, board, length, timed, branches - 1);
        while board.made() > made {
            board.undo();
        }
        // The rest of the line has been undone.
        line.truncate(at + 1);
    }
}

fn texts(rng: &mut Rng, record: &mut Record, node: NodeId, timed: bool) {
    if timed {
        record.tree.set_time(node, Some(Duration::from_millis(rng.below(100_000) as u64)));
    }
    if rng.below(12) == 0 {
        let lines: Vec<&str> = (0..=rng.below(3)).map(|_| WORDS[rng.below(WORDS.len())]).collect();
        record.tree.set_comment(node, lines.join("\n"));
    }
    if rng.below(40) == 0 {
        record.tree.set_bookmark(node, "しおり");
    }
}

/// A random record of a game other than shogi: moves and, with `told`, headers and comments.
pub fn other(game: VariantId, rng: &mut Rng, starts: &[&str], told: bool) -> Record {
    let start = starts[rng.below(starts.len())];
    let mut record = Record::new(game, (start != game.info().start).then(|| start.into()));
    let mut pos = AnyPosition::parse(game, start).expect("a start position");
    if told {
        for name in [Headers::EVENT, Headers::BLACK, Headers::WHITE, "제한시간"] {
            if rng.below(2) == 0 {
                record.headers.set(name, NAMES[rng.below(NAMES.len())]);
            }
        }
    }
    let mut node = record.tree.root();
    for _ in 0..rng.below(120) {
        if told && rng.below(12) == 0 {
            record.tree.set_comment(node, ["좋은 수", "好手\nis good"][rng.below(2)].into());
        }
        let list = pos.legal_moves();
        let Some(&mv) = list.get(rng.below(list.len().max(1))) else { break };
        node = record.tree.add(node, Action::Move(mv)).expect("a node");
        pos.play(mv);
    }
    record
}
