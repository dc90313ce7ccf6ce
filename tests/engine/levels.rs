//! Levels below full strength, against very weak opponents.

use crate::bots::{Bot, Level, Random, Taker, game};
use sanban::engine::ladder::{FULL, Player};
use sanban::rules::Rng;
use sanban::{Dobutsu, Game, Janggi, Limits, Searcher, Shogi, Variant};
use std::ops::ControlFlow;

const GAMES: usize = 100;

/// The score of the weakest level in percent.
fn score<G: Game>(opponent: &mut dyn Bot<G::Position>) -> f64 {
    let mut weakest = Level::<G>::new(0, None, 0, 1);
    let mut rng = Rng::new(7);
    let mut halves = 0;
    for number in 0..GAMES {
        weakest.new_game(number as u64 + 1);
        halves += if number % 2 == 0 {
            game::<G>(&mut weakest, opponent, 0, &mut rng)
        } else {
            2 - game::<G>(opponent, &mut weakest, 0, &mut rng)
        };
    }
    50.0 * f64::from(halves) / GAMES as f64
}

/// The weakest level beats a random player, and is a fair match for a beginner that captures whenever possible.
fn is_for_beginners<G: Game>() {
    let (random, taker) = (score::<G>(&mut Random(Rng::new(1))), score::<G>(&mut Taker(Rng::new(2))));
    let (game, fair) = (G::NAME, (30.0..=60.0).contains(&taker));
    assert!((75.0..=98.0).contains(&random) && fair, "{game}: {random} % and {taker} %");
}

#[test]
fn shogi_begins_for_beginners() {
    is_for_beginners::<Shogi>();
}

#[test]
fn janggi_begins_for_beginners() {
    is_for_beginners::<Janggi>();
}

#[test]
fn dobutsu_begins_for_beginners() {
    is_for_beginners::<Dobutsu>();
}

/// Levels that look one move ahead answer quickly, play only legal moves among those of `searchmoves`, and vary from
/// game to game.
#[test]
fn players_who_do_not_search_keep_to_the_rules() {
    let attentive = Shogi::LADDER.iter().filter(|player| matches!(player, Player::Attentive(_))).count();
    assert!((3..FULL).contains(&attentive));
    let pos = Shogi::parse(Shogi::START).expect("the start position");
    let wanted = pos.parse_usi("9g9f").expect("a legal move");
    let mut chosen = std::collections::BTreeSet::new();
    for level in 0..attentive as u32 {
        let mut searcher = Searcher::<Shogi>::new();
        searcher.settings().skill_level = level;
        for luck in 0..8 {
            searcher.settings().luck = luck;
            let outcome = searcher.search(&pos, &Limits::default(), |_| ControlFlow::Continue(()));
            assert!(outcome.depth == 1 && outcome.nodes <= 30, "level {level} runs a search: {outcome:?}");
            chosen.extend(outcome.best);
        }
        let limits = Limits { search_moves: vec![wanted], ..Limits::default() };
        let outcome = searcher.search(&pos, &limits, |_| ControlFlow::Continue(()));
        assert_eq!(outcome.best, Some(wanted));
    }
    assert!(chosen.len() > 3, "too few different moves: {chosen:?}");
}
