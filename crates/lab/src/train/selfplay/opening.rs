//! The opening of a game: random moves, a castle, or a wild position.

use super::{Player, SelfplayError, over, start};
use crate::train::record::Ply;
use sanban_engine::Game;
use sanban_engine::search::LastLines;
use sanban_rules::{AsBoard, Color, Move, MoveList, Position, Rng, Score, SearchPosition, UsiMove};

/// Number of random plies at the start of a game; some games have one more.
const RANDOM: usize = 7;
/// One game in this many opens with fewer random plies, followed by nearly best moves, which lead to castles.
const CAREFUL: usize = 4;
/// Number of random plies in a careful opening.
const CAREFUL_RANDOM: usize = 4;
/// Number of nearly best moves in a careful opening.
const CAREFUL_NEAR: usize = 12;
/// The number of lines to search for nearly best moves.
const NEAR_LINES: usize = 4;
/// By how many centipawns a nearly best move may be worse than the best.
const NEAR_SCORE: Score = 100;
/// A wild opening has at least this many plies and fewer than twice as many, none of which loses material immediately.
const WILD: usize = 60;
/// In a wild opening, one move in this many is a step of the king up the board, if there is one.
const MARCH: usize = 3;
/// Openings with a larger advantage, in centipawns, are rejected.
const UNFAIR: Score = 500;
/// The same for wild openings.
const UNFAIR_WILD: Score = 1500;
/// Maximum number of openings to try.
const ATTEMPTS: usize = 1000;

impl<G: Game<Position: AsBoard>> Player<G> {
    /// Plays opening moves to a position that is not decided.
    pub(super) fn opening(&mut self, rng: &mut Rng) -> Result<(G::Position, Vec<Ply>), SelfplayError> {
        let wild = by_chance(self.plan.wild, rng);
        let careful = !wild && rng.below(CAREFUL) == 0;
        let unfair = if wild { UNFAIR_WILD } else { UNFAIR };
        for _ in 0..ATTEMPTS {
            let mut pos = start::<G>(self.plan.game);
            let mut plies = vec![];
            let (random, near) =
                if careful { (CAREFUL_RANDOM, CAREFUL_NEAR) } else { (RANDOM + rng.below(2), 0) };
            let random = if wild { WILD + rng.below(WILD) } else { random };
            for at in 0..random + near {
                if over(&pos).is_some() {
                    break;
                }
                let mv = match at {
                    _ if at >= random => self.near_move(&pos, rng),
                    _ if wild => wild_move(&pos, rng),
                    _ => random_move(&pos, rng),
                };
                let Some(mv) = mv else { break };
                pos.make(mv, &mut ());
                plies.push(Ply { mv, score: None });
            }
            if over(&pos).is_some() {
                continue;
            }
            let outcome = self.pool.search(&pos, &self.limits(4), &self.signals, &());
            if outcome.score.abs() <= unfair && outcome.best.is_some() {
                return Ok((pos, plies));
            }
        }
        Err(SelfplayError::Openings(ATTEMPTS))
    }

    fn near_move(&mut self, pos: &G::Position, rng: &mut Rng) -> Option<Move> {
        let last = LastLines::default();
        self.pool.settings().multi_pv = NEAR_LINES;
        self.pool.search(pos, &self.limits(1), &self.signals, &last);
        self.pool.settings().multi_pv = 1;
        let lines = last.into_lines();
        let best = lines.first()?.score;
        let near = lines.iter().take_while(|line| best - line.score <= NEAR_SCORE).count();
        lines[rng.below(near)].pv.first().copied()
    }
}

/// Whether something that happens in this percentage of cases happens. Without a random number for 0, so that such
/// games stay the same.
pub(super) fn by_chance(percent: u8, rng: &mut Rng) -> bool {
    percent > 0 && rng.below(100) < usize::from(percent)
}

pub(super) fn random_move<P: Position>(pos: &P, rng: &mut Rng) -> Option<Move> {
    rng.pick(&pos.legal_moves()).copied()
}

/// The moves that do not lose material immediately.
fn safe_moves<P: SearchPosition>(pos: &P) -> MoveList {
    let mut moves = pos.legal_moves();
    moves.retain(|&mut mv| pos.see_ge(mv, 0));
    moves
}

/// A random move that does not lose material immediately, if there is one.
pub(super) fn safe_move<P: SearchPosition>(pos: &P, rng: &mut Rng) -> Option<Move> {
    rng.pick(&safe_moves(pos)).copied()
}

/// A random move that does not lose material immediately, often a step of the king up the board.
fn wild_move<P: SearchPosition>(pos: &P, rng: &mut Rng) -> Option<Move> {
    let moves = safe_moves(pos);
    let is_march = |mv: Move| match P::notation(mv) {
        UsiMove::Board { from, to, .. } => {
            let up = match pos.side() {
                Color::Black => to.rank < from.rank,
                Color::White => to.rank > from.rank,
            };
            up && pos.piece_at(from).is_some_and(|piece| piece.letter == 'K')
        }
        UsiMove::Drop { .. } => false,
    };
    let steps: MoveList = moves.iter().copied().filter(|&mv| is_march(mv)).collect();
    if !steps.is_empty() && rng.below(MARCH) == 0 {
        return rng.pick(&steps).copied();
    }
    rng.pick(&moves).copied().or_else(|| random_move(pos, rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::{Record, Result as Outcome};
    use crate::train::selfplay::{Plan, stream};
    use sanban_rules::{Janggi, Shogi, Variant, VariantId};

    /// Careful openings select good moves: a free rook is always captured, and in the start position the choices vary.
    #[test]
    fn moves_that_are_nearly_the_best() {
        let mut player = Player::<Shogi>::new(&Shogi::embedded(), Plan { nodes: 500, ..Plan::default() });
        let mut moves = |sfen: &str| -> Vec<String> {
            let pos = Shogi::parse(sfen).expect("valid SFEN");
            let draw =
                |seed| player.near_move(&pos, &mut Rng::new(seed)).map(<Shogi as Variant>::Position::usi);
            (0..20).filter_map(draw).collect()
        };
        let rook = moves("lnsgkgsnl/7b1/ppppppppp/9/9/2r6/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
        assert!(rook.len() == 20 && rook.iter().all(|mv| mv == "7g7f"), "{rook:?}");
        let start = moves(Shogi::START);
        assert!(start.len() == 20 && start.iter().any(|mv| *mv != start[0]), "{start:?}");
    }

    /// The opening of this game was once continued after two passes, which end a game of Janggi.
    #[test]
    fn openings_do_not_go_on_after_the_end_of_a_game() {
        let game = VariantId::JanggiCasual;
        let plan = Plan { game, nodes: 200, ..Plan::default() };
        let mut player = Player::<Janggi>::new(&Janggi::embedded(), plan);
        let (_, plies) = player.opening(&mut stream(2034, 109)).expect("an opening exists");
        let record = Record { result: Outcome::Draw, plies };
        assert_eq!(record.replay(start::<Janggi>(game), |_, _, _| ()), Ok(()));
    }

    /// In wild openings, kings leave their camps and pieces are captured; other openings are too short for that.
    #[test]
    fn wild_openings_are_wild() {
        let mut player = Player::<Shogi>::new(&Shogi::embedded(), Plan { nodes: 50, ..Plan::default() });
        let mut totals = |wild| {
            player.plan.wild = wild;
            let (mut away, mut hands) = (0, 0);
            for seed in 0..20 {
                let (pos, plies) = player.opening(&mut Rng::new(seed)).expect("an opening exists");
                assert_eq!(plies.len() >= WILD, wild > 0);
                let [black, white] = Color::ALL.map(|color| pos.king(color).map(|king| king % 9));
                away += usize::from(black < Some(6)) + usize::from(white > Some(2));
                hands += pos.hands().iter().map(|(_, count)| count).sum::<usize>();
            }
            (away, hands)
        };
        let (plain, wild) = (totals(0), totals(100));
        assert!(wild.0 > plain.0 + 10 && wild.1 > plain.1 + 10, "{plain:?} {wild:?}");
    }
}
