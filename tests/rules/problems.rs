//! Compares soundness checks, brinkmates and proofs with plain searches.

use crate::mate::{replay, small};
use sanban::engine::mate::{
    Answer, Brink, BrinkOutcome, FindingKind, MateLimits, MateOutcome, ProofNode, ProofOutcome, Verdict,
    brinkmate, check, prove, solve,
};
use sanban::rules::shogi::Position;
use sanban::rules::{Checks as _, Color, Move, Position as _, Rng};
use std::collections::{HashMap, HashSet};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn limits(nodes: u64) -> MateLimits {
    MateLimits { nodes: Some(nodes), memory: 16, ..MateLimits::default() }
}

fn usi(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| Position::usi(mv)).collect()
}

/// Computes the lengths of solutions by the rules for problems in docs/mate.md, without a table or proof numbers. A
/// length is the number of plies, and whether the attacker's hand is empty at the end. Methods return `None` if the
/// budget is exhausted.
struct Plain {
    attacker: Color,
    budget: u32,
}

type Length = (u16, bool);

impl Plain {
    fn attack(&mut self, pos: &mut Position, limit: u16) -> Option<Option<Length>> {
        for plies in (1..=limit).step_by(2) {
            let mut best: Option<Length> = None;
            for mv in pos.legal_moves() {
                let length = self.after(pos, mv, plies)?;
                best = [best, length].into_iter().flatten().min();
            }
            if best.is_some() {
                return Some(best);
            }
        }
        Some(None)
    }

    /// The length of the solution that starts with this move of the attacker, which must be a check.
    fn after(&mut self, pos: &mut Position, mv: Move, limit: u16) -> Option<Option<Length>> {
        self.budget = self.budget.checked_sub(1)?;
        pos.make(mv, &mut ());
        let length = if pos.in_check() { self.defence(pos, limit - 1) } else { Some(None) };
        pos.unmake();
        Some(length?.map(|(plies, full)| (plies + 1, full)))
    }

    fn defence(&mut self, pos: &mut Position, limit: u16) -> Option<Option<Length>> {
        let defences = self.defences(pos, limit)?;
        let mated = (0, pos.hand(self.attacker) == 0);
        if defences.iter().any(|(_, length)| length.is_none()) {
            return Some(None);
        }
        Some(Some(defences.into_iter().filter_map(|(_, length)| length).max().unwrap_or(mated)))
    }

    /// The defences that are not futile.
    fn defences(&mut self, pos: &mut Position, limit: u16) -> Option<Vec<(Move, Option<Length>)>> {
        let mut out = Vec::new();
        let moves: Vec<Move> = pos.legal_moves().into_iter().collect();
        for &mv in moves.iter().filter(|mv| !mv.is_drop()) {
            out.push((mv, self.reply(pos, mv, limit)?));
        }
        if out.iter().any(|(_, length)| length.is_none()) {
            return Some(out);
        }
        let longest = out.iter().filter_map(|&(_, length)| length).map(|(plies, _)| plies).max().unwrap_or(0);
        for &mv in moves.iter().filter(|mv| mv.is_drop()) {
            let hand = pos.hand(self.attacker);
            pos.make(mv, &mut ());
            let mut is_futile = false;
            for capture in pos.legal_moves() {
                if capture.is_drop() || capture.to() != mv.to() || is_futile {
                    continue;
                }
                let mut after = pos.clone();
                after.make(capture, &mut ());
                if after.in_check() {
                    let mut without = with_hand(&after, self.attacker, hand);
                    is_futile = self.defence(&mut without, longest)?.is_some();
                }
            }
            pos.unmake();
            if !is_futile {
                out.push((mv, self.reply(pos, mv, limit)?));
            }
        }
        Some(out)
    }

    fn reply(&mut self, pos: &mut Position, mv: Move, limit: u16) -> Option<Option<Length>> {
        if limit < 2 {
            return Some(None);
        }
        pos.make(mv, &mut ());
        let length = self.attack(pos, limit - 1);
        pos.unmake();
        Some(length?.map(|(plies, full)| (plies + 1, full)))
    }
}

fn with_hand(pos: &Position, side: Color, hand: u32) -> Position {
    pos.with_hand(side, hand).expect("pieces in the two hands")
}

#[test]
fn hands_are_redistributed_like_in_an_sfen() {
    let pos = position("4k4/9/9/4G4/9/9/9/9/4K4 b R2P3prb2g2s 1");
    let all = pos.hand(Color::Black) + pos.hand(Color::White);
    let mut expected = position("4k4/9/9/4G4/9/9/9/9/4K4 b 2rb2g2s5p 1");
    let none = with_hand(&pos, Color::Black, 0);
    assert_eq!((none.sfen(), none.key()), (expected.sfen(), expected.key()));
    expected = position("4k4/9/9/4G4/9/9/9/9/4K4 b 2RB2G2S5P 1");
    let whole = with_hand(&pos, Color::Black, all);
    assert_eq!((whole.sfen(), whole.key()), (expected.sfen(), expected.key()));
    assert_eq!(with_hand(&whole, Color::Black, pos.hand(Color::Black)).key(), pos.key());
    let more = position("4k4/9/9/4G4/9/9/9/9/4K4 b 2RB3G2S5P 1").hand(Color::Black);
    assert!(pos.with_hand(Color::Black, more).is_none());
}

#[test]
fn verdicts_on_small_problems() {
    for (sfen, verdict, plies) in [
        // A gold in front of the king mates.
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", Verdict::Sound, 1),
        // The attacker has a superfluous gold.
        ("7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", Verdict::Leftover, 1),
        ("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", Verdict::NoMate, 0),
    ] {
        let found = check(&position(sfen), &MateLimits::default(), &(), &mut |_| {});
        assert_eq!((found.verdict, found.line.len()), (verdict, plies), "{sfen}: {found:?}");
    }
}

/// Every length and every alternative solution of the main line is compared with the plain search.
#[test]
fn a_plain_search_agrees_about_soundness() {
    let mut rng = Rng::new(0x50D);
    let (mut compared, mut cooked, mut sound) = (0, 0, 0);
    for _ in 0..300 {
        let Some(pos) = small(&mut rng) else { continue };
        let found = check(&pos, &limits(50_000), &(), &mut |_| {});
        if !found.complete || found.line.is_empty() || found.line.len() > 5 {
            continue;
        }
        let mut plain = Plain { attacker: pos.side(), budget: 20_000 };
        let plies = found.line.len() as u16;
        let Some(length) = plain.attack(&mut pos.clone(), plies) else { continue };
        assert_eq!(length, Some((plies, !found.leftover)), "{}", pos.sfen());
        let mut here = pos.clone();
        for (i, &mv) in found.line.iter().enumerate() {
            if i % 2 == 0 {
                let left = plies - i as u16;
                for other in here.legal_moves().into_iter().filter(|&other| other != mv) {
                    let Some(length) = plain.after(&mut here.clone(), other, left) else { continue };
                    let listed = found.findings.iter().find(|f| f.before == found.line[..i] && f.mv == other);
                    let expected = length.map(|(plies, _)| plies);
                    // A longer alternative is beyond the reach of the plain search.
                    let listed = listed.filter(|f| expected.is_some() || f.plies.is_some());
                    assert_eq!(
                        listed.and_then(|f| f.plies),
                        expected,
                        "{} {}",
                        pos.sfen(),
                        Position::usi(other)
                    );
                    let is_last = left == 1 && i > 0;
                    let mate = listed.filter(|f| f.plies.is_some());
                    assert!(mate.is_none_or(|f| (f.kind == FindingKind::LastMove) == is_last));
                }
            }
            here.make(mv, &mut ());
        }
        assert!(here.in_check());
        // A longer cook must still mate after every defence.
        for finding in found.findings.iter().filter(|f| f.plies.is_none() && f.kind != FindingKind::Refuted) {
            let mut after = pos.clone();
            finding.before.iter().chain([&finding.mv]).for_each(|&mv| after.make(mv, &mut ()));
            for reply in after.legal_moves() {
                after.make(reply, &mut ());
                let outcome = solve(&after, &limits(200_000), &());
                assert!(matches!(outcome, MateOutcome::Mate(_)), "{} {:?}", pos.sfen(), finding);
                after.unmake();
            }
        }
        compared += 1;
        cooked += u32::from(found.verdict == Verdict::Cooked);
        sound += u32::from(found.verdict == Verdict::Sound);
    }
    assert!(compared > 10 && cooked > 2 && sound > 0, "{compared} compared, {cooked} cooked, {sound} sound");
}

/// The same checks as in tests/oracles/proof_checker.py.
fn verify(root: &Position, nodes: &[(Position, ProofNode)]) {
    let attacker = root.side();
    let mut known: HashMap<u64, Vec<(u32, u16)>> = HashMap::new();
    for (pos, node) in nodes {
        let plies = if let ProofNode::Mate(_, plies) = node { *plies } else { 0 };
        known.entry(pos.board_key()).or_default().push((pos.hand(attacker), plies));
    }
    let covers = |pos: &Position, most: Option<u16>| {
        let hand = pos.hand(attacker);
        known.get(&pos.board_key()).is_some_and(|list| {
            list.iter().any(|&(other, plies)| match most {
                Some(most) => plies <= most && Position::hand_covers(hand, other),
                None => Position::hand_covers(other, hand),
            })
        })
    };
    assert_eq!(nodes[0].0.key(), root.key());
    for (pos, node) in nodes {
        let mut pos = pos.clone();
        match node {
            ProofNode::Mate(mv, plies) => {
                assert!(pos.legal_moves().contains(mv));
                pos.make(*mv, &mut ());
                assert!(pos.in_check());
                for reply in pos.legal_moves() {
                    pos.make(reply, &mut ());
                    assert!(*plies > 2 && covers(&pos, Some(plies - 2)), "{}: {}", root.sfen(), pos.sfen());
                    pos.unmake();
                }
            }
            ProofNode::NoMate(answers) => {
                for mv in pos.legal_moves() {
                    pos.make(mv, &mut ());
                    if pos.in_check() {
                        let reply = answers.iter().find(|(check, _)| *check == mv).expect("an answer").1;
                        assert!(pos.legal_moves().contains(&reply));
                        pos.make(reply, &mut ());
                        assert!(covers(&pos, None), "{}: {}", root.sfen(), pos.sfen());
                        pos.unmake();
                    }
                    pos.unmake();
                }
            }
        }
    }
}

#[test]
fn proofs_are_whole() {
    let known = ["7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s3n4l17p 1", "7nl/7k1/6pp1/9/6N2/9/9/9/9 b RG 1"];
    let mut rng = Rng::new(0x9007);
    let random = (0..120).filter_map(|_| small(&mut rng));
    let (mut mates, mut none) = (0, 0);
    for pos in known.into_iter().map(position).chain(random) {
        let mut nodes = Vec::new();
        let outcome =
            prove(&pos, &limits(500_000), &(), &mut |pos, node| nodes.push((pos.clone(), node.clone())));
        match outcome {
            ProofOutcome::Mate(count) | ProofOutcome::NoMate(count) => assert_eq!(count, nodes.len()),
            ProofOutcome::Unknown => continue,
        }
        verify(&pos, &nodes);
        match outcome {
            ProofOutcome::Mate(_) => mates += 1,
            _ => none += 1,
        }
    }
    assert!(mates > 2 && none > 30, "{mates} mates, {none} without");
}

/// Checks that every legal defence has its answer, and that every answer mates.
fn replay_brink(pos: &Position, brink: &Brink) {
    let mut pos = pos.clone();
    assert!(pos.legal_moves().contains(&brink.mv));
    pos.make(brink.mv, &mut ());
    let legal: HashSet<Move> = pos.legal_moves().into_iter().collect();
    let answered: HashSet<Move> = brink.defences.iter().map(|&(mv, _)| mv).collect();
    assert_eq!(legal, answered, "{}", pos.sfen());
    for (mv, answer) in &brink.defences {
        pos.make(*mv, &mut ());
        match answer {
            Answer::Mate(line) => {
                replay(&pos, line);
                assert!(matches!(solve(&pos, &MateLimits::default(), &()), MateOutcome::Mate(_)));
            }
            Answer::Brink(brink) => replay_brink(&pos, brink),
        }
        pos.unmake();
    }
}

#[test]
fn brinkmates_are_proved_against_every_defence() {
    let lines = include_str!("../data/brinks.tsv").lines().filter(|line| !line.starts_with('#'));
    // `tests/oracles/brink_checker.py` verifies all of them.
    for line in lines.take(6).step_by(3) {
        let (sfen, expected) = line.split_once('\t').expect("a tab");
        let pos = position(sfen);
        let plies: u16 = expected.split(' ').nth(1).and_then(|plies| plies.parse().ok()).expect("plies");
        let BrinkOutcome::Brink(brink) = brinkmate(&pos, plies, &MateLimits::default(), &()) else {
            panic!("{sfen}: no brinkmate")
        };
        assert_eq!(format!("brink {} {}", brink.plies(), Position::usi(brink.mv)), expected, "{sfen}");
        replay_brink(&pos, &brink);
    }
}

#[test]
fn a_mate_is_no_brinkmate_and_a_harmless_move_is_none() {
    let pos = position("4k4/9/9/9/9/9/9/9/4K4 b P2r2b4g4s4n4l17p 1");
    assert_eq!(brinkmate(&pos, 1, &MateLimits::default(), &()), BrinkOutcome::None);
    let pos = position("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    let BrinkOutcome::Mate(line) = brinkmate(&pos, 1, &MateLimits::default(), &()) else { panic!("a mate") };
    assert_eq!(usi(&line), ["G*5b"]);
}
