//! Placements, and observers that are notified when they change.

/// A piece on a square, or the n-th piece of its kind in a hand.
///
/// A position's key is the XOR of its placements' keys, its material the sum of their values, and the first layer of
/// its network the sum of their rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Placement(pub u16);

impl Placement {
    /// The number as an index, below `Position::PLACEMENTS`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A receiver of every placement that appears or disappears while a move is made.
pub trait Observer {
    /// A placement appears.
    fn put(&mut self, placement: Placement);
    /// A placement disappears.
    fn take(&mut self, placement: Placement);
}

/// Ignores everything, at no cost: for perft, mate search and unmaking.
impl Observer for () {
    #[inline]
    fn put(&mut self, _: Placement) {}
    #[inline]
    fn take(&mut self, _: Placement) {}
}
