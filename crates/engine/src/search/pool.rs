//! The threads of the search (Lazy SMP: all search the same tree and share the transposition table) and the state they
//! keep between searches.

use super::clock::Timer;
use super::settings::Settings;
use super::shared::{NodeBudget, NodeCounter, Shared, logarithms};
use super::tt::TranspositionTable;
use super::vote::{self, Ballot};
use super::worker::{Memory, Worker};
use super::{Bound, Limits, Line, Outcome, Report, Signals, attention, habit, skill};
use crate::ladder::{Attention, Player};
use crate::nnue::NetworkChoice;
use crate::params::Params;
use crate::{Game, Oracle as _};
use sanban_rules::score::{MAX_EVAL, mate_in, mated_in};
use sanban_rules::{Move, MoveList, Position, Rng, Score, SearchPosition, Verdict};
use sanban_system::clock::Instant;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Size of the transposition table of a new pool, in megabytes.
const HASH: usize = 16;
/// Stack size of a search thread in bytes, several times what the deepest line needs.
pub const STACK: usize = 8 << 20;
/// Time limit for [`Pool::set_threads`] to allocate the tables of new threads. The remaining threads allocate theirs
/// when they first search.
const WARM_UP: Duration = Duration::from_millis(400);
/// Time that a thread needs to notice the end of a search when threads share a core, because it must be scheduled
/// first.
const TURN: Duration = Duration::from_millis(3);
/// Maximum stall that a search plans for; longer ones are treated as accidents.
const MOST_STALL: Duration = Duration::from_millis(100);

/// The search: threads, memory and settings.
pub struct Pool<G: Game> {
    network: NetworkChoice,
    oracle: G::Oracle,
    threads: Vec<Slot<G>>,
    tt: TranspositionTable,
    settings: Settings,
    logarithms: [i32; 256],
    params: Params,
    /// The longest stall of recent searches, with decay.
    stall: Duration,
}

/// The state of a thread; `None` until its first search if [`Pool::set_threads`] ran out of time.
type Slot<G> = Option<Memory<G>>;

/// Stops the other threads when dropped, even by a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The plies in which a limited player does not pass.
const OPENING: usize = 30;

/// A search result stored in the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recalled {
    /// Score in centipawns for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Depth of the search in plies.
    pub depth: i32,
    /// The best move, or the move that caused a cut-off.
    pub best: Option<Move>,
}

impl<G: Game> Default for Pool<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Pool<G> {
    /// Creates a pool with one thread, a transposition table of 16 MB, and the default settings and network.
    pub fn new() -> Self {
        let network = G::embedded();
        Self {
            threads: vec![Some(Memory::new(&network))],
            network,
            oracle: G::Oracle::default(),
            tt: TranspositionTable::new(HASH),
            settings: Settings::default(),
            logarithms: logarithms(),
            params: G::PARAMS,
            stall: Duration::ZERO,
        }
    }

    /// Sets the number of threads (at least 1). Existing threads keep their memory.
    pub fn set_threads(&mut self, n: usize) {
        self.threads.resize_with(n.max(1), || None);
        // Allocating the memory of the tables takes long, so several cores share the work for a limited time.
        let network = &self.network;
        let deadline = Instant::now() + WARM_UP;
        let empty = Mutex::new(self.threads.iter_mut().filter(|slot| slot.is_none()));
        let next = || empty.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while Instant::now() < deadline
                && let Some(slot) = next()
            {
                *slot = Some(Memory::new(network));
            }
        };
        thread::scope(|scope| {
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let _ = (1..cores().min(n)).map_while(start).count();
            work();
        });
    }

    /// Sets the size of the transposition table in megabytes; a change of size clears the table. Returns the actual
    /// size, which is smaller if memory is insufficient.
    pub fn set_hash(&mut self, megabytes: usize) -> usize {
        if megabytes != self.tt.megabytes() {
            // Free the old table first, because both may not fit in memory.
            self.tt = TranspositionTable::new(0);
            self.tt = TranspositionTable::new(megabytes);
        }
        self.tt.megabytes()
    }

    /// Sets the weights of the evaluation.
    pub fn set_network(&mut self, network: NetworkChoice) {
        self.network = network;
        for memory in self.threads.iter_mut().flatten() {
            memory.eval = G::evaluator(&self.network);
        }
    }

    /// Sets the solved table, which replaces the search for the positions that it contains.
    pub fn set_oracle(&mut self, oracle: G::Oracle) {
        self.oracle = oracle;
    }

    /// The settings, which may be read and changed between searches.
    pub fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The search parameters, which may be changed between searches.
    #[cfg(feature = "tune")]
    pub fn params(&mut self) -> &mut Params {
        &mut self.params
    }

    /// Prepares for a new game by clearing everything learned from the last one.
    pub fn clear(&mut self) {
        self.tt.clear();
        for memory in self.threads.iter_mut().flatten() {
            memory.clear();
        }
    }

    /// Searches `root` until a limit is reached or `signals` requests a stop. Lines are sent to `report`; the final
    /// ones are marked as last. The calling thread also searches and should have [`STACK`] bytes of stack. Even with
    /// `infinite` or `ponder`, the call returns early if there is nothing more to search.
    pub fn search(
        &mut self,
        root: &G::Position,
        limits: &Limits,
        signals: &Signals,
        report: &dyn Report,
    ) -> Outcome {
        let begin = Instant::now();
        // Draws are announced by the referee; a referee without the rule expects a move.
        let resumed =
            root.resumed().filter(|_| !limits.always_moves && root.verdict(0) == Some(Verdict::Draw));
        let root = resumed.as_ref().unwrap_or(root);
        let player =
            self.settings.player.or_else(|| G::LADDER.get(self.settings.skill_level as usize).copied());
        if let Some(outcome) = self.settled(root, limits, player.is_none(), report) {
            return outcome;
        }
        self.tt.age();
        let mut limits = limits.clone();
        // Beginners also play moves that a search omits because another move is never worse.
        let mut moves = match player {
            Some(Player::Attentive(_)) if limits.search_moves.is_empty() => root.legal_moves().to_vec(),
            _ => root_moves(root, &limits),
        };
        // People do not pass in the opening.
        if player.is_some() && root.game_ply() <= OPENING && !moves.iter().all(|mv| mv.is_pass()) {
            moves.retain(|mv| !mv.is_pass());
        }
        // The seed for a limited player's errors, which differs between games and when a position is repeated.
        let luck = root.key() ^ Rng::new(self.settings.luck ^ root.game_ply() as u64).next();
        let error = match player {
            Some(Player::Attentive(attention)) => {
                return self.attend(root, &moves, attention, luck, begin, report);
            }
            Some(Player::Searching { nodes, error }) => {
                let nodes = skill::nodes(nodes, moves.len());
                limits.nodes = Some(limits.nodes.map_or(nodes, |n| n.min(nodes)));
                Some(error)
            }
            None => None,
        };
        // The node limit of a limited player is meant for one thread; other threads would only use up part of it.
        let threads = if error.is_some() { &mut self.threads[..1] } else { &mut self.threads[..] };
        let limits = &limits;
        let lines = self.settings.multi_pv.max(error.map_or(1, |_| skill::LINES)).min(moves.len());
        let params = &self.params;
        let crowd = if threads.len() > 1 { threads.len() / cores() } else { 1 };
        let turns = if crowd > 1 { TURN * crowd as u32 } else { Duration::ZERO };
        let moment = (root.side(), root.game_ply());
        let timer = Timer::new(begin, limits, moment, &self.settings, turns.max(self.stall), params);
        let shared = Shared {
            tt: &self.tt,
            signals,
            limits,
            settings: &self.settings,
            moves,
            lines,
            logarithms: &self.logarithms,
            begin,
            timer,
            counters: threads.iter().map(|_| NodeCounter::default()).collect(),
            budget: NodeBudget::new(limits.nodes, threads.len()),
            over: AtomicBool::new(false),
        };
        let (shared, network, making) = (&shared, &self.network, &Mutex::new(()));
        let run = move |index, slot: &mut Slot<G>, report| {
            if slot.is_none() {
                // Tables are allocated by one thread at a time; allocating all of them simultaneously would keep the
                // other threads from searching.
                let _turn = making.lock().unwrap_or_else(PoisonError::into_inner);
                if index > 0 && (shared.is_over() || shared.timer.is_up(shared.signals)) {
                    return None;
                }
                *slot = Some(Memory::new(network));
            }
            let mut worker = Worker::new(root, slot.as_mut()?, shared, index, params);
            let depth = worker.deepen(report);
            Some(Ballot { depth, roots: worker.roots })
        };
        let stall = &mut self.stall;
        thread::scope(|scope| {
            let Some((first, others)) = threads.split_first_mut() else { return Outcome::default() };
            let mut handles = Vec::new();
            for (index, slot) in (1..).zip(others) {
                let builder = thread::Builder::new().name(format!("search {index}")).stack_size(STACK);
                match builder.spawn_scoped(scope, move || run(index, slot, None)) {
                    Ok(handle) => handles.push(handle),
                    Err(error) => {
                        report.note(&format!("searching with {index} threads; cannot start more: {error}"));
                        break;
                    }
                }
            }
            let over = Over(&shared.over);
            let Some(own) = run(0, first, Some(report)) else { return Outcome::default() };
            drop(over);
            *stall = shared.timer.stall().max(*stall * 3 / 4).min(MOST_STALL);
            let mut ballots = vec![own];
            ballots.extend(handles.into_iter().filter_map(|handle| handle.join().ok().flatten()));
            let elected = if lines == 1 { vote::elect(&ballots) } else { 0 };
            let Ballot { depth, mut roots } = ballots.swap_remove(elected);
            let score = match roots[0].reported() {
                // A move that has just failed low may have a better sibling that was not searched in time.
                (score, Bound::Upper) => score.max(roots[0].previous),
                (score, _) => score,
            };
            if let Some(error) = error {
                skill::choose(&mut roots, error, luck);
            }
            // A move that has just become the best has no line yet; the transposition table may contain a reply.
            if roots[0].pv.len() == 1 {
                let answer = expected(root, roots[0].mv, &self.tt);
                roots[0].pv.extend(answer);
            }
            super::deepen::report_lines(shared, &roots, report, self.settings.multi_pv, true);
            let best = &roots[0];
            Outcome {
                best: Some(best.mv),
                ponder: best.pv.get(1).copied(),
                score,
                declare: false,
                nodes: shared.nodes(),
                depth,
            }
        })
    }

    /// Returns the transposition table entry of a position, with mate scores counted from that position.
    pub fn recall(&self, pos: &G::Position) -> Option<Recalled> {
        let entry = self.tt.probe(pos.key(), 0)?;
        let best = entry.mv.filter(|&mv| pos.is_legal(mv));
        Some(Recalled { score: entry.score, bound: entry.bound?, depth: entry.depth, best })
    }

    /// Chooses the move of a player that does not search.
    fn attend(
        &mut self,
        root: &G::Position,
        moves: &[Move],
        attention: Attention,
        luck: u64,
        begin: Instant,
        report: &dyn Report,
    ) -> Outcome {
        let network = &self.network;
        let memory = self.threads[0].get_or_insert_with(|| Memory::new(network));
        // A player that judges positions by the whole evaluation needs no plan.
        let plans = if attention.sense < 100 { G::PLANS } else { &[] };
        let game = self.settings.luck;
        let habit = habit::next(root, plans, game, luck).filter(|mv| moves.contains(mv));
        let seen = attention::look(root, &mut memory.eval, moves, attention, habit, [game, luck]);
        let nodes = seen.len() as u64;
        let score = |value: Score| value.clamp(-MAX_EVAL, MAX_EVAL);
        let lines = self.settings.multi_pv.min(seen.len());
        for (rank, &(mv, value)) in seen.iter().take(lines).enumerate() {
            report.line(&Line {
                depth: 1,
                seldepth: 2,
                time: begin.elapsed(),
                nodes,
                hashfull: 0,
                multipv: (rank as u32 + 1, lines as u32),
                score: score(value),
                bound: Bound::Exact,
                pv: vec![mv],
                last: true,
            });
        }
        let best = seen.first();
        Outcome {
            best: best.map(|&(mv, _)| mv),
            score: best.map_or(0, |&(_, value)| score(value)),
            nodes,
            depth: 1,
            ..Outcome::default()
        }
    }

    /// Returns the outcome if no search is needed: the game is over, can be declared won, or is solved. A limited
    /// player does not use the solution.
    fn settled(
        &self,
        root: &G::Position,
        limits: &Limits,
        knows_solution: bool,
        report: &dyn Report,
    ) -> Option<Outcome> {
        let line = |score: Score, pv: Vec<_>| {
            let depth = pv.len().max(1) as u32;
            report.line(&Line {
                depth,
                seldepth: depth,
                time: std::time::Duration::ZERO,
                nodes: 0,
                hashfull: 0,
                multipv: (1, 1),
                score,
                bound: Bound::Exact,
                pv,
                last: true,
            });
        };
        if root.can_declare() {
            line(mate_in(1), Vec::new());
            return Some(Outcome { declare: true, score: mate_in(1), ..Outcome::default() });
        }
        let moves = root_moves(root, limits);
        // Draws and wins by rule are announced by the referee; until then, play continues while there are legal moves.
        let over = match root.verdict(0) {
            Some(Verdict::Loss) if !limits.always_moves => Some(Verdict::Loss),
            verdict if moves.is_empty() => Some(verdict.unwrap_or_else(|| root.verdict_without_moves())),
            _ => None,
        };
        if let Some(verdict) = over {
            let (score, declare) = match verdict {
                Verdict::Loss | Verdict::Inferior => (mated_in(1), false),
                Verdict::Win | Verdict::Superior => (mate_in(1), true),
                Verdict::Draw => (self.settings.draw_value[root.side().index()], false),
            };
            line(score, Vec::new());
            return Some(Outcome { declare, score, ..Outcome::default() });
        }
        let (score, pv) = self.oracle.solution(root).filter(|_| knows_solution)?;
        let best = *pv.first()?;
        if !moves.contains(&best) {
            return None;
        }
        line(score, pv.clone());
        Some(Outcome { best: Some(best), ponder: pv.get(1).copied(), score, ..Outcome::default() })
    }
}

/// Number of processor cores, at least 1.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// The reply to a move that the transposition table suggests, if it is legal.
fn expected<P: SearchPosition>(root: &P, mv: Move, tt: &TranspositionTable) -> Option<Move> {
    let mut pos = root.clone();
    pos.make(mv, &mut ());
    let answer = tt.probe(pos.key(), 0)?.mv?;
    (pos.verdict(1).is_none() && pos.is_legal(answer)).then_some(answer)
}

/// The root moves to consider: the legal moves among `searchmoves` or, if there are none, those that the search
/// generates.
fn root_moves<P: SearchPosition>(root: &P, limits: &Limits) -> Vec<Move> {
    let mut asked: Vec<_> = limits.search_moves.iter().copied().filter(|&mv| root.is_legal(mv)).collect();
    asked.sort_unstable();
    asked.dedup();
    if !asked.is_empty() {
        return asked;
    }
    let mut list = MoveList::new();
    root.noisy(&mut list);
    root.quiet(&mut list);
    if list.is_empty() {
        root.legal(&mut list);
    }
    list.to_vec()
}
