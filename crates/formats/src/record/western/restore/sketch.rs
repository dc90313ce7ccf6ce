//! An estimate of the moves that each side still has to make in the gaps. It is based on a sketch of the rest of the
//! game, in which pieces are put directly on the squares where the known moves need them.

use super::reach::{FAR, Reach};
use super::words::{Style, Word};
use crate::record::western::moves::{Origin, Written};
use sanban_rules::shogi::{Kind, Piece, Position, attacks, square};
use sanban_rules::{Bitboard, Color, Move, Position as _};

/// Number of known moves to sketch; with more moves, too many errors accumulate.
const AHEAD: usize = 60;
/// The cost of each move that comes too late for the known moves after the next gap, after the second gap, and after
/// later gaps.
const LATE: [f32; 3] = [6.0, 4.0, 2.0];
/// The cost of each move that is still needed.
const OWED: f32 = 1.5;
/// The cost of each word that would be written differently.
const ODD: f32 = 0.7;

/// An estimate of the moves that are needed before the known moves can be made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Owing {
    /// Number of moves that each side still needs.
    pub owed: [u32; 2],
    /// Number of moves that come too late for the known moves after the next gap, after the second gap, and after later
    /// gaps.
    pub late: [u32; 3],
    /// Number of words that would be written differently.
    pub odd: u32,
}

impl Owing {
    pub fn cost(&self) -> f32 {
        let late: f32 = self.late.iter().zip(LATE).map(|(&late, cost)| late as f32 * cost).sum();
        late + OWED * (self.owed[0] + self.owed[1]) as f32 + ODD * self.odd as f32
    }
}

/// The moves that a side still needs.
#[derive(Clone, Copy, Debug, Default)]
struct Tasks {
    /// Squares of the pieces that have to move.
    movers: Bitboard,
    /// Kinds of pieces to drop, as a bit set.
    drops: u32,
    /// Kinds of pieces to capture, as a bit set.
    captures: u32,
    /// Squares of the pieces to capture.
    prey: Bitboard,
}

/// The moves that both sides still need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Helpful([Tasks; 2]);

impl Helpful {
    /// Returns whether a move of the side to move is one of the moves that are needed.
    pub fn has(&self, pos: &Position, mv: Move) -> bool {
        let tasks = &self.0[pos.side().index()];
        if mv.is_drop() {
            return tasks.drops >> mv.kind() & 1 != 0;
        }
        let captures = || {
            let prey = pos.piece_on(mv.to());
            prey.is_some_and(|(_, kind)| {
                tasks.prey.has(mv.to()) || tasks.captures >> kind.base().index() & 1 != 0
            })
        };
        tasks.movers.has(mv.from()) || captures()
    }
}

/// The origin of a piece that was not on the board at the start.
const NOWHERE: u8 = u8::MAX;

struct Sketch<'r> {
    kinds: [[Bitboard; Kind::COUNT]; 2],
    board: [Option<Piece>; square::SQUARES],
    colors: [Bitboard; 2],
    hands: [[u8; Kind::HAND]; 2],
    reach: &'r Reach,
    style: Style,
    /// The square of each piece at the start.
    origin: [u8; square::SQUARES],
    helpful: Helpful,
    out: Owing,
}

/// Estimates the moves that are still needed in a position before the known moves can be made. `words` begins with the
/// next move.
pub(super) fn owing(pos: &Position, words: &[Option<Word>], style: Style, reach: &Reach) -> (Owing, Helpful) {
    let kinds = Color::ALL.map(|color| Kind::ALL.map(|kind| pos.pieces_of(color, kind)));
    let mut board = [None; square::SQUARES];
    for square in pos.occupied() {
        board[square] = pos.piece_on(square).map(|(color, kind)| Piece::new(color, kind));
    }
    let mut sketch = Sketch {
        kinds,
        board,
        colors: Color::ALL.map(|color| pos.pieces(color)),
        hands: Color::ALL
            .map(|color| std::array::from_fn(|kind| pos.hand_count(color, Kind::ALL[kind]) as u8)),
        reach,
        style,
        origin: std::array::from_fn(|square| square as u8),
        helpful: Helpful::default(),
        out: Owing::default(),
    };
    let mut side = pos.side();
    // Number of missing moves of each side before the current word.
    let mut free = [0u32; 2];
    let (mut seen, mut gaps, mut in_gap) = (0, 0usize, false);
    for word in words {
        gaps += usize::from(word.is_none() && !in_gap);
        in_gap = word.is_none();
        match word {
            None => free[side.index()] += 1,
            Some(word) => {
                seen += 1;
                if let Some(written) = word.0.first().filter(|written| !written.again) {
                    sketch.play(side, written);
                    for color in [0, 1] {
                        // Late moves are counted only once.
                        let late = sketch.out.owed[color].saturating_sub(free[color]);
                        sketch.out.owed[color] -= late;
                        sketch.out.late[gaps.saturating_sub(1).min(2)] += late;
                    }
                }
            }
        }
        if seen == AHEAD {
            break;
        }
        side = !side;
    }
    (sketch.out, sketch.helpful)
}

impl Sketch<'_> {
    fn kind_on(&self, color: Color, square: usize) -> Option<Kind> {
        self.board[square].filter(|piece| piece.color() == color).map(Piece::kind)
    }

    /// Records that the piece on a square must move or be captured.
    fn has_to_go(&mut self, side: Color, square: usize) {
        self.has_to_move(side, square);
        let origin = self.origin[square];
        if origin != NOWHERE {
            self.helpful.0[(!side).index()].prey |= Bitboard::square(origin.into());
        }
    }

    fn has_to_move(&mut self, side: Color, square: usize) {
        let origin = self.origin[square];
        if origin != NOWHERE {
            self.helpful.0[side.index()].movers |= Bitboard::square(origin.into());
        }
    }

    fn put(&mut self, color: Color, kind: Kind, square: usize, origin: u8) {
        self.origin[square] = origin;
        self.board[square] = Some(Piece::new(color, kind));
        let set = Bitboard::square(square);
        self.kinds[color.index()][kind.index()] = self.kinds[color.index()][kind.index()] | set;
        self.colors[color.index()] = self.colors[color.index()] | set;
    }

    fn take(&mut self, color: Color, kind: Kind, square: usize) {
        self.board[square] = None;
        let rest = !Bitboard::square(square);
        self.kinds[color.index()][kind.index()] = self.kinds[color.index()][kind.index()] & rest;
        self.colors[color.index()] = self.colors[color.index()] & rest;
    }

    /// Makes a known move and counts the moves that each side needed before it.
    fn play(&mut self, side: Color, written: &Written) {
        let (own, other) = (side.index(), (!side).index());
        let (kind, to) = (written.kind, written.to);
        // A piece of the same side on the square has to move.
        self.displace(side, to);
        let captured = self.kind_on(!side, to);
        if written.drop {
            self.displace(!side, to);
            if kind == Kind::Pawn {
                self.clear_file(side, to);
            }
            match self.hands[own][kind.index()].checked_sub(1) {
                Some(rest) => self.hands[own][kind.index()] = rest,
                None => {
                    self.out.owed[own] += 1;
                    self.helpful.0[own].captures |= 1 << kind.index();
                }
            }
            self.put(side, kind, to, NOWHERE);
            return;
        }
        let victim = match captured {
            Some(captured) => {
                self.out.odd += u32::from(self.style.captures && !written.captures);
                Some((captured, to))
            }
            // Assume that the piece that reaches the square in the fewest moves has moved there.
            None if written.captures => self.nearest(!side, to).map(|(moves, kind, from)| {
                self.out.owed[other] += u32::from(moves);
                self.has_to_move(!side, from);
                (kind, from)
            }),
            None => None,
        };
        if let Some((captured, at)) = victim {
            self.take(!side, captured, at);
            if let Some(count) = self.hands[own].get_mut(captured.base().index()) {
                *count += 1;
            }
        }
        let origin = self.bring(side, written);
        let after = if written.promotes == Some(true) { kind.promoted() } else { None };
        self.put(side, after.unwrap_or(kind), to, origin);
    }

    /// Moves a piece of a side away from a square, if one is there.
    fn displace(&mut self, side: Color, square: usize) {
        let Some(kind) = self.kind_on(side, square) else { return };
        self.out.owed[side.index()] += 1;
        self.has_to_go(side, square);
        let origin = self.origin[square];
        self.take(side, kind, square);
        let free = |&at: &usize| self.board[at].is_none() && self.reach.to(side, kind, at).has(square);
        if let Some(at) = (0..square::SQUARES).find(free) {
            self.put(side, kind, at, origin);
        }
    }

    /// Removes another pawn on the file of a dropped pawn, assuming that it advances until it is captured.
    fn clear_file(&mut self, side: Color, to: usize) {
        let file = square::file(to);
        let on_file = |color: Color| {
            let pawns = self.kinds[color.index()][Kind::Pawn.index()];
            pawns.into_iter().find(|&pawn| square::file(pawn) == file)
        };
        let Some(pawn) = on_file(side) else { return };
        let rank = |square: usize| square::rank_for(side, square) as u32;
        let ahead = on_file(!side).map(|other| rank(pawn).saturating_sub(rank(other) + 1));
        self.out.owed[side.index()] += ahead.unwrap_or(1).clamp(1, 3);
        self.has_to_go(side, pawn);
        self.take(side, Kind::Pawn, pawn);
    }

    /// The piece of a side that reaches a square in the fewest moves, pawns first.
    fn nearest(&self, side: Color, to: usize) -> Option<(u8, Kind, usize)> {
        let kinds = Kind::ALL.into_iter().filter(|&kind| kind != Kind::King);
        let pieces = kinds.flat_map(|kind| {
            let pieces = self.kinds[side.index()][kind.index()];
            pieces.map(move |from| (self.reach.moves(side, kind, from, to).max(1), kind, from))
        });
        pieces.min_by_key(|&(moves, kind, _)| (moves, kind.index()))
    }

    /// Removes the piece that makes a move from its square, or from the hand, and returns its original square.
    fn bring(&mut self, side: Color, written: &Written) -> u8 {
        let own = side.index();
        let (kind, to) = (written.kind, written.to);
        let occupied = self.colors[0] | self.colors[1];
        let near = self.reach.to(side, kind, to);
        let fits = |from: usize| written.from.fits(from);
        let mut best: Option<(u32, Kind, usize)> = None;
        let mut able = 0;
        let mut consider = |cost: u32, kind: Kind, from: usize| {
            if best.is_none_or(|best| cost < best.0) {
                best = Some((cost, kind, from));
            }
        };
        for from in self.kinds[own][kind.index()] {
            let open = near.has(from) && (attacks::between(from, to) & occupied).is_empty();
            able += u32::from(open);
            let blocked = near.has(from) && fits(from);
            let cost = if open && fits(from) {
                0
            } else if blocked {
                (attacks::between(from, to) & occupied).len() as u8
            } else if let Origin::Square(wanted) = written.from {
                self.reach.moves(side, kind, from, wanted).max(1)
            } else {
                match self.reach.moves(side, kind, from, to) {
                    // The path is blocked.
                    0 | 1 => 1,
                    moves => moves - 1,
                }
            };
            consider(cost.into(), kind, from);
        }
        let spare = self.style.spare;
        self.out.odd += u32::from(spare && able > 1 && written.from == Origin::Any);
        self.out.odd += u32::from(spare && able == 1 && matches!(written.from, Origin::Square(_)));
        // A promoted piece may still have to promote, and a piece in hand may still have to be dropped.
        if kind.is_promoted() {
            for from in self.kinds[own][kind.base().index()] {
                let cost = self.reach.moves(side, kind.base(), from, to).clamp(1, FAR);
                consider(cost.into(), kind.base(), from);
            }
        }
        let hand = self.hands[own].get(kind.base().index()).is_some_and(|&count| count > 0);
        if hand {
            consider(if kind.is_promoted() { 2 } else { 1 }, kind, square::SQUARES);
        }
        match best {
            Some((_, from_kind, from))
                if from < square::SQUARES && from_kind == kind && near.has(from) && fits(from) =>
            {
                let origin = self.origin[from];
                self.take(side, kind, from);
                // Blocking pieces move away.
                for square in attacks::between(from, to) & occupied {
                    self.displace(side, square);
                    self.displace(!side, square);
                }
                origin
            }
            Some((cost, kind, from)) => {
                self.out.owed[own] += cost;
                if from < square::SQUARES {
                    let origin = self.origin[from];
                    self.has_to_move(side, from);
                    self.take(side, kind, from);
                    origin
                } else {
                    self.hands[own][kind.base().index()] -= 1;
                    self.helpful.0[own].drops |= 1 << kind.base().index();
                    NOWHERE
                }
            }
            None => {
                self.out.owed[own] += u32::from(FAR);
                self.helpful.0[own].captures |= 1 << kind.base().index();
                NOWHERE
            }
        }
    }
}
