//! The engine for one game, and the interface through which commands reach it.

use super::bench::{bench, totals};
use super::books::Books;
use super::command::{Go, Mate, clip};
use super::options::{self, Config};
use super::output::Output;
use super::print::{Printer, moves, text};
use super::task::Task;
use crate::dialect::{Dialect, usi_text};
use sanban_engine::NetworkSource;
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace};
use sanban_engine::perft::Perft;
use sanban_engine::search::{Clock, Limits, Line, Outcome, Pool, Settings, Signals};
use sanban_engine::{Evaluator, Game, Oracle};
use sanban_rules::setting::Setting;
use sanban_rules::{
    AnyPosition, AsBoard, Position, ReplayError, Rng, Rules, Score, SearchPosition, VariantId, Verdict,
    with_variant,
};
use sanban_system::atomic_file::{Stamp, find, stamp};
use sanban_system::clock::Instant;
use sanban_system::{clock, how_many_fit};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Thinking time after a `go` (or a `ponderhit`) without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Memory used by a search thread, in bytes: its tables (12 MB) and some stack.
const THREAD: usize = 14 << 20;
/// Address space used by a search thread, in bytes: its tables, its stack (8 MB), and the memory that the allocator
/// reserves per thread (64 MB).
const THREAD_ADDRESSES: usize = 84 << 20;
/// Memory in bytes, besides the transposition table, that is reserved when the number of threads is determined.
const REST: usize = 64 << 20;

/// The operations of the engine for a game, with one dynamic call per command.
pub trait Session {
    /// Applies the rule settings.
    fn set_rules(&mut self, config: &Config, out: &Output);
    /// Updates threads, network and book to match the options; cheap when nothing has changed.
    fn prepare(&mut self, config: &Config, out: &Output);
    /// Resizes the transposition table to match the options.
    fn allocate(&mut self, config: &Config, out: &Output);
    /// Clears the state of the last game.
    fn new_game(&mut self);
    /// Sets up a position: an SFEN (`None`: the start position) and the moves from there. On error the old position is
    /// kept, and the error names the faulty field or move.
    fn position(&mut self, sfen: Option<&str>, moves: &[String], dialect: Dialect)
    -> Result<(), ReplayError>;
    /// Marks the position as invalid: a `position` command could not be read, and until the next valid one there is no
    /// position to search.
    fn lose_position(&mut self);
    /// Searches and returns the answer.
    fn go(&mut self, go: Go, search: &Task, config: &Config, out: &Output) -> Answer;
    /// Counts the leaf nodes of the tree of legal moves, and prints one line for every root move and two for the total.
    fn perft(&self, depth: u32, config: &Config, search: &Task, out: &Output);
    /// Searches the bench positions.
    fn bench(&self, depth: u32, signals: &Signals, out: &Output);
    /// The board with its SFEN.
    fn board(&self) -> String;
    /// The key of the position, in hexadecimal.
    fn key(&self) -> String;
    /// The legal moves.
    fn moves(&self, dialect: Dialect) -> String;
    /// The static evaluation.
    fn eval(&self) -> String;
}

/// The answer to `go`. Moves are in the notation of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the expected reply.
    Move {
        /// The move.
        best: String,
        /// The expected reply, if known.
        ponder: Option<String>,
        /// The last search line, if the move was searched.
        line: Option<Thought>,
    },
    /// A declared win.
    Declaration,
    /// The side to move has no legal move, or resigns.
    Resignation,
    /// The answer to a mate problem, including the word `checkmate`.
    Mate(String),
}

/// A score in centipawns for the side to move, and its principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The score.
    pub score: Score,
    /// The moves.
    pub pv: Vec<String>,
}

impl Answer {
    /// Formats the answer as a line of USI or UCI.
    pub fn line(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Self::Move { best, ponder: Some(ponder), .. }, _) => format!("bestmove {best} ponder {ponder}"),
            (Self::Move { best, ponder: None, .. }, _) => format!("bestmove {best}"),
            (Self::Declaration, _) => "bestmove win".into(),
            (Self::Resignation, Dialect::Usi) => "bestmove resign".into(),
            (Self::Resignation, _) => "bestmove (none)".into(),
            (Self::Mate(text), _) => text.clone(),
        }
    }
}

/// Creates the engine for a game.
pub fn open(id: VariantId) -> Option<Box<dyn Session>> {
    with_variant!(id, G => Engine::<G>::new().map(|engine| Box::new(engine) as Box<dyn Session>))
}

/// The engine for one game.
struct Engine<G: Game> {
    pool: Pool<G::Played>,
    rules: <G::Position as Position>::Rules,
    /// The text of every setting from which `rules` was made.
    rule_values: Vec<Option<String>>,
    position: G::Position,
    /// Whether the last `position` command ended with a move (not a pass).
    can_unmake: bool,
    /// The last `position` command was invalid: there is no position to search.
    lost: bool,
    network: G::Network,
    /// The source of `network` with the stamp of its file; `None` before the first `isready`.
    network_file: Option<(NetworkSource, Stamp)>,
    /// The path and stamp of the open solved table.
    oracle_file: (Option<PathBuf>, Stamp),
    books: Books,
    hash: usize,
    /// Number of search threads, and the number requested.
    threads: usize,
    wanted_threads: usize,
    /// The seed for the deliberate errors of weakened play; every game gets a new one.
    luck: u64,
    /// The mate solver's memory, until the transposition table needs it again.
    mate: Workspace,
}

impl<G: Game<Position: AsBoard>> Engine<G> {
    fn new() -> Option<Self> {
        Some(Self {
            pool: Pool::new(),
            rules: G::rules(),
            rule_values: Vec::new(),
            position: G::parse(G::START).ok()?,
            can_unmake: false,
            lost: false,
            network: G::Network::default(),
            network_file: None,
            oracle_file: (None, None),
            books: Books::default(),
            hash: 0,
            threads: 0,
            wanted_threads: 0,
            luck: chance().next(),
            mate: Workspace::default(),
        })
    }

    /// Starts the number of threads that the options ask for, or as many as fit into memory.
    fn set_threads(&mut self, config: &Config, out: &Output) {
        let reserve = REST.saturating_add(config.hash.saturating_mul(1 << 20));
        // The first thread always starts, however little memory is left.
        let others = how_many_fit(config.threads - 1, THREAD, THREAD_ADDRESSES, reserve);
        self.threads = others + 1;
        self.wanted_threads = config.threads;
        if self.threads < config.threads {
            let Self { threads, wanted_threads, .. } = self;
            out.note(&format!("Threads: not enough memory for {wanted_threads}; using {threads}"));
        }
        self.pool.set_threads(self.threads);
    }

    fn limits(&self, go: &Go, config: &Config, out: &Output) -> Limits {
        let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
        let asked = usi_texts::<G::Position>(&go.search_moves, out.dialect());
        for (text, typed) in asked.iter().zip(&go.search_moves) {
            match self.position.parse_usi(text) {
                Some(mv) => search_moves.push(mv),
                None => illegal.push(typed.as_str()),
            }
        }
        if !illegal.is_empty() {
            out.note(&format!("searchmoves: not legal: {}", clip(&illegal.join(" "))));
        }
        let random = go.random_time.map(|time| time.mul_f64(1.0 + 2.0 * chance().unit()));
        let mut limits = Limits {
            depth: least(go.depth, config.depth_limit),
            nodes: least(go.nodes, config.nodes_limit),
            soft_nodes: None,
            move_time: least(go.move_time, random),
            clock: go.clock,
            search_moves,
            ponder: go.ponder,
            side: None,
            infinite: go.infinite,
        };
        let unlimited = go.depth.is_none() && go.nodes.is_none() && go.clock.is_none();
        if unlimited && limits.move_time.is_none() && !go.infinite {
            limits.clock = Some(default_clock());
        }
        limits
    }

    /// Ponders on the position before the expected move. If that move is played, the actual search follows. Otherwise
    /// `search` is stopped, and the move found is discarded.
    fn ponder_before(&mut self, search: &Task) {
        let mut before = self.position.clone();
        before.unmake();
        let limits = Limits { infinite: true, side: Some(self.position.side()), ..Limits::default() };
        self.pool.search(&before, &limits, &search.before_hit, &());
        search.before_hit.wait(true);
    }

    fn mate(&mut self, go: &Go, mate: Mate, search: &Task, config: &Config, out: &Output) -> Answer {
        let Some(solve) = G::mate_solver() else {
            search.signals.wait(go.infinite);
            return Answer::Mate("checkmate notimplemented".into());
        };
        // The solver uses the memory of the transposition table; `allocate` returns it.
        if self.hash != 0 {
            self.pool.set_hash(1);
            self.hash = 0;
        }
        let within = match mate {
            Mate::Infinite => None,
            Mate::Within(time) => Some(time),
        };
        let limits = MateLimits {
            time: least(go.move_time, within).map(|time| time.saturating_sub(search.begin.elapsed())),
            nodes: least(go.nodes, config.nodes_limit),
            memory: config.hash,
            threads: self.threads,
            shortest: config.mate_shortest,
        };
        let printer = Printer::<G::Position>::new(out, search);
        let outcome = solve(&mut self.mate, &self.position, &limits, &printer);
        // While pondering, the answer waits for `stop` or `ponderhit`.
        search.signals.wait(go.infinite);
        Answer::Mate(match outcome {
            MateOutcome::Mate(line) => format!("checkmate{}", moves::<G::Position>(&line, out.dialect())),
            MateOutcome::NoMate => "checkmate nomate".into(),
            MateOutcome::Unknown => NO_MATE_FOUND.into(),
        })
    }

    fn load_network(&mut self, config: &Config, out: &Output) {
        let wanted = match (config.eval_file.as_str(), config.eval_dir.as_str()) {
            _ if !G::NETWORK_FILES => None,
            ("", "") => None,
            (NetworkSource::HANDWRITTEN, _) => Some(PathBuf::from(NetworkSource::HANDWRITTEN)),
            ("", dir) => Some(Path::new(dir).join("nn.bin")),
            (file, "") => Some(PathBuf::from(file)),
            (file, dir) => Some(Path::new(dir).join(file)),
        };
        let source = wanted
            .map_or(NetworkSource::Embedded, |path| NetworkSource::named(&find(&path), config.fv_scale));
        let stamp = source.path().and_then(stamp);
        let wanted = Some((source.clone(), stamp));
        if wanted == self.network_file {
            return;
        }
        match G::load_network(&source) {
            Ok(network) => {
                self.network = network;
                self.pool.set_network(self.network.clone());
                // The scores in the transposition table come from a different network.
                self.pool.clear();
                if G::NETWORK_FILES {
                    out.note(&G::describe(&self.network));
                }
            }
            Err(error) => out.note(&format!("EvalFile: {error}; still using {}", G::describe(&self.network))),
        }
        self.network_file = wanted;
    }

    /// Opens the solved table that the options name. If it cannot be opened, the previous table is closed all the same.
    fn open_oracle(&mut self, config: &Config, out: &Output) {
        let Some(option) = G::Oracle::OPTION else { return };
        let named = Some(config.tables(option)).filter(|name| !name.is_empty());
        let path = named.map(|name| find(Path::new(name)));
        let stamp = path.as_deref().and_then(stamp);
        if (&path, &stamp) == (&self.oracle_file.0, &self.oracle_file.1) {
            return;
        }
        let opened = path.as_deref().map_or_else(|| Ok(G::Oracle::default()), G::Oracle::open);
        let oracle = opened.unwrap_or_else(|error| {
            out.note(&format!("{option}: {error}"));
            G::Oracle::default()
        });
        self.pool.set_oracle(oracle);
        self.oracle_file = (path, stamp);
    }

    /// Answers `go` in a valid position.
    fn search(&mut self, mut go: Go, search: &Task, config: &Config, out: &Output) -> Answer {
        if let Some(mate) = go.mate {
            return self.mate(&go, mate, search, config, out);
        }
        self.allocate(config, out);
        let pos = AnyPosition::of::<G>(self.position.clone());
        if let Some(known) = self.books.advise(&pos, &go, search, config, out) {
            search.signals.wait(false);
            let outcome = Outcome { best: Some(known.mv), ponder: known.reply, ..Outcome::default() };
            return answer::<G::Position>(&outcome, None, false, out.dialect());
        }
        if config.search.stochastic_ponder && go.ponder && self.can_unmake {
            self.ponder_before(search);
        }
        if !go.ponder {
            go.deduct(search.begin.elapsed(), self.position.side());
        }
        let limits = self.limits(&go, config, out);
        let printer = Printer::<G::Position>::new(out, search);
        let outcome = self.pool.search(&self.position, &limits, &search.signals, &printer);
        search.signals.wait(go.infinite);
        let drawn = self.position.verdict(0) == Some(Verdict::Draw);
        // The scores of moves excluded by `searchmoves` are unknown.
        let sure = !go.infinite && go.search_moves.is_empty();
        let resigns = sure && !drawn && outcome.score <= -config.resign;
        answer::<G::Position>(&outcome, printer.last(), resigns, out.dialect())
    }

    /// Reads a position with its moves; the error names the faulty field or move.
    fn read_position(&self, sfen: Option<&str>, moves: &[String]) -> Result<G::Position, ReplayError> {
        let start = self.rules.start();
        let mut position = G::parse(sfen.or(start.as_deref()).unwrap_or(G::START))?;
        position.set_rules(&self.rules);
        for (n, text) in moves.iter().enumerate() {
            // A client that continues after the end does not implement the rule that ended the game.
            if let Some(resumed) = position.resumed() {
                position = resumed;
            }
            match position.parse_usi(text).or_else(|| position.foreign_pass(text)) {
                Some(mv) => position.make(mv, &mut ()),
                None if is_pass(text)
                    && G::Position::NULL_MOVE
                    && !position.in_check()
                    && position.count() > 0 =>
                {
                    position.make_null()
                }
                None => return Err(ReplayError::Move { text: clip(text), ply: n + 1 }),
            }
        }
        Ok(position)
    }
}

impl<G: Game<Position: AsBoard>> Session for Engine<G> {
    fn set_rules(&mut self, config: &Config, out: &Output) {
        let settings = <G::Position as Position>::Rules::SETTINGS;
        let value = |setting: &Setting| config.rules.get(setting.name).cloned();
        let values: Vec<Option<String>> = settings.iter().map(value).collect();
        if values == self.rule_values {
            return;
        }
        for (index, (setting, value)) in settings.iter().zip(&values).enumerate() {
            let Some(text) = value.as_ref().filter(|_| self.rule_values.get(index) != Some(value)) else {
                continue;
            };
            let name = setting.name;
            if G::SETTINGS.iter().any(|setting| setting.name == name) {
                if let Err(error) = self.rules.set(name, text) {
                    out.note(&format!("{name}: {error}"));
                }
                continue;
            }
            // This game has a fixed value for the rule. GUIs send back every default, so only other values are
            // reported.
            let mut asked = G::rules();
            let chosen = *text != options::default(&setting.kind);
            if chosen && asked.set(name, text).is_ok() && asked != G::rules() {
                out.note(&format!("{name}: {} fixes this rule; '{}' is ignored", G::NAME, clip(text)));
            }
        }
        self.rule_values = values;
        self.position.set_rules(&self.rules);
        // The scores in the transposition table were found under different rules.
        self.pool.clear();
    }

    fn prepare(&mut self, config: &Config, out: &Output) {
        if self.wanted_threads != config.threads {
            self.set_threads(config, out);
        }
        *self.pool.settings() = Settings { luck: self.luck, ..config.settings() };
        #[cfg(feature = "tune")]
        for (name, &value) in &config.params {
            self.pool.params().set(name, value);
        }
        self.load_network(config, out);
        self.open_oracle(config, out);
        let mut start = G::Position::default();
        start.set_rules(&self.rules);
        self.books.load(config, AnyPosition::of::<G>(start), out);
    }

    fn allocate(&mut self, config: &Config, out: &Output) {
        if self.hash != config.hash {
            self.mate = Workspace::default();
            let granted = self.pool.set_hash(config.hash);
            if granted != config.hash {
                out.note(&format!("USI_Hash: not enough memory for {} MB; using {granted} MB", config.hash));
            }
            self.hash = config.hash;
        }
    }

    fn new_game(&mut self) {
        self.luck = chance().next();
        self.pool.clear();
        self.books.new_game();
    }

    fn position(
        &mut self,
        sfen: Option<&str>,
        moves: &[String],
        dialect: Dialect,
    ) -> Result<(), ReplayError> {
        let read = self.read_position(sfen, &usi_texts::<G::Position>(moves, dialect));
        // The error names the move as it was sent.
        let read = read.map_err(|error| match error {
            ReplayError::Move { ply, .. } if dialect != Dialect::Usi => {
                let text = clip(moves.get(ply - 1).map_or("", String::as_str));
                ReplayError::Move { text, ply }
            }
            error => error,
        });
        self.lost = read.is_err();
        self.position = read?;
        self.can_unmake = moves.last().is_some_and(|last| !is_pass(last));
        Ok(())
    }

    fn lose_position(&mut self) {
        self.lost = true;
    }

    fn go(&mut self, go: Go, search: &Task, config: &Config, out: &Output) -> Answer {
        if self.lost {
            out.note("no valid position to search");
            search.signals.wait(go.infinite);
            return unanswered(&go);
        }
        if out.dialect() != Dialect::Uci || !self.position.can_declare() {
            return self.search(go, search, config, out);
        }
        // UCI has no declaration: a move is needed.
        let (position, mut rules) = (self.position.clone(), self.rules.clone());
        if let Err(error) = rules.set("EnteringKingRule", "NoEnteringKing") {
            out.note(&error.to_string());
        }
        self.position.set_rules(&rules);
        self.pool.clear();
        let answer = self.search(go, search, config, out);
        self.position = position;
        self.pool.clear();
        answer
    }

    fn perft(&self, depth: u32, config: &Config, search: &Task, out: &Output) {
        if self.lost {
            return out.note("no valid position to count");
        }
        let begin = Instant::now();
        let perft = Perft::new(config.threads, 0).unwrap_or_else(|error| {
            out.note(&format!("counting with one thread: {error}"));
            Perft::default()
        });
        let counts = perft.divide(&self.position, depth, |_, _| match search.signals.stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let Some(counts) = counts else { return out.note("perft was stopped") };
        let lines = counts.iter().map(|&(mv, nodes)| {
            let mv = text::<G::Position>(mv, out.dialect());
            format!("{mv}: {nodes}\n")
        });
        let lines: String = lines.collect();
        let total = if depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
        out.line(&format!("{lines}{}", totals(total, begin.elapsed())));
    }

    fn bench(&self, depth: u32, signals: &Signals, out: &Output) {
        bench::<G>(&self.network, depth, signals, out);
    }

    fn board(&self) -> String {
        self.position.to_string()
    }

    fn key(&self) -> String {
        format!("{:016x}", self.position.key())
    }

    fn moves(&self, dialect: Dialect) -> String {
        let list = self.position.legal_moves();
        format!("{} moves:{}", list.len(), moves::<G::Position>(&list, dialect))
    }

    fn eval(&self) -> String {
        let mut evaluator = G::evaluator(&self.network);
        evaluator.reset(&self.position);
        let score = evaluator.evaluate(&self.position);
        let side = self.position.side().letter();
        format!("{score} centipawns for the side to move ({side}); {}", G::describe(&self.network))
    }
}

fn answer<P: Position>(outcome: &Outcome, line: Option<Line>, resigns: bool, dialect: Dialect) -> Answer {
    let text = |mv| text::<P>(mv, dialect);
    let thought = |line: Line| Thought { score: line.score, pv: line.pv.into_iter().map(text).collect() };
    match outcome.best {
        _ if outcome.declare && dialect != Dialect::Uci => Answer::Declaration,
        Some(best) if !resigns => {
            Answer::Move { best: text(best), ponder: outcome.ponder.map(text), line: line.map(thought) }
        }
        _ => Answer::Resignation,
    }
}

/// The answer to a mate problem that was not solved.
const NO_MATE_FOUND: &str = "checkmate timeout";

/// The answer if no search is possible.
pub fn unanswered(go: &Go) -> Answer {
    if go.mate.is_some() { Answer::Mate(NO_MATE_FOUND.into()) } else { Answer::Resignation }
}

/// Converts moves to USI notation. A move that cannot be converted is kept unchanged, so that the error message quotes
/// it.
fn usi_texts<P: Position>(moves: &[String], dialect: Dialect) -> Vec<String> {
    let usi = |text: &String| match dialect {
        // The CECP reader has already converted the moves.
        Dialect::Usi | Dialect::Cecp => text.clone(),
        Dialect::Uci => usi_text::<P>(text).unwrap_or_else(|| text.clone()),
    };
    moves.iter().map(usi).collect()
}

/// Creates a random number generator with a different seed each time.
fn chance() -> Rng {
    Rng::new(clock::seed())
}

/// The default clock of a search without limits.
pub fn default_clock() -> Clock {
    Clock { byoyomi: DEFAULT_TIME, ..Clock::default() }
}

/// The smaller of two optional limits.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Returns whether this is a null move, which analysis programs send even in games without passes.
fn is_pass(text: &str) -> bool {
    matches!(text, "0000" | "null" | "pass")
}
