//! Settings of a search that a user can change, apart from memory and threads.

use crate::ladder::{self, Player};
use sanban_rules::Score;
use std::time::Duration;

/// Strongest value of [`Settings::skill_level`].
pub const FULL_SKILL: u32 = ladder::FULL as u32;

/// The settings of a search; changes apply from the next search on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of best lines to find, at least 1.
    pub multi_pv: usize,
    /// The value of a draw to the side that searches, in centipawns, when it is black and when it is white.
    pub draw_value: [Score; 2],
    /// Usual time a move loses on its way to the referee's clock; kept back from every move of a clock game.
    pub network_delay: Duration,
    /// Largest time a move may lose on its way; kept back where exceeding the clock would lose the game.
    pub network_delay2: Duration,
    /// A move of a game with a clock takes at least this long, if the clock allows.
    pub minimum_thinking_time: Duration,
    /// Share of the planned time to use, in percent.
    pub slow_mover: u32,
    /// Lines for analysis: they are continued beyond the horizon with moves from the table.
    pub consideration_mode: bool,
    /// Also report lines that are only bounds (fail high, fail low).
    pub output_fail_lhpv: bool,
    /// The search ponders on the position before the opponent's move: a ponderhit is followed by a new search.
    pub stochastic_ponder: bool,
    /// Playing strength, from 0 (barely knows the rules) to [`FULL_SKILL`]; see [`ladder`].
    pub skill_level: u32,
    /// A player that replaces the one of the level; for experiments.
    pub player: Option<Player>,
    /// Seed of a weakened player's errors, combined with the position.
    pub luck: u64,
    /// Time between two reports of lines; the last lines are always reported.
    pub pv_interval: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            draw_value: [0; 2],
            network_delay: Duration::from_millis(20),
            network_delay2: Duration::from_millis(60),
            minimum_thinking_time: Duration::ZERO,
            slow_mover: 100,
            consideration_mode: false,
            output_fail_lhpv: true,
            stochastic_ponder: false,
            skill_level: FULL_SKILL,
            player: None,
            luck: 0,
            pv_interval: Duration::from_millis(300),
        }
    }
}
