//! Answers from an opening book instead of a search.

use super::command::Go;
use super::options::{Config, EMBEDDED, NO_BOOK};
use super::output::Output;
use super::print::Printer;
use super::task::Task;
use sanban_engine::Game;
use sanban_engine::ladder::Player;
use sanban_engine::search::{Bound, Line, Report as _};
use sanban_formats::book;
use sanban_formats::book::choose::{Advice, Candidate};
use sanban_formats::book::{Book, BookMove, Request};
use sanban_rules::{Position, Rng, Variant};
use sanban_system::atomic_file::{Stamp, find, stamp};
use std::path::{Path, PathBuf};

type RulesOf<G> = <<G as Variant>::Position as Position>::Rules;

/// What a book was made from.
#[derive(Clone, PartialEq)]
struct Origin<R> {
    name: String,
    path: Option<PathBuf>,
    stamp: Stamp,
    on_the_fly: bool,
    rules: R,
}

/// The book in use, and what its choices depend on.
pub struct Books<G: Game> {
    book: Option<Box<dyn Book<G::Position>>>,
    origin: Option<Origin<RulesOf<G>>>,
    /// Number of `usinewgame` commands so far.
    games: u64,
}

impl<G: Game> Books<G> {
    /// No book yet.
    pub fn new() -> Self {
        Self { book: None, origin: None, games: 0 }
    }

    /// A new game begins: the book choices are drawn anew.
    pub fn new_game(&mut self) {
        self.games += 1;
    }

    /// Loads the book that the options name; cheap when it is already loaded. A book that cannot be used is reported
    /// with its first error.
    pub fn load(&mut self, config: &Config, rules: &RulesOf<G>, out: &Output) {
        let name = config.book_file.as_str();
        let path = (![NO_BOOK, EMBEDDED, ""].contains(&name)).then(|| locate(&config.book_dir, name));
        let wanted = Origin {
            name: name.to_string(),
            stamp: path.as_deref().and_then(stamp),
            path,
            on_the_fly: config.book_on_the_fly,
            rules: rules.clone(),
        };
        if self.origin.as_ref() == Some(&wanted) {
            return;
        }
        self.book = if name == EMBEDDED { book::embedded::<G>() } else { None };
        if let Some(path) = &wanted.path {
            let request = Request { on_the_fly: wanted.on_the_fly, rules: rules.clone() };
            match book::open::<G>(path, &request) {
                Ok(opened) => {
                    let size = opened.book.len().map_or("on the fly".into(), |n| format!("{n} positions"));
                    out.note(&format!("book {}: {}, {size}", path.display(), opened.format));
                    if let Some(first) = opened.left_out.first() {
                        let more = opened.left_out.len() - 1;
                        out.note(&format!("book {}: {first}, and {more} more", path.display()));
                    }
                    self.book = Some(opened.book);
                }
                Err(error) => {
                    out.note(&format!("BookFile: {}: {error}; no book is in use", path.display()));
                }
            }
        }
        self.origin = Some(wanted);
    }

    /// The book's move for this command, if the book may answer it. Prints the book's entries for the position.
    pub fn advise(
        &mut self,
        pos: &G::Position,
        go: &Go,
        search: &Task,
        config: &Config,
        out: &Output,
    ) -> Option<BookMove> {
        if !config.own_book || go.infinite || !go.search_moves.is_empty() {
            return None;
        }
        let (book, origin) = (self.book.as_mut()?, self.origin.as_ref()?);
        let mut policy = config.book.clone();
        if origin.name == EMBEDDED {
            // A depth or a number of nodes asks for a search, unless the options name a book.
            let timed = go.clock.is_some() || go.move_time.is_some();
            let limited = go.depth.is_some() || go.nodes.is_some();
            // A level that looks one move ahead plays without a book.
            let level = config.settings().skill_level as usize;
            let beginner = matches!(G::LADDER.get(level), Some(Player::Attentive(_)));
            if !timed || limited || beginner || config.depth_limit.is_some() || config.nodes_limit.is_some() {
                return None;
            }
            // The embedded book is curated, and its depths are small.
            policy.depth_limit = 0;
        }
        let seed = if config.book_seed == 0 { now() } else { config.book_seed };
        // The same throughout a game, whatever positions came before.
        let mut random = Rng::new(Rng::new(seed ^ pos.key()).next() ^ Rng::new(self.games).next());
        let advice = match policy.advise::<G>(book.as_mut(), pos, &origin.rules, &mut random) {
            Ok(advice) => advice?,
            Err(error) => {
                out.note(&format!("BookFile: {}: {error}; no book is in use", origin.name));
                self.book = None;
                return None;
            }
        };
        show::<G>(&advice, &origin.name, search, out);
        advice.candidates.first().filter(|_| advice.plays).map(|first| first.known)
    }
}

/// The path of a book: in the book directory, or any other path.
fn locate(dir: &str, name: &str) -> PathBuf {
    let inside = find(&Path::new(dir).join(name));
    if inside.exists() { inside } else { find(Path::new(name)) }
}

/// A value that differs from run to run.
fn now() -> u64 {
    sanban_system::clock::seed()
}

/// Prints the book's entries: one line about all moves, then an `info` line for each.
fn show<G: Game>(advice: &Advice, name: &str, search: &Task, out: &Output) {
    if search.is_closed() {
        return;
    }
    let one = |candidate: &Candidate| {
        let share = candidate.share.map_or(String::new(), |share| format!(" {share:.0}%"));
        format!(" {} {}{share}", G::Position::usi(candidate.known.mv), candidate.known.score)
    };
    let name = Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy());
    out.note(&format!("book {name}:{}", advice.candidates.iter().map(one).collect::<Vec<_>>().join(",")));
    for note in &advice.notes {
        out.note(note);
    }
    if !advice.plays {
        return;
    }
    let printer = Printer::<G::Position>::new(out, search);
    let of = advice.candidates.len() as u32;
    for (rank, Candidate { known, line, .. }) in (1..).zip(&advice.candidates) {
        printer.line(&Line {
            depth: known.depth.max(1),
            seldepth: known.depth.max(1),
            time: search.begin.elapsed(),
            nodes: 0,
            hashfull: 0,
            multipv: (rank, of),
            score: known.score,
            bound: Bound::Exact,
            pv: line.clone(),
            last: rank == of,
        });
    }
}
