//! The contracts of `Position` and `Evaluator`, on random games of all variants.

use crate::janggi_generator::crowds;
use crate::plain;
use sanban::SfenError;
use sanban::engine::nnue::NetworkChoice;
use sanban::engine::{Evaluator, Game, NetworkSource, each_game};
use sanban::rules::{
    AnyPosition, AsBoard, Checks, GameFamily, Janggi, Move, MoveList, Observer, Placement, Position, Rng,
    SearchPosition, Shogi, VariantId,
};
use std::collections::BTreeSet;

/// Defines tests with these names that run the function of the same name in module `all` for every game.
macro_rules! on_all_games {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            for &id in VariantId::ALL {
                each_game!(id, G => all::$name::<G>(id));
            }
        })*
    };
}

/// Parses an SFEN under the rules of a game that is played on the board of `G`.
fn parse<G: Game<Position: AsBoard>>(id: VariantId, sfen: &str) -> Result<G::Position, SfenError> {
    Ok(AnyPosition::parse(id, sfen)?.get::<G::Position>().expect("a position of this board").clone())
}

on_all_games! {
    counting_listing_and_staging_agree
    answers_counted_together_are_those_to_each_move
    any_bit_pattern_is_judged_as_the_generator_does
    what_is_said_of_a_move_comes_true
    unmaking_restores_everything
    a_position_is_that_of_its_sfen
    an_observer_hears_every_change
    an_evaluation_that_follows_the_moves_is_that_of_the_position
    moves_are_read_as_they_are_written
    equal_positions_are_those_with_equal_boards
}

/// The first positions of random games: the start position, the reference positions and, for Janggi, boards full of
/// pieces.
fn starts(id: VariantId, rng: &mut Rng) -> Vec<String> {
    let suite = match id.family() {
        GameFamily::Shogi => include_str!("../../perft/shogi.perft"),
        GameFamily::Janggi if id == VariantId::Janggi => include_str!("../../perft/janggi.perft"),
        GameFamily::Janggi => include_str!("../../perft/janggicasual.perft"),
        GameFamily::Dobutsu => include_str!("../../perft/dobutsu.perft"),
        GameFamily::DobutsuMate => include_str!("../../perft/dobutsumate.perft"),
    };
    let suite = plain::reference_sfens(suite);
    let mut out: Vec<String> =
        std::iter::repeat_n(id.info().start, 8).chain(suite).map(str::to_string).collect();
    if id.is_janggi() {
        out.extend(crowds(rng));
    }
    out
}

/// Plays random games of `plies` plies from every start and calls `visit` at each position.
fn random_walks<G: Game<Position: AsBoard>>(
    id: VariantId,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&mut G::Position),
) {
    let mut rng = Rng::new(seed);
    for sfen in starts(id, &mut rng) {
        let pos = parse::<G>(id, &sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
        plain::random_walk(pos, plies, &mut rng, &mut visit);
    }
}

/// Tracks the set of placements from the notifications it receives.
#[derive(Clone, Default, PartialEq, Debug)]
struct Listener(BTreeSet<u16>);

impl Observer for Listener {
    fn put(&mut self, p: Placement) {
        assert!(self.0.insert(p.0), "{} already exists", p.0);
    }
    fn take(&mut self, p: Placement) {
        assert!(self.0.remove(&p.0), "{} does not exist", p.0);
    }
}

fn placements<P: Position>(pos: &P) -> Listener {
    let mut out = Listener::default();
    pos.placements(|p| {
        assert!(p.index() < P::PLACEMENTS);
        out.put(p);
    });
    out
}

/// The observable state of a position.
fn fingerprint<P: Position>(pos: &P) -> (String, u64, bool, usize, Listener) {
    (pos.sfen(), pos.key(), pos.in_check(), pos.count(), placements(pos))
}

mod all {
    use super::*;

    pub fn counting_listing_and_staging_agree<G: Game<Position: AsBoard>>(id: VariantId) {
        random_walks::<G>(id, 1, 25, |pos| {
            let all = pos.legal_moves();
            let unique: BTreeSet<_> = all.iter().collect();
            assert_eq!((pos.count(), unique.len()), (all.len(), all.len()), "{}", pos.sfen());
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            pos.noisy(&mut noisy);
            pos.quiet(&mut quiet);
            assert!(noisy.iter().all(|&mv| pos.is_noisy(mv)) && !quiet.iter().any(|&mv| pos.is_noisy(mv)));
            let staged: BTreeSet<_> = noisy.iter().chain(&quiet).collect();
            assert_eq!(staged.len(), noisy.len() + quiet.len(), "duplicate move in {}", pos.sfen());
            assert!(staged.is_subset(&unique) && staged.is_empty() == all.is_empty(), "{}", pos.sfen());
        });
    }

    pub fn answers_counted_together_are_those_to_each_move<G: Game<Position: AsBoard>>(id: VariantId) {
        random_walks::<G>(id, 8, 40, |pos| {
            let answers = pos.legal_moves().into_iter().map(|mv| {
                pos.make(mv, &mut ());
                let count = pos.count() as u64;
                pos.unmake();
                count
            });
            let answers: u64 = answers.sum();
            assert_eq!(pos.replies(), answers, "{}", pos.sfen());
        });
    }

    pub fn any_bit_pattern_is_judged_as_the_generator_does<G: Game<Position: AsBoard>>(id: VariantId) {
        let (mut step, mut judged) = (0, 0);
        random_walks::<G>(id, 2, 5, |pos| {
            step += 1;
            if step % 17 == 0 {
                judged += 1;
                let moves: BTreeSet<_> = pos.legal_moves().into_iter().collect();
                for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                    assert_eq!(pos.is_legal(mv), moves.contains(&mv), "{:#x} in {}", mv.bits(), pos.sfen());
                }
            }
        });
        assert!(judged > 5, "{judged}");
    }

    pub fn what_is_said_of_a_move_comes_true<G: Game<Position: AsBoard>>(id: VariantId) {
        random_walks::<G>(id, 3, 20, |pos| {
            for mv in pos.legal_moves() {
                let (key, check) = (pos.key_after(mv), pos.gives_check(mv));
                assert!(pos.piece_to(mv) < G::Position::PIECE_TOS && pos.victim(mv) < G::Position::VICTIMS);
                let before = pos.key();
                pos.make(mv, &mut ());
                let text = G::Position::usi(mv);
                assert!(pos.key() == key && key != before, "{text} leads to {}", pos.sfen());
                // The game may be over if a king can be captured.
                assert!(
                    pos.in_check() == check || pos.verdict(0).is_some(),
                    "{text} leads to {}",
                    pos.sfen()
                );
                pos.unmake();
            }
        });
    }

    pub fn unmaking_restores_everything<G: Game<Position: AsBoard>>(id: VariantId) {
        random_walks::<G>(id, 4, 8, |pos| {
            let (before, verdict) = (fingerprint(pos), pos.verdict(0));
            for mv in pos.legal_moves() {
                pos.make(mv, &mut ());
                pos.unmake();
                assert_eq!(fingerprint(pos), before, "{}", G::Position::usi(mv));
            }
            if G::Position::NULL_MOVE && !pos.in_check() {
                pos.make_null();
                assert_ne!(pos.key(), before.1);
                pos.unmake_null();
                assert_eq!(fingerprint(pos), before);
            }
            assert_eq!(pos.verdict(0), verdict);
        });
    }

    pub fn a_position_is_that_of_its_sfen<G: Game<Position: AsBoard>>(id: VariantId) {
        let mut passed = 0;
        random_walks::<G>(id, 5, 60, |pos| {
            // The SFEN of a finished game may be rejected, or the game may be over because of its history.
            let over = pos.verdict(0).is_some();
            let Ok(fresh) = parse::<G>(id, &pos.sfen()) else {
                assert!(over, "{}", pos.sfen());
                return;
            };
            if over {
                return;
            }
            if fresh.key() == pos.key() {
                assert_eq!(fingerprint(&fresh), fingerprint(pos));
            } else {
                // Unlike the SFEN, the key depends on whether the last move was a pass.
                passed += 1;
                assert_eq!(fresh.sfen(), pos.sfen());
            }
        });
        assert_eq!(passed > 0, id.is_janggi(), "{passed}");
    }

    pub fn an_observer_hears_every_change<G: Game<Position: AsBoard>>(id: VariantId) {
        let mut rng = Rng::new(6);
        for sfen in starts(id, &mut rng) {
            let mut pos = parse::<G>(id, &sfen).expect("a valid reference position");
            let mut listener = placements(&pos);
            for _ in 0..40 {
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                pos.make(moves[rng.below(moves.len())], &mut listener);
                assert_eq!(listener, placements(&pos), "{}", pos.sfen());
            }
        }
    }

    pub fn an_evaluation_that_follows_the_moves_is_that_of_the_position<G: Game<Position: AsBoard>>(
        id: VariantId,
    ) {
        follow::<G>(id, &G::embedded());
        if G::NETWORK_FILES {
            let by_hand = G::load_network(&NetworkSource::Handwritten);
            follow::<G>(id, &by_hand.expect("the hand-written evaluation"));
        }
    }

    fn follow<G: Game<Position: AsBoard>>(id: VariantId, network: &NetworkChoice) {
        let mut rng = Rng::new(7);
        let (mut eval, mut fresh) = (G::evaluator(network), G::evaluator(network));
        for sfen in starts(id, &mut rng).into_iter().step_by(7) {
            let mut pos = parse::<G>(id, &sfen).expect("a valid reference position");
            eval.reset(&pos);
            let mut made = 0;
            for _ in 0..60 {
                let moves = pos.legal_moves();
                if !moves.is_empty() && rng.below(4) > 0 {
                    eval.push();
                    pos.make(moves[rng.below(moves.len())], &mut eval);
                    made += 1;
                } else if made > 0 {
                    pos.unmake();
                    eval.pop();
                    made -= 1;
                }
                if !pos.in_check() && pos.verdict(0).is_none() {
                    fresh.reset(&pos);
                    assert_eq!(eval.evaluate(&pos), fresh.evaluate(&pos), "{}", pos.sfen());
                }
            }
        }
    }

    pub fn equal_positions_are_those_with_equal_boards<G: Game<Position: AsBoard>>(id: VariantId) {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let hash = |pos: &G::Position| {
            let mut hasher = DefaultHasher::new();
            pos.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(parse::<G>(id, id.info().start).expect("the start position").sfen(), id.info().start);
        random_walks::<G>(id, 10, 20, |pos| {
            let Ok(fresh) = parse::<G>(id, &pos.sfen()) else { return };
            assert_eq!((&fresh, hash(&fresh)), (&*pos, hash(pos)));
            for mv in pos.legal_moves() {
                let mut other = fresh.clone();
                assert!(other.try_play(mv).is_ok());
                assert_ne!(&other, pos, "{}", G::Position::usi(mv));
                other.unmake();
                assert_eq!(&other, pos);
            }
        });
    }

    pub fn moves_are_read_as_they_are_written<G: Game<Position: AsBoard>>(id: VariantId) {
        random_walks::<G>(id, 8, 10, |pos| {
            for mv in pos.legal_moves() {
                assert_eq!(pos.parse_usi(&G::Position::usi(mv)), Some(mv));
            }
            for bad in ["", "7g", "0a1a", "7g7k", "K*5e", "7g7f++", "P*", "p*5e5", "🙂", "resign", "9i9i+"]
            {
                assert_eq!(pos.parse_usi(bad), None, "{bad} in {}", pos.sfen());
            }
        });
    }
}

/// The properties of [`Checks`] that the mate solver relies on.
fn checks_are_the_moves_that_give_check<G: Game<Position: Checks + AsBoard>>() {
    let id = G::ID;
    random_walks::<G>(id, 9, 20, |pos| {
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let plain: BTreeSet<_> = pos.legal_moves().into_iter().filter(|&mv| pos.gives_check(mv)).collect();
        assert_eq!(checks.iter().copied().collect::<BTreeSet<_>>(), plain, "{}", pos.sfen());
        for mv in checks {
            let ((key, hand), us) = (pos.after(mv), pos.side());
            pos.make(mv, &mut ());
            assert_eq!((pos.board_key(), pos.hand(us)), (key, hand), "{}", pos.sfen());
            pos.unmake();
        }
    });
}

#[test]
fn checks_are_found_by_themselves() {
    checks_are_the_moves_that_give_check::<Shogi>();
    checks_are_the_moves_that_give_check::<Janggi>();
}
