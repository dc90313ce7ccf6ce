//! Extracts problems from analysed games: positions with one move far better than the rest, and mates.

use super::{Analysis, win_rate};
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace};
use sanban_engine::solve_mate;
use sanban_rules::score::mate_distance;
use sanban_rules::{AnyPosition, Move, VariantId, shogi};
use std::time::Duration;

/// Smallest lead in win rate of a problem's best move over the second-best, in percentage points.
const AHEAD: f64 = 25.0;
/// Bounds of the win rate in percent: a position that is lost anyway, or also won by the second-best move, is not a
/// problem.
const LOST: f64 = 30.0;
const WON: f64 = 80.0;
/// Time limit for proving a mate.
const PROOF: Duration = Duration::from_secs(2);
/// Longest mate used as a problem, in plies.
const LONGEST_MATE: usize = 31;

/// A problem with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A next-move problem: the position and the solution line.
    Next {
        sfen: String,
        /// The line in USI moves, starting with the solution.
        line: Vec<String>,
    },
    /// A mate problem: the position and a proven line.
    Mate {
        sfen: String,
        /// The mate in USI moves.
        line: Vec<String>,
    },
}

/// The problems of a game, in order. Next-move problems need an analysis with at least two lines.
pub fn problems(analysis: &Analysis, workspace: &mut Workspace) -> Vec<Problem> {
    let usi = |line: &[Move]| line.iter().map(|&mv| shogi::Position::usi(mv)).collect::<Vec<_>>();
    let mut out = Vec::new();
    let mut before_was_mate = [false; 2];
    for judged in &analysis.positions {
        let sfen = judged.sfen.clone();
        let mating = mate_distance(judged.score()).is_some_and(|distance| distance > 0);
        let was_mate = std::mem::replace(&mut before_was_mate[judged.side.index()], mating);
        if mating {
            // A mate that takes several moves yields only its first position.
            if !was_mate && let Some(line) = proof(&sfen, workspace) {
                out.push(Problem::Mate { sfen, line: usi(&line) });
            }
            continue;
        }
        let [best, second, ..] = &judged.candidates[..] else { continue };
        let (first, other) = (win_rate(best.score), win_rate(second.score));
        if first - other >= AHEAD && first > LOST && other < WON && !obvious(&sfen, best.pv[0]) {
            out.push(Problem::Next { sfen, line: usi(&best.pv) });
        }
    }
    out
}

/// A mate proven by the solver.
fn proof(sfen: &str, workspace: &mut Workspace) -> Option<Vec<Move>> {
    let pos = AnyPosition::parse(VariantId::Shogi, sfen).ok()?;
    let limits = MateLimits { time: Some(PROOF), nodes: None, memory: 64, threads: 1, shortest: false };
    match solve_mate(workspace, &pos, &limits, &())? {
        MateOutcome::Mate(line) if line.len() <= LONGEST_MATE => Some(line),
        _ => None,
    }
}

/// Returns whether the move is illegal or the only legal move. Such a position is not a problem.
fn obvious(sfen: &str, mv: Move) -> bool {
    let Ok(pos) = AnyPosition::parse(VariantId::Shogi, sfen) else { return true };
    pos.count() <= 1 || !pos.is_legal(mv)
}
