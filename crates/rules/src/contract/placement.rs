//! Placements, and observers that are notified when they change.

/// A piece on a square, or the n-th piece of its kind in a hand.
///
/// The key of a position is the XOR of the keys of its placements, its material is the sum of their values, and the
/// first layer of the network is the sum of their weight rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Placement(pub u16);

impl Placement {
    /// The number as an index, below `Position::PLACEMENTS`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Is notified of every placement that appears or disappears when a move is made.
pub trait Observer {
    /// A placement appears.
    fn put(&mut self, placement: Placement);
    /// A placement disappears.
    fn take(&mut self, placement: Placement);
}

/// An observer that does nothing, for perft, mate search and unmaking.
impl Observer for () {
    #[inline]
    fn put(&mut self, _: Placement) {}
    #[inline]
    fn take(&mut self, _: Placement) {}
}
