//! Positions in which one move is far better than all others, verified by searches with ten times the nodes.

use super::{Problem, Task};
use crate::analysis::win_rate;
use sanban_engine::search::{Bound, LastLines, Limits, Signals};
use sanban_engine::{Engine, EngineError};
use sanban_rules::{AnyPosition, Move, Score};

/// Smallest lead in win rate of a problem's best move over the second-best, in percentage points.
const AHEAD: f64 = 25.0;
/// Bounds of the win rate in percent: a position that is lost anyway, or also won by the second-best move, is not a
/// problem.
const LOST: f64 = 30.0;
const WON: f64 = 80.0;
/// The bounds of ordinary problems.
const USUAL: Bounds = Bounds { ahead: AHEAD, lost: LOST, won: WON };
/// The bounds of exercises from mistakes in three searches, each with more nodes. Leads shrink in longer searches.
const OWN: [Bounds; 3] = [
    Bounds { ahead: 4.0, lost: 5.0, won: 100.0 },
    Bounds { ahead: 5.0, lost: 8.0, won: 100.0 },
    Bounds { ahead: 6.0, lost: 10.0, won: 100.0 },
];
/// Smallest loss of a mistake that an exercise punishes, in percentage points of the win rate.
const PUNISHED: f64 = 12.0;
/// Ratio of the number of nodes of a search to that of the one before.
const VERIFY: u64 = 10;
/// Longest line that is stored, in moves.
const LINE: usize = 9;

/// Returns the problem in a position, if one move is far better than all others in a search of `nodes` nodes and in a
/// search of ten times as many. A recapture on the square of the last move is not a problem. Changes the engine's
/// settings.
///
/// # Errors
/// The engine plays another game.
pub fn next_move(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    nodes: u64,
) -> Result<Option<Problem>, EngineError> {
    if pos.in_check() || pos.count() < 2 {
        return Ok(None);
    }
    let Some(first) = clear_best(lines(engine, pos, nodes, 2)?, USUAL) else { return Ok(None) };
    if takes_back(pos, first[0]) {
        return Ok(None);
    }
    let second = clear_best(lines(engine, pos, nodes * VERIFY, 2)?, USUAL);
    second.filter(|line| line[0] == first[0]).map(|line| problem(engine, pos, line, nodes)).transpose()
}

/// When a best move is clear: its lead over the second-best move, and the win rates between which the game is open.
#[derive(Clone, Copy)]
struct Bounds {
    ahead: f64,
    lost: f64,
    won: f64,
}

/// Finds exercises from the mistakes of a game, position by position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mistakes {
    /// The win rate of the side that made the last move, before that move.
    before: Option<f64>,
}

impl Mistakes {
    /// Skips a position in which the side to move has a mate.
    pub const fn skip_mate(&mut self) {
        self.before = Some(100.0);
    }

    /// Returns the exercise in the next position of the game, in which `played` was played: one move is better than all
    /// others in searches of `nodes`, ten times and a hundred times as many nodes, and either it was missed, or it
    /// punishes a mistake. A recapture punishes nothing. Changes the engine's settings.
    ///
    /// # Errors
    /// The engine plays another game.
    pub fn next(
        &mut self,
        engine: &mut dyn Engine,
        pos: &AnyPosition,
        played: Move,
        nodes: u64,
    ) -> Result<Option<Problem>, EngineError> {
        let first = lines(engine, pos, nodes, 2)?;
        let chances = first.first().map(|&(best, _)| win_rate(best));
        let before = std::mem::replace(&mut self.before, chances);
        let lost = before.zip(chances).map_or(0.0, |(before, chances)| before + chances - 100.0);
        let fits = |line: &[Move]| line[0] != played || lost >= PUNISHED && !takes_back(pos, line[0]);
        if pos.count() < 2 || !clear_best(first, OWN[0]).is_some_and(|line| fits(&line)) {
            return Ok(None);
        }
        let Some(second) = clear_best(lines(engine, pos, nodes * VERIFY, 2)?, OWN[1]) else {
            return Ok(None);
        };
        if !fits(&second) {
            return Ok(None);
        }
        let third = clear_best(lines(engine, pos, nodes * VERIFY * VERIFY, 2)?, OWN[2]);
        third.filter(|line| line[0] == second[0]).map(|line| problem(engine, pos, line, nodes)).transpose()
    }
}

/// Returns whether a move captures on the square of the last move.
fn takes_back(pos: &AnyPosition, mv: Move) -> bool {
    pos.is_capture(mv) && pos.last_move().is_some_and(|last| last.to() == mv.to())
}

/// The problem that a line solves.
fn problem(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    mut line: Vec<Move>,
    nodes: u64,
) -> Result<Problem, EngineError> {
    line.truncate(LINE);
    Ok(Problem { task: Task::Next, grade: grade(engine, pos, line[0], nodes)?, sfen: pos.sfen(), line })
}

/// The difficulty of a move: how early a search finds it.
fn grade(engine: &mut dyn Engine, pos: &AnyPosition, mv: Move, nodes: u64) -> Result<u32, EngineError> {
    let mut found = [false; 2];
    for (found, nodes) in found.iter_mut().zip([nodes / 100, nodes / 10]) {
        let lines = lines(engine, pos, nodes.max(50), 1)?;
        *found = lines.first().and_then(|(_, line)| line.first()) == Some(&mv);
    }
    Ok(match found {
        [true, true] => 1,
        [false, true] => 2,
        _ => 3,
    })
}

/// The best of two lines, if its first move is far better than the second best and the game is not already decided.
fn clear_best(lines: Vec<(Score, Vec<Move>)>, bounds: Bounds) -> Option<Vec<Move>> {
    let [(best, line), (second, _)] = <[_; 2]>::try_from(lines).ok()?;
    let (best, second) = (win_rate(best), win_rate(second));
    let clear = best - second >= bounds.ahead && best > bounds.lost && second < bounds.won;
    (clear && !line.is_empty()).then_some(line)
}

/// Scores and moves of the best lines of a search from a clean state.
fn lines(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    nodes: u64,
    count: usize,
) -> Result<Vec<(Score, Vec<Move>)>, EngineError> {
    engine.clear();
    engine.settings().multi_pv = count;
    let last = LastLines::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.search(pos, &limits, &Signals::default(), &last)?;
    let exact = last.into_lines().into_iter().filter(|line| line.bound == Bound::Exact);
    Ok(exact.map(|line| (line.score, line.pv)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;

    /// The answers to the positions before the moves of a game.
    fn exercises(sfen: &str, moves: &[&str]) -> Vec<Option<String>> {
        let mut engine = <dyn Engine>::new(VariantId::Shogi);
        let mut pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
        let mut mistakes = Mistakes::default();
        let mut next = |text: &&str| {
            let mv = pos.parse_usi(text).expect("a legal move");
            let found = mistakes.next(engine.as_mut(), &pos, mv, 500).expect("a search");
            let answer = found.map(|problem| pos.display(problem.line[0]));
            pos.play(mv);
            answer
        };
        moves.iter().map(&mut next).collect()
    }

    #[test]
    fn a_mistake_is_an_exercise_if_one_move_was_clearly_better() {
        // A rook can be taken, and was not.
        let rook = "lnsgk1snl/6gb1/ppppppp1p/9/4r4/4R4/PPPPPPP1P/1B7/LNSGKGSNL b Pp 1";
        let answers = ["5f5e", "5e5f"].map(|text| Some(text.to_string()));
        assert_eq!(exercises(rook, &["9g9f", "5e5f"]), answers);
        assert_eq!(exercises(rook, &["5f5e"]), [None]);
        // Many moves are good.
        assert_eq!(exercises(VariantId::Shogi.info().start, &["1g1f"]), [None]);
    }

    #[test]
    fn what_only_takes_back_punishes_nothing() {
        let rook = "lnsgk1snl/6gb1/pppp1pp1p/4p4/9/4R4/PPPPPPP1P/1B7/LNSGKGSNL b Prp 1";
        assert_eq!(exercises(rook, &["5f5e", "5d5e"])[1], None);
        assert_eq!(exercises(rook, &["5f5e", "9c9d"])[1].as_deref(), Some("5d5e"));
    }
}
