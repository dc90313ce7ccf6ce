//! The conditions that the known moves after a gap impose on a position. They are necessary: a position that violates
//! them has no legal completion, so the enumeration of completions remains complete.

use super::reach::Reach;
use super::words::Word;
use crate::record::western::moves::Written;
use sanban_rules::shogi::{Kind, Position, square};
use sanban_rules::{Bitboard, Color};

/// Number of known moves after a gap to examine.
const AHEAD: usize = 60;

/// A condition on the pieces of a side.
#[derive(Clone, Copy, Debug)]
enum Demand {
    /// A piece of this kind must be on one of these squares.
    Piece {
        kind: Kind,
        on: Bitboard,
        /// Squares from which the piece reaches `on` in one move.
        before: Bitboard,
        /// The same for the unpromoted piece.
        plain: Bitboard,
        /// Group of the demand. Demands of different groups need different pieces, and thus different moves.
        errand: usize,
    },
    /// A piece of this kind must be in hand.
    Hand(Kind),
    /// The side must not have a piece on this square, nor, for a pawn drop, a pawn on the file.
    Clear { square: usize, pawn: bool },
    /// The other side must have a piece on this square.
    Victim(usize),
}

/// The demands of the known moves between one gap and the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Demands([Vec<Demand>; 2]);

/// Number of groups of demands that need different pieces: one per kind, and for pawns and lances one per file.
const ERRANDS: usize = Kind::COUNT * 9;

fn errand(kind: Kind, file: usize) -> usize {
    let kind = kind.base();
    kind.index() * 9 + if matches!(kind, Kind::Pawn | Kind::Lance) { file } else { 0 }
}

impl Demands {
    /// The demands of a run of known moves, the first of which is made by `side`.
    pub fn new(run: &[&Word], mut side: Color, reach: &Reach) -> Self {
        let mut out = Self::default();
        let mut made: Vec<(Color, Written)> = Vec::new();
        for word in run.iter().take(AHEAD) {
            let Some(&written) = word.only() else { break };
            let own = || made.iter().filter(|(color, _)| *color == side).map(|(_, written)| written);
            let others = || made.iter().filter(|(color, _)| *color != side).map(|(_, written)| written);
            let demands = &mut out.0[side.index()];
            // Pieces that move away during the run, or that the other side captures, do not block.
            let moved = own().any(|before| !before.drop);
            let taken = others().any(|before| square::file(before.to) == square::file(written.to));
            if !moved && !taken {
                let pawn = written.drop && written.kind == Kind::Pawn;
                demands.push(Demand::Clear { square: written.to, pawn });
            }
            if written.drop {
                // An earlier move on the board may have captured the piece.
                if own().all(|before| before.drop) {
                    demands.push(Demand::Hand(written.kind));
                }
            } else {
                let on = Bitboard(origins(&written, side, reach));
                let after = |before: &Written| match before.promotes {
                    Some(true) => before.kind.promoted().unwrap_or(before.kind),
                    _ => before.kind,
                };
                // An earlier move of the run may have brought the piece there.
                if !own().any(|before| after(before) == written.kind && on.has(before.to)) {
                    let before = spread(on, |to| reach.to(side, written.kind, to));
                    let plain = spread(on, |to| reach.to(side, written.kind.base(), to));
                    let plain = if written.kind.is_promoted() { plain } else { Bitboard::EMPTY };
                    let errand = errand(written.kind, square::file(written.to));
                    demands.push(Demand::Piece { kind: written.kind, on, before, plain, errand });
                }
                if written.captures && !others().any(|before| before.to == written.to) {
                    demands.push(Demand::Victim(written.to));
                }
            }
            made.push((side, written));
            side = !side;
        }
        out
    }

    /// Returns whether the demands can be met with `left` missing moves of each side.
    pub fn can_be_met(&self, pos: &Position, left: [usize; 2]) -> bool {
        Color::ALL.into_iter().all(|side| self.side_can(pos, side, left))
    }

    fn side_can(&self, pos: &Position, side: Color, left: [usize; 2]) -> bool {
        let (own, other) = (left[side.index()], left[(!side).index()]);
        let mut errands = [false; ERRANDS];
        let mut needed = 0;
        let mut victims = Bitboard::EMPTY;
        for demand in &self.0[side.index()] {
            match *demand {
                Demand::Piece { kind, on, before, plain, errand } => {
                    if (pos.pieces_of(side, kind) & on).any() {
                        continue;
                    }
                    let near = own > 1
                        || own == 1
                            && ((pos.pieces_of(side, kind) & before).any()
                                || (pos.pieces_of(side, kind.base()) & plain).any()
                                || !kind.is_promoted()
                                    && kind != Kind::King
                                    && pos.hand_count(side, kind) > 0);
                    if !near {
                        return false;
                    }
                    if !std::mem::replace(&mut errands[errand], true) {
                        needed += 1;
                    }
                }
                Demand::Hand(kind) => {
                    if own == 0 && pos.hand_count(side, kind) == 0 {
                        return false;
                    }
                }
                Demand::Clear { square, pawn } => {
                    let mut pawns = pos.pieces_of(side, Kind::Pawn);
                    let mut in_file =
                        || Iterator::any(&mut pawns, |at| square::file(at) == square::file(square));
                    // A missing move of either side may remove the piece.
                    if own + other == 0 && (pos.pieces(side).has(square) || pawn && in_file()) {
                        return false;
                    }
                }
                Demand::Victim(square) => {
                    if !pos.pieces(!side).has(square) {
                        victims |= Bitboard::square(square);
                    }
                }
            }
            if needed > own {
                return false;
            }
        }
        // Each move of the other side can bring a piece to only one square.
        victims.len() <= other
    }
}

/// The squares from which the piece of a word can come.
fn origins(written: &Written, side: Color, reach: &Reach) -> u128 {
    let all = reach.to(side, written.kind, written.to);
    squares(all).filter(|&from| written.from.fits(from)).fold(0, |set, from| set | 1 << from)
}

fn squares(set: Bitboard) -> impl Iterator<Item = usize> {
    (0..square::SQUARES).filter(move |&square| set.has(square))
}

fn spread(from: Bitboard, reached: impl Fn(usize) -> Bitboard) -> Bitboard {
    squares(from).fold(Bitboard::EMPTY, |set, square| set | reached(square))
}
