//! Moves and unmoves of numbered positions.
//!
//! Only safe moves count here: those after which the mover's lion cannot be captured. Every other move loses at once,
//! and where there is no safe move the value is known without looking further.

use crate::base::Color;
use crate::dobutsu::index::{Block, CHICK, ELEPHANT, GIRAFFE, HEN, Head, Place, Slot, mirror_set};
use crate::dobutsu::piece::{BOARD, Kind, last_row, squares, steps};
use arrayvec::ArrayVec;

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
    attackers_of(&KINDS, slot, side, sq)
}

/// Those of some kinds alone.
#[inline]
fn attackers_of(kinds: &[(usize, Kind)], slot: &Slot, side: usize, sq: usize) -> u16 {
    // They attack from where the same piece of the other side would attack.
    let other = Color::from_index(1 - side);
    kinds.iter().fold(0, |out, &(place, kind)| out | slot.set(place + side) & steps(other, kind, sq))
}

/// Can the enemy lion be captured?
#[inline]
pub fn takes(slot: &Slot) -> bool {
    attackers(slot, 0, usize::from(slot.lions[1])) != 0
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

/// What a move must heed that is not of a chick or hen.
#[derive(Clone, Copy)]
enum Mover {
    Piece,
    Lion,
    Hand,
}

/// A move of an elephant, a giraffe or the lion, for all slots of a block: the number of the child but for its chicks.
struct Step {
    head: Head,
    mover: Mover,
    to: u16,
    /// Is the child mirrored?
    mirrored: bool,
}

/// The way from the slots of a block to their children: all positions that a safe move leads to, as the other side sees
/// them. The lion's entry, which ends the game, is not among them. Where a move of the lion leads to a position that has
/// another number than its mirror image, both are children, as they are of the slot's own mirror image.
pub struct Steps<'a> {
    block: &'a Block,
    mate: bool,
    list: ArrayVec<Step, 64>,
}

impl<'a> Steps<'a> {
    /// Those of a block.
    pub fn new(block: &'a Block, mate: bool) -> Self {
        let mut list = ArrayVec::new();
        // The mover is the enemy (1) of the side that will see the child; it moves down.
        let (board, heads) = block.turned_base();
        let (mine, theirs) = (board.side(1), board.side(0));
        for &(place, kind) in &KINDS[..2] {
            for from in squares(board.set(place + 1)) {
                for to in squares(steps(Color::White, kind, from) & !mine) {
                    let mut child = board;
                    child.toggle(place + 1, 1 << from | 1 << to);
                    let kept = capture(&mut child, 0, to).min(level(place));
                    let head = child.head_from(&heads, kept);
                    list.push(Step { head, mover: Mover::Piece, to: 1 << to, mirrored: false });
                }
            }
            if board.hand(place + 1) > 0 {
                for to in squares(BOARD & !(mine | theirs)) {
                    let mut child = board;
                    child.lose(place + 1);
                    child.toggle(place + 1, 1 << to);
                    let head = child.head_from(&heads, level(place));
                    list.push(Step { head, mover: Mover::Hand, to: 1 << to, mirrored: false });
                }
            }
        }
        let lion = usize::from(board.lions[1]);
        for to in squares(steps(Color::White, Kind::Lion, lion) & !mine & !BOTTOM) {
            let mut child = board;
            child.lions[1] = to as u8;
            capture(&mut child, 0, to);
            let mut push = |mirrored: bool| {
                let child = if mirrored { child.mirrored() } else { child };
                // No heads: the lions would be adjacent.
                let step = |[.., head]: [Head; 3]| Step { head, mover: Mover::Lion, to: 1 << to, mirrored };
                list.extend(child.heads().map(step));
            };
            push(child.is_folded());
            if child.is_middle() && !board.is_middle() {
                push(true);
            }
        }
        Self { block, mate, list }
    }

    /// Calls `f` with the place of every child of the n-th slot, once a move. Not for positions in which the lion can be
    /// captured.
    #[inline]
    pub fn children(&self, n: usize, mut f: impl FnMut(Place)) {
        let (board, heads) = self.block.turned(n);
        let lion = usize::from(board.lions[1]);
        let (mine, theirs) = (board.side(1), board.side(0));
        let danger = attacks(&board) | steps(Color::Black, Kind::Lion, usize::from(board.lions[0]));
        let checkers = attackers(&board, 0, lion);
        let targets = !mine & movable(checkers).unwrap_or(0);
        let vacant = if checkers == 0 { BOARD & !(mine | theirs) } else { 0 };
        let enemies = board.set(CHICK) | board.set(HEN);
        let images = [board, board.mirrored()];
        let chicks = images.each_ref().map(Slot::chicks);
        for step in &self.list {
            let allowed = match step.mover {
                Mover::Piece => targets,
                Mover::Lion => !mine & !danger,
                Mover::Hand => vacant,
            };
            if allowed & step.to == 0 {
                continue;
            }
            let image = usize::from(step.mirrored);
            if enemies & step.to == 0 {
                f(step.head.with(&chicks[image]));
            } else {
                let mut child = images[image];
                let to = if step.mirrored { mirror_set(step.to) } else { step.to };
                capture(&mut child, 0, to.trailing_zeros() as usize);
                f(step.head.with(&child.chicks()));
            }
        }
        for &(place, kind) in &KINDS[2..] {
            for from in squares(board.set(place + 1)) {
                for to in squares(steps(Color::White, kind, from) & targets) {
                    let mut child = board;
                    child.toggle(place + 1, 1 << from);
                    let promotes = kind == Kind::Chick && BOTTOM >> to & 1 != 0;
                    child.toggle(if promotes { HEN } else { place } + 1, 1 << to);
                    let kept = if theirs >> to & 1 != 0 { capture(&mut child, 0, to) } else { 2 };
                    f(child.place_from(heads, kept));
                }
            }
        }
        if board.hand(CHICK + 1) > 0 {
            for to in squares(if self.mate { vacant & !BOTTOM } else { vacant }) {
                let mut child = board;
                child.lose(CHICK + 1);
                child.toggle(CHICK + 1, 1 << to);
                f(heads[2].with(&child.chicks()));
            }
        }
    }
}

/// An unmove of an elephant, a giraffe or the lion, for all slots of a block: the number of the parent but for its chicks.
struct Unmove {
    head: Head,
    /// The square that the piece goes back to, which must be free of chicks; none for drops.
    from: u16,
    /// Where a captured chick may come back; none for drops and where something else comes back.
    to: u16,
    /// Is the parent mirrored, and `to` with it?
    mirrored: bool,
}

/// The way from the slots of a block to their parents: all positions from which a safe move leads there. Left out are
/// parents in which the mover could have captured the lion.
///
/// Mirror images: with both lions on the middle file a position and its image are numbered separately, elsewhere
/// they share a number. So an unmove of the lion to the middle file leads to both images, and one from there leads
/// nowhere when the position would have to be mirrored: it belongs to the image of the slot.
pub struct Unmoves<'a> {
    block: &'a Block,
    mate: bool,
    list: ArrayVec<Unmove, 64>,
    /// Elephants and giraffes of the side that has moved which attack the other lion.
    checkers: u16,
}

impl<'a> Unmoves<'a> {
    /// Those of a block.
    pub fn new(block: &'a Block, mate: bool) -> Self {
        let mut out = Self { block, mate, list: ArrayVec::new(), checkers: 0 };
        out.fill();
        out
    }

    fn fill(&mut self) {
        // The side that has moved is the own one (0) again, and moved up.
        let (board, heads) = self.block.turned_base();
        let enemy_lion = usize::from(board.lions[1]);
        self.checkers = attackers(&board, 0, enemy_lion);
        let Some(movable) = movable(self.checkers) else { return };
        let vacant = BOARD & !(board.side(0) | board.side(1));
        for &(place, kind) in &KINDS[..2] {
            for to in squares(board.set(place) & movable) {
                let mut lifted = board;
                lifted.toggle(place, 1 << to);
                let mut parent = lifted;
                parent.gain(place, 1);
                self.list.push(Unmove {
                    head: parent.head_from(&heads, level(place)),
                    from: 0,
                    to: 0,
                    mirrored: false,
                });
                for from in
                    squares(vacant & steps(Color::White, kind, to) & !steps(Color::White, kind, enemy_lion))
                {
                    let mut parent = lifted;
                    parent.toggle(place, 1 << from);
                    self.add(&parent, &heads, level(place), (1 << from, 1 << to), false);
                }
            }
        }
        if self.checkers != 0 {
            return;
        }
        let to = usize::from(board.lions[0]);
        for from in squares(steps(Color::Black, Kind::Lion, to) & vacant & !TOP) {
            let mut parent = board;
            parent.lions[0] = from as u8;
            let folded = parent.is_folded();
            if !(folded && board.is_middle()) {
                self.add_lion(&parent, (1 << from, 1 << to), folded);
            }
            if parent.is_middle() && !board.is_middle() {
                self.add_lion(&parent, (1 << from, 1 << to), true);
            }
        }
    }

    fn add_lion(&mut self, parent: &Slot, (from, to): (u16, u16), mirrored: bool) {
        let (parent, to) = if mirrored { (parent.mirrored(), mirror_set(to)) } else { (*parent, to) };
        // No heads: the lions would be adjacent.
        if let Some(heads) = parent.heads() {
            self.add(&parent, &heads, 2, (from, to), mirrored);
        }
    }

    /// Adds an unmove, and the same with an elephant or giraffe put back on `to`.
    fn add(&mut self, parent: &Slot, heads: &[Head; 3], kept: usize, (from, to): (u16, u16), mirrored: bool) {
        self.list.push(Unmove { head: parent.head_from(heads, kept), from, to, mirrored });
        for place in [ELEPHANT, GIRAFFE] {
            if parent.hand(place) > 0 {
                let parent = uncaptured(parent, place, place, to);
                let head = parent.head_from(heads, level(place).min(kept));
                self.list.push(Unmove { head, from, to: 0, mirrored });
            }
        }
    }

    /// Calls `f` with the place of every parent of the n-th slot, once a move. Not for positions in which the lion can be
    /// captured.
    #[inline]
    pub fn parents(&self, n: usize, mut f: impl FnMut(Place)) {
        let (board, heads) = self.block.turned(n);
        let enemy_lion = usize::from(board.lions[1]);
        // The enemy lion was not attacked before: a piece that attacks it now has just arrived.
        let chicks = attackers_of(&KINDS[2..], &board, 0, enemy_lion);
        let Some(movable) = movable(self.checkers | chicks) else { return };
        if chicks == 0 {
            let occupied = (CHICK..CHICK + 4).fold(0, |all, place| all | board.set(place));
            let images = [board, board.mirrored()];
            let chicks = images.each_ref().map(Slot::chicks);
            for unmove in &self.list {
                if unmove.from & occupied != 0 {
                    continue;
                }
                let image = usize::from(unmove.mirrored);
                f(unmove.head.with(&chicks[image]));
                if unmove.to != 0 && board.hand(CHICK) > 0 {
                    for victim in [CHICK, HEN] {
                        f(unmove.head.with(&uncaptured(&images[image], victim, CHICK, unmove.to).chicks()));
                    }
                }
            }
        }
        let vacant = BOARD & !(board.side(0) | board.side(1));
        for &(place, kind) in &KINDS[2..] {
            for to in squares(board.set(place) & movable) {
                let mut lifted = board;
                lifted.toggle(place, 1 << to);
                let on_top = TOP >> to & 1 != 0;
                if kind == Kind::Chick && !(self.mate && on_top) {
                    let mut parent = lifted;
                    parent.gain(CHICK, 1);
                    f(heads[2].with(&parent.chicks()));
                }
                let quiet =
                    |kind| vacant & steps(Color::White, kind, to) & !steps(Color::White, kind, enemy_lion);
                let walked = if kind == Kind::Chick && on_top { 0 } else { quiet(kind) };
                let promoted = if kind == Kind::Hen && on_top { quiet(Kind::Chick) } else { 0 };
                for (from_set, origin) in [(walked, place), (promoted, CHICK)] {
                    for from in squares(from_set) {
                        let mut parent = lifted;
                        parent.toggle(origin, 1 << from);
                        f(heads[2].with(&parent.chicks()));
                        for (victim, hand) in
                            [(ELEPHANT, ELEPHANT), (GIRAFFE, GIRAFFE), (CHICK, CHICK), (HEN, CHICK)]
                        {
                            if parent.hand(hand) > 0 {
                                let parent = uncaptured(&parent, victim, hand, 1 << to);
                                f(parent.place_from(heads, level(victim)));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The pieces that may have moved when these attack the enemy lion now; `None` if there are too many for one move.
#[inline]
fn movable(checkers: u16) -> Option<u16> {
    match checkers.count_ones() {
        0 => Some(BOARD),
        1 => Some(checkers),
        _ => None,
    }
}

/// A board with a piece of the own hand put back on a square as the enemy's.
#[inline]
fn uncaptured(board: &Slot, place: usize, hand: usize, to: u16) -> Slot {
    let mut out = *board;
    out.lose(hand);
    out.toggle(place + 1, to);
    out
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
            let (mut found, mut both) = (Vec::new(), false);
            let (block, n) = Block::of(index);
            Steps::new(&block, mate).children(n, |place| {
                let child = Slot::at(place.index);
                assert_eq!(child.place(), Some(place), "{slot:?}");
                assert_ne!(classify(&child, mate), Class::Takes, "{slot:?}: not a safe move");
                // Of two images that are both there, the first one.
                let [first, second] = images(place);
                both = !both && child.is_middle() && !slot.is_middle() && first == second;
                if (first == place.index && !both) || slot.is_middle() {
                    found.push([first, second]);
                }
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
                    Unmoves::new(&block, mate)
                        .parents(n, |parent| back += usize::from(parent.index == index));
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
