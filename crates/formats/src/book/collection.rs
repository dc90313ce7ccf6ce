//! A book as it is made: every position with its SFEN, to be changed and written.

use super::apery::{self, Apery};
use super::open::{Format, MOST};
use super::source::{Source, whole};
use super::ybb::{self, Ybb};
use super::{Book, BookError, BookMove, as_shogi, db, ply, sbk};
use sanban_rules::{Position, Variant};
use sanban_system::{Whole, open_file};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::marker::PhantomData;
use std::path::Path;

/// What a book says of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The least ply at which it was met, 1 for the start of a game.
    pub ply: Option<usize>,
    /// Its moves, all legal, none twice.
    pub moves: Vec<BookMove>,
}

impl Page {
    /// Adds what is told of the same position again: what is known of a move already stays.
    fn add(&mut self, ply: Option<usize>, moves: &[BookMove]) {
        self.ply = [self.ply, ply].into_iter().flatten().min();
        for known in moves {
            if self.moves.iter().all(|other| other.mv != known.mv) {
                self.moves.push(*known);
            }
        }
    }
}

/// The moves, of those that stand there twice the first.
fn without_twins(moves: &[BookMove]) -> Vec<BookMove> {
    let mut page = Page::default();
    page.moves.reserve_exact(moves.len());
    page.add(None, moves);
    page.moves
}

/// What to keep of a book.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pruning {
    /// Latest ply of a position; those without a ply stay.
    pub ply: Option<usize>,
    /// Most centipawns that a move is worse than the best.
    pub loss: Option<i32>,
    /// Least number of times that a move was played.
    pub count: Option<u32>,
    /// Most moves of a position, the best by value.
    pub moves: Option<usize>,
    /// Only positions that moves of the book lead to from the start of a game.
    pub reachable: bool,
}

/// A book that is being made.
#[derive(Debug)]
pub struct Collection<G> {
    /// By SFEN without the move count, in the order of text books.
    pages: BTreeMap<Box<str>, Page>,
    /// Lines of the files read that were left out, in sentences.
    left_out: Vec<String>,
    game: PhantomData<fn() -> G>,
}

impl<G> Default for Collection<G> {
    fn default() -> Self {
        Self { pages: BTreeMap::new(), left_out: Vec::new(), game: PhantomData }
    }
}

impl<G> Clone for Collection<G> {
    fn clone(&self) -> Self {
        Self { pages: self.pages.clone(), left_out: self.left_out.clone(), game: PhantomData }
    }
}

impl<G: Variant> Collection<G> {
    /// Reads a book of any format. An Apery book, which names no position, is followed from the start of the game, and
    /// from its positions through every legal move.
    ///
    /// # Errors
    /// The first fault with its line or offset.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let mut book = Self::default();
        let mut file = open_file(path)?;
        let format = Format::of_file(&mut file)?;
        if format != Format::Db
            && TypeId::of::<G::Position>() != TypeId::of::<sanban_rules::shogi::Position>()
        {
            return Err(BookError::Unfit(format!("a {format} book is one of shogi, not of {}", G::NAME)));
        }
        match format {
            Format::Db => {
                let page = |pos: &G::Position, ply, moves: &[BookMove]| {
                    (key(pos), Page { ply, moves: without_twins(moves) })
                };
                let (pages, faults) = db::read_all::<G, _>(file, &Default::default(), page)?;
                book.left_out = faults.sentences();
                book.fill(pages);
            }
            Format::Ybb => Ybb::new(Source::Bytes(whole(path, MOST)?))?.each(|pos, ply, moves| {
                book.add(pos, ply, moves);
                Ok(())
            })?,
            Format::Sbk => sbk::each(&whole(path, sbk::MOST)?, |pos, ply, moves| {
                book.add(pos, ply, moves);
                Ok(())
            })?,
            Format::Apery => book.follow(&mut Apery::new(Source::Bytes(whole(path, MOST)?))?)?,
        }
        Ok(book)
    }

    /// What was left out of the file read, in sentences.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Takes over positions in the order of a book: what is told of a move first stays.
    fn fill(&mut self, mut pages: Vec<(Box<str>, Page)>) {
        // Books are sorted as a rule, which makes this quick.
        pages.sort_by(|one, two| one.0.cmp(&two.0));
        pages.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1.add(again.1.ply, &again.1.moves);
            }
            same
        });
        self.pages = pages.into_iter().collect();
    }

    /// Takes over the positions of a book that can only be looked up.
    fn follow(&mut self, book: &mut dyn Book<G::Position>) -> Result<(), BookError> {
        let mut open: Vec<G::Position> = G::parse(G::START).into_iter().collect();
        while let Some(pos) = open.pop() {
            let moves = book.find(&pos, None)?;
            if moves.is_empty() || self.page(&pos).is_some() {
                continue;
            }
            self.add(&pos, Some(ply(&pos)), &moves);
            let list = pos.legal_moves();
            for mv in list {
                let mut after = pos.clone();
                after.make(mv, &mut ());
                // Without what led there: lines are long.
                if let Ok(after) = G::parse(&after.sfen()) {
                    open.push(after);
                }
            }
        }
        Ok(())
    }

    /// Adds a position of any game's: what the book has of a move already stays.
    pub fn add<P: Position>(&mut self, pos: &P, ply: Option<usize>, moves: &[BookMove]) {
        self.pages.entry(key(pos)).or_default().add(ply, moves);
    }

    /// What the book says of a position.
    pub fn page(&self, pos: &G::Position) -> Option<&Page> {
        self.pages.get(&*key(pos))
    }

    /// The same, to be changed; a new page where there is none.
    pub fn page_mut(&mut self, pos: &G::Position) -> &mut Page {
        self.pages.entry(key(pos)).or_default()
    }

    /// Every position, by its SFEN without the move count, and what the book says of it.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (&str, &Page)> {
        self.pages.iter().map(|(sfen, page)| (&**sfen, page))
    }

    /// The same, to be changed.
    pub fn pages_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut Page)> {
        self.pages.iter_mut().map(|(sfen, page)| (&**sfen, page))
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// No position at all?
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Takes over another book: of the same move the value with the greater depth stays, and counts are added up.
    pub fn merge(&mut self, other: Self) {
        for (sfen, theirs) in other.pages {
            let page = self.pages.entry(sfen).or_default();
            page.ply = [page.ply, theirs.ply].into_iter().flatten().min();
            for known in theirs.moves {
                match page.moves.iter_mut().find(|own| own.mv == known.mv) {
                    None => page.moves.push(known),
                    Some(own) => {
                        let count = own.count.saturating_add(known.count);
                        if known.depth > own.depth {
                            *own = BookMove { reply: known.reply.or(own.reply), ..known };
                        }
                        own.count = count;
                    }
                }
            }
        }
    }

    /// What this book, grown from another, has beyond it: positions with moves that the other does not have, or has no value
    /// of. Counts are what was added, so that [`Collection::merge`] of both counts nothing twice.
    pub fn beyond(&self, other: &Self) -> Self {
        let news = self.pages.iter().filter_map(|(sfen, page)| {
            let old = other.pages.get(sfen).map_or(&[][..], |page| &page.moves);
            let known = |mv| old.iter().find(|known| known.mv == mv);
            let new = |own: &BookMove| known(own.mv).is_none_or(|known| known.depth == 0 && own.depth > 0);
            if !page.moves.iter().any(new) {
                return None;
            }
            let mut page = page.clone();
            for own in &mut page.moves {
                own.count = own.count.saturating_sub(known(own.mv).map_or(0, |known| known.count));
            }
            Some((sfen.clone(), page))
        });
        Self { pages: news.collect(), left_out: Vec::new(), game: PhantomData }
    }

    /// Leaves out what is not wanted; positions without a move go, too.
    pub fn prune(&mut self, pruning: &Pruning) {
        for page in self.pages.values_mut() {
            if page.ply.zip(pruning.ply).is_some_and(|(ply, most)| ply > most) {
                page.moves.clear();
            }
            page.moves.retain(|known| pruning.count.is_none_or(|least| known.count >= least));
            let best = page.moves.iter().map(|known| known.score).max().unwrap_or_default();
            page.moves.retain(|known| pruning.loss.is_none_or(|most| best - known.score <= most));
            if let Some(most) = pruning.moves {
                page.moves.sort_by_key(|known| std::cmp::Reverse((known.score, known.count)));
                page.moves.truncate(most);
            }
        }
        self.pages.retain(|_, page| !page.moves.is_empty());
        if pruning.reachable {
            let mut open: Vec<Box<str>> = G::parse(G::START).iter().map(key).collect();
            let mut kept = BTreeMap::new();
            while let Some(sfen) = open.pop() {
                let (Some(page), Ok(pos)) = (self.pages.remove(&sfen), G::parse(&sfen)) else { continue };
                open.extend(page.moves.iter().map(|known| {
                    let mut after = pos.clone();
                    after.make(known.mv, &mut ());
                    key(&after)
                }));
                kept.insert(sfen, page);
            }
            self.pages = kept;
        }
    }

    /// Is this certainly a book, which may be replaced? What a format does not say by itself its positions say.
    fn is_book(path: &Path, file: &mut File) -> bool {
        match Format::of_file(file) {
            Ok(Format::Ybb) => true,
            Ok(Format::Db) => db::is_certain(file),
            Ok(Format::Sbk | Format::Apery) => Self::read(path).is_ok_and(|book| !book.is_empty()),
            Err(_) => false,
        }
    }

    /// Writes the book; under its name a book is always complete. The answer is the number of positions that the format
    /// cannot hold, which are left out: those of problems with one king.
    ///
    /// # Errors
    /// What the system reports, a file of the name that is no book, and a format that the game does not have.
    pub fn write(&self, path: &Path, format: Format) -> Result<usize, BookError> {
        let mut left_out = 0;
        let mut whole = Whole::replace(path, |old| Self::is_book(path, old))?;
        let mut out = BufWriter::with_capacity(1 << 16, whole.file());
        let unfit = || BookError::Unfit(format!("{format} is a format of shogi books, not of {}", G::NAME));
        let binary = || -> Result<Vec<ybb::Page>, BookError> {
            let shogi = |sfen: &str| Some(as_shogi(&G::parse(sfen).ok()?)?.clone());
            let pages = self.pages.iter().map(|(sfen, page)| {
                let pos = shogi(sfen).ok_or_else(unfit)?;
                Ok(ybb::Page { pos, ply: page.ply, moves: &page.moves })
            });
            pages.collect()
        };
        match format {
            Format::Db => {
                writeln!(out, "{}", db::HEADER)?;
                for (sfen, page) in &self.pages {
                    db::write::<G::Position>(&mut out, sfen, page.ply, &page.moves)?;
                }
            }
            Format::Ybb => {
                let mut pages = binary()?;
                let all = pages.len();
                pages.retain(|page| ybb::holds(&page.pos));
                left_out = all - pages.len();
                ybb::write(&mut out, pages.into_iter())?;
            }
            Format::Sbk => sbk::write(&mut out, binary()?.into_iter())?,
            Format::Apery => apery::write(&mut out, binary()?.into_iter())?,
        }
        out.flush()?;
        drop(out);
        whole.finish()?;
        Ok(left_out)
    }
}

/// The SFEN without the move count.
fn key<P: Position>(pos: &P) -> Box<str> {
    let mut sfen = pos.sfen();
    if let Some(at) = sfen.rfind(' ') {
        sfen.truncate(at);
    }
    sfen.into_boxed_str()
}
