//! Tables that map placements to inputs, shared by the engine, the trainer and all games.

use sanban_rules::{Color, Placement};

/// The mapping of placements to inputs, for both sides.
///
/// Each side has its own *perspective* on the board, and the position of its king selects one of several *buckets*. A
/// bucket either has its own rows of weights (`stride`), or shares its rows with another bucket and uses a different
/// *view* of the board (a mirrored one).
pub struct Features {
    /// Identifier of the input set in network files.
    pub id: u32,
    /// Number of rows of the first layer.
    pub rows: usize,
    /// Number of king buckets of each perspective.
    pub buckets: usize,
    /// Number of placements of the game.
    pub placements: usize,
    /// Number of views of the board, a power of two; bucket `b` uses view `b % views`.
    pub views: usize,
    /// Number of rows between consecutive buckets of a view; buckets that differ only in the view share rows.
    pub stride: usize,
    /// Row within the bucket: `[perspective][view][placement]`.
    pub table: Vec<u16>,
    /// For each placement of a king, its side and the bucket of that side.
    pub kings: Vec<Option<(Color, u8)>>,
    /// Number of inputs of a full set of pieces; each missing piece counts as row 0 of the bucket.
    pub full: Option<usize>,
}

/// Marks placements that are not inputs.
pub const NONE: u16 = u16::MAX;

impl Features {
    /// The row of each placement for a perspective and bucket, or [`NONE`], and the offset to add to it.
    #[inline]
    pub fn view(&self, perspective: Color, bucket: u8) -> (&[u16], usize) {
        let view = perspective.index() * self.views + (usize::from(bucket) & (self.views - 1));
        (&self.table[view * self.placements..][..self.placements], self.filler(bucket))
    }

    /// The row of a placement for a perspective and bucket; `None` if it is not an input.
    #[inline]
    pub fn row(&self, perspective: Color, bucket: u8, placement: Placement) -> Option<usize> {
        let (table, first) = self.view(perspective, bucket);
        let row = table[placement.index()];
        (row != NONE).then(|| usize::from(row) + first)
    }

    /// The first row of a bucket, which represents a missing piece.
    pub fn filler(&self, bucket: u8) -> usize {
        (usize::from(bucket) >> self.views.trailing_zeros()) * self.stride
    }

    /// The side of a king's placement, and the bucket it selects for that side.
    pub fn king(&self, placement: Placement) -> Option<(Color, u8)> {
        self.kings[placement.index()]
    }
}
