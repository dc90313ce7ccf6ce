//! A book that can be modified and written: all positions with their SFEN.

use super::apery::{self, Apery};
use super::open::{Format, MOST};
use super::source::{Source, whole};
use super::ybb::{self, Ybb};
use super::{Book, BookError, BookMove, db, ply, sbk};
use sanban_rules::{AnyPosition, VariantId, shogi};
use sanban_system::{Whole, open_file};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The entry of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The lowest ply at which the position occurred; 1 at the start of a game.
    pub ply: Option<usize>,
    /// The moves, all legal and without duplicates.
    pub moves: Vec<BookMove>,
}

impl Page {
    /// Merges another entry of the same position; the data of moves that are already present are kept.
    fn add(&mut self, ply: Option<usize>, moves: &[BookMove]) {
        self.ply = [self.ply, ply].into_iter().flatten().min();
        for known in moves {
            if self.moves.iter().all(|other| other.mv != known.mv) {
                self.moves.push(*known);
            }
        }
    }
}

/// Returns the moves without duplicates; the first of equal moves is kept.
fn without_twins(moves: &[BookMove]) -> Vec<BookMove> {
    let mut page = Page::default();
    page.moves.reserve_exact(moves.len());
    page.add(None, moves);
    page.moves
}

/// Selects the positions and moves of a book to keep.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pruning {
    /// Highest ply of a position; positions without a ply are kept.
    pub ply: Option<usize>,
    /// Maximum loss of a move compared to the best move, in centipawns.
    pub loss: Option<i32>,
    /// Minimum number of times that a move was played.
    pub count: Option<u32>,
    /// Maximum number of moves per position; the moves with the highest values are kept.
    pub moves: Option<usize>,
    /// Keep only positions that can be reached from the start position by book moves.
    pub reachable: bool,
}

/// A book that can be modified and written.
#[derive(Clone, Debug)]
pub struct Collection {
    game: VariantId,
    /// The entries by SFEN without the move count, in the order of text books.
    pages: BTreeMap<Box<str>, Page>,
    /// Messages about skipped lines.
    left_out: Vec<String>,
}

impl Collection {
    /// Creates an empty book of a game.
    pub fn new(game: VariantId) -> Self {
        Self { game, pages: BTreeMap::new(), left_out: Vec::new() }
    }

    /// Reads a book of any format. An Apery book does not store its positions, so they are found by following every
    /// legal move from the start position.
    ///
    /// # Errors
    /// The first error, with its line or offset.
    pub fn read(path: &Path, game: VariantId) -> Result<Self, BookError> {
        let mut book = Self::new(game);
        let mut file = open_file(path)?;
        let format = Format::of_file(&mut file)?;
        format.check(game)?;
        match format {
            Format::Db => {
                let page = |pos: &AnyPosition, ply, moves: &[BookMove]| {
                    (key(pos.sfen()), Page { ply, moves: without_twins(moves) })
                };
                let (pages, faults) = db::read_all(file, &AnyPosition::new(game), page)?;
                book.left_out = faults.sentences();
                book.fill(pages);
            }
            Format::Ybb => Ybb::new(Source::Bytes(whole(path, MOST)?))?.each(|pos, ply, moves| {
                book.insert(pos.sfen(), ply, moves);
                Ok(())
            })?,
            Format::Sbk => sbk::each(&whole(path, sbk::MOST)?, |pos, ply, moves| {
                book.insert(pos.sfen(), ply, moves);
                Ok(())
            })?,
            Format::Apery => book.follow(&mut Apery::new(Source::Bytes(whole(path, MOST)?))?)?,
        }
        Ok(book)
    }

    /// The game of the book.
    pub fn game(&self) -> VariantId {
        self.game
    }

    /// Messages about skipped lines of the file.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Sets the positions, given in the order of a book. The first entry of a move is kept.
    fn fill(&mut self, mut pages: Vec<(Box<str>, Page)>) {
        // This is fast, because most books are already sorted.
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

    /// Adds the positions of a book that supports lookups but does not store its positions.
    fn follow(&mut self, book: &mut dyn Book) -> Result<(), BookError> {
        let mut open = vec![AnyPosition::new(self.game)];
        while let Some(pos) = open.pop() {
            let moves = book.find(&pos, None)?;
            if moves.is_empty() || self.page(&pos).is_some() {
                continue;
            }
            self.add(&pos, Some(ply(&pos)), &moves);
            let list = pos.legal_moves();
            for mv in list {
                let mut after = pos.clone();
                after.play(mv);
                // Parse the SFEN to drop the history, because lines can be long.
                if let Ok(after) = pos.with_sfen(&after.sfen()) {
                    open.push(after);
                }
            }
        }
        Ok(())
    }

    /// Adds a position; the data of moves that are already present are kept.
    pub fn add(&mut self, pos: &AnyPosition, ply: Option<usize>, moves: &[BookMove]) {
        self.insert(pos.sfen(), ply, moves);
    }

    fn insert(&mut self, sfen: String, ply: Option<usize>, moves: &[BookMove]) {
        self.pages.entry(key(sfen)).or_default().add(ply, moves);
    }

    /// Returns the entry of a position.
    pub fn page(&self, pos: &AnyPosition) -> Option<&Page> {
        self.pages.get(&*key(pos.sfen()))
    }

    /// Returns the mutable entry of a position, created if it is missing.
    pub fn page_mut(&mut self, pos: &AnyPosition) -> &mut Page {
        self.pages.entry(key(pos.sfen())).or_default()
    }

    /// Iterates over all positions: the SFEN without the move count, and the entry.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (&str, &Page)> {
        self.pages.iter().map(|(sfen, page)| (&**sfen, page))
    }

    /// Iterates over all positions like [`Collection::pages`], with mutable entries.
    pub fn pages_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut Page)> {
        self.pages.iter_mut().map(|(sfen, page)| (&**sfen, page))
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Merges another book. If both contain a move, the value with the greater depth is kept, and the counts are added.
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

    /// Returns the difference between this book and an earlier state of it: the positions with moves that `other` does
    /// not contain or for which it has no value. Counts are differences, so that [`Collection::merge`] of both does not
    /// count anything twice.
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
        Self { pages: news.collect(), ..Self::new(self.game) }
    }

    /// Removes moves and positions as requested, and positions without moves.
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
            let start = AnyPosition::new(self.game);
            let mut open = vec![key(start.sfen())];
            let mut kept = BTreeMap::new();
            while let Some(sfen) = open.pop() {
                let (Some(page), Ok(pos)) = (self.pages.remove(&sfen), start.with_sfen(&sfen)) else {
                    continue;
                };
                open.extend(page.moves.iter().map(|known| {
                    let mut after = pos.clone();
                    after.play(known.mv);
                    key(after.sfen())
                }));
                kept.insert(sfen, page);
            }
            self.pages = kept;
        }
    }

    /// Returns messages about the data of this book that a format cannot represent, with the number of moves.
    pub fn losses(&self, format: Format) -> Vec<String> {
        type Loses = fn(&BookMove) -> bool;
        let replies: (&str, Loses) = ("replies", |known| known.reply.is_some());
        let values: (&str, Loses) = ("values", |known| known.score != 0);
        let depths: (&str, Loses) = ("depths", |known| known.depth != 0);
        let counts: (&str, Loses) = ("counts", |known| known.count != 0);
        let large_values: (&str, Loses) =
            ("values beyond 32767", |known| i16::try_from(known.score).is_err());
        let large_depths: (&str, Loses) = ("depths beyond 65535", |known| known.depth > u16::MAX.into());
        let large_counts: (&str, Loses) = ("counts beyond 65535", |known| known.count > u16::MAX.into());
        let kinds = match format {
            Format::Db => vec![],
            Format::Ybb => vec![replies, counts, large_values, large_depths],
            Format::Sbk => vec![replies, values, depths],
            Format::Apery => vec![replies, depths, large_counts],
        };
        let moves = || self.pages.values().flat_map(|page| &page.moves);
        let mut out: Vec<String> = kinds
            .into_iter()
            .map(|(what, loses)| (what, moves().filter(|&known| loses(known)).count()))
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| format!("{format} cannot represent {what}: {count} changed or omitted"))
            .collect();
        let plies = self.pages.values().filter(|page| page.ply.is_some()).count();
        if plies > 0 && matches!(format, Format::Sbk | Format::Apery) {
            out.push(format!("{format} cannot represent plies: {plies} omitted"));
        }
        out
    }

    /// Returns whether a file is certainly a book, so that it may be replaced. Formats without a header are recognised
    /// by their positions.
    fn is_book(&self, path: &Path, file: &mut File) -> bool {
        match Format::of_file(file) {
            Ok(Format::Ybb) => true,
            Ok(Format::Db) => db::is_certain(file),
            Ok(Format::Sbk | Format::Apery) => Self::read(path, self.game).is_ok_and(|book| !book.is_empty()),
            Err(_) => false,
        }
    }

    /// Writes the book; the file gets its name only when it is complete. Returns the number of positions that were
    /// skipped because the format cannot represent them: problems with one king.
    ///
    /// # Errors
    /// An I/O error, an existing file that is not a book, or a format that does not support the game.
    pub fn write(&self, path: &Path, format: Format) -> Result<usize, BookError> {
        format.check(self.game)?;
        let mut left_out = 0;
        let mut whole = Whole::replace(path, |old| self.is_book(path, old))?;
        let mut out = BufWriter::with_capacity(1 << 16, whole.file());
        let binary = || {
            let pages = self.pages.iter().map(|(sfen, page)| {
                let pos =
                    shogi::Position::from_sfen(sfen).map_err(|error| BookError::Unfit(error.to_string()))?;
                Ok(ybb::Page { pos, ply: page.ply, moves: &page.moves })
            });
            pages.collect::<Result<Vec<_>, BookError>>()
        };
        match format {
            Format::Db => {
                let start = AnyPosition::new(self.game);
                writeln!(out, "{}", db::HEADER)?;
                for (sfen, page) in &self.pages {
                    db::write(&mut out, &start, sfen, page.ply, &page.moves)?;
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

/// Returns an SFEN without its move count.
fn key(mut sfen: String) -> Box<str> {
    if let Some(at) = sfen.rfind(' ') {
        sfen.truncate(at);
    }
    sfen.into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_format_loses_is_counted() {
        let pos = AnyPosition::default();
        let mv = |text: &str| pos.parse_usi(text).expect("a legal move");
        let first = BookMove { reply: Some(mv("7g7f")), score: 40_000, depth: 3, count: 5, mv: mv("7g7f") };
        let mut book = Collection::new(VariantId::Shogi);
        book.add(&pos, Some(1), &[first, BookMove { count: 70_000, ..BookMove::new(mv("2g2f")) }]);
        assert_eq!(book.losses(Format::Db), [""; 0]);
        let ybb = [
            "ybb cannot represent replies: 1 changed or omitted",
            "ybb cannot represent counts: 2 changed or omitted",
            "ybb cannot represent values beyond 32767: 1 changed or omitted",
        ];
        assert_eq!(book.losses(Format::Ybb), ybb);
        let kinds = |format: Format| -> Vec<String> {
            let words = book.losses(format).into_iter();
            words
                .filter_map(|loss| Some(loss.split("represent ").nth(1)?.split(':').next()?.to_string()))
                .collect()
        };
        assert_eq!(kinds(Format::Sbk), ["replies", "values", "depths", "plies"]);
        assert_eq!(kinds(Format::Apery), ["replies", "depths", "counts beyond 65535", "plies"]);
    }
}
