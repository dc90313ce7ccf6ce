//! Analyses games move by move: every position of the main line is searched, the last one first, so that results for
//! later positions help with earlier ones.

mod class;
mod comments;
mod explain;
mod html;
mod json;
mod problems;
mod recognise;
mod summary;

pub use class::{Class, win_rate};
pub use comments::{csa_comments, gib_comments, is_analysed, kif_comments};
pub use explain::{Again, Reason, Remark, explain};
pub use html::html;
pub use json::{json_lines, moments};
pub use problems::{Problem, problems};
pub use recognise::is_written;
pub use summary::{SideSummary, Summary};

use sanban_engine::search::{LastLines, Limits, Line, Outcome, Signals};
use sanban_engine::solved::{SolvedTables, Value};
use sanban_engine::{Engine, EngineError};
use sanban_formats::record::Record;
use sanban_rules::{AnyPosition, Color, Move, Score, SfenError};
use std::time::Duration;
use thiserror::Error;

/// Why a record cannot be analysed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    #[error(transparent)]
    Start(#[from] SfenError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// One of the best lines of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The score for the side to move, in centipawns.
    pub score: Score,
    /// Iteration depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes of the search when the line was complete.
    pub nodes: u64,
    /// Time of the search when the line was complete.
    pub time: Duration,
    /// The moves; empty if the game is over.
    pub pv: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub sfen: String,
    pub side: Color,
    /// The lines, best first; none if the analysis was stopped before.
    pub candidates: Vec<Candidate>,
    /// The move that was played here; `None` at the end.
    pub played: Option<Move>,
    /// What the solution of the game says, if it contains the position.
    pub solved: Option<Solved>,
}

/// A position in a solved game, by the values of its moves: 2 for a win, 1 for a draw, 0 for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The value of the best move.
    pub best: u8,
    /// The value of the move that was played.
    pub played: u8,
    /// The move that was played if it keeps the value, else the best one.
    pub keeps: Move,
}

impl Solved {
    /// Looks up a move; `None` without a table or outside of it.
    pub fn look_up(tables: &SolvedTables, pos: &AnyPosition, played: Option<Move>) -> Option<Self> {
        let moves: Vec<(Move, Value)> =
            tables.moves(pos)?.into_iter().map(|(mv, after)| (mv, after.of_move())).collect();
        let points = |value: Value| match value {
            Value::Win(_) => 2,
            Value::Draw => 1,
            Value::Loss(_) => 0,
        };
        let of = |mv: Move| moves.iter().find(|(known, _)| *known == mv).map(|&(_, value)| points(value));
        let played = played?;
        let value = of(played)?;
        let quickest = |value: &Value| match value {
            Value::Win(plies) => 1_000 - i32::from(*plies),
            Value::Draw => 0,
            Value::Loss(plies) => i32::from(*plies) - 1_000,
        };
        let &(keeps, best) = moves.iter().max_by_key(|(_, value)| quickest(value))?;
        let best = points(best);
        Some(Self { best, played: value, keeps: if value == best { played } else { keeps } })
    }
}

impl Judged {
    /// Whether the position has been analysed.
    pub fn is_known(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// The score of the best line, for the side to move.
    pub fn score(&self) -> Score {
        self.candidates.first().map_or(0, |best| best.score)
    }

    /// The score of the best line, for black.
    pub fn black_score(&self) -> Score {
        if self.side == Color::Black { self.score() } else { -self.score() }
    }

    pub fn best(&self) -> Option<Move> {
        self.candidates.first()?.pv.first().copied()
    }

    /// Rank of the played move among the candidates, counted from 0.
    pub fn rank(&self) -> Option<usize> {
        let played = self.played?;
        self.candidates.iter().position(|candidate| candidate.pv.first() == Some(&played))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Every position of the main line, from the start position on.
    pub positions: Vec<Judged>,
    /// Whether the main line continues with an illegal move, which is not analysed.
    pub cut: bool,
    /// The classes of moves in a decided game, by material and mates; set by [`Analysis::raise`].
    pub raised: Vec<Option<Class>>,
}

/// The loss of a move is the drop in the mover's win rate, in percentage points.
impl Analysis {
    /// The number of the first position that has been analysed, after 0 if the analysis was stopped.
    pub fn first(&self) -> usize {
        self.positions.iter().position(Judged::is_known).unwrap_or(self.positions.len())
    }

    /// The loss of the move made in position `index`, at least 0; `None` at the end, and in a position that has not been
    /// analysed. The best move loses nothing.
    pub fn loss(&self, index: usize) -> Option<f64> {
        let (before, after) = (self.positions.get(index)?, self.positions.get(index + 1)?);
        if let Some(Solved { best, played, .. }) = before.solved {
            return Some(50.0 * f64::from(best - played));
        }
        if !before.is_known() {
            return None;
        }
        if before.rank() == Some(0) {
            return Some(0.0);
        }
        let chances = win_rate(before.score()) - (100.0 - win_rate(after.score()));
        Some(chances.max(0.0))
    }

    /// The class of the move made in position `index`.
    pub fn class(&self, index: usize) -> Option<Class> {
        let loss = self.loss(index)?;
        if self.positions[index].solved.is_some() {
            let best = self.positions[index].rank() == Some(0) && loss == 0.0;
            return Some(if best { Class::Best } else { Class::of_loss(loss) });
        }
        let class = if self.positions[index].rank() == Some(0) { Class::Best } else { Class::of_loss(loss) };
        Some(self.raised.get(index).copied().flatten().map_or(class, |raised| raised.max(class)))
    }

    /// Adopts the classes that the remarks found by material and mates.
    pub fn raise(&mut self, remarks: &[Remark]) {
        self.raised = remarks.iter().map(|remark| remark.class).collect();
    }
}

/// Analyses the main line of a record; `judged` is called with the number of every finished position. If `signals` stop
/// the analysis, the positions before have no lines.
///
/// # Errors
/// The start position is not valid in this game, or the engine plays another.
pub fn analyse(
    engine: &mut dyn Engine,
    record: &Record,
    limits: &Limits,
    signals: &Signals,
    tables: &SolvedTables,
    mut judged: impl FnMut(usize),
) -> Result<Analysis, AnalysisError> {
    let (mut pos, moves, cut) = record.legal_moves()?;
    moves.iter().for_each(|&mv| pos.play(mv));
    let mut positions = Vec::with_capacity(moves.len() + 1);
    for index in (0..=moves.len()).rev() {
        let candidates = if signals.stopped() { vec![] } else { candidates(engine, &pos, limits, signals)? };
        let played = moves.get(index).copied();
        let solved = Solved::look_up(tables, &pos, played);
        positions.push(Judged { sfen: pos.sfen(), side: pos.side(), candidates, played, solved });
        if positions.last().is_some_and(Judged::is_known) {
            judged(index);
        }
        if index > 0 {
            pos.undo();
        }
    }
    positions.reverse();
    Ok(Analysis { positions, cut, raised: vec![] })
}

/// The lines of a position; none if `signals` stopped the search.
fn candidates(
    engine: &mut dyn Engine,
    pos: &AnyPosition,
    limits: &Limits,
    signals: &Signals,
) -> Result<Vec<Candidate>, EngineError> {
    let lines = LastLines::default();
    let Outcome { best, score, depth, nodes, .. } = engine.search(pos, limits, signals, &lines)?;
    if signals.stopped() {
        return Ok(vec![]);
    }
    let mut candidates: Vec<Candidate> = lines.into_lines().into_iter().map(candidate).collect();
    if candidates.is_empty() {
        let pv = best.into_iter().collect();
        candidates.push(Candidate { score, depth, seldepth: depth, nodes, time: Duration::ZERO, pv });
    }
    Ok(candidates)
}

fn candidate(line: Line) -> Candidate {
    let Line { score, depth, seldepth, nodes, time, pv, .. } = line;
    Candidate { score, depth, seldepth: seldepth.max(depth), nodes, time, pv }
}
