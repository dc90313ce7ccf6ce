//! Answers from an opening book instead of a search.

use super::command::Go;
use super::options::{Config, EMBEDDED, NO_BOOK};
use super::output::Output;
use super::print::Printer;
use super::task::Task;
use sanban_engine::Game as _;
use sanban_engine::each_game;
use sanban_engine::ladder::Player;
use sanban_engine::search::{Bound, Line, Report as _};
use sanban_formats::book;
use sanban_formats::book::choose::{Advice, Candidate};
use sanban_formats::book::{Book, BookMove, InOrder};
use sanban_rules::{AnyPosition, Rng};
use sanban_system::atomic_file::{Stamp, find, stamp};
use std::path::{Path, PathBuf};

#[derive(PartialEq)]
struct Origin {
    name: String,
    files: Vec<(PathBuf, Stamp)>,
    on_the_fly: bool,
    /// The start position under the rules by which the book was read.
    start: AnyPosition,
}

#[derive(Default)]
pub struct Books {
    book: Option<Box<dyn Book>>,
    origin: Option<Origin>,
    /// Number of `usinewgame` commands so far.
    games: u64,
}

impl Books {
    /// Starts a new game, with new random choices of book moves.
    pub fn new_game(&mut self) {
        self.games += 1;
    }

    /// Loads the books that the options name, for the game and the rules of a start position; cheap when they are
    /// already loaded. A book that cannot be used is reported with its first error.
    pub fn load(&mut self, config: &Config, start: &AnyPosition, out: &Output) {
        let name = config.book_file.as_str();
        let paths =
            if [NO_BOOK, EMBEDDED, ""].contains(&name) { vec![] } else { paths(&config.book_dir, name) };
        let wanted = Origin {
            name: name.to_string(),
            files: paths.into_iter().map(|path| (path.clone(), stamp(&path))).collect(),
            on_the_fly: config.book_on_the_fly,
            start: start.clone(),
        };
        if self.origin.as_ref() == Some(&wanted) {
            return;
        }
        let mut books: Vec<Box<dyn Book>> = vec![];
        for (path, _) in &wanted.files {
            match book::open(path, &wanted.start, wanted.on_the_fly) {
                Ok(opened) => {
                    let size = opened.book.len().map_or("on the fly".into(), |n| format!("positions: {n}"));
                    out.note(&format!("book {}: {}, {size}", path.display(), opened.format));
                    if let Some(first) = opened.left_out.first() {
                        let more = match opened.left_out.len() - 1 {
                            0 => String::new(),
                            n => format!("; notes left out: {n}"),
                        };
                        out.note(&format!("book {}: {first}{more}", path.display()));
                    }
                    books.push(opened.book);
                }
                Err(error) => {
                    let rest =
                        if wanted.files.len() == 1 { "no book is used" } else { "this book is not used" };
                    out.note(&format!("BookFile: {}: {error}; {rest}", path.display()));
                }
            }
        }
        self.book = match books.len() {
            0 if name == EMBEDDED => book::embedded(wanted.start.variant()),
            0 | 1 => books.pop(),
            _ => Some(Box::new(InOrder(books))),
        };
        self.origin = Some(wanted);
    }

    /// Returns the book's move for this command, if the book may answer it. Prints the book's entries for the position.
    pub fn advise(
        &mut self,
        pos: &AnyPosition,
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
            // A depth or node limit means that a search is wanted, unless the options name a book.
            let timed = go.clock.is_some() || go.move_time.is_some();
            let limited = go.depth.is_some() || go.nodes.is_some();
            // Levels that look only one move ahead play without a book.
            let ladder = each_game!(pos.variant(), G => G::LADDER);
            let level = config.settings().skill_level as usize;
            let beginner = matches!(ladder.get(level), Some(Player::Attentive(_)));
            if !timed || limited || beginner || config.depth_limit.is_some() || config.nodes_limit.is_some() {
                return None;
            }
            // The embedded book is curated, so the small depths of its entries do not matter.
            policy.depth_limit = 0;
            policy.depth_limit_of = [None; 2];
        }
        let seed = if config.book_seed == 0 { now() } else { config.book_seed };
        // With a fixed seed, the choice depends only on the position and the number of the game.
        let mut random = Rng::new(Rng::new(seed ^ pos.key()).next() ^ Rng::new(self.games).next());
        let advice = match policy.advise(book.as_mut(), pos, &mut random) {
            Ok(advice) => advice?,
            Err(error) => {
                out.note(&format!("BookFile: {}: {error}; no book is used", origin.name));
                self.book = None;
                return None;
            }
        };
        show(pos, &advice, &origin.name, search, out);
        advice.candidates.first().filter(|_| advice.plays).map(|first| first.known)
    }
}

/// The path of a book: in the book directory if it exists there, otherwise the name itself.
fn locate(dir: &str, name: &str) -> PathBuf {
    let inside = find(&Path::new(dir).join(name));
    if inside.exists() { inside } else { find(Path::new(name)) }
}

/// The paths of the books that `BookFile` names, in the order in which they are consulted. Several names are separated
/// by `;`, and a book `NAME.db` comes after the books `NAME-000.db`, `NAME-001.db` and so on, as in YaneuraOu.
fn paths(dir: &str, names: &str) -> Vec<PathBuf> {
    let whole = locate(dir, names);
    let located: Vec<PathBuf> = if whole.exists() {
        vec![whole]
    } else {
        names
            .split(';')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(|name| locate(dir, name))
            .collect()
    };
    let numbered = |path: &Path, n: u32| {
        let stem = path.file_stem()?.to_string_lossy();
        let extension = path.extension()?.to_string_lossy();
        Some(path.with_file_name(format!("{stem}-{n:03}.{extension}"))).filter(|path| path.exists())
    };
    let with_numbered = |path: PathBuf| {
        let before: Vec<PathBuf> = (0..).map_while(|n| numbered(&path, n)).collect();
        before.into_iter().chain([path])
    };
    located.into_iter().flat_map(with_numbered).collect()
}

/// A seed that differs between runs.
fn now() -> u64 {
    sanban_system::clock::seed()
}

/// Prints the book's entries: one line about all moves, then an `info` line for each.
fn show(pos: &AnyPosition, advice: &Advice, name: &str, search: &Task, out: &Output) {
    if search.is_closed() {
        return;
    }
    let one = |candidate: &Candidate| {
        let share = candidate.share.map_or(String::new(), |share| format!(" {share:.0}%"));
        format!(" {} {}{share}", pos.display(candidate.known.mv), candidate.known.score)
    };
    let name = Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy());
    out.note(&format!("book {name}:{}", advice.candidates.iter().map(one).collect::<Vec<_>>().join(",")));
    for note in &advice.notes {
        out.note(note);
    }
    if !advice.plays {
        return;
    }
    let printer = Printer::new(pos, out, search);
    let of = advice.candidates.len() as u32;
    for (rank, Candidate { known, line, .. }) in (1..).zip(&advice.candidates) {
        let line = Line {
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
        };
        printer.line(&line);
    }
}
