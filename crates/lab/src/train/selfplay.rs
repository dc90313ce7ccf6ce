//! Games of the engine against itself. Game `i` of a seed is always the same, regardless of the number of threads: the
//! memory of the search is cleared between games, and limits are in nodes.

mod opening;

use super::error::{ShardError, TrainError};
use super::record::{Ply, Record, Result as Outcome};
use super::shard::{self, Origin};
use super::tree::{self, TreePosition};
use opening::{by_chance, random_move, safe_move};
use sanban_engine::nnue::NetworkChoice;
use sanban_engine::search::{Limits, Pool, STACK, Signals};
use sanban_engine::{Game, evaluation_id};
use sanban_rules::score::is_decisive;
use sanban_rules::{AnyPosition, AsBoard, Color, Position, Rng, Score, VariantId, Verdict};
use sanban_system::{FileError, Part, Whole, begins_with};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Maximum number of games in a shard.
const SHARD_GAMES: u64 = 1024;
/// Largest product of games in a shard and nodes per move: a few minutes of work.
const SHARD_NODES: u64 = 1 << 20;
/// Nodes per move for each megabyte of the transposition table, enough for all nodes of a game.
const NODES_PER_MEGABYTE: usize = 512;
/// Maximum size of the transposition table in megabytes.
const MAX_HASH: usize = 4;
/// One game in this many contains a random move.
const STUMBLES: usize = 4;
/// One game in this many is played out without adjudication.
const PLAYED_OUT: usize = 20;
/// The plies at which the random move can be.
const STUMBLE: Range<usize> = 10..40;
/// Adjudication of a win: the minimum score.
const WIN_SCORE: Score = 2000;
/// Adjudication of a win: the number of plies for which both sides must agree on it.
const WIN_PLIES: usize = 6;
/// Adjudication of a draw: the maximum score of either side.
const DRAW_SCORE: Score = 10;
/// Adjudication of a draw: the number of plies for which both sides must agree on it.
const DRAW_PLIES: usize = 12;
/// Adjudication of a draw: the minimum length of the game in plies.
const DRAW_LENGTH: usize = 40;
/// The game is drawn after this many plies.
const MAX_PLIES: usize = 320;

#[derive(Clone, Default, Debug)]
pub struct Plan {
    pub game: VariantId,
    pub games: u64,
    /// Nodes per move, after which no new iteration begins.
    pub nodes: u32,
    pub threads: usize,
    /// The seed for the random openings and moves.
    pub seed: u64,
    pub out: PathBuf,
    pub part: Part,
    /// Maximum number of positions from each search tree to save next to the games.
    pub tree: usize,
    /// Percentage of games with a wild opening: many pieces in hand and kings far from home.
    pub wild: u8,
    /// Percentage of moves after the opening that are random, among those that do not lose material immediately.
    pub explore: u8,
}

impl Plan {
    /// Number of games in a full shard. It does not depend on the total, so that more games can be added later.
    pub fn size(&self) -> u64 {
        (SHARD_NODES / u64::from(self.nodes.max(1))).clamp(1, SHARD_GAMES)
    }

    fn shards(&self) -> impl Iterator<Item = u64> {
        let part = self.part;
        (0..self.games.div_ceil(self.size())).filter(move |&shard| part.has(shard))
    }

    fn games_in(&self, shard: u64) -> u64 {
        self.size().min(self.games - shard * self.size())
    }

    pub fn path(&self, shard: u64) -> PathBuf {
        self.out.join(format!("{}-{:x}-{shard:06}.games", self.game, self.seed))
    }

    /// The origin of the games of a shard.
    fn origin(&self, evaluation: &str, shard: u64) -> Origin {
        let mut evaluation = evaluation.to_owned();
        for (percent, kind) in [(self.wild, "wild"), (self.explore, "random")] {
            if percent > 0 {
                evaluation = format!("{percent} % {kind}, {evaluation}");
            }
        }
        let game = self.game.name().into();
        Origin { game, evaluation, seed: self.seed, nodes: self.nodes, first: shard * self.size() }.clipped()
    }

    /// Number of games that this process plays.
    pub fn share(&self) -> u64 {
        self.shards().map(|shard| self.games_in(shard)).sum()
    }
}

pub trait PlayProgress: Sync {
    /// Called at the end of a game with this number of searched positions.
    fn game(&self, _positions: u64) {}
    /// Called when a shard has been completed or already exists.
    fn shard(&self, _path: &Path, _games: u64, _old: bool) {}
    /// Called when an existing shard cannot be read; it is played again.
    fn damaged(&self, _error: &TrainError) {}
    /// Called when another process is playing the games of a shard.
    fn elsewhere(&self, _path: &Path, _games: u64) {}
}

/// Ignores all progress reports.
impl PlayProgress for () {}

/// The error that the games of a plan cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    #[error("{}: not a directory", .0.display())]
    NotADirectory(PathBuf),
    #[error(transparent)]
    Directory(FileError),
    #[error(transparent)]
    Shard(TrainError),
    #[error("{}: the games were played with different settings (nodes {nodes}, evaluation {evaluation}); choose a different directory or seed", path.display())]
    OtherGames { path: PathBuf, nodes: u32, evaluation: String },
    #[error(transparent)]
    Packed(#[from] ShardError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    /// Every opening that was tried is decided.
    #[error("none of {0} random openings is balanced according to this evaluation")]
    Openings(usize),
}

impl SelfplayError {
    /// Returns whether the plan is invalid, rather than a failure during the run.
    pub fn is_unfit(&self) -> bool {
        matches!(self, Self::NotADirectory(_) | Self::Directory(_) | Self::Shard(_) | Self::OtherGames { .. })
    }
}

/// Plays the games of a plan, whose board is that of `G`, that are not in the directory yet.
pub fn run<G: Game<Position: AsBoard>>(
    plan: &Plan,
    network: &NetworkChoice,
    progress: &dyn PlayProgress,
) -> Result<(), SelfplayError> {
    if plan.out.is_file() {
        return Err(SelfplayError::NotADirectory(plan.out.clone()));
    }
    std::fs::create_dir_all(&plan.out)
        .map_err(|source| SelfplayError::Directory(FileError { path: plan.out.clone(), source }))?;
    let evaluation = evaluation_id::<G>(plan.game, network);
    let origin = |shard| plan.origin(&evaluation, shard);
    // Existing shards must belong to the plan; this is checked before any game is played.
    for shard in plan.shards() {
        let path = plan.path(shard);
        if path.exists()
            && let Some(found) = shard::origin(&path).map_err(SelfplayError::Shard)?
            && let Err(error) = must_fit(&path, &found, &origin(shard))
            && shard::read(&path).is_ok()
        {
            return Err(error);
        }
    }
    let queue = Mutex::new(Queue { shards: plan.shards().collect(), open: vec![], failure: None });
    let work = || {
        let mut player = Player::<G>::new(network, plan.clone());
        // The queue is consistent even if a thread has panicked.
        let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((shard, game)) = { lock().next(|shard| open(plan, shard, origin(shard), progress)) } {
            let record = player.play(&mut stream(plan.seed, game));
            let full = record.map(|record| {
                progress.game(record.plies.iter().filter(|ply| ply.score.is_some()).count() as u64);
                lock().put(shard, game, record, std::mem::take(&mut player.tree))
            });
            let closed = full.and_then(|full| full.map_or(Ok(()), |full| full.close(plan, progress)));
            if let Err(error) = closed {
                lock().fail(error);
            }
        }
    };
    let threads = plan.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    pool.map_err(|source| SelfplayError::Threads { threads, source })?.broadcast(|_| work());
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.failure.map_or(Ok(()), Err)
}

/// The games that are still to be played, in order. All threads play games of the same shard, so that it is soon
/// completed.
struct Queue {
    /// Shards that have not been started.
    shards: VecDeque<u64>,
    open: Vec<Open>,
    /// The first error; no thread begins another game after it.
    failure: Option<SelfplayError>,
}

/// A shard that this process is playing.
struct Open {
    shard: u64,
    file: Whole,
    origin: Origin,
    begun: usize,
    records: Vec<Option<Record>>,
    /// Positions inside the searches of these games.
    tree: Vec<TreePosition>,
}

impl Queue {
    /// Returns the next game and its shard. `open` starts a shard unless it exists.
    fn next(&mut self, open: impl Fn(u64) -> Result<Option<Open>, SelfplayError>) -> Option<(u64, u64)> {
        while self.failure.is_none() {
            if let Some(open) = self.open.iter_mut().find(|open| open.begun < open.records.len()) {
                let game = open.origin.first + open.begun as u64;
                open.begun += 1;
                return Some((open.shard, game));
            }
            match open(self.shards.pop_front()?) {
                Ok(open) => self.open.extend(open),
                Err(error) => self.fail(error),
            }
        }
        None
    }

    /// Stores a game. Returns its shard if this was the last game.
    fn put(&mut self, shard: u64, game: u64, record: Record, tree: Vec<TreePosition>) -> Option<Open> {
        let at = self.open.iter().position(|open| open.shard == shard)?;
        let open = &mut self.open[at];
        let game = (game - open.origin.first) as u32;
        open.records[game as usize] = Some(record);
        open.tree.extend(tree.into_iter().map(|position| TreePosition { game, ..position }));
        open.records.iter().all(Option::is_some).then(|| self.open.remove(at))
    }

    fn fail(&mut self, error: SelfplayError) {
        self.failure = self.failure.take().or(Some(error));
    }
}

impl Open {
    fn close(self, plan: &Plan, progress: &dyn PlayProgress) -> Result<(), SelfplayError> {
        let path = plan.path(self.shard);
        let records: Vec<Record> = self.records.into_iter().flatten().collect();
        if plan.tree > 0 {
            // The trees are written first, so that they are complete if the file of games exists. They are sorted by
            // game, since threads finish games in any order.
            let mut positions = self.tree;
            positions.sort_by_key(|position| position.game);
            tree::write(&tree::beside(&path), &positions)?;
        }
        shard::finish(self.file, &self.origin, &records).map_err(|source| named(&path, source))?;
        progress.shard(&path, records.len() as u64, false);
        Ok(())
    }
}

/// Starts a shard unless it exists.
fn open(
    plan: &Plan,
    shard: u64,
    origin: Origin,
    progress: &dyn PlayProgress,
) -> Result<Option<Open>, SelfplayError> {
    let (path, games) = (plan.path(shard), plan.games_in(shard));
    let mut file = match Whole::replace(&path, begins_with(shard::MAGIC)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::ResourceBusy => {
            progress.elsewhere(&path, games);
            return Ok(None);
        }
        Err(source) => return Err(named(&path, source).into()),
    };
    match path.exists().then(|| shard::read(&path)) {
        Some(Ok((found, records))) => {
            // Another run may have written it in the meantime.
            must_fit(&path, &found, &origin)?;
            if records.len() as u64 >= games {
                progress.shard(&path, records.len() as u64, true);
                return Ok(None);
            }
        }
        Some(Err(error)) => progress.damaged(&error),
        None => {}
    }
    // This detects a full disk before the games are played.
    file.reserve(shard::size(games, MAX_PLIES)).map_err(|source| named(&path, source))?;
    let records = (0..games).map(|_| None).collect();
    Ok(Some(Open { shard, file, origin, begun: 0, records, tree: vec![] }))
}

fn named(path: &Path, source: io::Error) -> FileError {
    FileError { path: path.into(), source }
}

/// Checks that the games of this file have the expected origin.
fn must_fit(path: &Path, found: &Origin, wanted: &Origin) -> Result<(), SelfplayError> {
    if found.same_games(wanted) {
        return Ok(());
    }
    let Origin { evaluation, nodes, .. } = found.clone();
    Err(SelfplayError::OtherGames { path: path.into(), nodes, evaluation })
}

pub(super) fn stream(seed: u64, game: u64) -> Rng {
    Rng::new(seed ^ Rng::new(game).next())
}

pub(super) fn start<G: Game<Position: AsBoard>>(game: VariantId) -> G::Position {
    AnyPosition::new(game).get().cloned().expect("a game on this board")
}

pub struct Player<G: Game> {
    pool: Pool<G>,
    plan: Plan,
    signals: Signals,
    /// The positions saved from the searches of the last game.
    tree: Vec<TreePosition>,
}

impl<G: Game<Position: AsBoard>> Player<G> {
    pub fn new(network: &NetworkChoice, plan: Plan) -> Self {
        let mut pool = Pool::new();
        pool.set_hash((plan.nodes as usize).div_ceil(NODES_PER_MEGABYTE).clamp(1, MAX_HASH));
        pool.set_network(network.clone());
        Self { pool, plan, signals: Signals::default(), tree: vec![] }
    }

    fn limits(&self, factor: u64) -> Limits {
        let soft = u64::from(self.plan.nodes) * factor;
        Limits { soft_nodes: Some(soft), nodes: Some(8 * soft), ..Limits::default() }
    }

    /// Plays a game from the start position. The game depends only on the random numbers.
    ///
    /// # Errors
    /// No opening is balanced according to this evaluation.
    pub fn play(&mut self, rng: &mut Rng) -> Result<Record, SelfplayError> {
        self.pool.clear();
        self.tree.clear();
        let (mut pos, mut plies) = self.opening(rng)?;
        let opening = plies.len();
        let stumble =
            (rng.below(STUMBLES) == 0).then(|| opening.max(STUMBLE.start + rng.below(STUMBLE.len())));
        let adjudicate = rng.below(PLAYED_OUT) > 0;
        let mut agreement = Agreement::default();
        let limits = self.limits(1);
        let result = loop {
            if let Some(result) = over(&pos) {
                break result;
            }
            if plies.len() >= MAX_PLIES {
                break Outcome::Draw;
            }
            let random = match stumble {
                Some(at) if at == plies.len() => random_move(&pos, rng),
                _ if by_chance(self.plan.explore, rng) => safe_move(&pos, rng),
                _ => None,
            };
            if let Some(mv) = random {
                pos.make(mv, &mut ());
                plies.push(Ply { mv, score: None });
                agreement = Agreement::default();
                continue;
            }
            let outcome = self.pool.search(&pos, &limits, &self.signals, &());
            let black = if pos.side() == Color::Black { outcome.score } else { -outcome.score };
            let Some(mv) = outcome.best else { break won_by_black(black) };
            if self.plan.tree > 0 {
                self.tree.extend(tree::sample(&self.pool, &pos, mv, plies.len() as u16, self.plan.tree));
            }
            plies.push(Ply { mv, score: Some(outcome.score) });
            if adjudicate && (is_decisive(outcome.score) || agreement.won(black)) {
                break won_by_black(black);
            }
            if adjudicate && plies.len() >= DRAW_LENGTH && agreement.drawn(black) {
                break Outcome::Draw;
            }
            pos.make(mv, &mut ());
        };
        Ok(Record { result, plies })
    }
}

/// The result of a position by the rules, for black; `None` if the game continues.
fn over<P: Position>(pos: &P) -> Option<Outcome> {
    let for_black = |verdict| match (verdict, pos.side()) {
        (Verdict::Draw, _) => Outcome::Draw,
        (Verdict::Win | Verdict::Superior, Color::Black)
        | (Verdict::Loss | Verdict::Inferior, Color::White) => Outcome::Win,
        _ => Outcome::Loss,
    };
    if pos.can_declare() {
        return Some(for_black(Verdict::Win));
    }
    if let Some(verdict) = pos.verdict(0) {
        return Some(for_black(verdict));
    }
    pos.legal_moves().is_empty().then(|| for_black(pos.verdict_without_moves()))
}

fn won_by_black(score: Score) -> Outcome {
    match score {
        0 => Outcome::Draw,
        1.. => Outcome::Win,
        _ => Outcome::Loss,
    }
}

/// Tracks how long both sides have agreed on a result.
#[derive(Default)]
struct Agreement {
    decided: i32,
    level: usize,
}

impl Agreement {
    /// Adds a score for black. Returns whether one side has been winning for long enough.
    fn won(&mut self, score: Score) -> bool {
        self.decided = match score {
            s if s >= WIN_SCORE => self.decided.max(0) + 1,
            s if s <= -WIN_SCORE => self.decided.min(0) - 1,
            _ => 0,
        };
        self.decided.unsigned_abs() as usize >= WIN_PLIES
    }

    /// Adds a score. Returns whether the game has been level for long enough.
    fn drawn(&mut self, score: Score) -> bool {
        self.level = if score.abs() <= DRAW_SCORE { self.level + 1 } else { 0 };
        self.level >= DRAW_PLIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use sanban_engine::NetworkSource;
    use sanban_rules::{Shogi, Variant};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Default)]
    struct Counts {
        games: AtomicU64,
        damaged: AtomicU64,
    }

    impl PlayProgress for Counts {
        fn game(&self, _: u64) {
            self.games.fetch_add(1, Ordering::Relaxed);
        }
        fn damaged(&self, _: &TrainError) {
            self.damaged.fetch_add(1, Ordering::Relaxed);
        }
        fn elsewhere(&self, path: &Path, _: u64) {
            panic!("{} is locked by another process", path.display());
        }
    }

    fn plan(out: &Scratch, games: u64, nodes: u32, threads: usize) -> Plan {
        Plan { games, nodes, threads, seed: 11, out: out.0.clone(), ..Plan::default() }
    }

    /// Plays games; returns the contents of their shard, and the numbers of games played and of damaged shards found.
    fn play(plan: &Plan) -> (Vec<Record>, [u64; 2]) {
        let counts = Counts::default();
        run::<Shogi>(plan, &Shogi::embedded(), &counts).expect("games are played");
        let (_, records) = shard::read(&plan.path(0)).expect("valid shard");
        (records, [counts.games.into_inner(), counts.damaged.into_inner()])
    }

    #[test]
    fn damaged_headers_are_told_from_other_games() {
        let out = Scratch::new();
        let plan = plan(&out, 2, 60, 1);
        let (records, _) = play(&plan);
        let path = plan.path(0);
        let mut bytes = std::fs::read(&path).expect("shard was written");
        bytes[48] ^= 1;
        std::fs::write(&path, bytes).expect("directory is writable");
        assert_eq!(play(&plan), (records, [2, 1]));
    }

    /// A shard takes a few minutes, regardless of the limits.
    #[test]
    fn shards_of_long_games_hold_few_of_them() {
        let out = Scratch::new();
        let size = |nodes| plan(&out, 1, nodes, 1).size();
        assert_eq!([1, 500, 10_000, u32::MAX].map(size), [1024, 1024, 104, 1]);
    }

    /// Equal seeds give equal games; every game can be replayed; existing games are not played again.
    #[test]
    fn games_are_repeatable_and_legal() {
        let (first, second) = (Scratch::new(), Scratch::new());
        let plan = |nodes| plan(&first, 6, nodes, 1);
        let (records, _) = play(&plan(60));
        assert_eq!(play(&self::plan(&second, 6, 60, 2)).0, records);
        assert_eq!(play(&plan(60)).1, [0, 0]);
        for record in &records {
            assert!(record.sound_from() >= 7 && record.plies.len() > record.sound_from());
            let start = Shogi::parse(Shogi::START).expect("valid start position");
            assert_eq!(record.replay(start, |_, _, _| ()), Ok(()));
        }
        let file = NetworkSource::file(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/nets/shogi.nnue"), 16);
        // A run with the same network, loaded from a file, can continue these games; one with a different evaluation or
        // plan cannot.
        let with = |source: &NetworkSource, nodes| {
            let network = Shogi::load_network(source).expect("valid network");
            let counts = Counts::default();
            run::<Shogi>(&plan(nodes), &network, &counts).map(|()| counts.games.into_inner())
        };
        assert_eq!(with(&file, 60).ok(), Some(0));
        assert!(with(&NetworkSource::Handwritten, 60).is_err_and(|error| error.is_unfit()));
        assert!(with(&file, 61).is_err_and(|error| error.is_unfit()));
    }

    /// With `explore`, that share of the moves after the opening is random, and games without it cannot be continued.
    #[test]
    fn games_that_explore_contain_random_moves() {
        let out = Scratch::new();
        let plan = Plan { explore: 20, ..plan(&out, 6, 60, 1) };
        let (records, _) = play(&plan);
        let (mut all, mut random) = (0, 0);
        for record in &records {
            let opening = record.plies.iter().position(|ply| ply.score.is_some()).expect("a search");
            all += record.plies.len() - opening;
            random += record.plies[opening..].iter().filter(|ply| ply.score.is_none()).count();
        }
        assert!((all / 10..all * 3 / 10).contains(&random), "{random} of {all}");
        let other = Plan { explore: 0, ..plan };
        assert!(
            run::<Shogi>(&other, &Shogi::embedded(), &()).is_err_and(|error| error.is_unfit()),
            "games with random moves are continued without"
        );
    }
}
