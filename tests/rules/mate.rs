//! Compares the mate solver with known answers and with a plain exhaustive search.

use sanban::engine::mate::{MateLimits, MateMonitor, MateOutcome, Workspace, solve, solve_in};
use sanban::rules::shogi::{Position, START};
use sanban::rules::{Checks as _, Move, MoveList, Position as _, Rng, SearchPosition};
use std::collections::HashSet;
use std::time::{Duration, Instant};

fn ask(pos: &Position, nodes: u64) -> MateOutcome {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    solve(pos, &limits, &())
}

/// Replays a line with the general move generator: every move must be legal, every attacking move must give check, and
/// the last one must be mate.
pub(super) fn replay(pos: &Position, line: &[Move]) {
    let mut pos = pos.clone();
    assert_eq!(line.len() % 2, 1);
    for (i, &mv) in line.iter().enumerate() {
        assert!(pos.legal_moves().contains(&mv), "{}: move {i}", pos.sfen());
        pos.make(mv, &mut ());
        assert!(i % 2 == 1 || pos.in_check(), "{}: no check by move {i}", pos.sfen());
    }
    assert!(pos.legal_moves().is_empty() && pos.in_check());
}

/// Returns whether there is a mate within `plies` plies, by exhaustive search.
fn mates(pos: &mut Position, plies: usize) -> bool {
    mates_against(pos, plies, &|pos| pos.legal_moves().into_iter().collect())
}

/// Like [`mates`], but the defender never drops, so that futile interpositions do not count.
fn mates_without_drops(pos: &mut Position, plies: usize) -> bool {
    mates_against(pos, plies, &|pos| pos.legal_moves().into_iter().filter(|mv| !mv.is_drop()).collect())
}

fn mates_against(pos: &mut Position, plies: usize, defences: &impl Fn(&Position) -> Vec<Move>) -> bool {
    pos.legal_moves().into_iter().any(|mv| {
        pos.make(mv, &mut ());
        let mate = pos.in_check()
            && defences(pos).into_iter().all(|reply| {
                plies > 2 && {
                    pos.make(reply, &mut ());
                    let mate = mates_against(pos, plies - 2, defences);
                    pos.unmake();
                    mate
                }
            });
        pos.unmake();
        mate
    })
}

/// A position from a random game in which captures and checks are preferred.
fn random(rng: &mut Rng) -> Option<Position> {
    let mut pos = Position::from_sfen(START).expect("the start position");
    for _ in 0..60 + rng.below(120) {
        let list = pos.legal_moves();
        if list.is_empty() {
            return None;
        }
        let mut mv = list[rng.below(list.len())];
        if rng.below(2) == 0 {
            let forcing: Vec<Move> =
                list.iter().copied().filter(|&mv| pos.victim(mv) > 0 || pos.gives_check(mv)).collect();
            if !forcing.is_empty() {
                mv = forcing[rng.below(forcing.len())];
            }
        }
        pos.make(mv, &mut ());
    }
    Some(pos)
}

/// The problems of the suite: SFEN, expected answer and position.
fn suite() -> impl Iterator<Item = (&'static str, &'static str, Position)> {
    let lines = include_str!("../data/mates.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (sfen, expected) = line.split_once('\t').expect("a tab");
        (sfen, expected, Position::from_sfen(sfen).expect("a position"))
    })
}

#[test]
fn known_problems_are_answered_right() {
    let (mut right, mut total) = (0, 0);
    for (sfen, expected, pos) in suite() {
        total += 1;
        match ask(&pos, 20_000) {
            MateOutcome::Mate(moves) => {
                assert_ne!(expected, "nomate", "{sfen}");
                replay(&pos, &moves);
                right += 1;
            }
            MateOutcome::NoMate => {
                assert_eq!(expected, "nomate", "{sfen}");
                right += 1;
            }
            MateOutcome::Unknown => {}
        }
    }
    assert_eq!(total, 160);
    // A lower bound on the number of problems solved with this small node limit, to detect regressions.
    assert!(right >= 145, "{right} of {total}");
}

#[test]
fn a_plain_search_agrees() {
    let mut rng = Rng::new(0x3A7E);
    let (mut found, mut refuted) = (0, 0);
    for _ in 0..400 {
        let Some(mut pos) = random(&mut rng) else { continue };
        let outcome = ask(&pos, 20_000);
        let plain = mates(&mut pos, 3);
        match outcome {
            MateOutcome::Mate(line) => {
                replay(&pos, &line);
                // The line may be longer than necessary, but not shorter than the defender can make it.
                assert!(line.len() > 3 || mates_without_drops(&mut pos, 3), "{}", pos.sfen());
                found += 1;
            }
            MateOutcome::NoMate => {
                assert!(!plain && !mates(&mut pos, 5), "{}", pos.sfen());
                refuted += 1;
            }
            MateOutcome::Unknown => assert!(!plain, "{}", pos.sfen()),
        }
    }
    assert!(found > 20 && refuted > 20, "{found} mates, {refuted} without");
}

#[test]
fn positions_after_a_move_are_known_before_it() {
    let mut rng = Rng::new(0xAF7E2);
    for _ in 0..100 {
        let Some(mut pos) = random(&mut rng) else { continue };
        let side = pos.side();
        for mv in pos.legal_moves() {
            let foreseen = pos.after(mv);
            pos.make(mv, &mut ());
            assert_eq!(foreseen, (pos.board_key(), pos.hand(side)), "{} {}", pos.sfen(), Position::usi(mv));
            pos.unmake();
        }
    }
}

#[test]
fn answers_are_counted_as_they_wait_for_one_another() {
    let (mut rng, mut fewer) = (Rng::new(0xA7508), 0);
    for _ in 0..300 {
        let Some(mut pos) = random(&mut rng) else { continue };
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        for mv in checks {
            pos.make(mv, &mut ());
            let moves = pos.legal_moves();
            // A drop is identified by its destination, any other move by origin and destination.
            let distinct: HashSet<_> =
                moves.iter().map(|mv| (mv.to(), (!mv.is_drop()).then(|| mv.from()))).collect();
            assert_eq!(pos.answers(), distinct.len(), "{}", pos.sfen());
            fewer += usize::from(distinct.len() < moves.len());
            pos.unmake();
        }
    }
    assert!(fewer > 100, "{fewer}");
}

#[test]
fn a_lonely_king_can_be_mated_and_checks_can_be_answered_with_checks() {
    // A gold drop in front of the king, protected by the pawn.
    let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").expect("a position");
    let MateOutcome::Mate(line) = ask(&pos, 1_000) else { panic!("a mate in one") };
    assert_eq!(line, [pos.parse_usi("G*5b").expect("a legal move")]);
    // The attacker has no piece that could give check.
    let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").expect("a position");
    assert_eq!(ask(&pos, 1_000), MateOutcome::NoMate);
    // A bishop gives check, and capturing it is mate.
    let pos = Position::from_sfen("6lkl/6p1p/9/9/9/R6b1/9/9/4K4 b - 1").expect("a position");
    assert!(pos.in_check());
    let MateOutcome::Mate(line) = ask(&pos, 1_000) else { panic!("a mate in one") };
    assert_eq!(line, [pos.parse_usi("9f2f").expect("a legal move")]);
}

/// A monitor that stops a search from the start.
struct Stopped;

impl MateMonitor for Stopped {
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
fn limits_and_stop_end_the_search() {
    let pos =
        Position::from_sfen("4g1gs1/3s4l/4kp2p/7p1/1p7/p1s1+B2P1/3P4P/3GG3L/4KP1+r1 b RB3N5Psn2l4p 121")
            .expect("a position");
    assert_eq!(ask(&pos, 1), MateOutcome::Unknown);
    let begin = Instant::now();
    assert_eq!(solve(&pos, &MateLimits::default(), &Stopped), MateOutcome::Unknown);
    let limits = MateLimits { time: Some(Duration::ZERO), ..MateLimits::default() };
    assert_eq!(solve(&pos, &limits, &()), MateOutcome::Unknown);
    assert!(begin.elapsed() < Duration::from_secs(2));
}

/// A random position with a king near an edge, a few attackers and defenders on the board and in hand, and sometimes
/// the attacker's king.
pub(super) fn small(rng: &mut Rng) -> Option<Position> {
    let mut board = [[' '; 9]; 9];
    let put = |rng: &mut Rng, board: &mut [[char; 9]; 9], piece: char, ranks: usize| {
        let (rank, file) = (rng.below(ranks), rng.below(9));
        if board[rank][file] == ' ' {
            board[rank][file] = piece;
        }
    };
    put(rng, &mut board, 'k', 3);
    if rng.below(2) == 0 {
        put(rng, &mut board, 'K', 9);
    }
    for _ in 0..1 + rng.below(3) {
        let piece = ['G', 'S', 'B', 'R', 'G', 'S'][rng.below(6)];
        put(rng, &mut board, piece, 5);
    }
    for _ in 0..rng.below(4) {
        let piece = ['p', 'g', 's', 'l'][rng.below(4)];
        put(rng, &mut board, piece, 4);
    }
    let rank = |rank: &[char; 9]| {
        let (mut text, mut empty) = (String::new(), 0);
        for &piece in rank.iter().chain(&['/']) {
            if piece == ' ' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(piece);
        }
        text
    };
    let text: String = board.iter().map(rank).collect();
    let ours = ["-", "P", "G", "N", "S", "L", "GP", "R"][rng.below(8)];
    let theirs = ["", "p", "2p", "gp", "n"][rng.below(5)];
    let hands = if ours == "-" && !theirs.is_empty() { theirs.into() } else { format!("{ours}{theirs}") };
    Position::from_sfen(&format!("{} b {hands} 1", text.trim_end_matches('/'))).ok()
}

#[test]
fn a_plain_search_agrees_on_small_positions() {
    let mut rng = Rng::new(0x51A11);
    let (mut found, mut refuted, mut in_check) = (0, 0, 0);
    for _ in 0..700 {
        let Some(mut pos) = small(&mut rng) else { continue };
        in_check += u32::from(pos.in_check());
        match ask(&pos, 30_000) {
            MateOutcome::Mate(line) => {
                replay(&pos, &line);
                if line.len() <= 5 {
                    assert!(mates_without_drops(&mut pos, line.len()), "{}", pos.sfen());
                }
                found += 1;
            }
            MateOutcome::NoMate => {
                assert!(!mates(&mut pos, 5), "{}", pos.sfen());
                refuted += 1;
            }
            MateOutcome::Unknown => {}
        }
    }
    assert!(found > 20 && refuted > 100 && in_check > 5, "{found} mates, {refuted} without, {in_check}");
}

#[test]
fn the_shortest_mate_is_as_short_as_a_plain_search_says() {
    let mut rng = Rng::new(0x5407);
    let mut found = 0;
    for _ in 0..300 {
        let Some(mut pos) = small(&mut rng) else { continue };
        let limits = MateLimits { nodes: Some(100_000), shortest: true, ..MateLimits::default() };
        let MateOutcome::Mate(line) = solve(&pos, &limits, &()) else { continue };
        replay(&pos, &line);
        // Futile drops count in the plain search, but not in the line.
        if let Some(plain) = [1, 3, 5].into_iter().find(|&plies| mates(&mut pos, plies)) {
            assert!(line.len() <= plain, "{}: {} plies, not {plain}", pos.sfen(), line.len());
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn a_futile_interposition_is_not_shown() {
    // The rook gives check from a distance and the king has no flight square: capturing any interposed piece is mate.
    let pos = Position::from_sfen("8k/9/8G/9/9/9/9/9/9 b R2gs 1").expect("a position");
    let MateOutcome::Mate(line) = ask(&pos, 100_000) else { panic!("a mate") };
    assert!(line.len() <= 3, "{} plies", line.len());
}

/// A proof with fewer plies in total may have a longer line once futile drops are left out; the line must be the
/// shortest.
#[test]
fn a_shortest_mate_is_not_longer() {
    for sfen in ["8k/6Pgp/3GL1N2/9/8G/+R8/9/9/9 b N3p2l 1", "8k/7pn/5LN2/3B5/1R7/9/9/9/9 b P3p2l 1"] {
        let pos = Position::from_sfen(sfen).expect("a position");
        let plies = [false, true].map(|shortest| {
            let limits = MateLimits { nodes: Some(500_000), shortest, ..MateLimits::default() };
            let MateOutcome::Mate(line) = solve(&pos, &limits, &()) else { panic!("{sfen}: a mate") };
            replay(&pos, &line);
            line.len()
        });
        assert!(plies[1] <= plies[0], "{sfen}: {plies:?}");
    }
}

#[test]
fn two_threads_answer_like_one() {
    for (sfen, expected, pos) in suite().step_by(8) {
        let limits = MateLimits { nodes: Some(40_000), threads: 2, ..MateLimits::default() };
        match solve(&pos, &limits, &()) {
            MateOutcome::Mate(moves) => {
                assert_ne!(expected, "nomate", "{sfen}");
                replay(&pos, &moves);
            }
            MateOutcome::NoMate => assert_eq!(expected, "nomate", "{sfen}"),
            MateOutcome::Unknown => {}
        }
    }
}

/// The result of a plain search: no table, no proof numbers, every check and every legal answer, by iterative
/// deepening.
#[derive(PartialEq, Debug)]
enum Plain {
    /// The shortest mate takes this number of plies.
    Mate(usize),
    /// No mate exists, and no depth limit was reached.
    None,
    /// No mate within this number of plies; a longer search was too expensive.
    NoneWithin(usize),
}

/// Returns whether there is a mate within `plies` plies. Positions on the current path are not searched again, because
/// a shortest mate does not repeat positions. `None` if the budget is exhausted. `cut` is set if the depth limit cut
/// off a line.
fn plain_mates(
    pos: &mut Position,
    plies: usize,
    path: &mut Vec<u64>,
    cut: &mut bool,
    budget: &mut u32,
) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    if path.contains(&pos.key()) {
        return Some(false);
    }
    path.push(pos.key());
    let mut found = false;
    for mv in pos.legal_moves() {
        pos.make(mv, &mut ());
        let mut mate = pos.in_check();
        if mate {
            let replies = pos.legal_moves();
            if plies < 3 && !replies.is_empty() {
                *cut = true;
                mate = false;
            }
            for reply in replies.into_iter().take(if mate { usize::MAX } else { 0 }) {
                pos.make(reply, &mut ());
                mate = plain_mates(pos, plies - 2, path, cut, budget)?;
                pos.unmake();
                if !mate {
                    break;
                }
            }
        }
        pos.unmake();
        if mate {
            found = true;
            break;
        }
    }
    path.pop();
    Some(found)
}

fn plain(pos: &Position, mut budget: u32) -> Plain {
    for plies in (1..).step_by(2) {
        let mut cut = false;
        match plain_mates(&mut pos.clone(), plies, &mut Vec::new(), &mut cut, &mut budget) {
            None => return Plain::NoneWithin(plies.saturating_sub(2)),
            Some(true) => return Plain::Mate(plies),
            Some(false) if !cut => return Plain::None,
            Some(false) => {}
        }
    }
    unreachable!("the budget ends the search")
}

/// Compares the solver with the plain search, and returns the result of the plain search.
fn cross_check(pos: &Position, nodes: u64, budget: u32) -> Plain {
    let (outcome, plain) = (ask(pos, nodes), plain(pos, budget));
    match (&outcome, &plain) {
        (MateOutcome::NoMate, Plain::Mate(plies)) => panic!("{}: a mate in {plies}", pos.sfen()),
        (MateOutcome::Mate(line), Plain::None) => panic!("{}: no mate, not {line:?}", pos.sfen()),
        // The solver must solve every problem that the plain search solves with such a small budget.
        (MateOutcome::Unknown, Plain::Mate(_) | Plain::None) => panic!("{}: {plain:?}", pos.sfen()),
        (MateOutcome::Mate(line), _) => replay(pos, line),
        _ => {}
    }
    plain
}

#[test]
fn suite_problems_agree_with_a_plain_search() {
    let (mut ended, mut cut) = (0, 0);
    for (sfen, expected, pos) in suite().step_by(2) {
        match cross_check(&pos, 20_000, 10_000) {
            Plain::NoneWithin(plies) => cut += plies,
            Plain::Mate(plies) => {
                assert_ne!(expected, "nomate", "{sfen}: a mate in {plies}");
                ended += 1;
            }
            Plain::None => {
                assert_eq!(expected, "nomate", "{sfen}");
                ended += 1;
            }
        }
    }
    assert!(ended > 20, "{ended} decided, {cut} plies searched in the undecided ones");
}

#[test]
fn small_positions_agree_with_a_plain_search_to_the_end() {
    let mut rng = Rng::new(0xC0555);
    let (mut mates, mut none) = (0, 0);
    for _ in 0..250 {
        let Some(pos) = small(&mut rng) else { continue };
        match cross_check(&pos, 100_000, 3_000) {
            Plain::Mate(_) => mates += 1,
            Plain::None => none += 1,
            Plain::NoneWithin(_) => {}
        }
    }
    assert!(mates > 10 && none > 25, "{mates} mates, {none} without");
}

#[test]
fn used_memory_makes_no_difference() {
    let limits = MateLimits { nodes: Some(20_000), memory: 4, ..MateLimits::default() };
    let mut workspace = Workspace::default();
    let text = include_str!("../data/mates.tsv");
    let sfens = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next());
    for sfen in sfens.step_by(4) {
        let pos = Position::from_sfen(sfen).expect("a problem");
        assert_eq!(solve_in(&mut workspace, &pos, &limits, &()), solve(&pos, &limits, &()), "{sfen}");
    }
}

#[test]
fn a_search_in_slices_has_the_answer_of_a_whole_one() {
    let slice = MateLimits { nodes: Some(3_000), memory: 4, ..MateLimits::default() };
    let mut workspace = Workspace::default();
    let mut resumed = 0;
    for (sfen, expected, pos) in suite().step_by(5) {
        let mut outcome = solve_in(&mut workspace, &pos, &slice, &());
        for _ in 0..50 {
            if !workspace.is_paused() {
                break;
            }
            resumed += 1;
            workspace.resume();
            outcome = solve_in(&mut workspace, &pos, &slice, &());
        }
        match outcome {
            MateOutcome::Mate(moves) => {
                assert_ne!(expected, "nomate", "{sfen}");
                replay(&pos, &moves);
            }
            MateOutcome::NoMate => assert_eq!(expected, "nomate", "{sfen}"),
            MateOutcome::Unknown => panic!("no answer: {sfen}"),
        }
    }
    assert!(resumed > 5, "{resumed}");
}

/// Proofs that were overwritten in the table and found again may not match the rest of the proof, so following them can
/// lead back to a position on the path. The mating line must be returned even then.
#[test]
fn a_proved_mate_is_printed_whatever_the_table_has_forgotten() {
    for knight in ["1n7", "2n6"] {
        let sfen = format!("7k1/5+Bp2/7Ss/9/9/9/{knight}/9/9 b 2rb4g2s3n4l17p 1");
        let pos = Position::from_sfen(&sfen).expect("a position");
        for (memory, threads) in [(1, 1), (256, 1), (16, 2)] {
            let limits = MateLimits { memory, threads, ..MateLimits::default() };
            let MateOutcome::Mate(line) = solve(&pos, &limits, &()) else {
                panic!("{sfen}: {memory} MB, {threads} threads");
            };
            replay(&pos, &line);
        }
    }
}
