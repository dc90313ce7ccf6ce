//! Positions in which one move is far better than all others, verified by a second search with ten times the nodes.

use super::{Problem, Task};
use crate::analysis::win_rate;
use sanban_engine::search::{Bound, LastLines, Limits, Pool, Signals};
use sanban_rules::shogi::Position;
use sanban_rules::{Move, Position as _, Score, SearchPosition as _, Shogi};

/// Smallest lead in win rate of a problem's best move over the second-best, in percentage points.
const AHEAD: f64 = 25.0;
/// Bounds of the win rate in percent: a position that is lost anyway, or also won by the second-best move, is not a
/// problem.
const LOST: f64 = 30.0;
const WON: f64 = 80.0;
/// Ratio of the number of nodes of the second search to that of the first.
const VERIFY: u64 = 10;
/// Longest line that is stored, in moves.
const LINE: usize = 9;

/// Returns the problem in a position, if one move is far better than all others in a search of `nodes` nodes and in a
/// search of ten times as many. A recapture on the square of the last move is not a problem. Changes the pool's
/// settings.
pub fn next_move(pool: &mut Pool<Shogi>, pos: &Position, nodes: u64) -> Option<Problem> {
    if pos.in_check() || pos.count() < 2 {
        return None;
    }
    let first = clear_best(pool, pos, nodes)?;
    let taken_back = pos.last_move().is_some_and(|last| last.to() == first[0].to());
    if taken_back && pos.victim(first[0]) > 0 {
        return None;
    }
    let line = clear_best(pool, pos, nodes * VERIFY)?;
    if line[0] != first[0] {
        return None;
    }
    // The grade depends on how early a search finds the move.
    let found = [nodes / 100, nodes / 10].map(|nodes| best(pool, pos, nodes.max(50)) == Some(line[0]));
    let grade = match found {
        [true, true] => 1,
        [false, true] => 2,
        _ => 3,
    };
    let line = line.into_iter().take(LINE).collect();
    Some(Problem { task: Task::Next, grade, sfen: pos.sfen(), line })
}

/// The best line, if its first move is far better than the second best and the game is not already decided.
fn clear_best(pool: &mut Pool<Shogi>, pos: &Position, nodes: u64) -> Option<Vec<Move>> {
    let lines = lines(pool, pos, nodes, 2);
    let [(best, line), (second, _)] = &lines[..] else { return None };
    let (best, second) = (win_rate(*best), win_rate(*second));
    let clear = best - second >= AHEAD && best > LOST && second < WON;
    (clear && !line.is_empty()).then(|| line.clone())
}

fn best(pool: &mut Pool<Shogi>, pos: &Position, nodes: u64) -> Option<Move> {
    lines(pool, pos, nodes, 1).first()?.1.first().copied()
}

/// Scores and moves of the best lines of a search from a clean state.
fn lines(pool: &mut Pool<Shogi>, pos: &Position, nodes: u64, count: usize) -> Vec<(Score, Vec<Move>)> {
    pool.clear();
    pool.settings().multi_pv = count;
    let last = LastLines::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    pool.search(pos, &limits, &Signals::default(), &last);
    let exact = last.into_lines().into_iter().filter(|line| line.bound == Bound::Exact);
    exact.map(|line| (line.score, line.pv)).collect()
}
