//! Names, reasons, levels and problems.

use super::game::{other_game, side, value_error};
use super::moves::Move;
use super::position::Position;
use super::value::{bounded, value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sanban::engine::Engine;
use sanban::engine::ladder::FULL;
use sanban::engine::mate::Workspace;
use sanban::study::problems;
use sanban::study::teach::names::{NameKind, Namer, Table, janggi_set_up};
use sanban::study::teach::{Fact, Language, Sentences, Teacher, level_name, sentence};
use sanban::{AnyPosition, Color, GameFamily, Move as Bits, VariantId};
use std::path::PathBuf;

/// Selects the string in a language from the English, Japanese and Korean versions.
fn pick(texts: [&str; 3], language: &str) -> PyResult<String> {
    let found = Language::ALL.into_iter().find(|known| known.code() == language);
    let found = found
        .ok_or_else(|| PyValueError::new_err(format!("language {language:?}: expected en, ja or ko")))?;
    Ok(texts[found as usize].to_string())
}

value! {
/// The name of an opening, a castle, a tactic or a set-up.
pub struct Name {
    /// `opening`, `castle`, `tactic` or `set-up`.
    kind: String,
    /// The id in the table of names; empty for a set-up.
    id: String,
    english: String,
    japanese: String,
    /// `None` if the name has no Korean form.
    korean: Option<String>,
    /// The side that it applies to: `black` or `white`.
    side: String,
    /// Number of moves after which it first applied.
    ply: usize,
}

fn __repr__(&self) -> String {
    format!("<Name {:?} of {} at ply {}>", self.english, self.side, self.ply)
}
}

/// Returns the names of the openings and castles that occurred in the moves of a shogi position, in order, or of the
/// set-ups of a Janggi game. `table` is a file of additional names; `crates/study/src/teach/names/shogi.tsv` documents its format.
#[pyfunction]
#[pyo3(signature = (position, *, table=None))]
pub fn names(position: &Position, table: Option<PathBuf>) -> PyResult<Vec<Name>> {
    match position.board.variant().family() {
        GameFamily::Shogi => names_of_shogi(position, table),
        GameFamily::Janggi => Ok(set_ups(position.start())),
        GameFamily::Dobutsu | GameFamily::DobutsuMate => Ok(vec![]),
    }
}

fn names_of_shogi(position: &Position, table: Option<PathBuf>) -> PyResult<Vec<Name>> {
    let mut all = Table::built_in().clone();
    if let Some(path) = table {
        all.extend(&std::fs::read_to_string(path)?).map_err(value_error)?;
    }
    let mut namer = Namer::new(&all, Some(position.start())).map_err(value_error)?;
    let mut out = Vec::new();
    for (number, &mv) in position.played().iter().enumerate() {
        for found in namer.play(mv).map_err(value_error)? {
            let kind = match found.name.kind {
                NameKind::Opening => "opening",
                NameKind::Castle => "castle",
                NameKind::Tactic => "tactic",
            };
            let kind = kind.to_string();
            let (english, japanese) = (found.name.english.clone(), found.name.japanese.clone());
            let (id, side) = (found.name.id.clone(), side(found.side).to_string());
            out.push(Name { kind, id, english, japanese, korean: None, side, ply: number + 1 });
        }
    }
    Ok(out)
}

fn set_ups(start: &str) -> Vec<Name> {
    let name = |color| {
        let [english, japanese, korean] = janggi_set_up(start, color)?.map(str::to_string);
        let (id, side) = (String::new(), side(color).to_string());
        Some(Name { kind: "set-up".to_string(), id, english, japanese, korean: Some(korean), side, ply: 0 })
    };
    Color::ALL.into_iter().filter_map(name).collect()
}

value! {
/// A verified fact about a move, and a sentence that states it.
pub struct Reason {
    /// The kind of fact: `ends`, `draws`, `loses`, `mates`, `threatens-mate`, `wins`, `recaptures`, `exchanges`,
    /// `promotes`, `threatens`, `threatens-promotion`, `saves`, or the name of a tactic.
    fact: String,
    /// How the fact was verified: `rules`, `exchange`, `mate` or `search`.
    proof: String,
    /// The moves that prove it; for a threat, the moves after a pass.
    line: Vec<Py<Move>>,
    /// The square of the piece concerned.
    square: Option<String>,
    english: String,
    japanese: String,
    korean: String,
}

/// The sentence in a language: `en`, `ja` or `ko`.
fn text(&self, language: &str) -> PyResult<String> {
    pick([&self.english, &self.japanese, &self.korean], language)
}

fn __str__(&self) -> &str {
    &self.english
}

fn __repr__(&self) -> String {
    format!("<Reason {}: {}>", self.fact, self.english)
}
}

/// Returns facts about a legal move: it mates, wins or saves a piece, makes a threat, or is an example of a tactic.
/// Only facts verified by the rules, by exchanges, or by the mate solver with at most `mate_nodes` nodes are returned.
#[pyfunction]
#[pyo3(signature = (position, r#move, *, mate_nodes=5000))]
pub fn reasons(
    py: Python<'_>,
    position: &Position,
    r#move: &Bound<'_, PyAny>,
    mate_nodes: i64,
) -> PyResult<Vec<Reason>> {
    let mate_nodes = bounded("mate_nodes", mate_nodes, 1..=i64::MAX)?;
    let mv = position.legal(r#move)?;
    let previous = match position.played() {
        [] => None,
        [.., _] => {
            let mut before = (*position.board).clone();
            before.undo();
            Some(before)
        }
    };
    let board = &*position.board;
    let facts = py.detach(|| merits(board, previous.as_ref(), mv, mate_nodes));
    let reason = |(fact, [english, japanese, korean]): (Fact, Sentences)| Reason {
        fact: fact.word().to_string(),
        proof: fact.proof().word().to_string(),
        line: fact.line().iter().map(|&mv| position.object(py, mv)).collect(),
        square: fact.target().map(|target| board.square(target.square).to_string()),
        english,
        japanese,
        korean,
    };
    Ok(facts.into_iter().map(reason).collect())
}

fn merits(
    pos: &AnyPosition,
    previous: Option<&AnyPosition>,
    mv: Bits,
    mate_nodes: u64,
) -> Vec<(Fact, Sentences)> {
    let mut teacher = Teacher::default();
    teacher.mate_nodes = mate_nodes;
    let facts = teacher.merits(pos, previous, mv);
    let told = |fact: Fact| {
        let texts = Language::ALL.map(|language| sentence(pos, mv, &fact, language));
        (fact, texts)
    };
    facts.into_iter().map(told).collect()
}

value! {
/// A level of playing strength.
pub struct Level {
    /// The number to pass to `Engine.search` as `skill`.
    number: usize,
    english: String,
    japanese: String,
    korean: String,
}

/// The name in a language: `en`, `ja` or `ko`.
fn text(&self, language: &str) -> PyResult<String> {
    pick([&self.english, &self.japanese, &self.korean], language)
}

fn __repr__(&self) -> String {
    format!("<Level {} {:?}>", self.number, self.english)
}
}

/// Returns the levels of playing strength, weakest first.
#[pyfunction]
pub fn levels() -> Vec<Level> {
    let level = |number| {
        let [english, japanese, korean] = Language::ALL.map(|language| level_name(number, language));
        Level { number, english, japanese, korean }
    };
    (0..=FULL).map(level).collect()
}

value! {
/// A shogi problem with its solution.
pub struct Problem {
    /// `mate`, with checks only, or `next`: find the best move.
    task: String,
    /// Difficulty, from 1.
    grade: u32,
    /// The position.
    sfen: String,
    /// The solution: the whole mate, or the move and its continuation.
    line: Vec<Py<Move>>,
}

/// The problem as a line of a problem file.
fn __str__(&self, py: Python<'_>) -> PyResult<String> {
    let moves: PyResult<Vec<String>> =
        self.line.iter().map(|mv| Ok(mv.bind(py).str()?.to_string())).collect();
    Ok(format!("{}\t{}\t{}\t{}", self.task, self.grade, self.sfen, moves?.join(" ")))
}

fn __repr__(&self) -> String {
    format!("<Problem {} grade {} {:?}>", self.task, self.grade, self.sfen)
}
}

fn problem(py: Python<'_>, found: problems::Problem) -> PyResult<Problem> {
    let position = Position::shogi(py, &found.sfen)?;
    let line = found.line.iter().map(|&mv| position.object(py, mv)).collect();
    Ok(Problem { task: found.task.word().to_string(), grade: found.grade, sfen: found.sfen, line })
}

/// Returns the embedded problems: mates and next-move problems, each from easy to hard. With `path`, returns the
/// problems of a file instead.
#[pyfunction(name = "problems")]
#[pyo3(signature = (path=None))]
pub fn all_problems(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Vec<Problem>> {
    let found = match path {
        Some(path) => problems::read(&std::fs::read_to_string(path)?).map_err(value_error)?,
        None => problems::embedded(),
    };
    found.into_iter().map(|found| problem(py, found)).collect()
}

/// Makes a problem from a shogi position: a mate with a proven unique solution or, if `nodes` is not 0, a move that two
/// searches, with `nodes` and ten times as many nodes, find far better than all others. Otherwise returns `None`.
#[pyfunction]
#[pyo3(signature = (position, *, nodes=0))]
pub fn find_problem(py: Python<'_>, position: &Position, nodes: i64) -> PyResult<Option<Problem>> {
    let nodes = bounded("nodes", nodes, 0..=i64::MAX)?;
    let pos = &*position.board;
    if pos.variant() != VariantId::Shogi {
        return Err(other_game(VariantId::Shogi, pos.variant()));
    }
    let found = py.detach(|| match problems::unique_mate(&mut Workspace::default(), pos) {
        None if nodes > 0 => problems::next_move(<dyn Engine>::new(VariantId::Shogi).as_mut(), pos, nodes),
        mate => Ok(mate),
    });
    found.map_err(value_error)?.map(|found| problem(py, found)).transpose()
}
