//! Extends a book by search, the most promising positions first.

use super::minimax::minimax;
use sanban_engine::search::{LastLines, Limits, STACK, Signals};
use sanban_engine::{Engine, EngineError};
use sanban_formats::book::BookMove;
use sanban_formats::book::collection::Collection;
use sanban_rules::{AnyPosition, Move, Score};
use sanban_system::Part;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Mutex;
use std::thread::{Builder, scope};

/// The cost of a ply in centipawns. A move that is worse by less than this is searched before positions one ply deeper.
const PLY_COST: Score = 10;
/// Number of positions to search before values are propagated again. It is independent of the number of threads, so the
/// resulting book is as well.
const BATCH: usize = 16;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Nodes per position.
    pub nodes: u64,
    /// Total number of nodes after which no new batch begins.
    pub budget: u64,
    /// Number of positions after which no new batch begins.
    pub positions: u64,
    /// Number of best moves to find in a position.
    pub lines: usize,
    /// Maximum loss of a move compared with the best move, in centipawns.
    pub loss: Score,
    /// Maximum ply of a position; the start of a game has ply 1.
    pub ply: usize,
    pub threads: usize,
    /// Transposition table size of each thread in MB.
    pub hash: usize,
    pub part: Part,
    /// Value of a draw by repetition for black, in centipawns.
    pub draw: Score,
}

pub struct ThinkProgress {
    pub positions: u64,
    pub nodes: u64,
}

struct Task {
    pos: AnyPosition,
    /// Moves in the book that have no value yet.
    moves: Vec<Move>,
}

struct Found {
    moves: Vec<BookMove>,
    nodes: u64,
}

/// Searches the most promising positions and propagates their values, batch by batch, until the plan is completed,
/// nothing is left to search, `tell` returns false or `stop` stops, which discards the current batch. Positions in the
/// book are not searched again, so a run with the same plan resumes where it was interrupted. The searches use the
/// network of `engine`.
///
/// # Errors
/// The engine plays a game with a different board.
pub fn think(
    book: &mut Collection,
    plan: &Plan,
    engine: &dyn Engine,
    stop: &Signals,
    mut tell: impl FnMut(&Collection, &ThinkProgress) -> bool,
) -> Result<(), EngineError> {
    let mut engines: Vec<Box<dyn Engine>> = (0..plan.threads.max(1)).map(|_| engine.fork()).collect();
    for engine in &mut engines {
        engine.set_hash(plan.hash);
    }
    let mut progress = ThinkProgress { positions: 0, nodes: 0 };
    // Each position is searched only once, whatever the result.
    let mut done = HashSet::new();
    while progress.nodes < plan.budget && progress.positions < plan.positions {
        minimax(book, plan.draw);
        let tasks = tasks(book, plan, &done);
        if tasks.is_empty() {
            break;
        }
        let results = search_all(&mut engines, &tasks, plan, stop)?;
        if stop.stopped() {
            break;
        }
        for (task, found) in tasks.iter().zip(results) {
            progress.nodes += found.nodes;
            progress.positions += 1;
            done.insert(task.pos.key());
            enter(book, &task.pos, &found.moves);
        }
        if !tell(book, &progress) {
            break;
        }
    }
    minimax(book, plan.draw);
    Ok(())
}

/// Returns the most promising positions: those at which the book ends or has a move without a value, in order of the
/// cost of the moves that lead to them.
fn tasks(book: &Collection, plan: &Plan, done: &HashSet<u64>) -> Vec<Task> {
    let mut out = Vec::new();
    let mut seen = HashSet::new();
    // The index breaks ties, so that positions need no order.
    let mut open = vec![Some(AnyPosition::new(book.game()))];
    let mut heap: BinaryHeap<Reverse<(Score, usize)>> = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((cost, at))) = heap.pop() {
        let Some(pos) = open[at].take() else { continue };
        if sanban_formats::book::ply(&pos) > plan.ply
            || !seen.insert(pos.key())
            || pos.verdict().is_some()
            || pos.count() == 0
        {
            continue;
        }
        let page = book.page(&pos).filter(|page| !page.moves.is_empty());
        let moves: Vec<Move> = page.map_or_else(Vec::new, |page| {
            page.moves.iter().filter(|known| known.depth == 0).map(|known| known.mv).collect()
        });
        let wanted = page.is_none() || !moves.is_empty();
        if wanted && plan.part.has(pos.key()) && !done.contains(&pos.key()) {
            out.push(Task { pos: pos.clone(), moves: moves.clone() });
            if out.len() == BATCH {
                break;
            }
        }
        let Some(page) = page else { continue };
        let valued = page.moves.iter().filter(|known| known.depth > 0);
        let best = valued.map(|known| known.score).max().unwrap_or_default();
        for known in &page.moves {
            // A move without a value was played in a game. It costs only the ply.
            let loss = if known.depth > 0 { best - known.score } else { 0 };
            if loss > plan.loss {
                continue;
            }
            let mut after = pos.clone();
            after.play(known.mv);
            heap.push(Reverse((cost + loss + PLY_COST, open.len())));
            open.push(Some(after));
        }
    }
    out
}

/// Searches all tasks, each with a cleared transposition table. The results are in the order of the tasks.
fn search_all(
    engines: &mut [Box<dyn Engine>],
    tasks: &[Task],
    plan: &Plan,
    stop: &Signals,
) -> Result<Vec<Found>, EngineError> {
    let next = Mutex::new(0..tasks.len());
    let found: Mutex<Vec<Option<Result<Found, EngineError>>>> =
        Mutex::new(tasks.iter().map(|_| None).collect());
    let lock = |error: std::sync::PoisonError<_>| error.into_inner();
    let work = |engine: &mut dyn Engine| {
        loop {
            let at = next.lock().unwrap_or_else(|error| error.into_inner()).next();
            let Some(at) = at else { break };
            let one = search(engine, &tasks[at], plan, stop);
            found.lock().unwrap_or_else(lock)[at] = Some(one);
        }
    };
    scope(|scope| {
        let mut engines = engines.iter_mut();
        let first = engines.next();
        for engine in engines {
            // If a thread cannot be started, the others do its work.
            let _ = Builder::new().stack_size(STACK).spawn_scoped(scope, || work(&mut **engine));
        }
        if let Some(engine) = first {
            work(&mut **engine);
        }
    });
    found.into_inner().unwrap_or_else(|error| error.into_inner()).into_iter().flatten().collect()
}

fn search(engine: &mut dyn Engine, task: &Task, plan: &Plan, stop: &Signals) -> Result<Found, EngineError> {
    let mut found = Found { moves: Vec::new(), nodes: 0 };
    let mut run = |lines: usize, moves: &[Move], found: &mut Found| {
        engine.clear();
        engine.settings().multi_pv = lines;
        let limits = Limits { nodes: Some(plan.nodes), search_moves: moves.to_vec(), ..Limits::default() };
        let report = LastLines::default();
        found.nodes += engine.search(&task.pos, &limits, stop, &report)?.nodes;
        for line in report.into_lines() {
            let Some(&mv) = line.pv.first() else { continue };
            if found.moves.iter().all(|known| known.mv != mv) {
                let reply = line.pv.get(1).copied();
                let known = BookMove { reply, score: line.score, depth: line.depth, ..BookMove::new(mv) };
                found.moves.push(known);
            }
        }
        Ok::<(), EngineError>(())
    };
    run(plan.lines, &[], &mut found)?;
    // Moves of the book that are not among the best ones found are searched separately.
    let mut missing = task.moves.clone();
    missing.retain(|&mv| found.moves.iter().all(|known| known.mv != mv));
    if !missing.is_empty() {
        run(missing.len(), &missing, &mut found)?;
    }
    let legal = task.pos.legal_moves();
    found.moves.retain(|known| legal.contains(&known.mv));
    Ok(found)
}

/// Stores the result of a search in the book. The number of times a move was played is kept.
fn enter(book: &mut Collection, pos: &AnyPosition, found: &[BookMove]) {
    if found.is_empty() {
        return;
    }
    let ply = sanban_formats::book::ply(pos);
    let page = book.page_mut(pos);
    page.ply = Some(page.ply.map_or(ply, |old| old.min(ply)));
    for new in found {
        match page.moves.iter_mut().find(|known| known.mv == new.mv) {
            None => page.moves.push(*new),
            Some(old) if old.depth == 0 => *old = BookMove { count: old.count, ..*new },
            Some(_) => {}
        }
    }
}
