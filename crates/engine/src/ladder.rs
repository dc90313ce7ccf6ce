//! The ladder of playing strength: how the player of each level thinks.
//!
//! The lowest levels look one move ahead and overlook things as beginners do ([`Attention`]); the others search a
//! number of nodes and misjudge what they find. A game has its own numbers (`Game::LADDER`), chosen by games between
//! neighbours; see `docs/levels.md`.

/// The level of full strength, above every [`Player`] of a ladder.
pub const FULL: usize = 20;

/// How a player below full strength thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Looks one move ahead, and at the captures and mates that answer it, if they are noticed.
    Attentive(Attention),
    /// Searches, and misjudges the best moves found.
    Searching {
        /// Number of nodes.
        nodes: u64,
        /// Largest error of judgement in centipawns.
        error: i32,
    },
}

/// How likely a player who looks one move ahead is to notice facts.
///
/// The shares are for facts in plain sight. Beginners' blind spots are noticed less often: backward moves, drops,
/// captures from afar, lines that were opened by another piece, and events far from the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// How often an own move on the board is noticed, in percent.
    pub moves: u32,
    /// How often a drop is noticed, in percent: beginners forget what they have in hand.
    pub drops: u32,
    /// How often the opponent's next capture is noticed, in percent.
    pub threats: u32,
    /// How often a mate is noticed, in percent: by an own move, and by an answer to it.
    pub mates: u32,
    /// How much the evaluation of a position counts beyond the material, in percent.
    pub sense: u32,
    /// Largest error of judgement in centipawns.
    pub error: i32,
}

/// The players below full strength, the weakest first.
pub type Ladder = [Player; FULL];

/// The name of a level in a language (`en`, `ja`, `ko`); English for others.
#[must_use]
pub fn name(level: usize, language: &str) -> String {
    let level = level.min(FULL);
    if level == FULL {
        return pick(["full strength", "最強", "최강"], language).into();
    }
    let names = GROUPS[level / GROUP];
    format!("{} {}", pick(names, language), level % GROUP + 1)
}

/// Levels of one name.
const GROUP: usize = 4;

const GROUPS: [[&str; 3]; FULL / GROUP] = [
    ["newcomer", "はじめて", "첫걸음"],
    ["beginner", "入門", "입문"],
    ["casual player", "初級", "초급"],
    ["club player", "中級", "중급"],
    ["strong player", "上級", "상급"],
];

fn pick(texts: [&'static str; 3], language: &str) -> &'static str {
    match language {
        "ja" => texts[1],
        "ko" => texts[2],
        _ => texts[0],
    }
}

const fn attentive([moves, drops, threats, mates, sense]: [u32; 5], error: i32) -> Player {
    Player::Attentive(Attention { moves, drops, threats, mates, sense, error })
}

const fn searching(nodes: u64, error: i32) -> Player {
    Player::Searching { nodes, error }
}

/// Shogi's ladder.
pub const SHOGI: Ladder = [
    attentive([40, 40, 96, 3, 0], 1_200),
    attentive([48, 48, 96, 9, 4], 880),
    attentive([55, 55, 96, 17, 8], 680),
    attentive([61, 61, 96, 25, 12], 550),
    attentive([67, 67, 96, 34, 18], 450),
    attentive([72, 72, 97, 43, 25], 370),
    attentive([78, 78, 97, 54, 34], 290),
    attentive([85, 85, 97, 69, 48], 205),
    attentive([93, 93, 98, 86, 70], 120),
    attentive([100, 100, 100, 100, 100], 40),
    searching(700, 400),
    searching(1_000, 350),
    searching(1_600, 300),
    searching(2_700, 250),
    searching(4_500, 200),
    searching(7_500, 158),
    searching(13_000, 124),
    searching(21_000, 89),
    searching(36_000, 55),
    searching(60_000, 20),
];

/// Janggi's ladder.
pub const JANGGI: Ladder = [
    attentive([60, 100, 10, 30, 0], 100),
    attentive([70, 100, 30, 40, 5], 95),
    attentive([80, 100, 45, 50, 10], 90),
    attentive([85, 100, 60, 60, 20], 85),
    attentive([90, 100, 75, 75, 40], 75),
    attentive([94, 100, 87, 87, 60], 60),
    attentive([97, 100, 95, 95, 80], 45),
    attentive([100, 100, 100, 100, 100], 30),
    searching(200, 400),
    searching(340, 365),
    searching(560, 331),
    searching(950, 296),
    searching(1_600, 262),
    searching(2_700, 227),
    searching(4_500, 193),
    searching(7_500, 158),
    searching(13_000, 124),
    searching(21_000, 89),
    searching(36_000, 55),
    searching(60_000, 20),
];

/// Dobutsu's ladder: on twelve squares attention soon sees everything, so that few levels do without a search.
pub const DOBUTSU: Ladder = [
    attentive([76, 65, 35, 22, 0], 190),
    attentive([100, 100, 100, 100, 100], 40),
    searching(100, 400),
    searching(140, 378),
    searching(200, 355),
    searching(290, 333),
    searching(410, 311),
    searching(580, 288),
    searching(830, 266),
    searching(1_200, 244),
    searching(1_700, 221),
    searching(2_400, 199),
    searching(3_400, 176),
    searching(4_800, 154),
    searching(6_900, 132),
    searching(9_800, 109),
    searching(14_000, 87),
    searching(20_000, 65),
    searching(28_000, 42),
    searching(40_000, 20),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_name_of_its_own() {
        for language in ["en", "ja", "ko"] {
            let names: std::collections::BTreeSet<String> =
                (0..=FULL).map(|level| name(level, language)).collect();
            assert_eq!(names.len(), FULL + 1, "{language}");
        }
    }

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
