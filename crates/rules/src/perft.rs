//! Perft: counting the leaves of the tree of legal moves. The engine has a version with threads and a hash table.

use crate::Position;

/// The number of leaves of the tree of legal moves, `depth` plies below the position.
///
/// ```
/// use sanban_rules::{Shogi, Variant, perft};
/// assert_eq!(perft(&Shogi::parse(Shogi::START)?, 3), 25_470);
/// # Ok::<(), sanban_rules::SfenError>(())
/// ```
pub fn perft<P: Position>(pos: &P, depth: u32) -> u64 {
    plain(&mut pos.clone(), depth)
}

/// Like [`perft()`], but without copying the position, which is restored afterwards.
pub fn plain<P: Position>(pos: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count() as u64,
        2 => pos.replies(),
        _ => {
            let mut nodes = 0;
            for mv in pos.legal_moves() {
                pos.make(mv, &mut ());
                nodes += plain(pos, depth - 1);
                pos.unmake();
            }
            nodes
        }
    }
}
