//! Counts the replies to all moves of a position in bulk, for the last two plies of perft.
//!
//! Most moves change few of the replies. A *quiet* move captures nothing, gives no check, pins nothing, and neither
//! leaves nor enters a line that matters to a king. After it, the other side has the same replies as after a pass,
//! except for moves of its king and sliders, and drops, that involve the origin or the destination. Quiet moves are
//! therefore counted by sets of squares; only the other moves are made one by one.

use super::attacks;
use super::movegen::{Sink, advance, behind, free_files, retreat};
use super::piece::Kind;
use super::position::Position;
use super::square::{BOARD, LAST, LAST_TWO};
use crate::{Bitboard, Color, MoveList};
use arrayvec::ArrayVec;

const SLIDERS: [Kind; 5] = [Kind::Lance, Kind::Bishop, Kind::Rook, Kind::Horse, Kind::Dragon];

/// The destinations of one slider, without promotion and with it.
struct Slider {
    from: usize,
    plain: Bitboard,
    promoted: Bitboard,
}

/// Counts the replies to a pass, and records those of the king and the sliders.
struct Pass {
    count: usize,
    king: usize,
    flights: Bitboard,
    sliding: Bitboard,
    sliders: ArrayVec<Slider, 8>,
}

impl Sink for Pass {
    #[inline]
    fn board(&mut self, from: usize, plain: Bitboard, promoted: Bitboard) {
        self.count += plain.len() + promoted.len();
        if from == self.king {
            self.flights = plain;
        } else if self.sliding.has(from) {
            self.sliders.push(Slider { from, plain, promoted });
        }
    }
    fn pawns(&mut self, _: Color, plain: Bitboard, promoted: Bitboard) {
        self.count += plain.len() + promoted.len();
    }
    fn drops(&mut self, _: Kind, to: Bitboard) {
        self.count += to.len();
    }
}

/// The drops of the other side, whether or not the squares are vacant: the number of kinds that can be dropped
/// anywhere, and the squares of the kinds that are restricted.
struct Drops {
    anywhere: usize,
    bound: [Bitboard; 3],
}

impl Drops {
    fn new(pos: &Position, side: Color) -> Self {
        let hand = pos.hands[side.index()];
        let has = |kind, squares| if hand.has(kind) { squares } else { Bitboard::EMPTY };
        let files = free_files(pos.pieces_of(side, Kind::Pawn));
        Self {
            anywhere: [Kind::Silver, Kind::Bishop, Kind::Rook, Kind::Gold]
                .iter()
                .filter(|&&kind| hand.has(kind))
                .count(),
            bound: [
                has(Kind::Pawn, files.without(LAST[side.index()])),
                has(Kind::Lance, BOARD.without(LAST[side.index()])),
                has(Kind::Knight, BOARD.without(LAST_TWO[side.index()])),
            ],
        }
    }

    /// Number of drops on a set of squares if they were vacant.
    fn on(&self, squares: Bitboard) -> usize {
        self.anywhere * squares.len() + self.bound.iter().map(|&bound| (squares & bound).len()).sum::<usize>()
    }
}

/// Counts the replies to quiet moves and lists the other moves.
struct Replies<'a> {
    pos: &'a Position,
    king: usize,
    pass: Pass,
    drops: Drops,
    /// Origins of quiet moves.
    leave: Bitboard,
    /// Destinations of quiet moves.
    enter: Bitboard,
    /// For each kind, the squares from which it gives check or pins a piece.
    sharp: [Bitboard; Kind::COUNT],
    /// The squares that the enemy's sliders reach.
    swept: Bitboard,
    count: usize,
    rest: &'a mut MoveList,
}

impl Replies<'_> {
    /// Destinations of quiet moves of a piece that has this kind after the move.
    fn quiet(&self, kind: Kind) -> Bitboard {
        self.enter.without(self.sharp[kind.index()])
    }

    /// The squares from which a piece of this kind may attack a square next to the enemy king.
    fn near(&self, kind: Kind) -> Bitboard {
        attacks::touching(self.pos.side, kind, self.king)
    }

    /// Counts the replies to a move to each of these squares, ignoring the changes caused by the vacated square and the
    /// king moves that become illegal.
    #[inline]
    fn add(&mut self, to: Bitboard) {
        self.count += self.pass.count * to.len();
        self.count -= self.drops.on(to);
        for sq in to & self.swept {
            for slider in self.pass.sliders.iter().filter(|slider| (slider.plain | slider.promoted).has(sq)) {
                let beyond = attacks::beyond(slider.from, sq);
                self.count -= (slider.plain & beyond).len() + (slider.promoted & beyond).len();
            }
        }
    }

    /// Subtracts the king moves among `flights` that become illegal because the piece attacks their destination from a
    /// square of `to`.
    #[inline]
    fn guard(&mut self, flights: Bitboard, kind: Kind, to: Bitboard, occ: Bitboard) {
        for sq in to & self.near(kind) {
            self.count -= (flights & attacks::attacks(self.pos.side, kind, sq, occ)).len();
        }
    }

    /// The squares to which the enemy king can go when the piece leaves `from`.
    #[inline]
    fn flights_without(&self, kind: Kind, from: usize, occ: Bitboard) -> Bitboard {
        let mut out = self.pass.flights;
        if self.near(kind).has(from) {
            let us = self.pos.side;
            let guarded = attacks::king(self.king).without(self.pos.pieces(!us));
            for sq in guarded & attacks::attacks(us, kind, from, occ) {
                if !self.pos.attackers(us, sq, occ).many() {
                    out |= Bitboard::square(sq);
                }
            }
        }
        out
    }
}

impl Sink for Replies<'_> {
    fn board(&mut self, from: usize, plain: Bitboard, promoted: Bitboard) {
        let Some(piece) = self.pos.board[from] else { return };
        if !self.leave.has(from) {
            return self.rest.board(from, plain, promoted);
        }
        let kind = piece.kind();
        let after = kind.promoted().unwrap_or(kind);
        let (quiet, quiet_promoted) = (plain & self.quiet(kind), promoted & self.quiet(after));
        let occ = self.pos.occupied() ^ Bitboard::square(self.king);
        let flights = self.flights_without(kind, from, occ);
        let gained = self.drops.on(Bitboard::square(from)) + flights.len() - self.pass.flights.len();
        self.count += gained * (quiet.len() + quiet_promoted.len());
        for (kind, quiet) in [(kind, quiet), (after, quiet_promoted)] {
            if quiet.any() {
                self.add(quiet);
                self.guard(flights, kind, quiet, occ ^ Bitboard::square(from));
            }
        }
        self.rest.board(from, plain ^ quiet, promoted ^ quiet_promoted);
    }

    fn pawns(&mut self, us: Color, plain: Bitboard, promoted: Bitboard) {
        let near = self.near(Kind::Pawn) | advance(us, self.near(Kind::Pawn)) | self.near(Kind::ProPawn);
        for to in (plain | promoted) & near {
            let square = Bitboard::square(to);
            self.board(behind(us, to), plain & square, promoted & square);
        }
        let (plain, promoted) = (plain.without(near), promoted.without(near));
        let quiet = self.enter & advance(us, self.leave);
        for quiet in [plain & quiet, promoted & quiet] {
            self.count += self.drops.on(retreat(us, quiet));
            self.add(quiet);
        }
        self.rest.pawns(us, plain.without(quiet), promoted.without(quiet));
    }

    fn drops(&mut self, kind: Kind, to: Bitboard) {
        let quiet = to & self.quiet(kind);
        self.add(quiet);
        let occ = self.pos.occupied() ^ Bitboard::square(self.king);
        self.guard(self.pass.flights, kind, quiet, occ);
        self.rest.drops(kind, to ^ quiet);
    }
}

impl Position {
    /// Number of sequences of two legal moves.
    pub fn replies(&mut self) -> u64 {
        let mut rest = MoveList::new();
        let mut count = self.quiet_replies(&mut rest).unwrap_or_else(|| {
            self.legal(&mut rest);
            0
        });
        for mv in rest {
            self.make(mv, &mut ());
            count += self.count();
            self.unmake();
        }
        count as u64
    }

    /// The number of replies to all quiet moves; the other moves are added to the list. `None` if quiet moves cannot be
    /// counted in bulk here.
    fn quiet_replies(&mut self, rest: &mut MoveList) -> Option<usize> {
        let them = !self.side;
        let king = self.king(them)?;
        if self.now.checkers.any() {
            return None;
        }
        let occ = self.occupied();
        let closed = self.lines_to(king, occ) | self.mating_drop_squares(occ)?;
        let sliding = SLIDERS.iter().fold(Bitboard::EMPTY, |all, &kind| all | self.pieces_of(them, kind));
        let swept = sliding.fold(Bitboard::EMPTY, |all, from| all | self.reach(from, occ));

        let mut pass = Pass { count: 0, king, flights: Bitboard::EMPTY, sliding, sliders: ArrayVec::new() };
        self.make_null();
        self.generate(self.all_targets(), &mut pass);
        self.unmake();
        let screens = (attacks::rook(king, occ) | attacks::bishop(king, occ)) & occ;
        let mut replies = Replies {
            pos: self,
            king,
            pass,
            drops: Drops::new(self, them),
            leave: BOARD.without(closed | swept),
            enter: BOARD.without(closed | self.pieces(them)),
            sharp: self.check_squares(king, occ ^ screens),
            swept,
            count: 0,
            rest,
        };
        self.generate(self.all_targets(), &mut replies);
        Some(replies.count)
    }

    /// The squares that the piece on a square attacks.
    fn reach(&self, sq: usize, occ: Bitboard) -> Bitboard {
        self.board[sq].map_or(Bitboard::EMPTY, |piece| attacks::attacks(piece.color(), piece.kind(), sq, occ))
    }

    /// The relevant squares on the lines from our sliders to the enemy king and the squares around it, including
    /// pinning sliders.
    fn lines_to(&self, king: usize, occ: Bitboard) -> Bitboard {
        let us = self.side;
        let mut out = Bitboard::EMPTY;
        for sniper in self.snipers(us, king) {
            let between = attacks::between(king, sniper);
            match (between & occ).len() {
                0 | 1 => out |= between | Bitboard::square(sniper),
                2 => out |= between,
                _ => {}
            }
        }
        for kind in SLIDERS {
            for from in self.pieces_of(us, kind) & attacks::touching(us, kind, king) {
                let reach = self.reach(from, occ);
                for sq in attacks::king(king) {
                    out |= reach & attacks::between(from, sq);
                }
            }
        }
        out
    }

    /// The squares that decide whether the other side may drop a pawn that attacks our king, which is illegal if it
    /// mates. `None` if a quiet move could change this.
    fn mating_drop_squares(&self, occ: Bitboard) -> Option<Bitboard> {
        let them = !self.side;
        let (Some(king), true) = (self.king(self.side), self.hands[them.index()].has(Kind::Pawn)) else {
            return Some(Bitboard::EMPTY);
        };
        let sq = attacks::step(self.side, Kind::Pawn, king);
        let closed = sq | Bitboard::square(king);
        if (sq & free_files(self.pieces_of(them, Kind::Pawn))).is_empty() {
            return Some(closed);
        }
        // A quiet move takes away at most one flight square, so two are enough.
        let danger = self.danger(them, king, occ ^ Bitboard::square(king));
        let flights = attacks::king(king).without(self.pieces(self.side) | danger);
        match flights.len() {
            0 => None,
            1 => Some(closed | flights),
            _ => Some(closed),
        }
    }
}
