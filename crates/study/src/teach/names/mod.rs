//! Names of openings and castles, recognised while a game is replayed, and of Janggi set-ups.

mod table;
#[cfg(test)]
mod tests;

pub use table::{Name, NameKind, RowError, Table, TableError};

use sanban_formats::record::Board;
use sanban_rules::shogi::Kind;
use sanban_rules::{Color, Move, SfenError};
use table::{Last, Scene};

/// A name that applies to a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'t> {
    pub name: &'t Name,
    pub side: Color,
    /// The ply at which it first applied.
    pub ply: usize,
}

/// Replays a shogi game and finds names.
///
/// ```
/// use sanban_formats::record;
/// use sanban_study::teach::names::{Namer, Table};
///
/// let records = record::read("startpos moves 7g7f 3c3d 2h6h\n".as_bytes())?;
/// let mut namer = Namer::new(Table::built_in(), None)?;
/// let found: Vec<_> = records[0].moves().into_iter().filter_map(|mv| namer.play(mv).ok()).flatten().collect();
/// assert!(found.iter().any(|found| found.name.english == "Fourth-File Rook" && found.ply == 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Namer<'t> {
    table: &'t Table,
    board: Board,
    first: Option<Color>,
    calm: bool,
    /// Whether the king has moved, by side.
    moved: [bool; 2],
    plies: usize,
    /// Indices of the names found, by side.
    found: [Vec<usize>; 2],
}

impl<'t> Namer<'t> {
    /// Starts from an SFEN, or from the standard start position.
    ///
    /// # Errors
    /// The SFEN cannot be read.
    pub fn new(table: &'t Table, start: Option<&str>) -> Result<Self, SfenError> {
        let board = Board::from_start(start)?;
        let even = board.sfen() == Board::from_start(None)?.sfen();
        let (first, plies) = (even.then(|| board.side()), board.ply());
        Ok(Self { table, board, first, calm: true, moved: [false; 2], plies, found: Default::default() })
    }

    /// Makes a move and returns the names that newly apply.
    ///
    /// # Errors
    /// The move cannot be made; the error is the reason.
    pub fn play(&mut self, mv: Move) -> Result<Vec<Found<'t>>, &'static str> {
        let mover = self.board.mover(mv)?;
        let captured = self.board.piece(mv.to()).map(|piece| piece.kind());
        self.board.play(mv)?;
        self.plies += 1;
        self.calm &= captured.is_none_or(|kind| matches!(kind.base(), Kind::Pawn | Kind::Bishop));
        let kind = mover.kind();
        self.moved[mover.color().index()] |= kind == Kind::King;
        let kind = kind.promoted().filter(|_| mv.is_promotion()).unwrap_or(kind);
        let from = (!mv.is_drop()).then(|| mv.from());
        let last = Last { kind, from, to: mv.to(), captured };
        let mut out = Vec::new();
        for side in [mover.color(), !mover.color()] {
            out.extend(self.new_names(side, (side == mover.color()).then_some(last)));
        }
        Ok(out)
    }

    fn new_names(&mut self, side: Color, last: Option<Last>) -> Vec<Found<'t>> {
        let mut out = Vec::new();
        let table = self.table;
        for (index, name) in table.names().iter().enumerate() {
            let found = &self.found[side.index()];
            if found.contains(&index) {
                continue;
            }
            let known = |id: &str| found.iter().any(|&index| table.names()[index].is(id));
            let Self { board, calm, moved, plies, first, .. } = self;
            let (calm, unmoved, plies, first) = (*calm, !moved[side.index()], *plies, *first);
            let scene = Scene { board, side, last, calm, unmoved, plies, first, known: &known };
            if name.conditions.iter().any(|condition| condition.holds(&scene)) {
                self.found[side.index()].push(index);
                out.push(Found { name, side, ply: plies });
            }
        }
        out
    }
}

/// The name of a side's Janggi set-up in English, Japanese and Korean.
pub fn janggi_set_up(sfen: &str, side: Color) -> Option<[&'static str; 3]> {
    let board = sfen.split(' ').next()?;
    let mut ranks = board.split('/');
    let rank = match side {
        Color::Black => ranks.next_back()?,
        Color::White => ranks.next()?,
    };
    let letters = rank.chars().filter(|c| matches!(c.to_ascii_uppercase(), 'N' | 'B' | 'H' | 'E'));
    let mut order: String = letters
        .map(|c| match c.to_ascii_uppercase() {
            'H' => 'N',
            'E' => 'B',
            c => c,
        })
        .collect();
    if side == Color::White {
        // Left and right are from the owner's point of view.
        order = order.chars().rev().collect();
    }
    let rows = include_str!("janggi.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split('\t').collect::<Vec<_>>()).find_map(|columns| match columns[..] {
        [_, _, english, japanese, korean, condition] if condition == order => {
            Some([english, japanese, korean])
        }
        _ => None,
    })
}
