//! Numbers the arrangements of a general and its guards in the palace.

use super::material::MOST_GUARDS;
use sanban_rules::janggi::square::RANKS;

/// Number of squares in a palace.
pub const POINTS: usize = 9;

/// A general and its guards. The squares of the palace, called points, are numbered file by file from file 4, and
/// within a file from the lowest rank number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Court {
    /// The point of the general.
    pub general: u8,
    /// The points of the guards, as bits.
    pub guards: u16,
}

impl Court {
    /// The arrangement with left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let guards = (0..POINTS as u8).filter(|&at| self.guards >> at & 1 != 0);
        Self { general: mirrored(self.general), guards: guards.fold(0, |set, at| set | 1 << mirrored(at)) }
    }

    /// Returns whether a piece of this side is on a point.
    pub const fn occupies(self, at: u8) -> bool {
        self.general == at || self.guards >> at & 1 != 0
    }

    /// The general, then the guards.
    pub fn pieces(self) -> impl Iterator<Item = u8> {
        std::iter::once(self.general).chain((0..POINTS as u8).filter(move |&at| self.guards >> at & 1 != 0))
    }

    /// The arrangement with a piece moved from one point to another.
    #[must_use]
    pub fn moved(self, from: u8, to: u8) -> Self {
        if self.general == from {
            return Self { general: to, ..self };
        }
        Self { guards: self.guards & !(1 << from) | 1 << to, ..self }
    }

    /// The arrangement without the guard on a point.
    #[must_use]
    pub fn without(self, at: u8) -> Self {
        Self { guards: self.guards & !(1 << at), ..self }
    }
}

const fn mirrored(at: u8) -> u8 {
    (2 - at / 3) * 3 + at % 3
}

/// The square of a point in a side's palace. Side 0 has the lower palace and plays up the board.
#[inline]
pub const fn square(side: usize, at: u8) -> usize {
    (3 + at as usize / 3) * RANKS + at as usize % 3 + if side == 0 { 7 } else { 0 }
}

/// The point of a square in a side's palace.
#[inline]
pub const fn point(side: usize, sq: usize) -> u8 {
    ((sq / RANKS - 3) * 3 + sq % RANKS - if side == 0 { 7 } else { 0 }) as u8
}

/// All arrangements with a number of guards.
pub fn courts(guards: usize) -> Vec<Court> {
    let sets = (0..1u16 << POINTS).filter(|set| set.count_ones() as usize == guards);
    sets.flat_map(|guards| (0..POINTS as u8).map(move |general| Court { general, guards }))
        .filter(|court| court.guards >> court.general & 1 == 0)
        .collect()
}

/// For each set of guards, its rank among the sets of the same size.
static RANK: [u8; 1 << POINTS] = {
    let (mut ranks, mut numbers, mut set) = ([0; 1 << POINTS], [0; POINTS + 1], 0);
    while set < 1 << POINTS {
        let size = (set as u16).count_ones() as usize;
        ranks[set] = numbers[size];
        // At most 126 sets have the same size.
        numbers[size] += 1;
        set += 1;
    }
    ranks
};

/// The index of an arrangement in [`courts`].
#[inline]
pub fn number(court: Court) -> usize {
    debug_assert!(court.guards.count_ones() as usize <= MOST_GUARDS);
    // Each set of guards leaves `rooms` points for the general, in ascending order.
    let rooms = POINTS - court.guards.count_ones() as usize;
    let below = (court.guards & ((1 << court.general) - 1)).count_ones() as usize;
    usize::from(RANK[usize::from(court.guards)]) * rooms + usize::from(court.general) - below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_its_number() {
        for (guards, count) in [(0, 9), (1, 72), (2, 252)] {
            let all = courts(guards);
            assert_eq!(all.len(), count);
            for (n, &court) in all.iter().enumerate() {
                assert_eq!(number(court), n);
                assert_eq!(court.mirrored().mirrored(), court);
            }
        }
    }

    #[test]
    fn points_are_squares_of_the_palace() {
        use sanban_rules::janggi::square::PALACE;
        for side in [0, 1] {
            let squares: Vec<usize> = (0..POINTS as u8).map(|at| square(side, at)).collect();
            assert_eq!(squares, PALACE[side].collect::<Vec<_>>());
            assert!((0..POINTS as u8).all(|at| point(side, square(side, at)) == at));
        }
    }
}
