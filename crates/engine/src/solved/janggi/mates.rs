//! Searches for a checkmate with given material.

use super::captures::color;
use super::layout::{Block, Layout, Placement};
use super::material::Class;
use sanban_rules::Bitboard;
use sanban_rules::janggi::{Kind, Position, attacks};

impl Class {
    /// Returns the first position of the class in which the side to move is mated, as SFEN, or `None` if there is no
    /// such position. Mates after captures are ignored. If there is no mate, this tries every placement, which can take
    /// minutes.
    pub fn find_mate(self) -> Option<String> {
        let layout = Layout::new(self);
        let spots = layout.spots();
        for (number, block) in layout.blocks().iter().enumerate() {
            for (spot, &attackers) in spots.iter().enumerate() {
                if layout.spots_overlap(&Placement { courts: block.courts, attackers }) {
                    continue;
                }
                for side in [0, 1] {
                    if !may_be_mate(&layout, block, &attackers, side) {
                        continue;
                    }
                    let sfen = layout.sfen((number * 2 + side) * spots.len() + spot);
                    let mated = |pos: &Position| pos.checkers().any() && pos.count() == 0;
                    if Position::from_sfen(&sfen).is_ok_and(|pos| mated(&pos)) {
                        return Some(sfen);
                    }
                }
            }
        }
        None
    }
}

/// Returns whether a side is in check and all empty squares that its general can step to are attacked. Other defences
/// are not considered.
fn may_be_mate(layout: &Layout, block: &Block, attackers: &[u8], side: usize) -> bool {
    let slots = || layout.slots().iter().zip(attackers);
    let (mut occupied, mut cannons) = (block.occupied, Bitboard::EMPTY);
    for (&(_, kind), &sq) in slots() {
        occupied |= Bitboard::square(sq.into());
        if kind == Kind::Cannon {
            cannons |= Bitboard::square(sq.into());
        }
    }
    let attacked = |target: usize, occupied: Bitboard| {
        slots().any(|(&(owner, kind), &sq)| {
            owner != side && attacks::attacks(color(owner), kind, sq.into(), occupied, cannons).has(target)
        })
    };
    let general = block.generals[side];
    if !attacked(general, occupied) {
        return false;
    }
    let left = occupied.without(Bitboard::square(general));
    attacks::palace(general).without(occupied).all(|to| attacked(to, left | Bitboard::square(to)))
}
