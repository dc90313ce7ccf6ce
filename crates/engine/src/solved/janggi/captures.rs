//! Captures: the moves that lead from a class to a smaller one.

use super::layout::{Block, Layout, Placement};
use super::material::{Class, MOST_ATTACKERS};
use super::palace::point;
use super::table::{BROKEN, DRAW, MAX_DISTANCE, Table};
use sanban_rules::janggi::Kind;
use sanban_rules::janggi::attacks;
use sanban_rules::{Bitboard, Color};
use std::sync::Arc;

/// The class after the capture of one piece.
struct Smaller {
    /// The values; `None` for a class without attackers, where every position is drawn.
    table: Option<Arc<Table>>,
    /// Whether the sides are swapped.
    swapped: bool,
    /// Number of remaining attackers of each side.
    attackers: [usize; 2],
}

/// The classes after each capture.
pub(super) struct Captures {
    /// The tables after the capture of a guard, by its side.
    guards: [Option<Smaller>; 2],
    /// The tables after the capture of an attacker, by its slot.
    attackers: [Option<Smaller>; MOST_ATTACKERS],
}

/// The results of the captures in a position for the side that captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// Length of the shortest win in plies.
    pub win: Option<u8>,
    /// Whether a capture leads to a draw.
    pub draws: bool,
    /// Plies of the longest loss.
    pub loss: Option<u8>,
}

impl Captures {
    /// Collects the captures of a class. `get` returns the tables of the smaller classes.
    pub(super) fn new<E>(
        layout: &Layout,
        mut get: impl FnMut(Class) -> Result<Arc<Table>, E>,
    ) -> Result<Self, E> {
        let armies = layout.class().armies();
        let mut smaller = |side: usize, kind: Kind| {
            let Some(rest) = armies[side].without(kind) else { return Ok(None) };
            let mut left = armies;
            left[side] = rest;
            let (class, swapped) = Class::new(left);
            let table = if class.attackers() == 0 { None } else { Some(get(class)?) };
            Ok(Some(Smaller { table, swapped, attackers: left.map(|army| army.attackers()) }))
        };
        let guards = [smaller(0, Kind::Guard)?, smaller(1, Kind::Guard)?];
        let mut attackers = [None, None, None];
        for (slot, &(side, kind)) in layout.slots().iter().enumerate() {
            attackers[slot] = smaller(side, kind)?;
        }
        Ok(Self { guards, attackers })
    }

    /// Tries all captures of `side`.
    pub(super) fn find(
        &self,
        layout: &Layout,
        block: &Block,
        attackers: [u8; MOST_ATTACKERS],
        side: usize,
    ) -> Found {
        let (mut found, slots) = (Found::default(), layout.slots());
        let (mut all, mut cannons, mut enemies) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        for (&(owner, kind), &sq) in slots.iter().zip(&attackers) {
            let at = Bitboard::square(usize::from(sq));
            all |= at;
            if kind == Kind::Cannon {
                cannons |= at;
            }
            if owner != side {
                enemies |= at;
            }
        }
        let victims = enemies | block.guards[1 - side];
        if victims.is_empty() {
            return found;
        }
        let occupied = block.occupied | all;
        for (slot, &(owner, kind)) in slots.iter().enumerate() {
            if owner != side {
                continue;
            }
            let reach = attacks::attacks(color(side), kind, attackers[slot].into(), occupied, cannons);
            for to in reach & victims {
                let mut left = Placement { courts: block.courts, attackers };
                left.attackers[slot] = to as u8;
                self.judge(left, side, to, victim_slot(&attackers, slots, slot, to), &mut found);
            }
        }
        // Generals and guards capture pieces that have entered their palace.
        if enemies.any() {
            for from in block.guards[side] | Bitboard::square(block.generals[side]) {
                for to in attacks::palace(from) & enemies {
                    let mut left = Placement { courts: block.courts, attackers };
                    left.courts[side] = left.courts[side].moved(point(side, from), point(side, to));
                    let victim = attackers.iter().position(|&sq| usize::from(sq) == to);
                    self.judge(left, side, to, victim, &mut found);
                }
            }
        }
        found
    }

    /// Adds the result of a capture on a square to `found`. `victim` is the slot of the captured attacker, or `None`
    /// for a guard.
    fn judge(&self, mut left: Placement, side: usize, to: usize, victim: Option<usize>, found: &mut Found) {
        let smaller = match victim {
            Some(slot) => {
                // The attackers after it move up by a slot.
                left.attackers.copy_within(slot + 1.., slot);
                &self.attackers[slot]
            }
            None => {
                left.courts[1 - side] = left.courts[1 - side].without(point(1 - side, to));
                &self.guards[1 - side]
            }
        };
        let Some(smaller) = smaller else { unreachable!("a captured piece belongs to the class") };
        let mut next = 1 - side;
        if smaller.swapped {
            let [first, second] = smaller.attackers;
            left = left.turned(first, second);
            next = side;
        }
        match smaller.table.as_ref().map_or(DRAW, |table| table.byte(&left, next)) {
            BROKEN => {}
            DRAW => found.draws = true,
            plies if plies % 2 == 1 => found.loss = found.loss.max(Some(plies + 1)),
            plies => found.win = Some(found.win.map_or(plies + 1, |win| win.min(plies + 1))),
        }
    }
}

const _: () = assert!(MAX_DISTANCE < BROKEN && BROKEN < DRAW);

/// The slot of the attacker on a square, other than the one that moves there.
fn victim_slot(
    attackers: &[u8; MOST_ATTACKERS],
    slots: &[(usize, Kind)],
    mover: usize,
    to: usize,
) -> Option<usize> {
    (0..slots.len()).find(|&slot| slot != mover && usize::from(attackers[slot]) == to)
}

/// The colour that plays in the same direction as this side of a class.
#[inline]
pub(super) fn color(side: usize) -> Color {
    Color::from_index(side)
}
