//! Levels below full strength, against very weak opponents.

use crate::bots::{Bot, Level, Random, Taker, game};
use sanban::engine::ladder::{Attention, FULL, Player};
use sanban::rules::Rng;
use sanban::{Dobutsu, Game, Janggi, Limits, Position as _, Searcher, Shogi, Variant};
use std::ops::ControlFlow;

const GAMES: usize = 30;

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

/// The weakest level beats a random player, but not always, and is a fair match for a beginner that captures whenever
/// possible.
fn is_for_beginners<G: Game>() {
    let (random, taker) = (score::<G>(&mut Random(Rng::new(1))), score::<G>(&mut Taker(Rng::new(2))));
    let (game, fair) = (G::ID, (30.0..=65.0).contains(&taker));
    assert!((75.0..100.0).contains(&random) && fair, "{game}: {random} % and {taker} %");
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
    assert!(chosen.len() > 1, "too few different moves: {chosen:?}");
}

/// Weak levels begin a game as people do, and do not pass in the opening of Janggi.
#[test]
fn beginners_know_how_a_game_begins() {
    for level in 0..8 {
        let moves = chosen::<Shogi>(player_of(Shogi::LADDER[level]), Shogi::START, &[]);
        let usual = moves.iter().filter(|mv| ["7g7f", "2g2f"].contains(&mv.as_str())).count();
        assert!(usual >= 43, "level {level}: {usual} of 50");
        let moves = chosen::<Janggi>(player_of(Janggi::LADDER[level]), Janggi::START, &[]);
        assert!(moves.iter().all(|mv| mv[..2] != mv[2..]), "level {level} passes");
    }
}

fn player_of(player: Player) -> Attention {
    let Player::Attentive(attention) = player else { panic!("{player:?} searches") };
    attention
}

/// A player that notices everything and misjudges nothing.
const WATCHFUL: Attention =
    Attention { moves: 100, drops: 100, threats: 100, mates: 100, sense: 0, error: 0 };

/// The moves of a player in a position after these moves, one for each of 50 numbers for the luck.
fn chosen<G: Game>(attention: Attention, sfen: &str, moves: &[&str]) -> Vec<String> {
    let mut pos = G::parse(sfen).expect("a position");
    for mv in moves {
        let mv = pos.parse_usi(mv).unwrap_or_else(|| panic!("{mv} is not legal in {}", pos.sfen()));
        pos.make(mv, &mut ());
    }
    let choose = |luck| {
        let mut searcher = Searcher::<G>::new();
        searcher.settings().player = Some(Player::Attentive(attention));
        searcher.settings().luck = luck;
        let outcome = searcher.search(&pos, &Limits::default(), |_| ControlFlow::Continue(()));
        G::Position::usi(outcome.best.expect("a move"))
    };
    (0..50).map(choose).collect()
}

/// A lion that moves next to a defended lion is lost all the same.
#[test]
fn who_notices_everything_does_not_lose_the_lion() {
    for (sfen, blunder) in [("g1e/1l1/3/ELG b Cc 3", "2d2c"), ("gle/3/1EL/2G w Cc 4", "2a2b")] {
        assert!(!chosen::<Dobutsu>(WATCHFUL, sfen, &[]).contains(&blunder.to_string()), "{sfen}");
    }
}

/// A lion that is about to enter is stopped.
#[test]
fn who_notices_everything_guards_the_last_row() {
    let moves = chosen::<Dobutsu>(WATCHFUL, "3/3/L1l/3 b CEGceg 1", &[]);
    assert!(moves.iter().all(|mv| mv == "G*2d" || mv == "E*2c"), "{moves:?}");
}

/// A mate is noticed regardless of how well the player notices its moves.
#[test]
fn a_mate_is_noticed_as_a_mate() {
    let mates = |attention| {
        let moves = chosen::<Shogi>(attention, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &[]);
        moves.iter().filter(|mv| *mv == "G*5b").count()
    };
    assert_eq!(mates(Attention { moves: 0, drops: 0, ..WATCHFUL }), 50);
    assert!(mates(Attention { mates: 0, ..WATCHFUL }) <= 5);
}

/// The mates by a piece are known or unknown for a whole game, independently of those by another piece.
#[test]
fn mates_are_known_by_piece() {
    let half = Attention { mates: 50, ..WATCHFUL };
    let seen = |sfen, mates: &[&str]| -> Vec<bool> {
        chosen::<Shogi>(half, sfen, &[]).iter().map(|mv| mates.contains(&mv.as_str())).collect()
    };
    let gold = seen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &["G*5b"]);
    assert!((15..=35).contains(&gold.iter().filter(|&&seen| seen).count()), "{gold:?}");
    assert_eq!(seen("8k/9/8P/9/9/9/9/9/4K4 b G 1", &["G*1b"]), gold);
    let rook = seen("4k4/9/4G4/9/9/9/9/9/4K4 b R 1", &["R*1a", "R*2a", "R*3a", "R*7a", "R*8a", "R*9a"]);
    let same = rook.iter().zip(&gold).filter(|(rook, gold)| rook == gold).count();
    assert!((10..=40).contains(&same), "{rook:?}, {gold:?}");
}

/// A draw by rule is worth 0: the side that is ahead avoids it, and the other side seeks it.
#[test]
fn a_draw_is_worth_less_than_an_advantage() {
    let ahead = ["5h5i", "5b5a", "5i5h", "5a5b", "5h5i", "5b5a", "5i5h"];
    let moves = chosen::<Janggi>(WATCHFUL, "5a3/4k4/3a5/9/6p2/2n6/9/4K4/9/6b2 b - 1", &ahead);
    assert!(!moves.contains(&"5a5b".to_string()), "{moves:?}");
    let behind = ["5a5b", "5h5i", "5b5a", "5i5h", "5a5b", "5h5i", "5b5a"];
    let moves = chosen::<Janggi>(WATCHFUL, "4ka3/9/3a5/9/6p2/2n6/9/4K4/9/6b2 w - 1", &behind);
    assert!(moves.iter().all(|mv| mv == "5i5h"), "{moves:?}");
}
