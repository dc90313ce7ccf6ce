//! Down the tree and back.

use crate::base::{Move, MoveList};
use crate::game::Position;

/// The number of leaves, without any table.
pub fn plain<P: Position>(pos: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count() as u64,
        2 => pos.replies(),
        _ => legal(pos).into_iter().map(|mv| after(pos, mv, |pos| plain(pos, depth - 1))).sum(),
    }
}

#[inline]
pub(super) fn legal<P: Position>(pos: &P) -> MoveList {
    let mut moves = MoveList::new();
    pos.legal(&mut moves);
    moves
}

#[inline]
pub(super) fn after<P: Position, T>(pos: &mut P, mv: Move, f: impl FnOnce(&mut P) -> T) -> T {
    pos.make(mv, &mut ());
    let out = f(pos);
    pos.unmake();
    out
}
