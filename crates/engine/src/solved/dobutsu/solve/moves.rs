//! Moves and unmoves of numbered positions.
//!
//! Only safe moves are considered: those after which the mover's lion cannot be captured. Every other move loses
//! immediately, and a position without a safe move has a known value.

use crate::solved::dobutsu::group;
use crate::solved::dobutsu::group::Group;
use crate::solved::dobutsu::index::{Block, CHICK, ELEPHANT, GIRAFFE, HEN, Head, Place, Slot};
use arrayvec::ArrayVec;
use sanban_rules::Color;
use sanban_rules::dobutsu::piece::{BOARD, Kind, SQUARES, last_row, mirror_square, squares, steps};

const TOP: u16 = last_row(Color::Black);
const BOTTOM: u16 = last_row(Color::White);
/// The kinds on the board other than the lion, with their indices in a slot.
const KINDS: [(usize, Kind); 4] =
    [(ELEPHANT, Kind::Elephant), (GIRAFFE, Kind::Giraffe), (CHICK, Kind::Chick), (HEN, Kind::Hen)];

/// The level for [`Slot::head_from`] after pieces with this index have been added or removed: the index of the last
/// head that stays the same.
const fn level(place: usize) -> usize {
    if place / 2 > 2 { 2 } else { place / 2 }
}

/// The classification of a position before any analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The enemy lion can be captured.
    Takes,
    /// The lion can enter the last row safely.
    Enters,
    /// There is no legal move.
    Stuck,
    /// There are legal moves, but the lion can be captured after every one of them.
    Doomed,
    /// This number of safe moves, none of which ends the game.
    Open(u8),
}

/// The squares that the pieces of the side to move except the lion attack, by direction: twice four sets of 16 bits.
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

/// The pieces of one side (0 own, 1 enemy) except its lion that attack a square.
#[inline]
fn attackers(slot: &Slot, side: usize, sq: usize) -> u16 {
    // A piece attacks from the squares that the same piece of the other side would attack.
    let other = Color::from_index(1 - side);
    KINDS.iter().fold(0, |out, &(place, kind)| out | slot.set(place + side) & steps(other, kind, sq))
}

/// Returns whether the enemy lion can be captured.
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

/// Removes the piece of `side` on `sq`, if there is one, and adds its unpromoted kind to the other side's hand. Returns
/// the level for [`Slot::head_from`].
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

/// A move of an elephant, a giraffe or the lion, for all slots of a block.
struct Step {
    /// The head of the child's number.
    head: Head,
    to: u8,
    mover: Mover,
}

/// The kind of mover.
#[derive(Clone, Copy)]
enum Mover {
    Piece,
    /// A drop, which must not be on the square of a chick.
    Hand,
    /// `mirrored`: the child is mirrored.
    Lion {
        mirrored: bool,
    },
}

/// The moves from the slots of a block to their children: all positions that a safe move leads to, from the other
/// side's point of view. Moves of the lion to its last row, which end the game, are not included. If a move of the lion
/// leads to a position whose mirror image has a different number, both images are children of the slot and of its
/// mirror image.
pub struct Steps<'a> {
    block: &'a Block,
    mate: bool,
    list: ArrayVec<Step, 64>,
    /// The heads of the children in which a chick has moved to a square; `None` if the lion could be captured.
    chicks: [Option<Head>; SQUARES],
}

impl<'a> Steps<'a> {
    /// Generates the moves of a block.
    pub fn new(block: &'a Block, mate: bool) -> Self {
        let mut list = ArrayVec::new();
        // The mover is the enemy (1) from the point of view of the child, so it moves down.
        let (board, heads) = block.turned_base();
        let (mine, theirs) = (board.side(1), board.side(0));
        for &(place, kind) in &KINDS[..2] {
            for from in squares(board.set(place + 1)) {
                for to in squares(steps(Color::White, kind, from) & !mine) {
                    let mut child = board;
                    child.toggle(place + 1, 1 << from | 1 << to);
                    let kept = capture(&mut child, 0, to).min(level(place));
                    if !takes(&child) {
                        let head = child.head_from(&heads, kept);
                        list.push(Step { head, to: to as u8, mover: Mover::Piece });
                    }
                }
            }
            if board.hand(place + 1) > 0 && !takes(&board) {
                for to in squares(BOARD & !(mine | theirs)) {
                    let mut child = board;
                    child.lose(place + 1);
                    child.toggle(place + 1, 1 << to);
                    let head = child.head_from(&heads, level(place));
                    list.push(Step { head, to: to as u8, mover: Mover::Hand });
                }
            }
        }
        let lion = usize::from(board.lions[1]);
        for to in squares(steps(Color::White, Kind::Lion, lion) & !mine & !BOTTOM) {
            let mut child = board;
            child.lions[1] = to as u8;
            capture(&mut child, 0, to);
            if takes(&child) {
                continue;
            }
            let mut push = |mirrored: bool| {
                let child = if mirrored { child.mirrored() } else { child };
                // There are no heads if the lions would be adjacent.
                let step =
                    |[.., head]: [Head; 3]| Step { head, to: to as u8, mover: Mover::Lion { mirrored } };
                list.extend(child.heads().map(step));
            };
            push(child.is_folded());
            if child.is_middle() && !board.is_middle() {
                push(true);
            }
        }
        let head = |child: &Slot, kept| (!takes(child)).then(|| child.head_from(&heads, kept));
        let mut chicks = [head(&board, 2); SQUARES];
        for to in squares(theirs & !(1 << board.lions[0])) {
            let mut child = board;
            let kept = capture(&mut child, 0, to);
            chicks[to] = head(&child, kept);
        }
        Self { block, mate, list, chicks }
    }

    /// Calls `f` with the children of the slots selected by `bits` in the group that begins with the `n`-th slot. `f`
    /// receives the position number of the first slot of a group and the bits of the children in it. A child occurs
    /// once for every move that leads to it from one of the slots. Must not be called for positions in which the lion
    /// can be captured.
    #[inline]
    pub fn children(&self, n: usize, bits: u16, mut f: impl FnMut(Place, u16)) {
        let group = self.block.turned(n, bits);
        let board = &self.block.turned_base().0;
        let (mine, theirs) = (board.side(1), board.side(0));
        let lion = usize::from(board.lions[1]);
        let quiet = group.safe(lion);
        for step in &self.list {
            let to = usize::from(step.to);
            let captures = group.covers(1 << to);
            let child = match step.mover {
                Mover::Hand if captures => continue,
                Mover::Piece | Mover::Hand if !captures => quiet,
                Mover::Piece | Mover::Hand => group.captured(to).safe(lion),
                Mover::Lion { mirrored } => {
                    let child = if captures { group.captured(to) } else { group };
                    let child = child.safe(to);
                    if mirrored { child.mirrored() } else { child }
                }
            };
            emit(step.head, child, &mut f);
        }
        for chick in group.each() {
            for (state, kind) in [(0, Kind::Chick), (group::HEN, Kind::Hen)] {
                let row = chick.row(state);
                if row == 0 {
                    continue;
                }
                for to in squares(steps(Color::White, kind, chick.sq) & !mine) {
                    let Some(head) = self.chicks[to] else { continue };
                    let state = if BOTTOM >> to & 1 != 0 { group::HEN } else { state };
                    let child = if to == chick.other {
                        chick.capturing(state, row)
                    } else {
                        chick.placed(to, state, row)
                    };
                    emit(head, child.safe(lion), &mut f);
                }
            }
        }
        if !group.has_hand() {
            return;
        }
        let vacant = BOARD & !(mine | theirs | group.covered());
        for to in squares(if self.mate { vacant & !BOTTOM } else { vacant }) {
            let Some(head) = self.chicks[to] else { continue };
            emit(head, group.dropped(to).safe(lion), &mut f);
        }
    }
}

#[inline]
fn emit(head: Head, group: Group, f: &mut impl FnMut(Place, u16)) {
    if group.bits != 0 {
        f(head.with(&group), group.bits);
    }
}

/// An unmove of an elephant, a giraffe or the lion, for all slots of a block.
#[derive(Clone, Copy)]
struct Unmove {
    /// The head of the parent's number.
    head: Head,
    /// The square that the piece returns to, as a set; it must be free of chicks. Empty for drops. Mirrored if the
    /// parent is.
    from: u16,
}

/// Unmoves of one orientation.
#[derive(Default)]
struct List {
    all: ArrayVec<Unmove, 64>,
    /// Unmoves that may undo the capture of a chick, with the square of the capture, which is not mirrored.
    captures: ArrayVec<(Unmove, u8), 64>,
}

/// The unmoves from the slots of a block to their parents: all positions from which a safe move leads to one of the
/// slots, except those in which the mover could have captured the lion.
///
/// With both lions on the middle file, a position and its mirror image have separate numbers; otherwise they share a
/// number. So an unmove of the lion to the middle file leads to both images, and an unmove from the middle file that
/// would require mirroring is omitted, since it belongs to the mirror image of the slot.
pub struct Unmoves {
    mate: bool,
    /// The block from the point of view of the side that has just moved, which is side 0 and moves up.
    board: Slot,
    heads: [Head; 3],
    /// Unmoves whose parents are not mirrored, and unmoves whose parents are.
    lists: [List; 2],
    /// Elephants and giraffes of the side that has just moved that attack the other lion.
    checkers: u16,
}

impl Unmoves {
    /// Generates the unmoves of a block.
    pub fn new(block: &Block, mate: bool) -> Self {
        let (board, heads) = block.turned_base();
        let mut out = Self { mate, board, heads, lists: Default::default(), checkers: 0 };
        out.fill();
        out
    }

    /// Replaces the unmoves with those of another block.
    pub fn renew(&mut self, block: &Block) {
        (self.board, self.heads) = block.turned_base();
        for list in &mut self.lists {
            list.all.clear();
            list.captures.clear();
        }
        self.fill();
    }

    fn fill(&mut self) {
        let (board, heads) = (self.board, self.heads);
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
                self.lists[0].all.push(Unmove { head: parent.head_from(&heads, level(place)), from: 0 });
                for from in
                    squares(vacant & steps(Color::White, kind, to) & !steps(Color::White, kind, enemy_lion))
                {
                    let mut parent = lifted;
                    parent.toggle(place, 1 << from);
                    self.add(&parent, &heads, level(place), (from, to), false);
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
                self.add_lion(&parent, (from, to), folded);
            }
            if parent.is_middle() && !board.is_middle() {
                self.add_lion(&parent, (from, to), true);
            }
        }
    }

    fn add_lion(&mut self, parent: &Slot, (from, to): (usize, usize), mirrored: bool) {
        let numbered = if mirrored { parent.mirrored() } else { *parent };
        // There are no heads if the lions would be adjacent.
        if let Some(heads) = numbered.heads() {
            self.add(&numbered, &heads, 2, (from, to), mirrored);
        }
    }

    /// Adds an unmove, and its variants with a captured piece put back on `to`.
    fn add(
        &mut self,
        parent: &Slot,
        heads: &[Head; 3],
        kept: usize,
        (from, to): (usize, usize),
        mirrored: bool,
    ) {
        let [from, back] = [from, to].map(|sq| if mirrored { mirror_square(sq) } else { sq });
        let unmove = |head| Unmove { head, from: 1 << from };
        let plain = unmove(parent.head_from(heads, kept));
        let list = &mut self.lists[usize::from(mirrored)];
        list.all.push(plain);
        list.captures.push((plain, to as u8));
        for place in [ELEPHANT, GIRAFFE] {
            if parent.hand(place) > 0 {
                let parent = uncaptured(parent, place, place, 1 << back);
                list.all.push(unmove(parent.head_from(heads, level(place).min(kept))));
            }
        }
    }

    /// Calls `f` with the parents of a set of slots, which is given from the point of view of the side that has just
    /// moved. `f` receives the position number of the first slot of a group and the bits of the parents in it; if no
    /// bit is set, the number has no meaning. A parent occurs once for every move that leads from it to one of the
    /// slots. Must not be called for positions in which the lion can be captured.
    #[inline]
    pub fn parents(&self, group: Group, mut f: impl FnMut(Place, u16)) {
        let (board, heads) = (&self.board, &self.heads);
        let enemy_lion = usize::from(board.lions[1]);
        // The enemy lion was not attacked before the move, so a piece that attacks it is the one that has just moved.
        let quiet = group.safe(enemy_lion);
        if quiet.bits != 0 {
            for (list, set) in self.lists.iter().zip([quiet, quiet.mirrored()]) {
                for unmove in &list.all {
                    f(unmove.head.with(&set), if set.covers(unmove.from) { 0 } else { set.bits });
                }
            }
            if group.has_hand() {
                for (mirrored, list) in self.lists.iter().enumerate() {
                    for (unmove, to) in &list.captures {
                        let set = quiet.released(usize::from(*to));
                        let set = if mirrored == 1 { set.mirrored() } else { set };
                        f(unmove.head.with(&set), if set.covers(unmove.from) { 0 } else { set.bits });
                    }
                }
            }
        }
        if self.checkers != 0 {
            return;
        }
        let vacant = BOARD & !(board.side(0) | board.side(1) | group.covered());
        for chick in group.each() {
            let to = chick.sq;
            let on_top = TOP >> to & 1 != 0;
            for (state, kind) in [(group::OWN, Kind::Chick), (group::OWN | group::HEN, Kind::Hen)] {
                let row = chick.row(state);
                if row == 0 {
                    continue;
                }
                if kind == Kind::Chick && !(self.mate && on_top) {
                    emit(heads[2], chick.lifted(row, 1).safe(enemy_lion), &mut f);
                }
                let back = |kind| vacant & steps(Color::White, kind, to);
                let walked = if kind == Kind::Chick && on_top { 0 } else { back(kind) };
                let promoted = if kind == Kind::Hen && on_top { back(Kind::Chick) } else { 0 };
                if walked | promoted == 0 {
                    continue;
                }
                let mut captures = ArrayVec::<Head, 3>::new();
                captures.push(heads[2]);
                for place in [ELEPHANT, GIRAFFE] {
                    if board.hand(place) > 0 {
                        captures
                            .push(uncaptured(board, place, place, 1 << to).head_from(heads, level(place)));
                    }
                }
                for (from_set, origin) in [(walked, state), (promoted, group::OWN)] {
                    for from in squares(from_set) {
                        let parent = chick.placed(from, origin, row).safe(enemy_lion);
                        if parent.bits == 0 {
                            continue;
                        }
                        for head in &captures {
                            f(head.with(&parent), parent.bits);
                        }
                        if group.has_hand() {
                            emit(heads[2], parent.released(to), &mut f);
                        }
                    }
                }
            }
        }
    }
}

/// The pieces that may have moved last if these pieces attack the enemy lion; `None` if more than one does.
#[inline]
fn movable(checkers: u16) -> Option<u16> {
    match checkers.count_ones() {
        0 => Some(BOARD),
        1 => Some(checkers),
        _ => None,
    }
}

/// A board with a piece from the mover's hand put back on a square as the enemy's.
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
    use crate::solved::dobutsu::index::SLOTS;
    use sanban_rules::Rng;

    /// The numbers of a position and its mirror image.
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
            let (first, bit) = block.group_of(n);
            Steps::new(&block, mate).children(first, bit, |place, bits| {
                assert!(bits.is_power_of_two(), "{slot:?}: a move leads to {bits:b}");
                let place = Place { index: place.index + bits.trailing_zeros(), ..place };
                let child = Slot::at(place.index);
                assert_eq!(child.place(), Some(place), "{slot:?}");
                assert_ne!(classify(&child, mate), Class::Takes, "{slot:?}: not a safe move");
                // If both images are children, only the first one is counted.
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
                    let (first, bit) = block.group_of(n);
                    Unmoves::new(&block, mate).parents(block.turned(first, bit), |parent, bits| {
                        back += (0..16).filter(|n| bits >> n & 1 != 0 && parent.index + n == index).count();
                    });
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
