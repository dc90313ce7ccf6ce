//! Computes the values of a class by retrograde analysis.
//!
//! The analysis works backwards from the mates, one ply at a time: a side that can move to a lost position wins, and a
//! side that can move only to won positions loses. To detect the latter, every position has a count of the moves that
//! are not yet known to lose. The same generation of preceding positions initialises and decrements these counts.
//! Captures lead to smaller classes, whose values are already known.
//!
//! **Passes.** A pass is a move like any other, but two passes in a row are a draw. So a position has a second state,
//! in which the previous move was a pass. The values of these states need not be stored. When the side to move, `m`,
//! passes:
//! - If the other side cannot pass, the second state has the same value as the first.
//! - If it can, it does not lose, since its pass draws. It wins exactly if it wins in the first state: wins by other
//!   moves are the same, and it never wins by a pass, because `m` can also pass and draw.
//!
//! So a pass has the value of the position with the other side to move, except that a loss of the other side counts as
//! a draw if it can pass.
//!
//! **Repetition** needs no special treatment: the winning side gets closer to mate with every ply and repeats no
//! position, and a position that is not won in any number of plies is drawn.

use super::captures::{Captures, color};
use super::layout::{Block, Layout};
use super::material::MOST_ATTACKERS;
use super::palace::{Court, point, square};
use super::table::{BROKEN, DRAW, MAX_DISTANCE};
use sanban_rules::Bitboard;
use sanban_rules::janggi::{Kind, Pass, attacks};
use thiserror::Error;

/// Why a class cannot be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// There is not enough memory for this number of bytes.
    #[error("not enough memory for {0} bytes")]
    Memory(usize),
    /// A win takes longer than a byte of the table can represent.
    #[error("a win takes more than {MAX_DISTANCE} plies")]
    TooLong,
}

/// The flag in a count that the side to move may pass.
const PASSABLE: u8 = 0x80;
/// The count of a position with a capture that draws.
const SAFE: u8 = 0x7F;

/// A step of a general or guard to or from another point of its palace; all steps are reversible.
#[derive(Clone, Copy)]
struct Step {
    /// The square of the point.
    square: usize,
    /// The block of the position with the piece on that square.
    block: usize,
    /// Whether the position is mirrored in that block.
    mirrored: bool,
    /// Whether the block of the other position is symmetric and the current one is not. The step then applies to both
    /// mirror images of the attackers, since the mirror image of the position in the current block has the same step.
    both: bool,
    /// Whether the general makes the step.
    general: bool,
}

/// The attackers of a position.
#[derive(Clone, Copy)]
struct Attackers {
    squares: [u8; MOST_ATTACKERS],
    set: Bitboard,
    cannons: Bitboard,
}

struct Solver<'a> {
    layout: &'a Layout,
    captures: &'a Captures,
    pass: Pass,
    values: Vec<u8>,
    /// The number of moves not known to lose, with the flag [`PASSABLE`], for every position.
    counts: Vec<u8>,
    /// The set of distances that occur, for every block and side.
    levels: Vec<[u64; 4]>,
    /// The largest distance.
    top: u8,
}

/// Computes the values of a class in the order of [`Layout`].
pub(super) fn solve(layout: &Layout, captures: &Captures, pass: Pass) -> Result<Vec<u8>, SolveError> {
    let room = |byte: u8| {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(layout.numbers()).map_err(|_| SolveError::Memory(layout.numbers()))?;
        bytes.resize(layout.numbers(), byte);
        Ok(bytes)
    };
    let mut solver = Solver {
        layout,
        captures,
        pass,
        values: room(DRAW)?,
        counts: room(0)?,
        levels: vec![[0; 4]; layout.blocks().len() * 2],
        top: 0,
    };
    solver.find_broken();
    solver.find_passes();
    solver.count_moves();
    solver.judge_captures()?;
    let mut level = 0;
    while level <= solver.top {
        solver.expand(level)?;
        level += 1;
    }
    Ok(solver.values)
}

impl Solver<'_> {
    /// The attackers of a spot; `None` if two pieces would share a square.
    #[inline]
    fn attackers(&self, block: &Block, spot: usize) -> Option<Attackers> {
        let squares = self.layout.spots()[spot];
        let (mut set, mut cannons) = (block.occupied, Bitboard::EMPTY);
        for (&(_, kind), &sq) in self.layout.slots().iter().zip(&squares) {
            if set.has(usize::from(sq)) {
                return None;
            }
            set |= Bitboard::square(usize::from(sq));
            if kind == Kind::Cannon {
                cannons |= Bitboard::square(usize::from(sq));
            }
        }
        Some(Attackers { squares, set: set.without(block.occupied), cannons })
    }

    /// Returns whether an attacker of side `by` attacks a square. Attackers missing from `occupied` have been captured.
    #[inline]
    fn is_attacked(&self, by: usize, target: usize, attackers: &Attackers, occupied: Bitboard) -> bool {
        let slots = self.layout.slots().iter().zip(&attackers.squares);
        let cannons = attackers.cannons & occupied;
        slots.filter(|((owner, _), sq)| *owner == by && occupied.has(usize::from(**sq))).any(
            |(&(_, kind), &sq)| attacks::attacks(color(by), kind, sq.into(), occupied, cannons).has(target),
        )
    }

    /// Marks numbers without a position, and positions in which the general of the side not to move can be captured.
    fn find_broken(&mut self) {
        let spots = self.layout.spots().len();
        for (b, block) in self.layout.blocks().iter().enumerate() {
            for spot in 0..spots {
                let attackers = self.attackers(block, spot);
                for side in [0, 1] {
                    let broken = attackers.is_none_or(|attackers| {
                        let target = block.generals[1 - side];
                        self.is_attacked(side, target, &attackers, block.occupied | attackers.set)
                    });
                    if broken {
                        self.values[(b * 2 + side) * spots + spot] = BROKEN;
                    }
                }
            }
        }
    }

    /// The steps of a side's general and guards.
    fn steps(&self, block: &Block, side: usize) -> Vec<Step> {
        let court: Court = block.courts[side];
        let mut out = Vec::new();
        for from in court.pieces() {
            for to in attacks::palace(square(side, from)) {
                let at = point(side, to);
                if court.occupies(at) {
                    continue;
                }
                let mut courts = block.courts;
                courts[side] = court.moved(from, at);
                let (number, mirrored) = self.layout.block(courts);
                let both = self.layout.blocks()[number].symmetric && !block.symmetric;
                out.push(Step { square: to, block: number, mirrored, both, general: from == court.general });
            }
        }
        out
    }

    /// Determines which sides may pass.
    fn find_passes(&mut self) {
        let spots = self.layout.spots().len();
        for (b, block) in self.layout.blocks().iter().enumerate() {
            for side in [0, 1] {
                let mut steps = self.steps(block, side);
                steps.retain(|step| step.general);
                for spot in 0..spots {
                    let index = (b * 2 + side) * spots + spot;
                    // With the other side to move, the general could be captured, so it is in check.
                    let in_check = self.values[(b * 2 + 1 - side) * spots + spot] == BROKEN;
                    if self.values[index] != BROKEN && !in_check && self.may_pass(block, side, spot, &steps) {
                        self.counts[index] = PASSABLE;
                    }
                }
            }
        }
    }

    /// Returns whether a side that is not in check may pass.
    fn may_pass(&self, block: &Block, side: usize, spot: usize, steps: &[Step]) -> bool {
        if self.pass == Pass::Free {
            return true;
        }
        let Some(attackers) = self.attackers(block, spot) else { return false };
        let general = Bitboard::square(block.generals[side]);
        !steps.iter().any(|step| {
            if !attackers.set.has(step.square) {
                let spot = if step.mirrored { self.layout.mirror(spot) } else { spot };
                let spots = self.layout.spots().len();
                return self.values[(step.block * 2 + 1 - side) * spots + spot] != BROKEN;
            }
            let slot = attackers.squares.iter().position(|&sq| usize::from(sq) == step.square);
            if slot.is_none_or(|slot| self.layout.slots()[slot].0 == side) {
                return false;
            }
            // The general captures the piece on the square, then occupies it.
            let there = Bitboard::square(step.square);
            let occupied = (block.occupied | attackers.set).without(general | there);
            let rest = Attackers {
                set: attackers.set.without(there),
                cannons: attackers.cannons.without(there),
                ..attackers
            };
            !self.is_attacked_among(1 - side, step.square, &rest, occupied)
        })
    }

    /// Like [`Solver::is_attacked`], but the target's square counts as occupied by the target and not by an attacker.
    fn is_attacked_among(&self, by: usize, target: usize, attackers: &Attackers, occupied: Bitboard) -> bool {
        let all = occupied | Bitboard::square(target);
        let slots = self.layout.slots().iter().zip(&attackers.squares);
        slots.filter(|((owner, _), sq)| *owner == by && attackers.set.has(usize::from(**sq))).any(
            |(&(_, kind), &sq)| {
                attacks::attacks(color(by), kind, sq.into(), all, attackers.cannons).has(target)
            },
        )
    }

    /// Calls `f` with the row and spot of every position from which a side can reach this one by a move that is neither
    /// a capture nor a pass. Some of these positions may be illegal ([`BROKEN`]). The row is twice the number of the
    /// block, plus the side.
    #[inline]
    fn before(
        &self,
        (b, block): (usize, &Block),
        side: usize,
        spot: usize,
        attackers: &Attackers,
        steps: &[Step],
        mut f: impl FnMut(usize, usize),
    ) {
        let occupied = block.occupied | attackers.set;
        for (slot, &(owner, kind)) in self.layout.slots().iter().enumerate() {
            if owner != side {
                continue;
            }
            let squares = attackers.squares;
            for from in sources(kind, side, squares[slot].into(), occupied, attackers.cannons) {
                f(b * 2 + side, self.layout.moved(spot, squares, slot, from));
            }
        }
        for step in steps {
            if attackers.set.has(step.square) {
                continue;
            }
            let (row, image) = (step.block * 2 + side, self.layout.mirror(spot));
            f(row, if step.mirrored { image } else { spot });
            if step.both {
                f(row, if step.mirrored { spot } else { image });
            }
        }
    }

    /// Counts the moves of every position except captures.
    fn count_moves(&mut self) {
        let spots = self.layout.spots().len();
        let mut counts = std::mem::take(&mut self.counts);
        for count in &mut counts {
            *count += u8::from(*count & PASSABLE != 0);
        }
        for (b, block) in self.layout.blocks().iter().enumerate() {
            for side in [0, 1] {
                let steps = self.steps(block, side);
                let row = (b * 2 + 1 - side) * spots;
                for spot in 0..spots {
                    if self.values[row + spot] == BROKEN {
                        continue;
                    }
                    let Some(attackers) = self.attackers(block, spot) else { continue };
                    self.before((b, block), side, spot, &attackers, &steps, |row, spot| {
                        counts[row * spots + spot] += 1;
                    });
                }
            }
        }
        self.counts = counts;
    }

    /// Finds the positions decided by captures, and the mates.
    fn judge_captures(&mut self) -> Result<(), SolveError> {
        let spots = self.layout.spots().len();
        for (b, block) in self.layout.blocks().iter().enumerate() {
            for side in [0, 1] {
                for spot in 0..spots {
                    let index = (b * 2 + side) * spots + spot;
                    if self.values[index] == BROKEN {
                        continue;
                    }
                    let found = self.captures.find(self.layout, block, self.layout.spots()[spot], side);
                    if let Some(plies) = found.win {
                        self.set(b * 2 + side, spot, plies)?;
                    } else if found.draws {
                        self.counts[index] |= SAFE;
                    } else if self.counts[index] == 0 {
                        // There are only losing captures, or no moves at all. The latter is mate, since a side that is
                        // not in check could pass.
                        self.set(b * 2 + side, spot, found.loss.unwrap_or(0))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a value. A smaller one may replace it before its distance is processed.
    fn set(&mut self, row: usize, spot: usize, plies: u8) -> Result<(), SolveError> {
        if plies > MAX_DISTANCE {
            return Err(SolveError::TooLong);
        }
        self.values[row * self.layout.spots().len() + spot] = plies;
        self.levels[row][usize::from(plies / 64)] |= 1 << (plies % 64);
        self.top = self.top.max(plies);
        Ok(())
    }

    /// Propagates all positions of one distance backwards.
    fn expand(&mut self, plies: u8) -> Result<(), SolveError> {
        let spots = self.layout.spots().len();
        let mut before = Vec::new();
        for b in 0..self.layout.blocks().len() {
            for side in [0, 1] {
                if self.levels[b * 2 + side][usize::from(plies / 64)] >> (plies % 64) & 1 == 0 {
                    continue;
                }
                let block = &self.layout.blocks()[b];
                let mover = 1 - side;
                let steps = self.steps(block, mover);
                for spot in 0..spots {
                    let index = (b * 2 + side) * spots + spot;
                    if self.values[index] != plies {
                        continue;
                    }
                    let Some(attackers) = self.attackers(block, spot) else { continue };
                    before.clear();
                    self.before((b, block), mover, spot, &attackers, &steps, |row, spot| {
                        before.push((row, spot));
                    });
                    let passed = (b * 2 + mover) * spots + spot;
                    let lost = plies.is_multiple_of(2);
                    // A pass does not win if the reply is a pass.
                    let passable = self.counts[passed] & PASSABLE != 0;
                    if passable && !(lost && self.counts[index] & PASSABLE != 0) {
                        before.push((b * 2 + mover, spot));
                    }
                    for &(row, spot) in &before {
                        if lost { self.win(row, spot, plies + 1)? } else { self.lower(row, spot, plies + 1)? }
                    }
                }
            }
        }
        Ok(())
    }

    /// Records a winning move of a position.
    fn win(&mut self, row: usize, spot: usize, plies: u8) -> Result<(), SolveError> {
        let value = self.values[row * self.layout.spots().len() + spot];
        if value == BROKEN || value <= plies {
            return Ok(());
        }
        self.set(row, spot, plies)
    }

    /// Counts one more move of a position as losing.
    fn lower(&mut self, row: usize, spot: usize, plies: u8) -> Result<(), SolveError> {
        let index = row * self.layout.spots().len() + spot;
        let count = &mut self.counts[index];
        if self.values[index] != DRAW || *count & SAFE == SAFE {
            return Ok(());
        }
        *count -= 1;
        if *count & SAFE != 0 {
            return Ok(());
        }
        // The longest defence counts, which may be a capture.
        let block = &self.layout.blocks()[row / 2];
        let found = self.captures.find(self.layout, block, self.layout.spots()[spot], row % 2);
        self.set(row, spot, found.loss.map_or(plies, |loss| loss.max(plies)))
    }
}

/// The squares from which a piece of a side can have moved to a square without capturing.
#[inline]
fn sources(kind: Kind, side: usize, to: usize, occupied: Bitboard, cannons: Bitboard) -> Bitboard {
    let from = match kind {
        // The squares in between do not change when the piece moves.
        Kind::Chariot => attacks::chariot(to, occupied),
        Kind::Cannon => attacks::cannon(to, occupied, cannons),
        Kind::Soldier => attacks::soldiers_at(color(side), to),
        // The squares that can block a horse or an elephant depend on the square it comes from.
        _ => {
            let star = attacks::star(kind, to).without(occupied);
            star.fold(Bitboard::EMPTY, |out, from| {
                let blocked = (attacks::path(to, from) & occupied).any();
                if blocked { out } else { out | Bitboard::square(from) }
            })
        }
    };
    from.without(occupied)
}
