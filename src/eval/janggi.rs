//! Janggi by hand: material and squares, kept up to date move by move; mobility and the pressure on the palaces, read
//! from the board. It stands in where there is no network.

use crate::base::score::MAX_EVAL;
use crate::base::{Color, Score};
use crate::game::{Evaluator, Observer, Placement, Position as _};
use crate::janggi::attacks;
use crate::janggi::piece::{Kind, PLACEMENTS};
use crate::janggi::square::{PALACE, RANKS, SQUARES, rank_for};
use crate::janggi::{Piece, Position};

/// The side to move has something to do.
const TEMPO: Score = 15;
/// For every square that a piece reaches, by kind, in centipawns.
const MOBILITY: [Score; Kind::COUNT] = [0, 0, 4, 4, 6, 4, 0];
/// Pressure of every attacked square of the enemy palace, by kind.
const PRESSURE: [Score; Kind::COUNT] = [0, 0, 4, 3, 3, 2, 4];
/// Pressure that a guard takes away.
const SHELTER: Score = 6;
/// A soldier beside another protects it.
const CHAIN: Score = 8;

/// Worth of a soldier by rank, 0 being the far edge, where it has no way ahead.
const ADVANCE: [Score; RANKS] = [-40, 5, 25, 30, 24, 12, 0, 0, 0, 0];
/// Worth of a general by rank: at the back it is hit from fewer sides.
const RETREAT: [Score; RANKS] = [0, 0, 0, 0, 0, 0, 0, -30, 0, 12];

/// Value of a piece on a square from its owner's point of view, in centipawns.
const fn value(color: Color, kind: Kind, sq: usize) -> Score {
    let (rank, file) = (rank_for(color, sq), sq / RANKS);
    // Distance from the edges of the board: 0 to 4.
    let across = if file < 4 { file } else { 8 - file } as Score;
    let along = if rank < 5 { rank } else { 9 - rank } as Score;
    match kind {
        Kind::General => RETREAT[rank],
        Kind::Soldier => kind.value() + ADVANCE[rank] + if rank < 5 { 3 * across } else { 0 },
        Kind::Horse | Kind::Elephant => kind.value() + 3 * across + 3 * along,
        Kind::Cannon => kind.value() + 2 * across,
        Kind::Guard | Kind::Chariot => kind.value(),
    }
}

/// Value of every placement from black's point of view.
static VALUES: [i16; PLACEMENTS] = {
    let mut t = [0; PLACEMENTS];
    let mut sq = 0;
    while sq < SQUARES {
        let mut k = 0;
        while k < Kind::COUNT {
            let kind = Kind::ALL[k];
            t[Piece { color: Color::Black, kind }.at(sq).index()] = value(Color::Black, kind, sq) as i16;
            t[Piece { color: Color::White, kind }.at(sq).index()] = -value(Color::White, kind, sq) as i16;
            k += 1;
        }
        sq += 1;
    }
    t
};

/// The hand-written evaluation.
#[derive(Clone, Debug, Default)]
pub struct Handwritten {
    /// Material and squares before each move, from black's point of view, in centipawns.
    stack: Vec<Score>,
    standing: Score,
}

impl Observer for Handwritten {
    #[inline]
    fn put(&mut self, placement: Placement) {
        self.standing += Score::from(VALUES[placement.index()]);
    }

    #[inline]
    fn take(&mut self, placement: Placement) {
        self.standing -= Score::from(VALUES[placement.index()]);
    }
}

impl<const CASUAL: bool> Evaluator<Position<CASUAL>> for Handwritten {
    fn reset(&mut self, pos: &Position<CASUAL>) {
        self.stack.clear();
        self.standing = 0;
        pos.placements(|p| self.put(p));
    }

    fn push(&mut self) {
        self.stack.push(self.standing);
    }

    fn pop(&mut self) {
        self.standing = self.stack.pop().unwrap_or(0);
    }

    fn evaluate(&mut self, pos: &Position<CASUAL>) -> Score {
        let black = self.standing + activity(pos, Color::Black) - activity(pos, Color::White);
        let own = if pos.side() == Color::Black { black } else { -black };
        (own + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

/// What a side's pieces do, in centipawns: where they go, and how many of them bear on the enemy palace.
fn activity<const CASUAL: bool>(pos: &Position<CASUAL>, us: Color) -> Score {
    let (own, occ, cannons) = (pos.pieces(us), pos.occupied(), pos.of(Kind::Cannon));
    let palace = PALACE[(!us).index()];
    let (mut mobility, mut pressure, mut attackers) = (0, 0, 0);
    for kind in [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Soldier] {
        for from in pos.pieces_of(us, kind) {
            let reach = attacks::attacks(us, kind, from, occ, cannons);
            mobility += MOBILITY[kind.index()] * reach.without(own).len() as Score;
            let aimed = (reach & palace).len() as Score;
            pressure += PRESSURE[kind.index()] * aimed;
            attackers += Score::from(aimed > 0);
        }
    }
    // One attacker is a nuisance, several are a danger.
    let guards = pos.pieces_of(!us, Kind::Guard).len() as Score;
    let danger = (pressure - SHELTER * guards).max(0) * attackers / 2;
    let soldiers = pos.pieces_of(us, Kind::Soldier);
    let chained = soldiers.0 & (soldiers.0 << RANKS);
    mobility + danger + CHAIN * chained.count_ones() as Score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{MoveList, Rng};
    use crate::janggi::{Literal, START};

    fn evaluate(pos: &Literal) -> Score {
        let mut eval = Handwritten::default();
        eval.reset(pos);
        eval.evaluate(pos)
    }

    #[test]
    fn the_standing_follows_moves() {
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let mut pos = Literal::from_sfen(START).expect("the start position");
            let mut eval = Handwritten::default();
            eval.reset(&pos);
            let mut trail = vec![];
            for _ in 0..120 {
                let mut moves = MoveList::new();
                pos.legal(&mut moves);
                if moves.is_empty() {
                    break;
                }
                trail.push(eval.evaluate(&pos));
                <Handwritten as Evaluator<Literal>>::push(&mut eval);
                pos.make(moves[rng.below(moves.len())], &mut eval);
                assert_eq!(eval.evaluate(&pos), evaluate(&pos), "{}", pos.sfen());
            }
            for score in trail.into_iter().rev() {
                pos.unmake();
                <Handwritten as Evaluator<Literal>>::pop(&mut eval);
                assert_eq!(eval.evaluate(&pos), score);
            }
        }
    }

    /// Both sides are judged alike: the board turned by 180 degrees with colours exchanged has the same value.
    #[test]
    fn turning_the_board_changes_nothing() {
        let swap =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let mut seen = 0;
        for line in include_str!("../../perft/janggi.perft").lines().filter(|line| !line.starts_with('#')) {
            let Some((sfen, _)) = line.split_once(" ;") else { continue };
            let (board, rest) = sfen.split_once(' ').expect("a board and more");
            let side = if rest.starts_with('b') { 'w' } else { 'b' };
            let turned = format!("{} {side} - 1", board.chars().rev().map(swap).collect::<String>());
            let (pos, turned) = (Literal::from_sfen(sfen), Literal::from_sfen(&turned));
            assert_eq!(evaluate(&pos.expect("a position")), evaluate(&turned.expect("turned")), "{sfen}");
            seen += 1;
        }
        assert!(seen > 15);
    }

    #[test]
    fn a_chariot_more_is_worth_a_chariot() {
        let more = evaluate(&Literal::from_sfen(&START.replacen("rnba", "1nba", 1)).expect("a position"));
        assert!((500..900).contains(&(more - TEMPO)), "{more}");
    }
}
