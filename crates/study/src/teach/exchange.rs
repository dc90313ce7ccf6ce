//! Exchanges on one square, played out with legal moves: unlike the static exchange evaluation of the search, this
//! accounts for pins, for promotions of all capturing pieces, and for kings that may not capture.

use sanban_rules::{AnyPosition, Move, Score};

/// An upper bound on the number of captures on one square.
const LONGEST: usize = 40;

/// The gain of a move on its target square, in centipawns: its own gain minus the opponent's best sequence of captures
/// there. Either side may stop capturing at any point.
pub fn exchange(pos: &mut AnyPosition, mv: Move) -> Score {
    let gain = pos.gain(mv);
    pos.play(mv);
    let answer = best_on(pos, mv.to(), Score::MAX - 1, LONGEST);
    pos.undo();
    gain - answer
}

/// The largest gain of the side to move by capturing on a square, at least 0. Results of `enough` or more need not be
/// exact.
fn best_on(pos: &mut AnyPosition, square: usize, enough: Score, depth: usize) -> Score {
    if depth == 0 {
        return 0;
    }
    let mut best = 0;
    let mut captures = pos.captures();
    captures.retain(|mv| mv.to() == square);
    // Promising captures come first: they narrow the bounds for the others.
    captures.sort_by_key(|&mv| !pos.see_ge(mv, 1));
    for &mv in &captures {
        if best >= enough {
            break;
        }
        let gain = pos.gain(mv);
        if gain <= best {
            continue;
        }
        pos.play(mv);
        // The value of an answer need not be exact if it cannot improve on the best so far.
        let answer = best_on(pos, square, gain - best, depth - 1);
        pos.undo();
        best = best.max(gain - answer);
    }
    best
}

/// The value of the moved piece minus that of the piece that it captured, in centipawns, if the opponent can capture it;
/// otherwise 0. Promotions of the capturing pieces do not count. `after`: the position after the move.
pub fn given(pos: &AnyPosition, after: &AnyPosition, mv: Move) -> Score {
    let Some(answer) = after.captures().into_iter().find(|answer| answer.to() == mv.to()) else { return 0 };
    victim_value(after, answer) - victim_value(pos, mv)
}

/// The value of the piece that a move captures, in centipawns: its gain without the promotion.
pub fn victim_value(pos: &AnyPosition, mv: Move) -> Score {
    if mv.is_drop() || mv.is_pass() { 0 } else { pos.gain(Move::board(mv.from(), mv.to())) }
}

/// Returns whether the side to move is in check, or the opponent could win the moving piece anyway. In both cases,
/// giving up the piece is not a sacrifice.
pub fn already_lost(pos: &AnyPosition, mv: Move) -> bool {
    if pos.in_check() {
        return true;
    }
    if mv.is_drop() {
        return false;
    }
    let mut passed = pos.clone();
    passed.make_null();
    let attacks = passed.captures().into_iter().filter(|capture| capture.to() == mv.from());
    attacks.into_iter().any(|capture| exchange(&mut passed, capture) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{Rng, VariantId};

    fn value(sfen: &str, mv: &str) -> Score {
        let mut pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
        let mv = pos.parse_usi(mv).expect("a legal move");
        exchange(&mut pos, mv)
    }

    #[test]
    fn exchanges_are_played_out() {
        // An unprotected silver, and one protected by a pawn.
        assert_eq!(value("4k4/9/9/9/4s4/4R4/9/9/4K4 b - 1", "5f5e"), 550);
        assert_eq!(value("4k4/9/9/4p4/4s4/4R4/9/9/4K4 b - 1", "5f5e"), 550 - 1040);
        // The defender is pinned and may not recapture, which a static evaluation misses.
        assert_eq!(value("4k4/9/9/4g4/3s5/3P5/9/4R4/4K4 b - 1", "6f6e"), 550);
    }

    /// The pruning does not change the result.
    #[test]
    fn values_are_those_of_a_plain_search() {
        fn plain(pos: &mut AnyPosition, mv: Move) -> Score {
            let gain = pos.gain(mv);
            pos.play(mv);
            let answers: Vec<Move> =
                pos.captures().into_iter().filter(|answer| answer.to() == mv.to()).collect();
            let best = answers.into_iter().map(|answer| plain(pos, answer)).max().unwrap_or(0).max(0);
            pos.undo();
            gain - best
        }
        let mut rng = Rng::new(5);
        let mut compared = 0;
        for _ in 0..30 {
            let mut pos = AnyPosition::new(VariantId::Shogi);
            for _ in 0..80 {
                let moves = pos.legal_moves();
                let Some(&mv) = rng.pick(&moves) else { break };
                pos.play(mv);
                for capture in pos.captures() {
                    assert_eq!(
                        exchange(&mut pos, capture),
                        plain(&mut pos, capture),
                        "{} {capture:?}",
                        pos.sfen()
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000, "only {compared}");
    }
}
