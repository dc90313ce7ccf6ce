//! Moves that a record has lost, restored from what the later moves demand.
//!
//! Every later move needs a piece that can make it. A sketch of the game, in which pieces that are needed jump to
//! where they are needed, tells how many moves each side has still to make; moves that leave a side short of them
//! need not be tried. Among the moves that are left a judge chooses.

use super::board::Board;
use super::repair;
use super::western_move::{Origin, Written};
use sanban_rules::shogi::square::SQUARES;
use sanban_rules::shogi::{Kind, Piece, Position};
use sanban_rules::{Color, Move, Position as _};

/// Chooses among moves where a record does not tell which was made.
pub trait Judge {
    /// The move that was made most probably; `None` where one is as good as another.
    fn choose(&mut self, pos: &Position, moves: &[Move]) -> Option<Move>;
}

/// Knows nothing.
impl Judge for () {
    fn choose(&mut self, _: &Position, _: &[Move]) -> Option<Move> {
        None
    }
}

/// One move of a game.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'a> {
    /// As it is written.
    Known(&'a str),
    Lost,
}

/// How sure a restored move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Every legal completion of the record has it.
    Certain,
    /// Later moves demand it, or most completions have it.
    Likely,
    /// Other moves would do as well.
    Free,
}

impl Mark {
    /// The word in comments.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Free => "free",
        }
    }
}

/// Moves of the search for all completions.
const ALL: usize = 1_000_000;
/// Moves that are rated or tried to find one completion: some seconds.
const STEPS: usize = 200_000;
/// Questions to the judge.
const QUESTIONS: usize = 60;
/// Moves that are tried in one place.
const TRIED: usize = 5;
/// Moves of a gap that are tried exactly.
const EXACT: usize = 2;
/// Known moves behind a place that count.
const AHEAD: usize = 160;
/// The cost of what the sketch cannot reach.
const FAR: u32 = 4;

/// The moves of a game, `None` marking those that were known.
pub(super) fn restore(
    start: &Board,
    slots: &[Slot<'_>],
    judge: &mut dyn Judge,
) -> Option<Vec<(Move, Option<Mark>)>> {
    let mut pos = Position::from_sfen(&start.sfen()).ok()?;
    let words = slots.iter().map(|slot| match slot {
        Slot::Known(word) => Word::new(word),
        Slot::Lost => Word::default(),
    });
    let mut search = Search {
        slots,
        words: words.collect(),
        distances: Distances::new(),
        judge,
        path: Vec::new(),
        marks: vec![None; slots.len()],
        steps: ALL,
        questions: QUESTIONS,
        all: All::default(),
    };
    let whole = search.enumerate(&mut pos, 0).is_ok();
    if whole && search.all.count == 0 {
        return None;
    }
    if !whole {
        search.all = All::default();
    }
    search.path.clear();
    search.steps = STEPS;
    if !search.solve(&mut pos, 0) {
        return None;
    }
    search.mark_certain();
    Some(search.path.into_iter().zip(search.marks).collect())
}

/// The readings of a word.
#[derive(Default)]
struct Word(Vec<Written>);

impl Word {
    fn new(word: &str) -> Self {
        let exact = Written::parse(word, None);
        Self(exact.map_or_else(|| repair::written(word), |written| vec![written]))
    }
}

/// What all completions have in common.
#[derive(Default)]
struct All {
    count: usize,
    /// Per slot the moves made there, and how often: the moves of a gap, whatever their order.
    moves: Vec<Vec<(Move, usize)>>,
}

/// Too much to try.
struct Unclear;

struct Search<'a, 'j> {
    slots: &'a [Slot<'a>],
    words: Vec<Word>,
    distances: Distances,
    judge: &'j mut dyn Judge,
    path: Vec<Move>,
    marks: Vec<Option<Mark>>,
    /// Steps that are left.
    steps: usize,
    /// Questions that are left.
    questions: usize,
    all: All,
}

impl Search<'_, '_> {
    /// The first slot of the gap that a slot is in.
    fn gap(&self, at: usize) -> usize {
        let lost = |slot: &Slot<'_>| matches!(slot, Slot::Lost);
        at - self.slots[..at].iter().rev().take_while(|slot| lost(slot)).count()
    }

    /// Lost moves from here to the next known one.
    fn left(&self, at: usize) -> usize {
        self.slots[at..].iter().take_while(|slot| matches!(slot, Slot::Lost)).count()
    }

    /// The legal moves that a known word can mean.
    fn meant(&self, pos: &Position, at: usize) -> Vec<Move> {
        let Slot::Known(word) = self.slots[at] else { return vec![] };
        let board = board_of(pos);
        let mut moves = repair::meant(&board, word);
        moves.retain(|&mv| pos.is_legal(mv));
        moves
    }

    fn step(&mut self) -> Result<(), Unclear> {
        self.steps = self.steps.checked_sub(1).ok_or(Unclear)?;
        Ok(())
    }

    /// Visits every completion.
    fn enumerate(&mut self, pos: &mut Position, at: usize) -> Result<(), Unclear> {
        if at == self.slots.len() {
            self.count_completion();
            return Ok(());
        }
        let moves = match self.slots[at] {
            Slot::Known(_) => self.meant(pos, at),
            Slot::Lost => pos.legal_moves().to_vec(),
        };
        for mv in moves {
            self.step()?;
            pos.make(mv, &mut ());
            self.path.push(mv);
            let result = self.enumerate(pos, at + 1);
            self.path.pop();
            pos.unmake();
            result?;
        }
        Ok(())
    }

    fn count_completion(&mut self) {
        self.all.count += 1;
        self.all.moves.resize(self.slots.len(), vec![]);
        let mut seen: Vec<(usize, Move)> = Vec::new();
        for (at, &mv) in self.path.iter().enumerate() {
            if !matches!(self.slots[at], Slot::Lost) {
                continue;
            }
            // Those of one side in one gap belong together.
            let key = self.gap(at) + (at - self.gap(at)) % 2;
            if seen.contains(&(key, mv)) {
                continue;
            }
            seen.push((key, mv));
            match self.all.moves[key].iter_mut().find(|known| known.0 == mv) {
                Some(known) => known.1 += 1,
                None => self.all.moves[key].push((mv, 1)),
            }
        }
    }

    /// Marks the moves that every completion has, or most.
    fn mark_certain(&mut self) {
        if self.all.count == 0 {
            return;
        }
        for (at, &mv) in self.path.iter().enumerate() {
            let Some(mark) = &mut self.marks[at] else { continue };
            let gap =
                at - self.slots[..at].iter().rev().take_while(|slot| matches!(slot, Slot::Lost)).count();
            let key = gap + (at - gap) % 2;
            let count = self.all.moves[key].iter().find(|known| known.0 == mv).map_or(0, |known| known.1);
            *mark = match count {
                _ if count == self.all.count => Mark::Certain,
                _ if count * 2 > self.all.count => Mark::Likely,
                _ => Mark::Free,
            };
        }
    }

    /// Can the known moves up to the next gap be made, with some moves in what is left of this one?
    fn exists(&mut self, pos: &mut Position, at: usize, behind: bool) -> bool {
        if at == self.slots.len() {
            return true;
        }
        let moves = match self.slots[at] {
            Slot::Lost if behind => return true,
            Slot::Lost => pos.legal_moves().to_vec(),
            Slot::Known(_) => self.meant(pos, at),
        };
        let behind = matches!(self.slots[at], Slot::Known(_));
        moves.into_iter().any(|mv| {
            if self.step().is_err() {
                return false;
            }
            pos.make(mv, &mut ());
            let found = self.exists(pos, at + 1, behind);
            pos.unmake();
            found
        })
    }

    /// Makes the moves from a slot on; the path has them in the end.
    fn solve(&mut self, pos: &mut Position, at: usize) -> bool {
        if at == self.slots.len() {
            return true;
        }
        if self.steps == 0 {
            return false;
        }
        let tried = match self.slots[at] {
            Slot::Known(_) => self.meant(pos, at).into_iter().map(|mv| (mv, None)).collect(),
            Slot::Lost => self.candidates(pos, at),
        };
        for (mv, mark) in tried.into_iter().take(TRIED) {
            pos.make(mv, &mut ());
            self.path.push(mv);
            self.marks[at] = mark;
            let solved = self.solve(pos, at + 1);
            pos.unmake();
            if solved {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// The moves to try for a lost one, the most probable first.
    fn candidates(&mut self, pos: &mut Position, at: usize) -> Vec<(Move, Option<Mark>)> {
        let side = pos.side();
        let before = self.demand(pos, at).owed[side.index()];
        let mut rated: Vec<(u32, u32, Move)> = Vec::new();
        for &mv in &pos.legal_moves() {
            if self.step().is_err() {
                return vec![];
            }
            pos.make(mv, &mut ());
            let demand = self.demand(pos, at + 1);
            pos.unmake();
            rated.push((demand.short, demand.owed.iter().sum(), mv));
        }
        let least = rated.iter().map(|rated| rated.0).min().unwrap_or(0);
        if self.left(at) <= EXACT {
            rated.retain(|&(.., mv)| {
                pos.make(mv, &mut ());
                let found = self.exists(pos, at + 1, false);
                pos.unmake();
                found
            });
        } else {
            rated.retain(|rated| rated.0 == least);
        }
        rated.sort_unstable();
        let moves: Vec<Move> = rated.iter().map(|rated| rated.2).collect();
        let ask = moves.len() > 1 && self.questions > 0;
        self.questions -= usize::from(ask);
        let chosen = if ask { self.judge.choose(pos, &moves) } else { None };
        if let Some(index) = chosen.and_then(|mv| rated.iter().position(|rated| rated.2 == mv)) {
            let first = rated.remove(index);
            rated.insert(0, first);
        }
        let only = rated.len() == 1;
        let mark = |mv: Move, pos: &mut Position| {
            pos.make(mv, &mut ());
            let owed = self.demand(pos, at + 1).owed[side.index()];
            pos.unmake();
            if only || owed < before { Mark::Likely } else { Mark::Free }
        };
        rated.into_iter().take(TRIED).map(|(.., mv)| (mv, Some(mark(mv, pos)))).collect()
    }

    /// What the known moves from a slot on demand of a position.
    fn demand(&self, pos: &Position, at: usize) -> Demand {
        let mut board = board_of(pos);
        let mut out = Demand::default();
        let mut side = pos.side();
        // Moves that each side may still choose before the known one.
        let mut free = [0u32; 2];
        let mut seen = 0;
        for (slot, word) in self.slots[at..].iter().zip(&self.words[at..]) {
            if matches!(slot, Slot::Lost) {
                free[side.index()] += 1;
            } else {
                seen += 1;
                let costs = word.0.first().map_or([0; 2], |written| self.sketch(&mut board, side, written));
                for color in Color::ALL {
                    let owed = &mut out.owed[color.index()];
                    *owed += costs[color.index()];
                    out.short = out.short.max(owed.saturating_sub(free[color.index()]));
                }
            }
            if seen == AHEAD {
                break;
            }
            side = !side;
        }
        out
    }

    /// Makes a known move on the sketch, moving pieces to where they are needed. The answer is the number of moves that
    /// each side should have made before.
    fn sketch(&self, board: &mut Board, side: Color, written: &Written) -> [u32; 2] {
        let mut costs = [0; 2];
        let to = written.to;
        board.set_side(side);
        let (own, other) = (side.index(), (!side).index());
        if board.piece(to).is_some_and(|piece| piece.color() == side) {
            // A piece of one's own is in the way.
            costs[own] += 1;
            board.set(to, None);
        }
        if written.drop {
            if board.piece(to).is_some() {
                costs[other] += 1;
            }
            if board.in_hand(side, written.kind) == 0 {
                costs[own] += 1;
            } else {
                board.take_from_hand(side, written.kind);
            }
            board.set(to, Some(Piece::new(side, written.kind)));
            return costs;
        }
        let captured = board.piece(to);
        if captured.is_none() && written.captures {
            costs[other] += 1;
        }
        let fits = |from: usize| match written.from {
            Origin::Any => true,
            Origin::Square(wanted) => from == wanted,
            Origin::File(file) => sanban_rules::shogi::square::file(from) == file,
            Origin::Rank(rank) => sanban_rules::shogi::square::rank(from) == rank,
        };
        let piece = Piece::new(side, written.kind);
        let mut best: Option<(u32, usize)> = None;
        for from in (0..SQUARES).filter(|&from| board.piece(from) == Some(piece)) {
            let cost = if fits(from) && board.reaches(from, to) {
                0
            } else if let Origin::Square(wanted) = written.from {
                self.distances.get(side, written.kind, from, wanted)
            } else {
                match self.distances.get(side, written.kind, from, to) {
                    // Something is in the way.
                    0 | 1 => 1,
                    moves => moves - 1,
                }
            };
            if best.is_none_or(|best| cost < best.0) {
                best = Some((cost, from));
            }
        }
        // A promoted piece may still be to promote, and a piece in hand to drop.
        if best.is_none_or(|best| best.0 > 0) && written.kind.is_promoted() {
            let plain = Piece::new(side, written.kind.base());
            for from in (0..SQUARES).filter(|&from| board.piece(from) == Some(plain)) {
                let cost = self.distances.get(side, written.kind.base(), from, to).clamp(1, FAR);
                if best.is_none_or(|best| cost < best.0) {
                    best = Some((cost, from));
                }
            }
        }
        if best.is_none_or(|best| best.0 > 1) && board.in_hand(side, written.kind) > 0 {
            best = Some((1, SQUARES));
        }
        match best {
            Some((cost, from)) => {
                costs[own] += cost;
                if from < SQUARES {
                    board.set(from, None);
                } else {
                    board.take_from_hand(side, written.kind);
                }
            }
            None => costs[own] += FAR,
        }
        if let Some(captured) = captured {
            board.add_to_hand(side, captured.kind().base(), 1);
        }
        let kind = if written.promotes == Some(true) { written.kind.promoted() } else { None };
        board.set(to, Some(Piece::new(side, kind.unwrap_or(written.kind))));
        costs
    }
}

/// What is still to be done before the known moves can be made.
#[derive(Default)]
struct Demand {
    /// Moves that each side owes.
    owed: [u32; 2],
    /// By how many moves a side comes too late, at the worst.
    short: u32,
}

/// A position on the board that takes anything.
fn board_of(pos: &Position) -> Board {
    let mut board = Board::empty();
    for square in 0..SQUARES {
        board.set(square, pos.piece_on(square).map(|(color, kind)| Piece::new(color, kind)));
    }
    for color in Color::ALL {
        for kind in super::board::HAND_ORDER {
            board.add_to_hand(color, kind, pos.hand_count(color, kind));
        }
    }
    board.set_side(pos.side());
    board
}

/// The number of moves that a piece needs from square to square on an empty board.
struct Distances(Vec<u8>);

impl Distances {
    fn new() -> Self {
        let mut out = vec![FAR as u8; 2 * Kind::COUNT * SQUARES * SQUARES];
        let mut board = Board::empty();
        for color in Color::ALL {
            for kind in Kind::ALL {
                let reached: Vec<Vec<usize>> = (0..SQUARES)
                    .map(|from| {
                        board.set(from, Some(Piece::new(color, kind)));
                        let reached = (0..SQUARES).filter(|&to| board.reaches(from, to)).collect();
                        board.set(from, None);
                        reached
                    })
                    .collect();
                for from in 0..SQUARES {
                    let row = &mut out[Self::index(color, kind, from, 0)..][..SQUARES];
                    row[from] = 0;
                    let mut open = vec![from];
                    for moves in 1..FAR as u8 {
                        let mut next = vec![];
                        for &to in open.iter().flat_map(|&at| &reached[at]) {
                            if row[to] > moves {
                                row[to] = moves;
                                next.push(to);
                            }
                        }
                        open = next;
                    }
                }
            }
        }
        Self(out)
    }

    fn index(color: Color, kind: Kind, from: usize, to: usize) -> usize {
        ((color.index() * Kind::COUNT + kind.index()) * SQUARES + from) * SQUARES + to
    }

    fn get(&self, color: Color, kind: Kind, from: usize, to: usize) -> u32 {
        self.0[Self::index(color, kind, from, to)].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(text: &str) -> Option<Vec<(String, Option<Mark>)>> {
        let slots: Vec<Slot<'_>> = text
            .split_whitespace()
            .map(|word| if word == "?" { Slot::Lost } else { Slot::Known(word) })
            .collect();
        let start = Board::from_start(None).expect("the start");
        let moves = restore(&start, &slots, &mut ())?;
        Some(moves.into_iter().map(|(mv, mark)| (Position::usi(mv), mark)).collect())
    }

    #[test]
    fn what_every_completion_has_is_certain() {
        let moves = restored("? ? Bx2b+ Sx2b B'4e").expect("a game");
        assert_eq!(moves[0], ("7g7f".into(), Some(Mark::Certain)));
        assert_eq!(moves[1], ("3c3d".into(), Some(Mark::Certain)));
        assert_eq!(moves[2], ("8h2b+".into(), None));
        let moves = restored("P7f ? Bx2b+ ? B'4e").expect("a game");
        assert_eq!(moves[1], ("3c3d".into(), Some(Mark::Certain)));
        assert!(
            moves[3].1.is_some_and(|mark| mark != Mark::Certain),
            "silver, rook or nothing may take: {moves:?}"
        );
        assert_eq!(restored("? ? Bx9i+"), None, "no two moves make that legal");
    }
}
