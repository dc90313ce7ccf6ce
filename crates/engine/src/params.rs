//! Every tunable number of the search, defined once: one row gives the field, its default, its range and its meaning. A
//! game may start from other values (`Game::PARAMS`); the feature `tune` makes them options at run time.
//!
//! Not here: constants that belong to a table (its size, the limits and first values of its entries, the ages of the
//! transposition table), which are defined with the table, and small whole numbers that make up an idea, such as "two
//! plies", which are written where they are used.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal, $lo:literal..=$hi:literal;)*) => {
        /// The tunable numbers of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params { $($(#[$doc])* pub $name: i32),* }

        impl Params {
            /// The values that every game starts from.
            pub const DEFAULT: Self = Self { $($name: $value),* };
            /// Name, default, smallest and largest value of every row.
            pub const SPEC: &'static [(&'static str, i32, i32, i32)] = &[$((stringify!($name), $value, $lo, $hi)),*];

            /// Sets one row by name, clamped to its range; false when there is no such row.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => { self.$name = value.clamp($lo, $hi); true })*
                    _ => false,
                }
            }

            /// One row by name.
            #[cfg(feature = "tune")]
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Time: reserve to keep on the clock, if possible, in case the machine stalls, in milliseconds.
    time_reserve: 200, 0..=2000;
    /// Time: moves to plan for at the start of a game.
    time_horizon: 52, 10..=100;
    /// Time: moves less to plan for every hundred plies.
    time_horizon_fall: 20, 0..=50;
    /// Time: least number of moves to plan for.
    time_horizon_least: 24, 5..=100;
    /// Time: share of the increment and the byoyomi to include in the plan, in percent.
    time_always: 85, 10..=100;
    /// Time: most that a move may take relative to the planned time, in percent.
    time_most: 400, 100..=1000;
    /// Time: most that a move may take of the main time, in percent.
    time_most_main: 30, 5..=90;
    /// Time: most that a move may also take of the increment and the byoyomi, in percent.
    time_most_always: 90, 10..=100;
    /// Time: share of the plan for a move that has just become the best, in percent.
    time_stable_0: 135, 50..=300;
    /// Time: the same, when it was the best once before.
    time_stable_1: 115, 50..=300;
    /// Time: the same, when it was the best twice before.
    time_stable_2: 100, 50..=200;
    /// Time: the same, when it was the best three times before.
    time_stable_3: 90, 20..=200;
    /// Time: the same, when it was the best four times or more before.
    time_stable_4: 80, 20..=200;
    /// Time: drop of the score in centipawns that doubles the plan.
    time_falling: 150, 20..=1000;
    /// Time: share of the plan when the score rises, in percent.
    time_falling_least: 80, 20..=100;
    /// Time: share of the plan when the score falls deep, in percent.
    time_falling_most: 170, 100..=400;
    /// Time: share of the plan for a move that took no effort, in percent.
    time_effort: 150, 100..=300;
    /// Time: reduction of this for a move that took all of the effort, in percent.
    time_effort_share: 80, 0..=100;
    /// Time: iterations after which an only move is played.
    time_forced: 8, 1..=100;
    /// Aspiration: first depth in plies that has a narrow window.
    aspiration_depth: 2, 1..=20;
    /// Aspiration: first half-width of the window, in centipawns.
    aspiration_window: 7, 1..=200;
    /// Aspiration: mean square of the scores that widens it by a centipawn.
    aspiration_variance: 3341, 100..=100000;
    /// Transposition table: above this depth in plies an entry cuts at any kind of node.
    tt_any_node: 5, 0..=100;
    /// Transposition table: history bonus for its move when it cuts, per ply of depth, ...
    tt_cut_factor: 106, 0..=1000;
    /// ... less this,
    tt_cut_base: 59, 0..=1000;
    /// ... at most this;
    tt_cut_most: 1254, 0..=8192;
    /// and the malus for the opponent's early quiet move that it refutes.
    tt_cut_last_malus: 2298, 0..=8192;
    /// Mate in one: plies added to the depth of the node for the entry in the table.
    mate_depth: 7, 0..=100;
    /// Mate in one: is it searched for in quiescence (1) or not (0)?
    qsearch_mate: 1, 0..=1;
    /// Evaluation difference: least change, negated, in centipawns, that the opponent's quiet move is judged by, ...
    eval_difference_least: 209, 0..=1000;
    /// ... largest change,
    eval_difference_most: 134, 0..=1000;
    /// ... the constant added to it,
    eval_difference_base: 45, -500..=500;
    /// ... its factor for the butterfly history,
    eval_difference_factor: 9, 0..=100;
    /// ... and for the pawn history.
    eval_difference_pawn_factor: 10, 0..=100;
    /// Hindsight: sum of two evaluations in a row, in centipawns, from which a reduced node is searched less deep.
    hindsight: 216, 0..=1000;
    /// Razoring: constant part of the margin in centipawns.
    razor_base: 457, 0..=3000;
    /// Razoring: margin per ply of depth squared.
    razor_factor: 273, 0..=2000;
    /// Reverse futility: depth in plies from which it is not used.
    rfp_depth: 14, 0..=40;
    /// Reverse futility: margin in centipawns per ply of depth.
    rfp_factor: 85, 10..=400;
    /// Reverse futility: reduction of this factor when the table does not have the position.
    rfp_unknown: 18, 0..=100;
    /// Reverse futility: 1024ths of a ply less when the evaluation rises.
    rfp_improving: 1446, 0..=8192;
    /// Reverse futility: the same when the opponent's falls.
    rfp_worsening: 331, 0..=4096;
    /// Reverse futility: correction for a centipawn more.
    rfp_correction: 188013, 10000..=1000000;
    /// Null move: least depth in plies.
    null_depth: 1, 1..=100;
    /// Null move: constant part of the reduction, in plies.
    null_reduction: 6, 1..=12;
    /// Null move: plies of depth that reduce by one more.
    null_divisor: 3, 1..=16;
    /// Null move: centipawns the static evaluation must be above beta at depth 0.
    null_base: 471, -200..=1500;
    /// Null move: decrease of that margin per ply of depth, in centipawns.
    null_factor: 13, 0..=100;
    /// Null move: centipawns less when the evaluation rises.
    null_improving: 65, 0..=500;
    /// Null move: depth in plies from which a normal search verifies.
    null_verify: 17, 5..=100;
    /// Internal iterative reduction: least depth in plies.
    iir_depth: 5, 2..=100;
    /// ProbCut: least depth in plies.
    probcut_depth: 3, 1..=100;
    /// ProbCut: margin above beta in centipawns, ...
    probcut_margin: 212, 50..=1500;
    /// ... reduction of the margin when the evaluation rises,
    probcut_improving: 69, 0..=500;
    /// ... and the margin for a score of the table's.
    probcut_table: 388, 50..=2000;
    /// ProbCut: plies that the search of a capture is shallower.
    probcut_reduction: 4, 1..=10;
    /// Late move pruning: constant number of moves.
    lmp_base: 3, 1..=100;
    /// Futility of captures: depth after reduction from which it is not used, in plies.
    capture_futility_depth: 8, 0..=20;
    /// Futility of captures: constant part of the margin in centipawns, ...
    capture_futility_base: 290, 0..=2000;
    /// ... per ply of reduced depth,
    capture_futility_factor: 215, 10..=2000;
    /// ... per material gained, in 128ths,
    capture_futility_gain: 151, 32..=512;
    /// ... and per 1024 of history.
    capture_futility_history: 99, 0..=1000;
    /// Exchange pruning: loss of a noisy move or check in centipawns per ply, ...
    see_noisy: 121, 10..=1000;
    /// ... and per 1024 of history.
    see_noisy_history: 44, 0..=500;
    /// History pruning: lowest history per ply of depth.
    history_pruning: 3579, 500..=20000;
    /// Futility: weight of the butterfly history next to the others, in 32nds.
    futility_butterfly: 41, 0..=256;
    /// Futility: history for one more ply of reduced depth.
    futility_history: 4057, 500..=20000;
    /// Futility: depth after reduction from which it is not used, in plies.
    futility_depth: 12, 0..=30;
    /// Futility: constant part of the margin in centipawns, ...
    futility_base: 47, -200..=1000;
    /// ... more while no move is the best,
    futility_first: 107, 0..=1000;
    /// ... per ply of reduced depth,
    futility_factor: 71, 10..=800;
    /// ... and more where the evaluation is above alpha.
    futility_above: 70, 0..=1000;
    /// Exchange pruning: loss of a quiet move in centipawns per reduced ply squared.
    see_quiet: 21, 5..=300;
    /// Singular extension: least depth in plies.
    singular_depth: 5, 4..=100;
    /// Singular extension: most plies that the table's entry may be shallower.
    singular_table: 3, 0..=10;
    /// Singular extension: deepest ply, in depths of the iteration.
    singular_ply: 2, 1..=8;
    /// Singular extension: margin in 64ths of a centipawn per ply of depth, ...
    singular_margin: 81, 0..=1024;
    /// ... and more of it where a principal variation was.
    singular_margin_pv: 90, 0..=1024;
    /// Singular extension: correction for a centipawn less of the next margins.
    singular_correction: 238586, 10000..=1000000;
    /// Singular extension: margin in centipawns for a second ply, ...
    singular_double: -4, -500..=500;
    /// ... more on the principal variation,
    singular_double_pv: 220, 0..=1000;
    /// ... less when the table's move is quiet,
    singular_double_quiet: 164, 0..=1000;
    /// ... and less by the history of the table's moves, divided by this.
    singular_double_history: 118, 16..=4096;
    /// Singular extension: less of both margins, in centipawns, beyond the depth of the iteration.
    singular_late: 42, 0..=500;
    /// Singular extension: margin in centipawns for a third ply, ...
    singular_triple: 77, -500..=1000;
    /// ... more on the principal variation,
    singular_triple_pv: 271, 0..=1000;
    /// ... less when the table's move is quiet,
    singular_triple_quiet: 168, 0..=1000;
    /// ... and more where a principal variation was.
    singular_triple_tt_pv: 83, 0..=1000;
    /// Singular extension: plies less when the table's move fails high and is not alone.
    singular_less: 3, 0..=6;
    /// Singular extension: plies less when it is not alone where a cut is expected.
    singular_less_cut: 2, 0..=6;
    /// Multi-cut: malus for the history of the table's moves, ...
    multi_cut_malus: 386, 0..=4096;
    /// ... per ply of depth,
    multi_cut_malus_factor: 141, 0..=1000;
    /// ... and at most.
    multi_cut_malus_most: 3261, 0..=8192;
    /// Late move reductions, for pruning and search: constant part, in 1024ths of a ply.
    lmr_base: 1380, -2048..=4096;
    /// Late move reductions: factor of the product of the logarithms of depth and move count, in 1024ths.
    lmr_factor: 685, 0..=2048;
    /// Late move reductions: more of that when the evaluation does not rise, in 1024ths.
    lmr_falling: 380, 0..=2048;
    /// Late move reductions: less for a window as wide as the root's, in 1024ths of a ply.
    lmr_window: 605, 0..=4096;
    /// Late move reductions, for pruning alone: more where a principal variation was.
    lmr_prune_tt_pv: 1219, -4096..=4096;
    /// Late move reductions, for the search alone: constant part.
    lmr_constant: 796, -4096..=4096;
    /// Late move reductions: less where a principal variation was, ...
    lmr_tt_pv: 3411, 0..=8192;
    /// ... where it is,
    lmr_pv: 1026, 0..=4096;
    /// ... when the table's score is above alpha,
    lmr_tt_above_alpha: 1163, 0..=4096;
    /// ... when its entry is as deep,
    lmr_tt_deep: 997, 0..=4096;
    /// ... and when a cut is expected as well.
    lmr_tt_deep_cut: 945, 0..=4096;
    /// Late move reductions: less per move before.
    lmr_rank: 51, 0..=512;
    /// Late move reductions: correction for a 1024th of a ply less.
    lmr_correction: 30817, 1000..=1000000;
    /// Late move reductions: more where a cut is expected, ...
    lmr_cut: 3390, 0..=8192;
    /// ... and the table has no move.
    lmr_cut_unknown: 801, 0..=4096;
    /// Late move reductions: more when the table's move is noisy.
    lmr_tt_noisy: 797, 0..=4096;
    /// Late move reductions: more when the nodes of the next ply were cut twice, ...
    lmr_cutoffs: 292, 0..=4096;
    /// ... or more often,
    lmr_many_cutoffs: 1346, 0..=4096;
    /// ... and no cut is expected here.
    lmr_cutoffs_all: 1084, 0..=4096;
    /// Late move reductions: less for the table's move.
    lmr_is_tt_move: 2294, 0..=8192;
    /// Late move reductions: history in 4096ths that is subtracted.
    lmr_history: 490, 0..=4096;
    /// Late move reductions: factor by which shallow nodes where nothing is expected reduce more.
    lmr_all: 228, 0..=2048;
    /// History of a capture in reductions: weight of the material gained, in 128ths.
    capture_stat_gain: 948, 0..=4096;
    /// Re-search one ply deeper when a reduced move beat the best by this many centipawns.
    deeper_margin: 47, 10..=500;
    /// Re-search one ply less deep when it did by less than this.
    shallower_margin: 10, 0..=100;
    /// History bonus for a reduced move that surprised.
    surprise_bonus: 1432, 0..=8192;
    /// Full search: reduction, in 1024ths of a ply, more when the table has no move, ...
    full_unknown: 1102, 0..=4096;
    /// ... from which it is a ply less deep,
    full_reduce: 4110, 0..=16384;
    /// ... and from which it is two.
    full_reduce_twice: 4176, 0..=16384;
    /// Depth in plies below which a node is searched two plies less deep once alpha was raised.
    raise_depth: 19, 0..=40;
    /// History bonus: factor of the depth, ...
    bonus_factor: 172, 10..=1000;
    /// ... the constant subtracted,
    bonus_base: 71, 0..=1000;
    /// ... the largest,
    bonus_most: 1207, 100..=8192;
    /// ... more for the table's move,
    bonus_tt_move: 309, 0..=4096;
    /// ... and divisor of the history of the move before.
    bonus_last: 40, 1..=1024;
    /// History malus: factor of the depth, ...
    malus_factor: 1157, 10..=4000;
    /// ... the constant subtracted,
    malus_base: 189, 0..=1000;
    /// ... and the largest.
    malus_most: 2059, 100..=8192;
    /// Share of the bonus for a noisy best move, in 1024ths; for a quiet one;
    noisy_bonus_share: 1324, 0..=4096;
    /// of the malus for noisy moves tried before,
    noisy_malus_share: 1386, 0..=4096;
    /// for a quiet best move,
    quiet_bonus_share: 933, 0..=4096;
    /// and for quiet moves tried before it, ...
    quiet_malus_share: 1284, 0..=4096;
    /// ... which falls by this factor, in 1024ths, from one to the next;
    malus_decay: 1022, 0..=1024;
    /// and of the malus for the opponent's first move when it is refuted.
    early_malus_share: 705, 0..=4096;
    /// Share of a quiet move's bonus that the low-ply history gets, in 1024ths; ...
    low_ply_share: 554, 0..=4096;
    /// ... the continuation history,
    continuation_share: 1008, 0..=4096;
    /// ... the pawn history,
    pawn_bonus_share: 915, 0..=4096;
    /// ... and of a malus.
    pawn_malus_share: 507, 0..=4096;
    /// History of the table's moves: bonus when one is the best, ...
    tt_move_bonus: 645, 0..=4096;
    /// ... and malus when not.
    tt_move_malus: 584, 0..=4096;
    /// Failing low praises the opponent's last move: scale of the bonus, constant part, negated, ...
    fail_low_base: 226, 0..=1000;
    /// ... divisor of the move's history,
    fail_low_history: 139, 16..=1024;
    /// ... per ply of depth,
    fail_low_depth: 78, 0..=500;
    /// ... at most,
    fail_low_depth_most: 524, 0..=2000;
    /// ... for a late move,
    fail_low_late: 163, 0..=1000;
    /// ... when the score is below the evaluation here
    fail_low_below: 135, 0..=1000;
    /// ... by this many centipawns,
    fail_low_below_margin: 89, 0..=1000;
    /// ... and when it is below the evaluation before the opponent's move
    fail_low_above: 142, 0..=1000;
    /// ... by this many centipawns.
    fail_low_above_margin: 78, 0..=1000;
    /// The bonus: factor of the depth, ...
    fail_low_factor: 166, 0..=1000;
    /// ... the constant subtracted,
    fail_low_constant: 67, 0..=1000;
    /// ... the largest,
    fail_low_most: 1910, 0..=8192;
    /// ... and its share for the continuation history,
    fail_low_continuation: 292, 0..=1024;
    /// ... the butterfly history,
    fail_low_butterfly: 268, 0..=1024;
    /// ... and the pawn history;
    fail_low_pawn: 254, 0..=1024;
    /// for a capture this is the bonus.
    fail_low_noisy: 1152, 0..=8192;
    /// Order of captures: history that a centipawn of gain is worth.
    noisy_gain: 7, 1..=32;
    /// Order of captures: rank that makes up for a centipawn lost in the exchange.
    good_noisy_divisor: 19, 1..=256;
    /// Order of quiet moves: history above which they come before bad captures.
    good_quiet: -16419, -100000..=0;
    /// Order of quiet moves: history that a check is worth, ...
    check_bonus: 15807, 0..=65536;
    /// ... unless it loses more than this many centipawns.
    check_see: 80, 0..=1000;
    /// Quiescence: margin in centipawns that a capture may lack, ...
    qsearch_margin: 354, 0..=2000;
    /// ... and weight of the material it gains, in 128ths.
    qsearch_gain: 124, 32..=512;
    /// Quiescence: number of captures to search, besides checks and recaptures.
    qsearch_moves: 2, 1..=100;
    /// Quiescence: most centipawns that a capture may lose in the exchange.
    qsearch_see: 80, 0..=1000;
    /// Correction history: weight of the pawns, in 131072nds, ...
    correction_pawns: 15976, 0..=65536;
    /// ... of the minor pieces,
    correction_minors: 7662, 0..=65536;
    /// ... of each side's pieces,
    correction_pieces: 17321, 0..=65536;
    /// ... of the hands,
    correction_hands: 7667, 0..=65536;
    /// ... and of the last moves.
    correction_moves: 9096, 0..=65536;
    /// Correction history: learning rate, in 128ths, from a best move, ...
    correction_best: 11, 1..=128;
    /// ... and from a bound.
    correction_bound: 22, 1..=128;
}

impl Params {
    /// How far tuning moves a row of this value and range at a time: a quarter of the value, at most a tenth of the
    /// range, at least a half.
    pub fn step(value: i32, lo: i32, hi: i32) -> f64 {
        (f64::from(value.abs()) / 4.0).min(f64::from(hi - lo) / 10.0).max(0.5)
    }
}

/// A row that is a share in percent.
pub fn percent(row: i32) -> f64 {
    f64::from(row) / 100.0
}

#[cfg(test)]
mod tests {
    use super::Params;

    #[test]
    fn rows_are_set_by_name_and_clamped() {
        let mut p = Params::DEFAULT;
        for &(name, default, lo, hi) in Params::SPEC {
            assert!(lo <= default && default <= hi, "{name}");
            assert!(p.set(name, i32::MAX), "{name}");
        }
        assert!(!p.set("no_such_row", 1));
        assert_ne!(p, Params::DEFAULT);
    }
}
