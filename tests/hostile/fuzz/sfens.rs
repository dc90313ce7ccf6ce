//! SFENs and moves of all games: accepted positions are consistent.

use super::bytes::{changed_text, text_changes};
use super::check;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use sanban::VariantId;
use sanban::engine::{Evaluator, Game, each_game};
use sanban::rules::score::MAX_EVAL;
use sanban::rules::{AnyPosition, AsBoard, Move, MoveList, Position, Rng, SearchPosition};

/// Maximum number of legal moves checked in a position.
const LOOK: usize = 12;

/// A position from random play, and the moves that lead to it.
pub fn walk(game: VariantId, seed: u64, plies: usize) -> (AnyPosition, Vec<Move>) {
    let mut rng = Rng::new(seed);
    let bases = [&[game.info().start][..], each_game!(game, G => G::BENCH)].concat();
    let mut pos = AnyPosition::parse(game, bases[rng.below(bases.len())]).expect("a position");
    let mut made = vec![];
    for _ in 0..plies {
        let moves = pos.legal_moves();
        if moves.is_empty() || pos.verdict().is_some() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        made.push(mv);
        pos.play(mv);
    }
    (pos, made)
}

/// The same on a board that is known at compile time.
pub fn walk_on<G: Game<Position: AsBoard>>(seed: u64, plies: usize) -> (G::Position, Vec<Move>) {
    let (pos, made) = walk(G::ID, seed, plies);
    (pos.get::<G::Position>().expect("a position of this board").clone(), made)
}

fn reads<G: Game<Position: AsBoard>>(game: VariantId, text: &str, moves: &[String]) -> TestCaseResult {
    let evaluator = &mut G::evaluator(&G::embedded());
    let parse = |text: &str| AnyPosition::parse(game, text).map(|any| any.get::<G::Position>().cloned());
    let Ok(Some(mut pos)) = parse(text) else { return Ok(()) };
    let sfen = pos.sfen();
    let again = parse(&sfen).map_err(|e| TestCaseError::fail(format!("{sfen}: {e}")))?;
    let again = again.expect("a position of this board");
    prop_assert_eq!(again.sfen(), sfen.clone());
    prop_assert_eq!(again.key(), pos.key());
    let list = pos.legal_moves();
    prop_assert_eq!(pos.count(), list.len(), "{}", sfen);
    let (mut staged, key) = (MoveList::new(), pos.key());
    pos.noisy(&mut staged);
    pos.quiet(&mut staged);
    prop_assert!(staged.iter().all(|mv| list.contains(mv)), "{}", sfen);
    for &mv in list.iter().step_by(list.len().div_ceil(LOOK).max(1)) {
        let usi = G::Position::usi(mv);
        prop_assert_eq!(pos.parse_usi(&usi), Some(mv), "{} {}", sfen, usi);
        let after = pos.key_after(mv);
        evaluator.reset(&pos);
        evaluator.push();
        pos.make(mv, evaluator);
        prop_assert_eq!(pos.key(), after, "{} {}", sfen, usi);
        if !pos.in_check() {
            let score = evaluator.evaluate(&pos);
            evaluator.reset(&pos);
            prop_assert_eq!(score, evaluator.evaluate(&pos), "{} {}", sfen, usi);
            prop_assert!(score.abs() <= MAX_EVAL, "{} {}", sfen, usi);
        }
        let _ = pos.verdict(0);
        pos.unmake();
        prop_assert_eq!(pos.key(), key, "{} {}", sfen, usi);
    }
    for text in moves {
        if let Some(mv) = pos.parse_usi(text) {
            prop_assert!(pos.is_legal(mv) && list.contains(&mv), "{} {:?}", sfen, text);
        }
    }
    Ok(())
}

#[test]
fn positions_are_read_or_refused() {
    let position = (prop::sample::select(VariantId::ALL), any::<u64>(), 0usize..80, text_changes());
    let moves = prop::collection::vec("[0-9a-jPLNSGBRKEC*+]{1,6}", 0..4);
    check(file!(), 1500, (position, moves), |((game, seed, plies, changes), moves)| {
        let text = changed_text(&walk(game, seed, plies).0.sfen(), &changes);
        each_game!(game, G => reads::<G>(game, &text, &moves))
    });
}

/// Reads random strings made of the letters of SFENs.
#[test]
fn letters_in_any_order_are_read_or_refused() {
    let text =
        "([1-9+kKrRbBgGsSnNlLpPaAcCeEhH/]{0,90}|[kKpPrRcC1-9/]{5,40}) [bw] (-|[1-9kKpPrR]{1,6}) ?[0-9]{0,3}";
    check(
        file!(),
        500,
        (prop::sample::select(VariantId::ALL), text),
        |(game, text)| each_game!(game, G => reads::<G>(game, &text, &[])),
    );
}
