//! Moves and unmoves of numbered positions.
//!
//! Only safe moves count here: those after which the mover's lion cannot be captured. Every other move loses at once,
//! and where there is no safe move the value is known without looking further.

use crate::base::Color;
use crate::dobutsu::index::{Block, CHICK, ELEPHANT, GIRAFFE, HEN, Place, Slot, mirror_square};
use crate::dobutsu::piece::{BOARD, Kind, last_row, squares, steps};

const TOP: u16 = last_row(Color::Black);
const BOTTOM: u16 = last_row(Color::White);
/// The places of a slot's kinds on the board.
const KINDS: [(usize, Kind); 4] =
    [(ELEPHANT, Kind::Elephant), (GIRAFFE, Kind::Giraffe), (CHICK, Kind::Chick), (HEN, Kind::Hen)];

/// How much of the number stays as it is when pieces of this place come or go, see [`Slot::place_from`].
const fn level(place: usize) -> usize {
    if place / 2 > 2 { 2 } else { place / 2 }
}

/// What a position is before any analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The enemy lion can be captured.
    Takes,
    /// The lion can enter the last row in safety.
    Enters,
    /// No move at all.
    Stuck,
    /// There are moves, but the lion can be captured after every one of them.
    Doomed,
    /// So many safe moves, none of which ends the game.
    Open(u8),
}

/// One step of all pieces but the lion of the own side, in each direction: twice four sets of 16 bits.
#[inline]
fn fan(slot: &Slot) -> [u64; 2] {
    let (elephants, hens) = (slot.set(ELEPHANT), slot.set(HEN));
    let straight = slot.set(GIRAFFE) | hens;
    let up = |set: u16| (set & !TOP) >> 1;
    let down = |set: u16| (set & !BOTTOM) << 1;
    let left = |set: u16| set << 4 & BOARD;
    let right = |set: u16| set >> 4;
    let pack = |a: u16, b: u16, c: u16, d: u16| {
        u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
    };
    let (ahead, behind) = (up(elephants | hens), down(elephants));
    [
        pack(left(ahead), right(ahead), left(behind), right(behind)),
        pack(up(straight | slot.set(CHICK)), down(straight), left(straight), right(straight)),
    ]
}

#[inline]
fn union(fan: [u64; 2]) -> u16 {
    let all = fan[0] | fan[1];
    let half = all | all >> 32;
    (half | half >> 16) as u16
}

/// The squares that the own side attacks, its lion left out.
#[inline]
fn attacks(slot: &Slot) -> u16 {
    union(fan(slot))
}

/// The squares that the enemy attacks, its lion included.
#[inline]
fn danger(slot: &Slot) -> u16 {
    let (elephants, hens) = (slot.set(ELEPHANT + 1), slot.set(HEN + 1));
    let straight = slot.set(GIRAFFE + 1) | hens;
    let up = |set: u16| (set & !TOP) >> 1;
    let down = |set: u16| (set & !BOTTOM) << 1;
    let beside = |set: u16| (set << 4 | set >> 4) & BOARD;
    beside(down(elephants | hens) | up(elephants) | straight)
        | down(straight | slot.set(CHICK + 1))
        | up(straight)
        | steps(Color::White, Kind::Lion, usize::from(slot.lions[1]))
}

/// The pieces of one side (0 own, 1 enemy), its lion left out, that attack a square.
#[inline]
fn attackers(slot: &Slot, side: usize, sq: usize) -> u16 {
    // They attack from where the same piece of the other side would attack.
    let other = Color::from_index(1 - side);
    KINDS.iter().fold(0, |out, &(place, kind)| out | slot.set(place + side) & steps(other, kind, sq))
}

/// Classifies a position.
#[inline]
pub fn classify(slot: &Slot, mate: bool) -> Class {
    let fan = fan(slot);
    if union(fan) >> slot.lions[1] & 1 != 0 {
        return Class::Takes;
    }
    let lion = usize::from(slot.lions[0]);
    let own = slot.side(0);
    let danger = danger(slot);
    let flights = steps(Color::Black, Kind::Lion, lion) & !own;
    if flights & TOP & !danger != 0 {
        return Class::Enters;
    }
    let times = |set: u16| u64::from(set) * 0x0001_0001_0001_0001;
    let walks = |to: u16| (fan[0] & times(to)).count_ones() + (fan[1] & times(to)).count_ones();
    let vacant = BOARD & !(own | slot.side(1));
    let drops = || {
        let chicks = if mate { vacant & !TOP } else { vacant };
        [(ELEPHANT, vacant), (GIRAFFE, vacant), (CHICK, chicks)]
            .iter()
            .map(|&(place, to)| if slot.hand(place) > 0 { to.count_ones() } else { 0 })
            .sum::<u32>()
    };
    let mut count = (flights & !danger & !TOP).count_ones();
    if danger >> lion & 1 == 0 {
        count += walks(BOARD & !own) + drops();
    } else {
        let checkers = attackers(slot, 1, lion);
        if checkers & (checkers - 1) == 0 {
            count += walks(checkers);
        }
    }
    if count > 0 {
        return Class::Open(count as u8);
    }
    let unsafe_moves = walks(BOARD & !own) + drops() + (flights & !TOP).count_ones();
    if !mate && unsafe_moves > 0 { Class::Doomed } else { Class::Stuck }
}

/// Removes the enemy's piece on `sq`, if there is one; the base of its kind goes to the mover's hand. `side` is the
/// enemy's. Returns the level up to which the number stays as it is.
#[inline]
fn capture(slot: &mut Slot, side: usize, sq: usize) -> usize {
    let mut kept = 2;
    for (place, kind) in KINDS {
        let here = slot.set(place + side) & 1 << sq;
        slot.toggle(place + side, here);
        let hand = if kind == Kind::Hen { CHICK } else { place };
        slot.gain(hand + 1 - side, u32::from(here >> sq));
        if here != 0 {
            kept = level(place);
        }
    }
    kept
}

/// Calls `f` with every position that a safe move leads to from the n-th slot of a block, as the other side sees it,
/// and its place. The lion's entry, which ends the game, is not among them. Not for positions in which the lion can be
/// captured.
#[inline]
pub fn children(block: &Block, n: usize, mate: bool, mut f: impl FnMut(&Slot, Place)) {
    // The mover is the enemy (1) of the side that will see the child; it moves down.
    let (board, heads) = block.turned(n);
    let lion = usize::from(board.lions[1]);
    let (mine, theirs) = (board.side(1), board.side(0));
    let danger = attacks(&board) | steps(Color::Black, Kind::Lion, usize::from(board.lions[0]));
    let checkers = attackers(&board, 0, lion);
    let targets = match checkers.count_ones() {
        0 => BOARD & !mine,
        1 => checkers,
        _ => 0,
    };
    for (place, kind) in KINDS {
        for from in squares(board.set(place + 1)) {
            for to in squares(steps(Color::White, kind, from) & targets) {
                let mut child = board;
                child.toggle(place + 1, 1 << from);
                let promotes = kind == Kind::Chick && BOTTOM >> to & 1 != 0;
                child.toggle(if promotes { HEN } else { place } + 1, 1 << to);
                let kept = if theirs >> to & 1 != 0 { capture(&mut child, 0, to) } else { 2 };
                f(&child, child.place_from(heads, kept.min(level(place))));
            }
        }
    }
    for to in squares(steps(Color::White, Kind::Lion, lion) & !mine & !danger & !BOTTOM) {
        let mut child = board;
        child.lions[1] = to as u8;
        capture(&mut child, 0, to);
        child.place().into_iter().for_each(|place| f(&child, place));
    }
    if checkers != 0 {
        return;
    }
    let vacant = BOARD & !(mine | theirs);
    for place in [ELEPHANT, GIRAFFE, CHICK] {
        if board.hand(place + 1) == 0 {
            continue;
        }
        let allowed = if mate && place == CHICK { vacant & !BOTTOM } else { vacant };
        for to in squares(allowed) {
            let mut child = board;
            child.lose(place + 1);
            child.toggle(place + 1, 1 << to);
            f(&child, child.place_from(heads, level(place)));
        }
    }
}

/// Calls `f` with the place of every position from which a safe move leads to the n-th slot of a block, once a move. Left out are
/// positions in which the mover could have captured the lion. Not for positions in which the lion can be captured.
///
/// Mirror images: with both lions on the middle file a position and its image are numbered separately, elsewhere
/// they share a number. So an unmove of the lion to the middle file leads to both images, and one from there leads
/// nowhere when the position would have to be mirrored: it belongs to the image of the slot.
#[inline]
pub fn parents(block: &Block, n: usize, mate: bool, mut f: impl FnMut(Place)) {
    // The side that has moved is the own one (0) again, and moved up.
    let (board, heads) = block.turned(n);
    let enemy_lion = usize::from(board.lions[1]);
    let checkers = attackers(&board, 0, enemy_lion);
    if checkers & checkers.wrapping_sub(1) != 0 {
        return;
    }
    // The enemy lion was not attacked before: a piece that attacks it now has just arrived.
    let movable = if checkers == 0 { BOARD } else { checkers };
    let vacant = BOARD & !(board.side(0) | board.side(1));
    for (place, kind) in KINDS {
        for to in squares(board.set(place) & movable) {
            let mut lifted = board;
            lifted.toggle(place, 1 << to);
            let on_top = TOP >> to & 1 != 0;
            if kind != Kind::Hen && !(mate && kind == Kind::Chick && on_top) {
                let mut parent = lifted;
                parent.gain(place, 1);
                f(parent.place_from(heads, level(place)));
            }
            let quiet =
                |kind| vacant & steps(Color::White, kind, to) & !steps(Color::White, kind, enemy_lion);
            let walked = if kind == Kind::Chick && on_top { 0 } else { quiet(kind) };
            let promoted = if kind == Kind::Hen && on_top { quiet(Kind::Chick) } else { 0 };
            for (from_set, origin) in [(walked, place), (promoted, CHICK)] {
                for from in squares(from_set) {
                    let mut parent = lifted;
                    parent.toggle(origin, 1 << from);
                    uncapture(&parent, to, |parent, kept| {
                        f(parent.place_from(heads, level(place).min(kept)));
                    });
                }
            }
        }
    }
    if checkers != 0 {
        return;
    }
    let to = usize::from(board.lions[0]);
    let middle = board.is_middle();
    for from in squares(steps(Color::Black, Kind::Lion, to) & vacant & !TOP) {
        let mut parent = board;
        parent.lions[0] = from as u8;
        let folded = parent.is_folded();
        if middle && folded {
            continue;
        }
        let (parent, to) = if folded { (parent.mirrored(), mirror_square(to)) } else { (parent, to) };
        // No heads: the lions would be adjacent.
        let Some(heads) = parent.heads() else { continue };
        let both = !middle && parent.is_middle();
        uncapture(&parent, to, |parent, kept| {
            f(parent.place_from(&heads, kept));
            if both {
                parent.mirrored().place().into_iter().for_each(&mut f);
            }
        });
    }
}

/// Calls `f` with the board as it is, and with every piece of the own hand put back on `to` as the enemy's; and with
/// the level up to which the number stays as it is.
#[inline]
fn uncapture(board: &Slot, to: usize, mut f: impl FnMut(&Slot, usize)) {
    f(board, 2);
    for (place, hand) in [(ELEPHANT, ELEPHANT), (GIRAFFE, GIRAFFE), (CHICK, CHICK), (HEN, CHICK)] {
        if board.hand(hand) > 0 {
            let mut parent = *board;
            parent.lose(hand);
            parent.toggle(place + 1, 1 << to);
            f(&parent, level(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::dobutsu::index::SLOTS;

    /// Both places of a position and its mirror image.
    fn images(place: Place) -> [u32; 2] {
        let image = Slot::at(place.index).mirrored().place().map_or(place.index, |image| image.index);
        [place.index.min(image), place.index.max(image)]
    }

    fn check_unmoves(mate: bool, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut open = 0;
        for _ in 0..20_000 {
            let index = rng.below(SLOTS) as u32;
            let slot = Slot::at(index);
            let class = classify(&slot, mate);
            if class == Class::Takes {
                continue;
            }
            let mut found = Vec::new();
            let (block, n) = Block::of(index);
            children(&block, n, mate, |child, place| {
                assert_eq!(child.place().map(images), Some(images(place)), "{slot:?}");
                assert_ne!(classify(child, mate), Class::Takes, "{slot:?}: not a safe move");
                found.push(images(place));
            });
            if let Class::Open(moves) = class {
                assert_eq!(found.len(), usize::from(moves), "{slot:?}");
                open += 1;
            }
            found.sort_unstable();
            for group in found.chunk_by(|a, b| a == b) {
                let [first, second] = group[0];
                let mut back = 0;
                let mut unmove = |child| {
                    let (block, n) = Block::of(child);
                    parents(&block, n, mate, |parent| back += usize::from(parent.index == index));
                };
                unmove(first);
                if second != first {
                    unmove(second);
                }
                assert_eq!(back, group.len(), "{slot:?}: moves and unmoves differ");
            }
        }
        assert!(open > 1_000, "{open} open positions");
    }

    #[test]
    fn every_move_has_its_unmove() {
        check_unmoves(false, 1);
        check_unmoves(true, 2);
    }
}
