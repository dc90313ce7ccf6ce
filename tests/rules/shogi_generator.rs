//! Compares shogi's move generator, static exchange evaluation and mate-in-one search with plain implementations, on
//! random games from the start position and the reference positions.

use crate::naive::Naive;
use crate::plain;
use sanban::rules::shogi::{Kind, Position, START};
use sanban::rules::{Move, MoveList, Position as _, Rng};
use std::collections::BTreeSet;

fn legal(pos: &Position) -> MoveList {
    pos.legal_moves()
}

/// Plays random moves from the start position and from every reference position, and calls `visit` at each position.
fn random_walks(seed: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut rng = Rng::new(seed);
    for sfen in
        std::iter::repeat_n(START, 5).chain(plain::reference_sfens(include_str!("../../perft/shogi.perft")))
    {
        let pos = Position::from_sfen(sfen).expect("a valid reference position");
        plain::random_walk(pos, plies, &mut rng, &mut visit);
    }
}

#[test]
fn the_generator_agrees_with_a_naive_one() {
    let mut seen = 0;
    random_walks(1, 12, |pos| {
        let naive = Naive::from(pos);
        let plain = naive.legal();
        let own: BTreeSet<_> =
            legal(pos).into_iter().map(|mv| (Position::usi(mv), pos.gives_check(mv))).collect();
        assert_eq!(own, plain, "{}", pos.sfen());
        assert_eq!(pos.in_check(), naive.in_check(pos.side()), "{}", pos.sfen());
        seen += own.len();
    });
    assert!(seen > 50_000);
}

#[test]
fn staged_generation_leaves_only_pointless_non_promotions_out() {
    random_walks(2, 30, |pos| {
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        pos.noisy(&mut noisy);
        pos.quiet(&mut quiet);
        let (all, staged) = (legal(pos), noisy.into_iter().chain(quiet).collect::<BTreeSet<_>>());
        for mv in all.into_iter().filter(|mv| !staged.contains(mv)) {
            let promoted = Move::promotion(mv.from(), mv.to());
            assert!(!mv.is_drop() && staged.contains(&promoted), "{} in {}", Position::usi(mv), pos.sfen());
        }
    });
}

#[test]
fn all_legal_moves_on_request() {
    use sanban::rules::Rules as _;
    let mut rules = sanban::rules::shogi::Rules::default();
    rules.set("GenerateAllLegalMoves", "true").expect("a rule setting of shogi");
    random_walks(3, 8, |pos| {
        let mut pos = pos.clone();
        pos.set_rules(&rules);
        let mut staged = MoveList::new();
        pos.noisy(&mut staged);
        pos.quiet(&mut staged);
        assert_eq!(staged.into_iter().collect::<BTreeSet<_>>(), legal(&pos).into_iter().collect());
    });
}

/// The value of the piece that makes this move; `None` for drops and promotions.
fn captor(pos: &Position, mv: Move) -> Option<i32> {
    if mv.is_drop() || mv.is_promotion() {
        return None;
    }
    pos.piece_on(mv.from()).map(|(_, kind)| kind.value())
}

#[test]
fn static_exchanges_agree_with_playing_them() {
    let (mut agreed, mut differed) = (0, 0);
    random_walks(8, 25, |pos| {
        // Static exchange evaluation ignores pins and checks, so positions in check are skipped.
        if pos.in_check() {
            return;
        }
        for mv in legal(pos) {
            let (Some(own), Some((_, victim))) = (captor(pos, mv), pos.piece_on(mv.to())) else { continue };
            pos.make(mv, &mut ());
            let takers = legal(pos).into_iter().filter(|m| m.to() == mv.to()).count();
            let value = if takers > 12 { None } else { Some(plain::exchange(pos, mv.to(), own, captor)) };
            pos.unmake();
            let Some(value) = value.map(|lost| victim.value() - lost) else { continue };
            if pos.see_ge(mv, value) && !pos.see_ge(mv, value + 1) {
                agreed += 1;
            } else {
                differed += 1;
            }
        }
    });
    // The differences are due to pins and to moves of kings.
    assert!(agreed > 2_000 && differed * 12 < agreed, "{agreed} agreed, {differed} differed");
}

#[test]
fn mate_in_one_is_found_when_the_piece_stands_next_to_the_king_or_is_a_knight() {
    let (mut near, mut far) = (0, 0);
    random_walks(9, 40, |pos| {
        let (king, moves, calm) = (pos.king(!pos.side()), legal(pos), !pos.in_check());
        let mut find = |mv: Move| {
            pos.make(mv, &mut ());
            let mate = pos.in_check() && pos.count() == 0;
            let knight = pos.piece_on(mv.to()).is_some_and(|(_, kind)| kind == Kind::Knight);
            let close =
                king.is_some_and(|king| sanban::rules::shogi::attacks::king(king).has(mv.to())) || knight;
            let direct = pos.checkers().has(mv.to());
            pos.unmake();
            mate.then_some(close && direct && calm)
        };
        let mates: Vec<_> = moves.into_iter().filter_map(|mv| Some((mv, find(mv)?))).collect();
        match pos.mate_in_one() {
            Some(mv) => assert!(mates.contains(&(mv, true)), "{} in {}", Position::usi(mv), pos.sfen()),
            None => assert!(mates.iter().all(|mate| !mate.1), "{mates:?} missed in {}", pos.sfen()),
        }
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let among = pos.mate_among(&checks);
        assert_eq!(among.is_some(), !mates.is_empty(), "{}", pos.sfen());
        assert!(among.is_none_or(|mv| mates.iter().any(|mate| mate.0 == mv)), "{}", pos.sfen());
        near += usize::from(mates.iter().any(|mate| mate.1));
        far += usize::from(!mates.is_empty());
    });
    assert!(near > 50 && far > near, "{near} of {far}");
}
