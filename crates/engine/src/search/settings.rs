//! Settings of a search that a user can change, apart from memory and threads.

use crate::ladder::{self, Player};
use sanban_rules::Score;
use std::time::Duration;

/// Maximum value of [`Settings::skill_level`]: full strength.
pub const FULL_SKILL: u32 = ladder::FULL as u32;

/// The settings of a search; changes take effect with the next search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of best lines to find, at least 1.
    pub multi_pv: usize,
    /// The value of a draw for the searching side, in centipawns, when it is black and when it is white.
    pub draw_value: [Score; 2],
    /// Usual delay until a move reaches the referee's clock; subtracted from the planned time of every move.
    pub network_delay: Duration,
    /// Maximum such delay; subtracted from the time limit where exceeding it would lose the game.
    pub network_delay2: Duration,
    /// Minimum thinking time of a move in a game with a clock, if the clock allows it.
    pub minimum_thinking_time: Duration,
    /// Share of the planned time to use, in percent.
    pub slow_mover: u32,
    /// Extend lines for analysis beyond the horizon with moves from the transposition table.
    pub consideration_mode: bool,
    /// Also report lines that are only bounds (fail high, fail low).
    pub output_fail_lhpv: bool,
    /// The search ponders on the position before the opponent's move: a ponderhit is followed by a new search.
    pub stochastic_ponder: bool,
    /// Playing strength, from 0 (weakest) to [`FULL_SKILL`]; see [`ladder`].
    pub skill_level: u32,
    /// A player to use instead of that of the skill level, for experiments.
    pub player: Option<Player>,
    /// Seed for a weakened player's errors, combined with the position.
    pub luck: u64,
    /// Minimum time between two reports of lines; the last lines are always reported.
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
