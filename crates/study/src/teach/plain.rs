//! Tactics in any game, found by legal moves and exchanges alone: forks, discovered attacks and sacrifices.

use super::exchange::{already_lost, exchange, given};
use super::material::{KING, WORTH};
use super::tactics::Tactic;
use sanban_rules::{AnyPosition, Move, Score};

/// Smallest loss that counts as a sacrifice, in centipawns.
const SACRIFICE: Score = 200;

/// The tactics that a legal move is an example of. Threats are verified by the captures after a pass, so a move that
/// gives check has no threats.
pub(super) fn tactics(pos: &AnyPosition, mv: Move) -> Vec<Tactic> {
    if mv.is_pass() {
        return Vec::new();
    }
    let mut before = pos.clone();
    let loss = -exchange(&mut before, mv);
    let mut after = pos.clone();
    after.play(mv);
    let mut out = Vec::new();
    let given = given(pos, &after, mv);
    if (SACRIFICE..KING).contains(&loss) && given >= SACRIFICE && !already_lost(pos, mv) {
        out.push(Tactic::Sacrifice { loss });
    }
    if after.in_check() {
        return out;
    }
    let answers: Vec<Move> = after.captures().into_iter().filter(|answer| answer.to() == mv.to()).collect();
    let stays = answers.into_iter().all(|answer| exchange(&mut after, answer) <= 0);
    after.make_null();
    let mut winning = after.captures();
    winning.retain(|capture| after.gain(*capture) < KING && exchange(&mut after, *capture) >= WORTH);
    let mut squares: Vec<usize> =
        winning.iter().filter(|capture| capture.from() == mv.to()).map(|capture| capture.to()).collect();
    squares.sort_unstable();
    squares.dedup();
    if squares.len() >= 2 && stays {
        out.push(Tactic::Fork { squares });
    }
    // In check, only the captures that answer it are legal, so new attacks cannot be told from old ones.
    if !mv.is_drop() && !pos.in_check() {
        let old = pos.captures();
        let opened =
            winning.iter().find(|&capture| capture.from() != mv.to() && !old.contains(capture)).copied();
        out.extend(opened.map(|capture| Tactic::Discovered { from: capture.from(), to: capture.to() }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId::{self, Dobutsu, Janggi};

    fn words(game: VariantId, sfen: &str, mv: &str) -> Vec<&'static str> {
        let pos = AnyPosition::parse(game, sfen).expect("a position");
        let mv = pos.parse_usi(mv).expect("a legal move");
        tactics(&pos, mv).iter().map(Tactic::id).collect()
    }

    #[test]
    fn tactics_of_janggi_are_found() {
        // The horse attacks two unprotected chariots.
        let fork = "4k4/9/3r1r3/9/9/9/3N5/9/4K4/9 b - 1";
        assert_eq!(words(Janggi, fork, "6g5e"), ["fork"]);
        // The soldier steps aside and opens the chariot's file.
        let opened = "4k4/9/9/1n7/9/9/1P7/9/1R2K4/9 b - 1";
        assert_eq!(words(Janggi, opened, "8g7g"), ["discovered-attack"]);
        // A protected soldier is taken with the chariot.
        let given = "4k4/9/1r7/1p7/9/9/9/1R7/4K4/9 b - 1";
        assert_eq!(words(Janggi, given, "8h8d"), ["sacrifice"]);
        assert!(words(Janggi, Janggi.info().start, "9g8g").is_empty());
    }

    #[test]
    fn tactics_of_dobutsu_are_found() {
        // The lion can capture the giraffe.
        assert_eq!(words(Dobutsu, "gl1/3/1G1/EL1 b 2Ce 1", "2c2b"), ["sacrifice"]);
        // The giraffe was attacked and captures the chick.
        assert!(words(Dobutsu, "gle/1c1/1G1/EL1 b C 1", "2c2b").is_empty());
        assert!(words(Dobutsu, Dobutsu.info().start, "1d1c").is_empty());
    }
}
