//! The engine of a session, and the operations through which commands reach it.

use super::bench::{bench, totals};
use super::books::Books;
use super::command::{Go, Mate, clip};
use super::options::{self, Config};
use super::output::Output;
use super::print::{Printer, moves, text};
use super::task::Task;
use crate::uci::{Dialect, board, usi_text};
use sanban_engine::Engine;
use sanban_engine::NetworkSource;
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace};
use sanban_engine::perft::Perft;
use sanban_engine::search::{Clock, Limits, Line, Outcome, Settings, Signals};
use sanban_rules::janggi::ENDS_SETTING;
use sanban_rules::setting::Setting;
use sanban_rules::{AnyPosition, ReplayError, Rng, Score, VariantId, Verdict};
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

/// The answer to `go`. Moves are in the notation of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the expected reply.
    Move {
        best: String,
        /// The expected reply, if known.
        ponder: Option<String>,
        /// The last search line, if the move was searched.
        line: Option<Thought>,
    },
    Declaration,
    /// The side to move has no legal move, or resigns.
    Resignation,
    /// The answer to a mate problem, including the word `checkmate`.
    Mate(String),
}

/// How to answer `go`.
pub enum Plan {
    /// Without a search.
    Known(Answer),
    /// By a search for a move.
    Move(Limits),
    /// By a search for a mate.
    Mate(MateLimits),
}

/// A score in centipawns for the side to move, and its principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    pub score: Score,
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

pub struct Session {
    engine: Box<dyn Engine>,
    /// The start position under the rule settings of the options.
    start: AnyPosition,
    /// The text of every setting from which the rules of `start` were made.
    rule_values: Vec<Option<String>>,
    position: AnyPosition,
    /// Whether the last `position` command ended with a move (not a pass).
    can_unmake: bool,
    /// The last `position` command was invalid: there is no position to search.
    is_invalid: bool,
    /// The network in use with the stamp of its file; `None` before the first `isready`.
    network_file: Option<(NetworkSource, Stamp)>,
    /// The path and stamp of the open solved table.
    tables_file: (Option<PathBuf>, Stamp),
    books: Books,
    hash: usize,
    /// Number of search threads, and the number requested.
    threads: usize,
    wanted_threads: usize,
    /// The seed for the deliberate errors of weakened play; every game gets a new one.
    luck: u64,
}

impl Session {
    /// Starts a session of a game with every option at its default.
    pub fn new(game: VariantId) -> Self {
        Self {
            engine: <dyn Engine>::new(game),
            start: AnyPosition::new(game),
            rule_values: Vec::new(),
            position: AnyPosition::new(game),
            can_unmake: false,
            is_invalid: false,
            network_file: None,
            tables_file: (None, None),
            books: Books::default(),
            hash: 0,
            threads: 0,
            wanted_threads: 0,
            luck: chance().next(),
        }
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
        self.engine.set_threads(self.threads);
    }

    fn limits(&self, go: &Go, config: &Config, out: &Output) -> Limits {
        let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
        let asked = usi_texts(&self.position, &go.search_moves, out.dialect());
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
            always_moves: out.dialect() != Dialect::Usi,
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
        before.undo();
        let limits = Limits { infinite: true, side: Some(self.position.side()), ..Limits::default() };
        // The position is one of this game.
        let _ = self.engine.search(&before, &limits, &search.before_hit, &());
        search.before_hit.wait(true);
    }

    fn mate_limits(&mut self, go: &Go, mate: Mate, search: &Task, config: &Config) -> MateLimits {
        // The solver uses the memory of the transposition table; `allocate` returns it.
        if self.hash != 0 {
            self.engine.set_hash(1);
            self.hash = 0;
        }
        let within = match mate {
            Mate::Infinite => None,
            Mate::Within(time) => Some(time),
        };
        MateLimits {
            time: least(go.move_time, within).map(|time| time.saturating_sub(search.begin.elapsed())),
            nodes: least(go.nodes, config.nodes_limit),
            memory: config.hash,
            threads: self.threads,
            shortest: config.mate_shortest,
        }
    }

    fn load_network(&mut self, config: &Config, out: &Output) {
        let wanted = match (config.eval_file.as_str(), config.eval_dir.as_str()) {
            _ if !self.engine.has_network_files() => None,
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
        match self.engine.load_network(&source) {
            Ok(()) if self.engine.has_network_files() => out.note(&self.engine.network()),
            Ok(()) => {}
            Err(error) => out.note(&format!("EvalFile: {error}; still using {}", self.engine.network())),
        }
        self.network_file = wanted;
    }

    /// Opens the solved table that the options name. If it cannot be opened, the previous table is closed all the same.
    fn open_tables(&mut self, config: &Config, out: &Output) {
        let Some(option) = self.engine.tables_option() else { return };
        let named = Some(config.tables(option)).filter(|name| !name.is_empty());
        let path = named.map(|name| find(Path::new(name)));
        let stamp = path.as_deref().and_then(stamp);
        if (&path, &stamp) == (&self.tables_file.0, &self.tables_file.1) {
            return;
        }
        if let Err(error) = self.engine.open_tables(path.as_deref()) {
            out.note(&format!("{option}: {error}"));
        }
        self.tables_file = (path, stamp);
    }

    /// Decides how to answer `go`.
    pub fn plan(&mut self, go: &Go, search: &Task, config: &Config, out: &Output) -> Plan {
        if self.is_invalid {
            out.note("no valid position to search");
            return Plan::Known(unanswered(go));
        }
        if let Some(mate) = go.mate {
            return match self.engine.solves_mates() {
                true => Plan::Mate(self.mate_limits(go, mate, search, config)),
                false => Plan::Known(Answer::Mate("checkmate notimplemented".into())),
            };
        }
        self.allocate(config, out);
        if let Some(known) = self.books.advise(&self.position, go, search, config, out) {
            let outcome = Outcome { best: Some(known.mv), ponder: known.reply, ..Outcome::default() };
            return Plan::Known(answer(&self.position, &outcome, None, false, out.dialect()));
        }
        let mut go = go.clone();
        if !go.ponder {
            go.deduct(search.begin.elapsed(), self.position.side());
        }
        Plan::Move(self.limits(&go, config, out))
    }

    pub fn parts(&mut self) -> (&mut dyn Engine, &AnyPosition) {
        (&mut *self.engine, &self.position)
    }

    /// The answer to a search for a move. `line` is the last line of the best move.
    pub fn move_answer(
        &self,
        go: &Go,
        outcome: &Outcome,
        line: Option<Line>,
        config: &Config,
        dialect: Dialect,
    ) -> Answer {
        let safe = matches!(self.position.verdict(), Some(Verdict::Draw | Verdict::Win));
        // The scores of moves excluded by `searchmoves` are unknown.
        let sure = !go.infinite && go.search_moves.is_empty();
        let resigns = sure && !safe && outcome.score <= -config.resign;
        answer(&self.position, outcome, line, resigns, dialect)
    }

    /// The answer to a search for a mate.
    pub fn mate_answer(&self, outcome: &MateOutcome, dialect: Dialect) -> Answer {
        Answer::Mate(match outcome {
            MateOutcome::Mate(line) => format!("checkmate{}", moves(&self.position, line, dialect)),
            MateOutcome::NoMate => "checkmate nomate".into(),
            MateOutcome::Unknown => NO_MATE_FOUND.into(),
        })
    }

    fn search(&mut self, go: &Go, search: &Task, config: &Config, out: &Output) -> Answer {
        if config.search.stochastic_ponder && go.ponder && self.can_unmake && !self.is_invalid {
            self.ponder_before(search);
        }
        let plan = self.plan(go, search, config, out);
        let printer = Printer::new(&self.position, out, search);
        let answer = match plan {
            Plan::Known(answer) => Ok(answer),
            Plan::Mate(limits) => self
                .engine
                .mate(&self.position, &limits, &printer)
                .map(|outcome| self.mate_answer(&outcome, out.dialect())),
            Plan::Move(limits) => self
                .engine
                .search(&self.position, &limits, &search.signals, &printer)
                .map(|outcome| self.move_answer(go, &outcome, printer.last(), config, out.dialect())),
        };
        let answer = answer.unwrap_or_else(|error| {
            out.note(&error.to_string());
            unanswered(go)
        });
        // While pondering, the answer waits for `stop` or `ponderhit`.
        search.signals.wait(go.infinite);
        answer
    }

    /// Reads a position with its moves; the error names the faulty field or move.
    fn read_position(
        &self,
        (sfen, clock): (Option<&str>, u16),
        moves: &[String],
    ) -> Result<AnyPosition, ReplayError> {
        let mut position = match sfen {
            Some(sfen) => self.start.with_sfen(sfen)?,
            None => self.start.restarted(),
        };
        position.set_quiet_plies(clock);
        for (n, text) in moves.iter().enumerate() {
            // A client that continues after the end does not implement the rule that ended the game.
            if let Some(resumed) = position.resumed() {
                position = resumed;
            }
            match position.parse_usi(text).or_else(|| position.foreign_pass(text)) {
                Some(mv) => position.play(mv),
                None if is_pass(text)
                    && self.engine.has_null_moves()
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

    pub fn set_rules(&mut self, config: &Config, out: &Output) {
        let game = self.engine.variant();
        let settings = self.start.all_settings();
        let value = |setting: &Setting| match config.rules.get(setting.name) {
            // The ends of other hosts do not apply in USI.
            Some(_) if setting.name == ENDS_SETTING && out.dialect() == Dialect::Usi => Some("own".into()),
            value => value.cloned(),
        };
        let values: Vec<Option<String>> = settings.iter().map(value).collect();
        if values == self.rule_values {
            return;
        }
        for (index, (setting, value)) in settings.iter().zip(&values).enumerate() {
            let Some(text) = value.as_ref().filter(|_| self.rule_values.get(index) != Some(value)) else {
                continue;
            };
            let name = setting.name;
            if name == ENDS_SETTING || game.info().settings.iter().any(|setting| setting.name == name) {
                if let Err(error) = self.start.set_rule(name, text) {
                    out.note(&format!("{name}: {error}"));
                }
                continue;
            }
            // This game has a fixed value for the rule. GUIs send back every default, so only other values are
            // reported.
            let mut asked = AnyPosition::new(game);
            let chosen = *text != options::default(&setting.kind);
            if chosen && asked.set_rule(name, text).is_ok() && asked != AnyPosition::new(game) {
                out.note(&format!("{name}: {game} fixes this rule; '{}' is ignored", clip(text)));
            }
        }
        self.rule_values = values;
        self.position.copy_rules(&self.start);
        // The scores in the transposition table were found under different rules.
        self.engine.clear();
    }

    /// Updates threads, network and book to match the options; cheap when nothing has changed.
    pub fn prepare(&mut self, config: &Config, out: &Output) {
        if self.wanted_threads != config.threads {
            self.set_threads(config, out);
        }
        *self.engine.settings() = Settings { luck: self.luck, ..config.settings() };
        #[cfg(feature = "tune")]
        for (name, &value) in &config.params {
            self.engine.params().set(name, value);
        }
        self.load_network(config, out);
        self.open_tables(config, out);
        self.books.load(config, &self.start, out);
    }

    /// Resizes the transposition table to match the options.
    pub fn allocate(&mut self, config: &Config, out: &Output) {
        if self.hash != config.hash {
            *self.engine.mate_workspace() = Workspace::default();
            let granted = self.engine.set_hash(config.hash);
            if granted != config.hash {
                out.note(&format!("USI_Hash: not enough memory for {} MB; using {granted} MB", config.hash));
            }
            self.hash = config.hash;
        }
    }

    /// Clears the state of the last game.
    pub fn new_game(&mut self) {
        self.luck = chance().next();
        self.engine.clear();
        self.books.new_game();
    }

    /// Sets up a position: an SFEN (`None`: the start position) with its halfmove clock, and the moves from there. On error the old position is
    /// kept, and the error names the faulty field or move.
    pub fn position(
        &mut self,
        start: (Option<&str>, u16),
        moves: &[String],
        dialect: Dialect,
    ) -> Result<(), ReplayError> {
        let read = self.read_position(start, &usi_texts(&self.start, moves, dialect));
        // The error names the move as it was sent.
        let read = read.map_err(|error| match error {
            ReplayError::Move { ply, .. } if dialect != Dialect::Usi => {
                let text = clip(moves.get(ply - 1).map_or("", String::as_str));
                ReplayError::Move { text, ply }
            }
            error => error,
        });
        self.is_invalid = read.is_err();
        self.position = read?;
        self.can_unmake = moves.last().is_some_and(|last| !is_pass(last));
        Ok(())
    }

    /// Marks the position as invalid: a `position` command could not be read, and until the next valid one there is no
    /// position to search.
    pub fn invalidate_position(&mut self) {
        self.is_invalid = true;
    }

    pub fn go(&mut self, go: &Go, search: &Task, config: &Config, out: &Output) -> Answer {
        if self.is_invalid || out.dialect() != Dialect::Uci || !self.position.can_declare() {
            return self.search(go, search, config, out);
        }
        // UCI has no declaration: a move is needed.
        let position = self.position.clone();
        if let Err(error) = self.position.set_rule("EnteringKingRule", "NoEnteringKing") {
            out.note(&error.to_string());
        }
        self.engine.clear();
        let answer = self.search(go, search, config, out);
        self.position = position;
        self.engine.clear();
        answer
    }

    /// Counts the leaf nodes of the tree of legal moves, and prints one line for every root move and two for the total.
    pub fn perft(&self, depth: u32, config: &Config, search: &Task, out: &Output) {
        if self.is_invalid {
            return out.note("no valid position to count");
        }
        let begin = Instant::now();
        let perft = Perft::new(config.threads, 0).unwrap_or_else(|error| {
            out.note(&format!("counting with one thread: {error}"));
            Perft::default()
        });
        let counts = perft.divide(&self.position, depth, &|_, _| match search.signals.stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let Some(counts) = counts else { return out.note("perft was stopped") };
        let lines = counts.iter().map(|&(mv, nodes)| {
            let mv = text(&self.position, mv, out.dialect());
            format!("{mv}: {nodes}\n")
        });
        let lines: String = lines.collect();
        let total = if depth == 0 { 1 } else { counts.iter().map(|&(_, nodes)| nodes).sum() };
        out.line(&format!("{lines}{}", totals(total, begin.elapsed())));
    }

    pub fn bench(&self, depth: u32, signals: &Signals, out: &Output) {
        bench(&*self.engine, depth, signals, out);
    }

    /// The board with its SFEN or FEN.
    pub fn board(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Usi => self.position.to_string(),
            // CECP counts ten ranks from 0.
            Dialect::Cecp if self.position.size().1 == 10 => board(&self.position, 0),
            Dialect::Uci | Dialect::Cecp => board(&self.position, 1),
        }
    }

    /// The key of the position, in hexadecimal.
    pub fn key(&self) -> String {
        format!("{:016x}", self.position.key())
    }

    pub fn moves(&self, dialect: Dialect) -> String {
        let list = self.position.legal_moves();
        format!("{} moves:{}", list.len(), moves(&self.position, &list, dialect))
    }

    pub fn eval(&self) -> String {
        let side = self.position.side().letter();
        match self.engine.evaluate(&self.position) {
            Ok(score) => {
                format!("{score} centipawns for the side to move ({side}); {}", self.engine.network())
            }
            Err(error) => error.to_string(),
        }
    }
}

fn answer(
    pos: &AnyPosition,
    outcome: &Outcome,
    line: Option<Line>,
    resigns: bool,
    dialect: Dialect,
) -> Answer {
    let text = |mv| text(pos, mv, dialect);
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
fn usi_texts(pos: &AnyPosition, moves: &[String], dialect: Dialect) -> Vec<String> {
    let usi = |text: &String| match dialect {
        // The CECP reader has already converted the moves.
        Dialect::Usi | Dialect::Cecp => text.clone(),
        Dialect::Uci => usi_text(pos, text).unwrap_or_else(|| text.clone()),
    };
    moves.iter().map(usi).collect()
}

/// Creates a random number generator with a different seed each time.
fn chance() -> Rng {
    Rng::new(clock::seed())
}

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
