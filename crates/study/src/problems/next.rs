//! Positions in which one move is far better than all others, verified by a second search with ten times the nodes.

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
/// The bounds of exercises from mistakes, which have been made in the game: what was thrown away may be less.
const OWN: Bounds = Bounds { ahead: 8.0, lost: 10.0, won: 100.0 };
/// The lead that the second search must find if the first one found a smaller one than that of `OWN`.
const SURE: f64 = 10.0;
/// The bounds of positions that a longer search may find to be exercises.
const LIKELY: Bounds = Bounds { ahead: 4.0, lost: 5.0, won: 100.0 };
/// Ratio of the number of nodes of the second search to that of the first.
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
    let Some((_, first)) = clear_best(engine, pos, nodes, USUAL)? else { return Ok(None) };
    let taken_back = pos.last_move().is_some_and(|last| last.to() == first[0].to());
    if taken_back && pos.is_capture(first[0]) {
        return Ok(None);
    }
    let line = clear_best(engine, pos, nodes * VERIFY, USUAL)?.filter(|(_, line)| line[0] == first[0]);
    let Some((_, line)) = line else { return Ok(None) };
    let grade = grade(engine, pos, line[0], nodes)?;
    let line = line.into_iter().take(LINE).collect();
    Ok(Some(Problem { task: Task::Next, grade, sfen: pos.sfen(), line }))
}

/// When a best move is clear: its lead over the second-best move, and the win rates between which the game is open.
#[derive(Clone, Copy)]
struct Bounds {
    ahead: f64,
    lost: f64,
    won: f64,
}

/// Returns the exercise in a position from which the move `played` was a mistake: a search of `nodes` nodes finds another
/// move better than all others, and in a search of ten times the nodes, that move leads all others by at least 8
/// percentage points, or 10 if its lead in the first search was smaller. Changes the engine's settings.
///
/// # Errors
/// The engine plays another game.
pub fn mistake(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    played: Move,
    nodes: u64,
) -> Result<Option<Problem>, EngineError> {
    if pos.count() < 2 {
        return Ok(None);
    }
    let mut better = |nodes, bounds| -> Result<_, EngineError> {
        Ok(clear_best(engine, pos, nodes, bounds)?.filter(|(_, line)| line[0] != played))
    };
    let Some((lead, likely)) = better(nodes, LIKELY)? else { return Ok(None) };
    let ahead = if lead >= OWN.ahead { OWN.ahead } else { SURE };
    let line = better(nodes * VERIFY, Bounds { ahead, ..OWN })?.filter(|(_, line)| line[0] == likely[0]);
    let Some((_, line)) = line else { return Ok(None) };
    Ok(Some(Problem {
        task: Task::Next,
        grade: grade(engine, pos, line[0], nodes)?,
        sfen: pos.sfen(),
        line: line.into_iter().take(LINE).collect(),
    }))
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

/// The lead in win rate and the moves of the best line, if its first move is far better than the second best and the
/// game is not already decided.
fn clear_best(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    nodes: u64,
    bounds: Bounds,
) -> Result<Option<(f64, Vec<Move>)>, EngineError> {
    let lines = lines(engine, pos, nodes, 2)?;
    let [(best, line), (second, _)] = &lines[..] else { return Ok(None) };
    let (best, second) = (win_rate(*best), win_rate(*second));
    let clear = best - second >= bounds.ahead && best > bounds.lost && second < bounds.won;
    Ok((clear && !line.is_empty()).then(|| (best - second, line.clone())))
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

    #[test]
    fn a_mistake_is_an_exercise_if_one_move_was_clearly_better() {
        let mut engine = <dyn Engine>::new(VariantId::Shogi);
        let mut found = |sfen: &str, played: &str| {
            let pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
            let played = pos.parse_usi(played).expect("a legal move");
            let problem = mistake(engine.as_mut(), &pos, played, 500).expect("a search");
            problem.map(|problem| pos.display(problem.line[0]))
        };
        // A rook can be taken, and was not.
        let rook = "lnsgk1snl/6gb1/ppppppp1p/9/4r4/4R4/PPPPPPP1P/1B7/LNSGKGSNL b Pp 1";
        assert_eq!(found(rook, "9g9f").as_deref(), Some("5f5e"));
        assert_eq!(found(rook, "5f5e"), None);
        // Many moves are good.
        assert_eq!(found(VariantId::Shogi.info().start, "1g1f"), None);
    }
}
