//! The hand-written evaluation of Dobutsu shogi: material, the lions' advance to the last row, and attacked squares.
//! It is the same for both variants.

use crate::Evaluator;
use sanban_rules::dobutsu::Position;
use sanban_rules::dobutsu::piece::{Kind, last_row, steps};
use sanban_rules::score::MAX_EVAL;
use sanban_rules::{Color, Observer, Placement, Position as _, Score};

/// Value of each kind of piece on the board, in centipawns (0 for the lion, which is never exchanged).
const ON_BOARD: [Score; Kind::COUNT] = [100, 250, 290, 0, 340];
/// Value of each kind of piece in hand, in centipawns. It is higher because the piece can be dropped anywhere.
const IN_HAND: [Score; Kind::HAND] = [130, 290, 330];
/// Bonus for every rank that the lion has advanced, in centipawns.
const CLIMB: Score = 25;
/// Bonus for every square of the last row that the lion can move to and the enemy does not attack.
const OPEN_GOAL: Score = 60;
/// Bonus for every attacked square.
const REACH: Score = 8;
/// Bonus for every attacked square around the enemy lion.
const SIEGE: Score = 15;

/// The hand-written evaluation. Evaluating twelve squares from scratch is faster than updating incrementally, so it has
/// no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handwritten;

impl Observer for Handwritten {
    fn put(&mut self, _: Placement) {}
    fn take(&mut self, _: Placement) {}
}

impl<const MATE: bool> Evaluator<Position<MATE>> for Handwritten {
    fn reset(&mut self, _: &Position<MATE>) {}
    fn push(&mut self) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, pos: &Position<MATE>) -> Score {
        let us = pos.side();
        (score(pos, us) - score(pos, !us)).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

fn score<const MATE: bool>(pos: &Position<MATE>, us: Color) -> Score {
    let mut out = 0;
    for kind in Kind::ALL {
        out += ON_BOARD[kind.index()] * pos.pieces_of(us, kind).count_ones() as Score;
    }
    for &kind in &Kind::ALL[..Kind::HAND] {
        out += IN_HAND[kind.index()] * pos.hand_count(us, kind) as Score;
    }
    let reach = pos.attacks(us);
    out += REACH * reach.count_ones() as Score;
    if let Some(lion) = pos.lion(!us) {
        out += SIEGE * (reach & steps(!us, Kind::Lion, lion)).count_ones() as Score;
    }
    if let Some(lion) = pos.lion(us) {
        let rank = lion % 4;
        out += CLIMB * if us == Color::Black { 3 - rank } else { rank } as Score;
        let goals = steps(us, Kind::Lion, lion) & last_row(us) & !pos.occupied(us) & !pos.attacks(!us);
        out += OPEN_GOAL * goals.count_ones() as Score;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::dobutsu::{Original, START};

    fn evaluate(sfen: &str) -> Score {
        Handwritten.evaluate(&Original::from_sfen(sfen).expect("a valid SFEN"))
    }

    #[test]
    fn the_start_is_even_and_both_sides_are_judged_alike() {
        assert_eq!(evaluate(START), 0);
        let (black, white) = (evaluate("g1e/1cl/1C1/ELG b - 1"), evaluate("gle/1c1/LC1/E1G w - 1"));
        assert_eq!(black, white, "the same position rotated by 180 degrees");
        assert!(evaluate("gl1/1c1/1C1/ELG b E 1") > 300);
        assert!(evaluate("gl1/1c1/1C1/ELG w E 1") < -300);
    }
}
