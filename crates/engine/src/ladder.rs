//! The ladder of playing strength: the player of each level below full strength.
//!
//! The lowest levels look one move ahead and overlook things as beginners do ([`Attention`]); the others search a fixed
//! number of nodes and add random errors to the scores. Each game has its own values (`Game::LADDER`), tuned by games
//! between neighbouring levels; see `docs/levels.md`.

/// The level of full strength, above every [`Player`] of a ladder.
pub const FULL: usize = 20;

/// A player below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Looks one move ahead, and considers the opponent's captures and mates in reply if it notices them.
    Attentive(Attention),
    /// Searches, and adds an error to the scores of the best moves found.
    Searching {
        /// Number of nodes.
        nodes: u64,
        /// Maximum error added to a score, in centipawns.
        error: i32,
    },
}

/// The probabilities with which a player that looks one move ahead notices moves, threats and mates.
///
/// The percentages apply to obvious cases. Typical blind spots of beginners are noticed less often: backward moves,
/// drops, captures from a distance, lines opened by another piece, and events far from the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// How often one of the player's own moves on the board is noticed, in percent.
    pub moves: u32,
    /// How often a drop is noticed, in percent: beginners forget their pieces in hand.
    pub drops: u32,
    /// How often the opponent's next capture is noticed, in percent.
    pub threats: u32,
    /// How often a mate by the opponent's reply is noticed, and of how many pieces the player knows the mates, in percent.
    pub mates: u32,
    /// Weight of the evaluation beyond material, in percent.
    pub sense: u32,
    /// Maximum error added to a score, in centipawns.
    pub error: i32,
}

/// The players below full strength, weakest first.
pub type Ladder = [Player; FULL];

const fn attentive([moves, drops, threats, mates, sense]: [u32; 5], error: i32) -> Player {
    Player::Attentive(Attention { moves, drops, threats, mates, sense, error })
}

const fn searching(nodes: u64, error: i32) -> Player {
    Player::Searching { nodes, error }
}

/// The ladder of shogi.
pub const SHOGI: Ladder = [
    attentive([58, 45, 71, 27, 0], 900),
    attentive([61, 50, 75, 35, 5], 760),
    attentive([64, 56, 80, 43, 10], 640),
    attentive([68, 64, 84, 55, 15], 520),
    attentive([72, 71, 88, 69, 22], 430),
    attentive([77, 76, 92, 78, 30], 350),
    attentive([82, 82, 95, 87, 40], 280),
    attentive([91, 91, 98, 93, 66], 155),
    attentive([100, 100, 100, 100, 100], 40),
    searching(620, 800),
    searching(1_080, 375),
    searching(2_250, 257),
    searching(3_500, 209),
    searching(5_400, 170),
    searching(8_400, 139),
    searching(12_900, 113),
    searching(20_000, 92),
    searching(31_000, 70),
    searching(55_000, 46),
    searching(100_000, 26),
];

/// How people who have learned an opening and a castle begin a game of shogi: climbing silver, the boat castle, Yagura, rooks
/// on the fourth, third and fifth file with the king on the right, and an early attack on the bishop's head.
pub(crate) const SHOGI_PLANS: [&str; 8] = [
    "2g2f 7g7f 2f2e 6i7h 5i6i 3i3h 4i5h 7i6h 3h2g 9g9f 1g1f 3g3f 2g2f 6g6f 4g4f 8h7g",
    "7g7f 2g2f 5i6h 6h7h 4i5h 2f2e 5g5f 3i4h 9g9f 4h5g 1g1f 3g3f 4g4f 2i3g 6g6f",
    "7g7f 2g2f 7i6h 6g6f 6i7h 5i6i 4i5h 6h7g 5g5f 3i4h 3g3f 9g9f 1g1f 5h6g 8h7i 6i7i",
    "7g7f 6g6f 2h6h 5i4h 4h3h 7i7h 7h6g 9g9f 1g1f 8h7g 6i5h 4g4f 5g5f 3h2h 3i3h 3g3f",
    "7g7f 6g6f 2h7h 5i4h 4h3h 7i6h 6h6g 1g1f 9g9f 8h7g 6i5h 7f7e 4g4f 3h2h 3i3h 3g3f",
    "7g7f 5g5f 2h5h 5i4h 4h3h 7i6h 6h5g 1g1f 9g9f 5f5e 6g6f 4g4f 8h7g 3h2h 3i3h 3g3f",
    "2g2f 2f2e 7g7f 3i3h 6i7h 3h2g 5i6i 4i5h 2g2f 7i6h 9g9f 1g1f 3g3f 6g6f 8h7g",
    "7g7f 2g2f 2f2e 8h7g 6i7h 7i6h 5i6i 3i3h 4i5h 3h2g 6g6f 9g9f 1g1f 3g3f 5g5f",
];

/// How people begin a game of Janggi: soldiers at the side open the files of the chariots, a horse protects the middle, a
/// cannon jumps to it, and the general goes back into the palace.
pub(crate) const JANGGI_PLANS: [&str; 4] = [
    "1g2g 2j3h 2h5h 8j7h 5i5j 6j6i 9g8g 4j5i",
    "9g8g 8j7h 8h5h 2j3h 5i5j 4j4i 1g2g 6j5i",
    "2j3h 1g2g 2h5h 9g8g 8j7h 5i5j 4j4i 6j6i 3g4g",
    "8j7h 9g8g 8h5h 1g2g 2j3h 5i5j 6j6i 4j4i 7g6g",
];

/// The ladder of Janggi.
pub const JANGGI: Ladder = [
    attentive([66, 100, 15, 41, 0], 100),
    attentive([75, 100, 35, 46, 6], 94),
    attentive([83, 100, 50, 56, 14], 88),
    attentive([86, 100, 63, 64, 24], 83),
    attentive([90, 100, 75, 75, 40], 74),
    attentive([93, 100, 84, 84, 55], 64),
    attentive([95, 100, 90, 90, 69], 54),
    attentive([97, 100, 96, 96, 85], 42),
    attentive([100, 100, 100, 100, 100], 30),
    searching(820, 185),
    searching(1_400, 152),
    searching(2_200, 128),
    searching(3_800, 103),
    searching(5_900, 84),
    searching(8_500, 71),
    searching(13_000, 58),
    searching(20_000, 46),
    searching(32_000, 34),
    searching(58_000, 21),
    searching(100_000, 12),
];

/// The ladder of Dobutsu shogi. With only twelve squares, an attentive player soon notices everything, so most levels
/// search. From level 14 on, the search finds the result of most positions, so the levels differ little.
pub const DOBUTSU: Ladder = [
    attentive([70, 55, 25, 70, 0], 190),
    attentive([82, 73, 54, 81, 24], 145),
    attentive([90, 85, 74, 90, 48], 105),
    attentive([95, 93, 88, 95, 72], 70),
    attentive([100, 100, 100, 100, 100], 40),
    searching(100, 550),
    searching(250, 330),
    searching(600, 270),
    searching(1_400, 220),
    searching(3_200, 175),
    searching(7_500, 135),
    searching(17_000, 100),
    searching(40_000, 70),
    searching(90_000, 40),
    searching(200_000, 20),
    searching(300_000, 16),
    searching(400_000, 12),
    searching(550_000, 8),
    searching(750_000, 4),
    searching(1_000_000, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladders_rise() {
        for ladder in [SHOGI, JANGGI, DOBUTSU] {
            for pair in ladder.windows(2) {
                match (pair[0], pair[1]) {
                    (Player::Attentive(a), Player::Attentive(b)) => {
                        assert!(
                            a.moves <= b.moves
                                && a.drops <= b.drops
                                && a.threats <= b.threats
                                && a.mates <= b.mates,
                            "{pair:?}"
                        );
                        assert!(a.sense <= b.sense && a.error >= b.error && a != b, "{pair:?}");
                    }
                    (Player::Searching { nodes: a, error: x }, Player::Searching { nodes: b, error: y }) => {
                        assert!(a <= b && x >= y && (a, x) != (b, y), "{pair:?}");
                    }
                    (Player::Attentive(_), Player::Searching { .. }) => {}
                    (Player::Searching { .. }, Player::Attentive(_)) => panic!("{pair:?}"),
                }
            }
        }
    }
}
