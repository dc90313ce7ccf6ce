//! Legal move generation. One loop over the pieces serves all purposes, which differ in the destinations (captures,
//! quiet moves, all) and in the [`Sink`] that receives the moves (a list or a counter).

use super::attacks;
use super::piece::Kind;
use super::position::Position;
use super::square::{BOARD, LAST, LAST_TWO, RANKS, ZONE};
use crate::{Bitboard, Color, Move, MoveList};

/// Receives the destinations of one piece (or of all pawns) at a time.
pub(super) trait Sink {
    /// A piece on `from` may go to `plain` without promotion and to `promoted` with it.
    fn board(&mut self, from: usize, plain: Bitboard, promoted: Bitboard);
    /// Pawns of `us` may step to these squares.
    fn pawns(&mut self, us: Color, plain: Bitboard, promoted: Bitboard);
    /// The squares from which moves of a kind can be useful to the sink; called for knights, silvers and, as
    /// [`Kind::Gold`], all pieces that move like a gold.
    fn origins(&self, _kind: Kind) -> Bitboard {
        BOARD
    }
    /// Returns whether moves of the king on this square can be useful to the sink. If not, the expensive search for
    /// safe squares is skipped.
    fn wants_king(&self, _from: usize) -> bool {
        true
    }
    /// A kind in hand may be dropped on these squares.
    fn drops(&mut self, kind: Kind, to: Bitboard);
}

impl Sink for MoveList {
    fn board(&mut self, from: usize, plain: Bitboard, promoted: Bitboard) {
        promoted.for_each(|to| self.push(Move::promotion(from, to)));
        plain.for_each(|to| self.push(Move::board(from, to)));
    }
    fn pawns(&mut self, us: Color, plain: Bitboard, promoted: Bitboard) {
        promoted.for_each(|to| self.push(Move::promotion(behind(us, to), to)));
        plain.for_each(|to| self.push(Move::board(behind(us, to), to)));
    }
    fn drops(&mut self, kind: Kind, to: Bitboard) {
        to.for_each(|to| self.push(Move::drop(kind.index(), to)));
    }
}

/// Counts the moves instead of listing them, for the leaves of perft.
#[derive(Default)]
struct MoveCounter(usize);

impl Sink for MoveCounter {
    fn board(&mut self, _: usize, plain: Bitboard, promoted: Bitboard) {
        self.0 += plain.len() + promoted.len();
    }
    fn pawns(&mut self, _: Color, plain: Bitboard, promoted: Bitboard) {
        self.0 += plain.len() + promoted.len();
    }
    fn drops(&mut self, _: Kind, to: Bitboard) {
        self.0 += to.len();
    }
}

/// Counts answers as defined by [`Checks::answers`](crate::Checks::answers).
#[derive(Default)]
pub(super) struct Answers {
    pub moves: usize,
    pub drops: Bitboard,
}

impl Sink for Answers {
    fn board(&mut self, _: usize, plain: Bitboard, promoted: Bitboard) {
        self.moves += (plain | promoted).len();
    }
    fn pawns(&mut self, _: Color, plain: Bitboard, promoted: Bitboard) {
        self.moves += (plain | promoted).len();
    }
    fn drops(&mut self, _: Kind, to: Bitboard) {
        self.drops |= to;
    }
}

#[derive(Clone, Copy)]
pub(super) struct Targets {
    /// Destinations of all pieces except pawns.
    pub pieces: Bitboard,
    /// Destinations of pawns that do not promote.
    pub pawns: Bitboard,
    /// Destinations of pawns that promote.
    pub promotions: Bitboard,
    /// Destinations of drops (vacant squares only).
    pub drops: Bitboard,
    /// Whether pointless non-promotions are included.
    pub pointless: bool,
}

/// The origin of a pawn move.
#[inline]
pub(super) const fn behind(us: Color, to: usize) -> usize {
    match us {
        Color::Black => to + 1,
        Color::White => to - 1,
    }
}

/// One step forward for a whole set of pawns. Pawns on the last rank give unspecified results.
#[inline]
pub(super) fn advance(us: Color, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.without(LAST[us.index()]);
    match us {
        Color::Black => Bitboard(pawns.0 >> 1),
        Color::White => Bitboard(pawns.0 << 1),
    }
}

/// The origins of pawn moves to these squares.
#[inline]
pub(super) fn retreat(us: Color, to: Bitboard) -> Bitboard {
    match us {
        Color::Black => Bitboard(to.0 << 1),
        Color::White => Bitboard(to.0 >> 1),
    }
}

/// The lower eight squares of every file; `TOP` contains the ninth.
const LOW: u128 = {
    let mut out = 0;
    let mut file = 0;
    while file < 9 {
        out |= 0xFF << (file * RANKS);
        file += 1;
    }
    out
};
const TOP: u128 = BOARD.0 & !LOW;

/// All squares of the files that hold none of these pawns (the nifu rule).
#[inline]
pub(super) fn free_files(pawns: Bitboard) -> Bitboard {
    // Adding 0xFF to the lower eight squares of a file carries into its ninth if any of them is set. A carry never
    // leaves its file. The ninth square then represents the whole file.
    let any = (((pawns.0 & LOW) + LOW) | pawns.0) & TOP;
    BOARD.without(Bitboard(any | (any - (any >> 8))))
}

impl Position {
    pub(super) fn all_targets(&self) -> Targets {
        let open = BOARD.without(self.pieces(self.side));
        Targets { pieces: open, pawns: open, promotions: open, drops: self.vacant(), pointless: true }
    }

    fn noisy_targets(&self) -> Targets {
        let (victims, open) = (self.pieces(!self.side), BOARD.without(self.pieces(self.side)));
        Targets {
            pieces: victims,
            pawns: victims,
            promotions: open,
            drops: Bitboard::EMPTY,
            pointless: self.rules.all_legal_moves,
        }
    }

    fn quiet_targets(&self) -> Targets {
        let vacant = self.vacant();
        Targets {
            pieces: vacant,
            pawns: vacant,
            promotions: Bitboard::EMPTY,
            drops: vacant,
            pointless: self.rules.all_legal_moves,
        }
    }

    /// Appends the legal captures and pawn promotions.
    pub fn noisy(&self, out: &mut MoveList) {
        self.generate(self.noisy_targets(), out);
    }

    /// Appends the other legal moves.
    pub fn quiet(&self, out: &mut MoveList) {
        self.generate(self.quiet_targets(), out);
    }

    /// Appends every legal move.
    pub fn legal(&self, out: &mut MoveList) {
        self.generate(self.all_targets(), out);
    }

    /// Number of legal moves.
    pub fn count(&self) -> usize {
        let mut counter = MoveCounter::default();
        self.generate(self.all_targets(), &mut counter);
        counter.0
    }

    /// Sends every legal move with a destination among the targets to the sink.
    pub(super) fn generate<S: Sink>(&self, mut targets: Targets, sink: &mut S) {
        match self.side {
            Color::Black => self.generate_for::<true, S>(&mut targets, sink),
            Color::White => self.generate_for::<false, S>(&mut targets, sink),
        }
    }

    #[inline]
    fn generate_for<const BLACK: bool, S: Sink>(&self, targets: &mut Targets, sink: &mut S) {
        let us = if BLACK { Color::Black } else { Color::White };
        let occ = self.occupied();
        let king = self.king(us);
        let mut movers = self.pieces(us);
        if let Some(king) = king {
            let steps = attacks::king(king) & targets.pieces;
            if steps.any() && sink.wants_king(king) {
                let safe = steps.without(self.danger(!us, king, occ ^ Bitboard::square(king)));
                sink.board(king, safe, Bitboard::EMPTY);
            }
            if let Some(checker) = { self.now.checkers }.pop() {
                if self.now.checkers.many() {
                    return;
                }
                let between = attacks::between(king, checker);
                let answers = between | self.now.checkers;
                targets.pieces &= answers;
                targets.pawns &= answers;
                targets.promotions &= answers;
                targets.drops &= between;
                // In most checks there are few squares between king and checker, so the pieces that can reach them are
                // found by looking from these squares.
                if !between.many() {
                    movers = answers.fold(Bitboard::EMPTY, |movers, sq| movers | self.attackers(us, sq, occ));
                    movers = movers.without(Bitboard::square(king));
                }
            }
        }
        // Pins are rare. Without any, the code below need not test for them.
        if movers.any() && self.now.pinned.is_empty() {
            self.piece_moves::<BLACK, false, S>(movers, targets, occ, king.unwrap_or(0), sink);
        } else if movers.any() {
            self.piece_moves::<BLACK, true, S>(movers, targets, occ, king.unwrap_or(0), sink);
        }
        if !self.hands[us.index()].is_empty() && targets.drops.any() {
            self.drops::<BLACK, S>(targets.drops, sink);
        }
    }

    /// Generates the moves of these pieces except the king. `PINS`: own pieces may be pinned to the king.
    #[inline]
    fn piece_moves<const BLACK: bool, const PINS: bool, S: Sink>(
        &self,
        movers: Bitboard,
        targets: &Targets,
        occ: Bitboard,
        king: usize,
        sink: &mut S,
    ) {
        let us = if BLACK { Color::Black } else { Color::White };
        let (zone, last, last_two) = (ZONE[us.index()], LAST[us.index()], LAST_TWO[us.index()]);
        let of = |kind: Kind| self.kinds[kind.index()] & movers;
        let pinned = if PINS { self.now.pinned } else { Bitboard::EMPTY };
        // A pinned piece can only move along the line through its king.
        let line = |from: usize| match PINS && pinned.has(from) {
            true => attacks::through(king, from),
            false => BOARD,
        };
        let pointless = if targets.pointless { BOARD } else { Bitboard::EMPTY };

        let pawns = of(Kind::Pawn);
        let mut steps = advance(us, pawns.without(pinned));
        if PINS {
            for from in pawns & pinned {
                steps |= advance(us, Bitboard::square(from)) & line(from);
            }
        }
        sink.pawns(
            us,
            (steps & targets.pawns).without(last).without(zone.without(pointless)),
            steps & targets.promotions & zone,
        );
        for from in of(Kind::Lance) {
            let to = attacks::lance(us, from, occ) & targets.pieces & line(from);
            sink.board(from, to.without(last).without(last_two.without(pointless)), to & zone);
        }
        for from in of(Kind::Knight).without(pinned) & sink.origins(Kind::Knight) {
            let to = attacks::step(us, Kind::Knight, from) & targets.pieces;
            sink.board(from, to.without(last_two), to & zone);
        }
        for from in of(Kind::Silver) & sink.origins(Kind::Silver) {
            let to = attacks::step(us, Kind::Silver, from) & targets.pieces & line(from);
            sink.board(from, to, if zone.has(from) { to } else { to & zone });
        }
        for from in self.golden() & movers & sink.origins(Kind::Gold) {
            let to = attacks::step(us, Kind::Gold, from) & targets.pieces & line(from);
            sink.board(from, to, Bitboard::EMPTY);
        }
        for from in of(Kind::Bishop) {
            let to = attacks::bishop(from, occ) & targets.pieces & line(from);
            let promoted = if zone.has(from) { to } else { to & zone };
            sink.board(from, to.without(promoted.without(pointless)), promoted);
        }
        for from in of(Kind::Rook) {
            let to = attacks::rook(from, occ) & targets.pieces & line(from);
            let promoted = if zone.has(from) { to } else { to & zone };
            sink.board(from, to.without(promoted.without(pointless)), promoted);
        }
        for from in of(Kind::Horse) {
            let to = (attacks::bishop(from, occ) | attacks::king(from)) & targets.pieces & line(from);
            sink.board(from, to, Bitboard::EMPTY);
        }
        for from in of(Kind::Dragon) {
            let to = (attacks::rook(from, occ) | attacks::king(from)) & targets.pieces & line(from);
            sink.board(from, to, Bitboard::EMPTY);
        }
    }

    /// Generates the drops on these vacant squares.
    fn drops<const BLACK: bool, S: Sink>(&self, vacant: Bitboard, sink: &mut S) {
        let us = if BLACK { Color::Black } else { Color::White };
        let (last, last_two) = (LAST[us.index()], LAST_TWO[us.index()]);
        let hand = self.hands[us.index()];
        for kind in [Kind::Gold, Kind::Silver, Kind::Bishop, Kind::Rook] {
            if hand.has(kind) {
                sink.drops(kind, vacant);
            }
        }
        if hand.has(Kind::Knight) {
            sink.drops(Kind::Knight, vacant.without(last_two));
        }
        if hand.has(Kind::Lance) {
            sink.drops(Kind::Lance, vacant.without(last));
        }
        if hand.has(Kind::Pawn) {
            let mut to = vacant.without(last) & free_files(self.pieces_of(us, Kind::Pawn));
            if let Some(sq) = self.pawn_check_square()
                && to.has(sq)
                && self.is_pawn_drop_mate(sq)
            {
                to = to.without(Bitboard::square(sq));
            }
            sink.drops(Kind::Pawn, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_files_of_any_pawns() {
        let mut rng = crate::Rng::new(3);
        for _ in 0..10_000 {
            let pawns = Bitboard(
                (u128::from(rng.next()) << 64 | u128::from(rng.next()))
                    & (u128::from(rng.next()) << 64 | u128::from(rng.next()))
                    & (u128::from(rng.next()) << 64 | u128::from(rng.next()))
                    & BOARD.0,
            );
            let plain = BOARD
                .filter(|sq| !(0..RANKS).any(|r| pawns.has(sq / RANKS * RANKS + r)))
                .fold(Bitboard::EMPTY, |a, sq| a | Bitboard::square(sq));
            assert_eq!(free_files(pawns), plain);
        }
    }
}
