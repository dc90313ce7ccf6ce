//! Helpers shared by the tests of move generators and contracts.

use sanban::rules::{Move, Position, Rng};

/// The positions of a file in `perft`.
pub fn reference_sfens(perft: &str) -> impl Iterator<Item = &str> {
    perft
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" ;").map(|(sfen, _)| sfen))
}

/// Plays up to `plies` random moves and calls `visit` before each.
pub fn random_walk<P: Position>(mut pos: P, plies: usize, rng: &mut Rng, visit: &mut impl FnMut(&mut P)) {
    for _ in 0..plies {
        visit(&mut pos);
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        pos.make(moves[rng.below(moves.len())], &mut ());
    }
}

/// The value of an exchange on one square, computed by trying every order of captures. `captor` returns the value of
/// the piece that captures with this move; `None` excludes the move.
pub fn exchange<P: Position>(
    pos: &mut P,
    to: usize,
    value_there: i32,
    captor: fn(&P, Move) -> Option<i32>,
) -> i32 {
    let mut best = 0; // standing pat
    for mv in pos.legal_moves().into_iter().filter(|mv| mv.to() == to) {
        let Some(value) = captor(pos, mv) else { continue };
        pos.make(mv, &mut ());
        best = best.max(value_there - exchange(pos, to, value, captor));
        pos.unmake();
    }
    best
}
