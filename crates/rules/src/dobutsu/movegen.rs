//! Legal move generation. There are no sliding pieces, so no move opens a line: whether the mover's lion is safe
//! afterwards depends only on its square and on the captured piece.

use super::piece::{BOARD, Kind, SQUARES, last_row, squares, steps};
use super::position::Position;
use crate::{Color, Move, MoveList};

/// The destinations of the pieces of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    /// Destinations of all pieces except the lion.
    pub pieces: u16,
    /// Destinations of the lion.
    pub lion: u16,
    /// Squares for drops of all pieces except chicks.
    pub drops: u16,
    pub chick_drops: u16,
}

impl Targets {
    const NONE: Self = Self { pieces: 0, lion: 0, drops: 0, chick_drops: 0 };

    /// The destinations that are in a set.
    fn within(self, set: u16) -> Self {
        Self {
            pieces: self.pieces & set,
            lion: self.lion & set,
            drops: self.drops & set,
            chick_drops: self.chick_drops & set,
        }
    }

    /// The destinations of a kind on the board.
    #[inline]
    fn of(&self, kind: Kind) -> u16 {
        if kind == Kind::Lion { self.lion } else { self.pieces }
    }

    /// The destinations of a kind in hand.
    #[inline]
    fn drops_of(&self, kind: Kind) -> u16 {
        if kind == Kind::Chick { self.chick_drops } else { self.drops }
    }

    fn without_drops(self) -> Self {
        Self { drops: 0, chick_drops: 0, ..self }
    }
}

/// Returns whether a piece of this kind promotes on `to`.
#[inline]
fn promotes(color: Color, kind: Kind, to: usize) -> bool {
    kind == Kind::Chick && last_row(color) >> to & 1 != 0
}

impl<const MATE: bool> Position<MATE> {
    /// Destinations of the legal moves; with `safe`, only of those after which the mover's lion cannot be captured (in
    /// the game with mate, all legal moves).
    pub(super) fn targets(&self, safe: bool) -> Targets {
        let (us, them) = (self.side, !self.side);
        let Some(lion) = self.lion(us).filter(|_| self.result_on_board().is_none()) else {
            return Targets::NONE;
        };
        let own = self.occupied(us);
        let vacant = BOARD & !(own | self.occupied(them));
        let danger = self.attacks(them);
        let enemy_lion = self.pieces_of(them, Kind::Lion);
        let forbidden = if safe || MATE { danger } else { danger & last_row(us) };
        let mut out = Targets {
            pieces: BOARD & !own,
            lion: steps(us, Kind::Lion, lion) & !own & (!forbidden | enemy_lion),
            drops: vacant,
            chick_drops: if MATE { vacant & !last_row(us) } else { vacant },
        };
        if (safe || MATE) && danger >> lion & 1 != 0 {
            let checkers = self.attackers(them, lion);
            out = out.without_drops();
            out.pieces = enemy_lion | if checkers & (checkers - 1) == 0 { checkers } else { 0 };
        }
        out
    }

    /// The moves that the search needs: captures of the lion if there are any, otherwise the safe moves, or all moves
    /// if none is safe. Unsafe moves lose the lion immediately.
    fn useful(&self) -> Targets {
        if MATE {
            return self.targets(true);
        }
        let enemy_lion = self.pieces_of(!self.side, Kind::Lion);
        if enemy_lion & self.attacks(self.side) != 0 {
            return self.targets(false).within(enemy_lion);
        }
        let safe = self.targets(true);
        if self.count_to(safe) > 0 { safe } else { self.targets(false) }
    }

    /// Appends every legal move.
    pub fn legal(&self, out: &mut MoveList) {
        self.generate(self.targets(MATE), BOARD, true, out);
    }

    /// Appends the useful captures and promotions.
    pub fn noisy(&self, out: &mut MoveList) {
        self.generate(self.useful().without_drops(), self.occupied(!self.side), true, out);
    }

    /// Appends the other useful moves.
    pub fn quiet(&self, out: &mut MoveList) {
        self.generate(self.useful(), self.vacant(), false, out);
    }

    /// Appends the moves to `targets`: promotions if requested, and other moves with a destination in `plain`.
    fn generate(&self, targets: Targets, plain: u16, promotions: bool, out: &mut MoveList) {
        let us = self.side;
        for kind in Kind::ALL {
            for from in squares(self.pieces_of(us, kind)) {
                for to in squares(steps(us, kind, from) & targets.of(kind)) {
                    if promotes(us, kind, to) {
                        if promotions {
                            out.push(Move::promotion(from, to));
                        }
                    } else if plain >> to & 1 != 0 {
                        out.push(Move::board(from, to));
                    }
                }
            }
        }
        for &kind in &Kind::ALL[..Kind::HAND] {
            if self.hand_count(us, kind) > 0 {
                out.extend(squares(targets.drops_of(kind) & plain).map(|to| Move::drop(kind.index(), to)));
            }
        }
    }

    /// Number of legal moves.
    pub fn count(&self) -> usize {
        self.count_to(self.targets(MATE))
    }

    fn count_to(&self, targets: Targets) -> usize {
        let us = self.side;
        let mut count = 0;
        for kind in Kind::ALL {
            for from in squares(self.pieces_of(us, kind)) {
                count += (steps(us, kind, from) & targets.of(kind)).count_ones();
            }
        }
        for &kind in &Kind::ALL[..Kind::HAND] {
            if self.hand_count(us, kind) > 0 {
                count += targets.drops_of(kind).count_ones();
            }
        }
        count as usize
    }

    /// Returns whether the move is legal. Any bit pattern is accepted.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_move_to(mv, self.targets(MATE))
    }

    fn is_move_to(&self, mv: Move, targets: Targets) -> bool {
        let (us, to) = (self.side, mv.to());
        if to >= SQUARES {
            return false;
        }
        let reaches = |set: u16| set >> to & 1 != 0;
        if mv.is_drop() {
            let Some(&kind) = Kind::ALL[..Kind::HAND].get(mv.kind()) else { return false };
            return !mv.is_promotion() && self.hand_count(us, kind) > 0 && reaches(targets.drops_of(kind));
        }
        let Some(&Some(piece)) = self.board.get(mv.from()) else { return false };
        piece.color == us
            && mv.is_promotion() == promotes(us, piece.kind, to)
            && reaches(targets.of(piece.kind) & steps(us, piece.kind, mv.from()))
    }

    /// Returns whether the move takes the lion to an attacked square of the last row. This is illegal here, but other
    /// programs play it (and lose the lion).
    pub(super) fn is_rash_entry(&self, mv: Move) -> bool {
        let (us, targets) = (self.side, self.targets(false));
        let rash =
            self.lion(us).map_or(0, |sq| steps(us, Kind::Lion, sq)) & last_row(us) & !self.occupied(us);
        !MATE && self.result_on_board().is_none() && self.is_move_to(mv, Targets { lion: rash, ..targets })
    }

    /// Returns whether this legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let Some(lion) = self.lion(!self.side) else { return false };
        // In the original game, the lion may already be attacked before the move, because checks may be ignored.
        let from = if mv.is_drop() { 0 } else { 1 << mv.from() };
        self.attackers(self.side, lion) & !from != 0
            || steps(self.side, self.kind_after(mv), mv.to()) >> lion & 1 != 0
    }

    /// The kind of piece on the destination after a legal move.
    #[inline]
    pub(super) fn kind_after(&self, mv: Move) -> Kind {
        match mv {
            _ if mv.is_drop() => Kind::ALL[mv.kind()],
            _ if mv.is_promotion() => Kind::Hen,
            _ => self.board[mv.from()].map_or(Kind::Chick, |piece| piece.kind),
        }
    }
}
