//! Ends games early based on the scores of the engines or on a solved table.

use super::record::Player;
use sanban_engine::{Game, Oracle as _, OracleError, each_game};
use sanban_rules::score::DECISIVE;
use sanban_rules::{AnyPosition, AsBoard, Color, Score, VariantId};
use std::path::Path;

/// Returns the exact score of a position that is in solved tables.
pub type Solver = dyn Fn(&AnyPosition) -> Option<Score> + Send + Sync;

/// Opens the solved tables of a game.
pub fn solver(game: VariantId, path: &Path) -> Result<Box<Solver>, OracleError> {
    fn of<G: Game<Position: AsBoard>>(path: &Path) -> Result<Box<Solver>, OracleError> {
        let oracle = G::Oracle::open(path)?;
        Ok(Box::new(move |pos| oracle.solution(pos.get()?).map(|(score, _)| score)))
    }
    each_game!(game, G => of::<G>(path))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A win if both engines agree on at least this many centipawns for this number of plies.
    pub resign: Option<(Score, usize)>,
    /// A loss if an engine's own score was at least this many centipawns below zero for this number of its moves in a
    /// row.
    pub resign_alone: Option<(Score, usize)>,
    pub draw: Option<DrawRule>,
}

/// A draw if, from a given ply on, the scores were within a given distance from zero for a number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The first ply that counts, including the moves of the opening.
    pub from: usize,
    /// The maximum distance of a score from zero, in centipawns.
    pub score: Score,
    /// The required number of consecutive plies.
    pub plies: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Number of plies for which both engines have agreed that black (negative: white) wins.
    agreed: i32,
    /// Number of consecutive moves of each player with a losing score.
    lost: [usize; 2],
    /// Number of consecutive plies with a drawn score.
    level: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Won(Color),
    Draw,
}

impl Scores {
    /// Adds the score of a move made by `side` and `player`, and returns the verdict if there is one. `ply` is the
    /// number of moves before it.
    pub fn add(
        &mut self,
        rules: &Adjudication,
        score: Option<Score>,
        side: Color,
        player: Player,
        ply: usize,
    ) -> Option<Verdict> {
        if let Some((most, plies)) = rules.resign {
            self.agreed = match score.map(|score| if side == Color::Black { score } else { -score }) {
                Some(score) if score >= most => self.agreed.max(0) + 1,
                Some(score) if score <= -most => self.agreed.min(0) - 1,
                _ => 0,
            };
            if self.agreed.unsigned_abs() as usize >= plies {
                return Some(Verdict::Won(if self.agreed > 0 { Color::Black } else { Color::White }));
            }
        }
        if let Some((most, moves)) = rules.resign_alone {
            let lost = &mut self.lost[player.index()];
            *lost = if score.is_some_and(|score| score <= -most) { *lost + 1 } else { 0 };
            if *lost >= moves {
                return Some(Verdict::Won(!side));
            }
        }
        if let Some(rule) = rules.draw {
            let is_level = ply >= rule.from && score.is_some_and(|score| score.abs() <= rule.score);
            self.level = if is_level { self.level + 1 } else { 0 };
            if self.level >= rule.plies {
                return Some(Verdict::Draw);
            }
        }
        None
    }
}

/// The verdict for a score from a solved table, for the side to move.
pub fn by_table(score: Score, side: Color) -> Verdict {
    if score.abs() < DECISIVE {
        Verdict::Draw
    } else if score > 0 {
        Verdict::Won(side)
    } else {
        Verdict::Won(!side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict and the ply after which it was given.
    fn judge(rules: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, Verdict)> {
        let mut state = Scores::default();
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let (side, player) =
                if ply % 2 == 0 { (Color::Black, Player::A) } else { (Color::White, Player::B) };
            state.add(rules, score, side, player, ply).map(|verdict| (ply, verdict))
        })
    }

    #[test]
    fn both_must_agree_or_one_gives_up() {
        let scores = [Some(900), Some(-900), Some(1000), Some(-400), Some(1000), Some(-1000), Some(1000)];
        let both = Adjudication { resign: Some((800, 3)), ..Adjudication::default() };
        assert_eq!(judge(&both, &scores), Some((2, Verdict::Won(Color::Black))));
        let both = Adjudication { resign: Some((800, 4)), ..Adjudication::default() };
        assert_eq!(judge(&both, &scores), None);
        let alone = Adjudication { resign_alone: Some((400, 3)), ..Adjudication::default() };
        assert_eq!(judge(&alone, &scores), Some((5, Verdict::Won(Color::Black))));
        let unknown = [Some(900), None, Some(900), None, Some(900)];
        assert_eq!(judge(&both, &unknown), None);
    }

    #[test]
    fn draws_count_from_a_ply_on() {
        let rule = |from, plies| Adjudication {
            draw: Some(DrawRule { from, score: 10, plies }),
            ..Adjudication::default()
        };
        let scores = [Some(0), Some(5), Some(-10), Some(0), Some(11), Some(0), Some(0), Some(0)];
        assert_eq!(judge(&rule(0, 4), &scores), Some((3, Verdict::Draw)));
        assert_eq!(judge(&rule(1, 4), &scores), None);
        assert_eq!(judge(&rule(5, 3), &scores), Some((7, Verdict::Draw)));
    }

    #[test]
    fn tables_know_the_winner() {
        use sanban_rules::score::{mate_in, mated_in};
        assert_eq!(by_table(0, Color::White), Verdict::Draw);
        assert_eq!(by_table(mate_in(5), Color::White), Verdict::Won(Color::White));
        assert_eq!(by_table(mated_in(6), Color::White), Verdict::Won(Color::Black));
    }
}
