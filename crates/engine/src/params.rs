//! All tunable search parameters, each defined once with its name, default, range and meaning. A game may override the
//! defaults (`Game::PARAMS`); the feature `tune` makes the parameters adjustable at run time.
//!
//! Two kinds of constants are defined elsewhere: those that belong to a table (its size, the limits and initial values
//! of its entries, the ages of the transposition table) with the table, and small integers that are part of an
//! algorithm, such as "two plies", where they are used.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal, $lo:literal..=$hi:literal;)*) => {
        /// The tunable parameters of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params { $($(#[$doc])* pub $name: i32),* }

        impl Params {
            /// The default values.
            pub const DEFAULT: Self = Self { $($name: $value),* };
            /// Name, default, minimum and maximum of every parameter.
            pub const SPEC: &'static [(&'static str, i32, i32, i32)] = &[$((stringify!($name), $value, $lo, $hi)),*];

            /// Sets a parameter by name, clamped to its range. Returns false if no parameter has this name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => { self.$name = value.clamp($lo, $hi); true })*
                    _ => false,
                }
            }

            /// Returns the value of a parameter by name.
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
    /// Time: decrease of the number of moves to plan for, per hundred plies.
    time_horizon_fall: 20, 0..=50;
    /// Time: minimum number of moves to plan for.
    time_horizon_least: 24, 5..=100;
    /// Time: share of the increment and the byoyomi to include in the plan, in percent.
    time_always: 85, 10..=100;
    /// Time: maximum time for a move, in percent of the planned time.
    time_most: 400, 100..=1000;
    /// Time: maximum time for a move, in percent of the main time.
    time_most_main: 30, 5..=90;
    /// Time: share of the increment and the byoyomi that a move may use in addition, in percent.
    time_most_always: 90, 10..=100;
    /// Time: scale of the planned time if the last iteration changed the best move, in percent.
    time_stable_0: 135, 50..=300;
    /// Time: scale of the planned time if the best move has been stable for one iteration, in percent.
    time_stable_1: 115, 50..=300;
    /// Time: scale of the planned time if the best move has been stable for two iterations, in percent.
    time_stable_2: 100, 50..=200;
    /// Time: scale of the planned time if the best move has been stable for three iterations, in percent.
    time_stable_3: 90, 20..=200;
    /// Time: scale of the planned time if the best move has been stable for four or more iterations, in percent.
    time_stable_4: 80, 20..=200;
    /// Time: drop of the score that doubles the planned time, in centipawns.
    time_falling: 150, 20..=1000;
    /// Time: minimum scale of the planned time when the score rises, in percent.
    time_falling_least: 80, 20..=100;
    /// Time: maximum scale of the planned time when the score falls, in percent.
    time_falling_most: 170, 100..=400;
    /// Time: scale of the planned time if none of the nodes were spent on the best move, in percent.
    time_effort: 150, 100..=300;
    /// Time: decrease of this scale if all nodes were spent on the best move, in percentage points.
    time_effort_share: 80, 0..=100;
    /// Time: iterations after which the only legal move is played.
    time_forced: 8, 1..=100;
    /// Aspiration: first depth in plies with a narrow window.
    aspiration_depth: 2, 1..=20;
    /// Aspiration: initial half-width of the window, in centipawns.
    aspiration_window: 7, 1..=200;
    /// Aspiration: mean square of the scores that widens the window by one centipawn.
    aspiration_variance: 3341, 100..=100000;
    /// Transposition table: depth in plies above which an entry may cause a cut-off at any type of node.
    tt_any_node: 5, 0..=100;
    /// Transposition table: history bonus for the TT move after a cut-off, per ply of depth.
    tt_cut_factor: 106, 0..=1000;
    /// Transposition table: constant subtracted from that bonus.
    tt_cut_base: 59, 0..=1000;
    /// Transposition table: maximum of that bonus.
    tt_cut_most: 1254, 0..=8192;
    /// Transposition table: malus for the opponent's last move if it was an early quiet move and the TT move refutes
    /// it.
    tt_cut_last_malus: 2298, 0..=8192;
    /// Mate in one: plies added to the depth of the node when the mate is stored in the transposition table.
    mate_depth: 7, 0..=100;
    /// Mate in one: whether quiescence search looks for it (1) or not (0).
    qsearch_mate: 1, 0..=1;
    /// Evaluation difference: limit of a decrease when it updates the history of the opponent's quiet move, in centipawns.
    eval_difference_least: 209, 0..=1000;
    /// Evaluation difference: limit of an increase when it updates the history of the opponent's quiet move, in centipawns.
    eval_difference_most: 134, 0..=1000;
    /// Evaluation difference: constant added to the difference.
    eval_difference_base: 45, -500..=500;
    /// Evaluation difference: factor for the butterfly history.
    eval_difference_factor: 9, 0..=100;
    /// Evaluation difference: factor for the pawn history.
    eval_difference_pawn_factor: 10, 0..=100;
    /// Hindsight: sum of two consecutive evaluations above which a reduced node is searched one ply shallower, in
    /// centipawns.
    hindsight: 216, 0..=1000;
    /// Razoring: constant part of the margin, in centipawns.
    razor_base: 457, 0..=3000;
    /// Razoring: margin per squared ply of depth, in centipawns.
    razor_factor: 273, 0..=2000;
    /// Reverse futility: first depth at which it is not used, in plies.
    rfp_depth: 14, 0..=40;
    /// Reverse futility: margin per ply of depth, in centipawns.
    rfp_factor: 85, 10..=400;
    /// Reverse futility: decrease of that margin when the position is not in the transposition table.
    rfp_unknown: 18, 0..=100;
    /// Reverse futility: decrease of the margin when the evaluation is improving, in 1024ths of the margin per ply.
    rfp_improving: 1446, 0..=8192;
    /// Reverse futility: decrease of the margin when the opponent's evaluation is worsening, in 1024ths of the margin
    /// per ply.
    rfp_worsening: 331, 0..=4096;
    /// Reverse futility: correction of the evaluation that increases the margin by one centipawn.
    rfp_correction: 188013, 10000..=1000000;
    /// Null move: minimum depth in plies.
    null_depth: 1, 1..=100;
    /// Null move: constant part of the reduction, in plies.
    null_reduction: 6, 1..=12;
    /// Null move: plies of depth that increase the reduction by one ply.
    null_divisor: 3, 1..=16;
    /// Null move: margin above beta that the static evaluation must reach at depth 0, in centipawns.
    null_base: 471, -200..=1500;
    /// Null move: decrease of this margin per ply of depth, in centipawns.
    null_factor: 13, 0..=100;
    /// Null move: decrease of this margin when the evaluation is improving, in centipawns.
    null_improving: 65, 0..=500;
    /// Null move: minimum depth at which the result is verified by a normal search, in plies.
    null_verify: 17, 5..=100;
    /// Internal iterative reduction: minimum depth in plies.
    iir_depth: 5, 2..=100;
    /// ProbCut: minimum depth in plies.
    probcut_depth: 3, 1..=100;
    /// ProbCut: margin above beta, in centipawns.
    probcut_margin: 212, 50..=1500;
    /// ProbCut: decrease of the margin when the evaluation is improving, in centipawns.
    probcut_improving: 69, 0..=500;
    /// ProbCut: margin above beta for a score from the transposition table, in centipawns.
    probcut_table: 388, 50..=2000;
    /// ProbCut: reduction when a capture is searched, in plies.
    probcut_reduction: 4, 1..=10;
    /// Late move pruning: constant part of the number of moves searched.
    lmp_base: 3, 1..=100;
    /// Futility of captures: first reduced depth at which it is not used, in plies.
    capture_futility_depth: 8, 0..=20;
    /// Futility of captures: constant part of the margin, in centipawns.
    capture_futility_base: 290, 0..=2000;
    /// Futility of captures: margin per ply of reduced depth, in centipawns.
    capture_futility_factor: 215, 10..=2000;
    /// Futility of captures: weight of the material gained, in 128ths.
    capture_futility_gain: 151, 32..=512;
    /// Futility of captures: margin per 1024 points of history, in centipawns.
    capture_futility_history: 99, 0..=1000;
    /// SEE pruning: allowed loss of a noisy move or check, in centipawns per ply of depth.
    see_noisy: 121, 10..=1000;
    /// SEE pruning: additional allowed loss per 1024 points of history, in centipawns.
    see_noisy_history: 44, 0..=500;
    /// History pruning: history score below which a quiet move is pruned, negated, per ply of depth.
    history_pruning: 3579, 500..=20000;
    /// Futility: weight of the butterfly history relative to the others, in 32nds.
    futility_butterfly: 41, 0..=256;
    /// Futility: history score that counts as one more ply of reduced depth.
    futility_history: 4057, 500..=20000;
    /// Futility: first reduced depth at which it is not used, in plies.
    futility_depth: 12, 0..=30;
    /// Futility: constant part of the margin, in centipawns.
    futility_base: 47, -200..=1000;
    /// Futility: increase of the margin while there is no best move, in centipawns.
    futility_first: 107, 0..=1000;
    /// Futility: margin per ply of reduced depth, in centipawns.
    futility_factor: 71, 10..=800;
    /// Futility: increase of the margin when the static evaluation is above alpha, in centipawns.
    futility_above: 70, 0..=1000;
    /// SEE pruning: allowed loss of a quiet move, in centipawns per squared ply of reduced depth.
    see_quiet: 21, 5..=300;
    /// Singular extension: minimum depth in plies.
    singular_depth: 5, 4..=100;
    /// Singular extension: number of plies by which the TT entry may be shallower than the node.
    singular_table: 3, 0..=10;
    /// Singular extension: first ply at which it is not used, as a multiple of the iteration's depth.
    singular_ply: 2, 1..=8;
    /// Singular extension: margin per ply of depth, in 64ths of a centipawn.
    singular_margin: 81, 0..=1024;
    /// Singular extension: increase of the margin off the principal variation at a node that was once on one.
    singular_margin_pv: 90, 0..=1024;
    /// Singular extension: correction of the evaluation that decreases the second and third margin by one centipawn.
    singular_correction: 238586, 10000..=1000000;
    /// Singular extension: margin for an extension by two plies (the second margin), in centipawns.
    singular_double: -4, -500..=500;
    /// Singular extension: increase of the second margin on the principal variation.
    singular_double_pv: 220, 0..=1000;
    /// Singular extension: decrease of the second margin when the TT move is quiet.
    singular_double_quiet: 164, 0..=1000;
    /// Singular extension: divisor of the TT move history when it is subtracted from the second margin.
    singular_double_history: 118, 16..=4096;
    /// Singular extension: decrease of the second and third margin at plies beyond the iteration's depth, in
    /// centipawns.
    singular_late: 42, 0..=500;
    /// Singular extension: margin for an extension by three plies (the third margin), in centipawns.
    singular_triple: 77, -500..=1000;
    /// Singular extension: increase of the third margin on the principal variation.
    singular_triple_pv: 271, 0..=1000;
    /// Singular extension: decrease of the third margin when the TT move is quiet.
    singular_triple_quiet: 168, 0..=1000;
    /// Singular extension: increase of the third margin at a node that is or was on a principal variation.
    singular_triple_tt_pv: 83, 0..=1000;
    /// Singular extension: reduction when the TT move is not singular and its score is at least beta, in plies.
    singular_less: 3, 0..=6;
    /// Singular extension: reduction when the TT move is not singular and a cut-off is expected, in plies.
    singular_less_cut: 2, 0..=6;
    /// Multi-cut: constant part of the malus for the TT move history.
    multi_cut_malus: 386, 0..=4096;
    /// Multi-cut: malus per ply of depth.
    multi_cut_malus_factor: 141, 0..=1000;
    /// Multi-cut: maximum malus.
    multi_cut_malus_most: 3261, 0..=8192;
    /// Late move reductions, for both pruning and search: constant part, in 1024ths of a ply.
    lmr_base: 1380, -2048..=4096;
    /// Late move reductions: factor of the product of the logarithms of depth and move count, in 1024ths.
    lmr_factor: 685, 0..=2048;
    /// Late move reductions: increase of that product when the evaluation is not improving, in 1024ths.
    lmr_falling: 380, 0..=2048;
    /// Late move reductions: decrease for a window as wide as the root's, in 1024ths of a ply.
    lmr_window: 605, 0..=4096;
    /// Late move reductions, for both pruning and search: increase at a node that is or was on a principal variation,
    /// in 1024ths of a ply; the search subtracts `lmr_tt_pv`.
    lmr_prune_tt_pv: 1219, -4096..=4096;
    /// Late move reductions, for the search only: constant part. This and the following amounts are in 1024ths of a
    /// ply.
    lmr_constant: 796, -4096..=4096;
    /// Late move reductions: decrease at a node that is or was on a principal variation.
    lmr_tt_pv: 3411, 0..=8192;
    /// Late move reductions: further decrease on the principal variation.
    lmr_pv: 1026, 0..=4096;
    /// Late move reductions: decrease on a current or former principal variation when the TT score is above alpha.
    lmr_tt_above_alpha: 1163, 0..=4096;
    /// Late move reductions: decrease on a current or former principal variation when the TT entry is at least as deep
    /// as the node.
    lmr_tt_deep: 997, 0..=4096;
    /// Late move reductions: further decrease when a cut-off is also expected.
    lmr_tt_deep_cut: 945, 0..=4096;
    /// Late move reductions: decrease multiplied by the move count.
    lmr_rank: 51, 0..=512;
    /// Late move reductions: correction of the evaluation that decreases the reduction by 1/1024 of a ply.
    lmr_correction: 30817, 1000..=1000000;
    /// Late move reductions: increase when a cut-off is expected.
    lmr_cut: 3390, 0..=8192;
    /// Late move reductions: further increase when there is also no TT move.
    lmr_cut_unknown: 801, 0..=4096;
    /// Late move reductions: increase when the TT move is noisy.
    lmr_tt_noisy: 797, 0..=4096;
    /// Late move reductions: increase after at least two cut-offs at the next ply.
    lmr_cutoffs: 292, 0..=4096;
    /// Late move reductions: further increase after at least three cut-offs at the next ply.
    lmr_many_cutoffs: 1346, 0..=4096;
    /// Late move reductions: further increase after at least two cut-offs at the next ply of an expected all-node.
    lmr_cutoffs_all: 1084, 0..=4096;
    /// Late move reductions: decrease for the TT move.
    lmr_is_tt_move: 2294, 0..=8192;
    /// Late move reductions: share of the history score that is subtracted, in 4096ths.
    lmr_history: 490, 0..=4096;
    /// Late move reductions: factor of the relative increase at expected all-nodes, which shrinks with depth.
    lmr_all: 228, 0..=2048;
    /// Late move reductions: weight of the material gained in the history score of a capture, in 128ths.
    capture_stat_gain: 948, 0..=4096;
    /// Re-search: excess over the best score above which a reduced move is searched one ply deeper, in centipawns.
    deeper_margin: 47, 10..=500;
    /// Re-search: excess over the best score below which a reduced move is searched one ply shallower, in centipawns.
    shallower_margin: 10, 0..=100;
    /// Re-search: history bonus for a reduced move that raises alpha.
    surprise_bonus: 1432, 0..=8192;
    /// Full-depth search: increase of the reduction when there is no TT move, in 1024ths of a ply.
    full_unknown: 1102, 0..=4096;
    /// Full-depth search: reduction above which the search is one ply shallower, in 1024ths of a ply.
    full_reduce: 4110, 0..=16384;
    /// Full-depth search: reduction above which the search is two plies shallower, in 1024ths of a ply.
    full_reduce_twice: 4176, 0..=16384;
    /// Raised alpha: depth below which the remaining moves are searched two plies shallower, in plies.
    raise_depth: 19, 0..=40;
    /// History bonus: increase per ply of depth.
    bonus_factor: 172, 10..=1000;
    /// History bonus: constant subtracted.
    bonus_base: 71, 0..=1000;
    /// History bonus: maximum.
    bonus_most: 1207, 100..=8192;
    /// History bonus: increase for the TT move.
    bonus_tt_move: 309, 0..=4096;
    /// History bonus: divisor of the previous move's history score when it is added.
    bonus_last: 40, 1..=1024;
    /// History malus: increase per ply of depth.
    malus_factor: 1157, 10..=4000;
    /// History malus: constant subtracted.
    malus_base: 189, 0..=1000;
    /// History malus: maximum.
    malus_most: 2059, 100..=8192;
    /// History bonus: share for a noisy best move, in 1024ths.
    noisy_bonus_share: 1324, 0..=4096;
    /// History malus: share for noisy moves tried before the best move, in 1024ths.
    noisy_malus_share: 1386, 0..=4096;
    /// History bonus: share for a quiet best move, in 1024ths.
    quiet_bonus_share: 933, 0..=4096;
    /// History malus: share for quiet moves tried before a quiet best move, in 1024ths.
    quiet_malus_share: 1284, 0..=4096;
    /// History malus: factor applied to the malus from one quiet move to the next, in 1024ths.
    malus_decay: 1022, 0..=1024;
    /// History malus: share for the opponent's first move if it is refuted, in 1024ths.
    early_malus_share: 705, 0..=4096;
    /// History bonus: share for the low-ply history, in 1024ths.
    low_ply_share: 554, 0..=4096;
    /// History bonus: share for the continuation history, in 1024ths.
    continuation_share: 1008, 0..=4096;
    /// History bonus: share for the pawn history, in 1024ths.
    pawn_bonus_share: 915, 0..=4096;
    /// History malus: share for the pawn history, in 1024ths.
    pawn_malus_share: 507, 0..=4096;
    /// TT move history: bonus if the TT move is the best move.
    tt_move_bonus: 645, 0..=4096;
    /// TT move history: malus if it is not.
    tt_move_malus: 584, 0..=4096;
    /// Fail low (bonus for the opponent's last move): constant part of the bonus scale, negated.
    fail_low_base: 226, 0..=1000;
    /// Fail low: divisor of that move's history score when it is subtracted from the scale.
    fail_low_history: 139, 16..=1024;
    /// Fail low: increase of the scale per ply of depth.
    fail_low_depth: 78, 0..=500;
    /// Fail low: maximum of that increase.
    fail_low_depth_most: 524, 0..=2000;
    /// Fail low: increase of the scale for a late move.
    fail_low_late: 163, 0..=1000;
    /// Fail low: increase of the scale when the score is below the evaluation of this node.
    fail_low_below: 135, 0..=1000;
    /// Fail low: margin of that comparison, in centipawns.
    fail_low_below_margin: 89, 0..=1000;
    /// Fail low: increase of the scale when the score is below the evaluation before the opponent's move.
    fail_low_above: 142, 0..=1000;
    /// Fail low: margin of that comparison, in centipawns.
    fail_low_above_margin: 78, 0..=1000;
    /// Fail low: increase of the bonus per ply of depth.
    fail_low_factor: 166, 0..=1000;
    /// Fail low: constant subtracted from the bonus.
    fail_low_constant: 67, 0..=1000;
    /// Fail low: maximum bonus before scaling.
    fail_low_most: 1910, 0..=8192;
    /// Fail low: share for the continuation history, in 1024ths.
    fail_low_continuation: 292, 0..=1024;
    /// Fail low: share for the butterfly history, in 1024ths.
    fail_low_butterfly: 268, 0..=1024;
    /// Fail low: share for the pawn history, in 1024ths.
    fail_low_pawn: 254, 0..=1024;
    /// Fail low: bonus for a capture.
    fail_low_noisy: 1152, 0..=8192;
    /// Capture ordering: history score that equals one centipawn of gain.
    noisy_gain: 7, 1..=32;
    /// Capture ordering: ordering score that compensates for a loss of one centipawn in the exchange.
    good_noisy_divisor: 19, 1..=256;
    /// Quiet move ordering: ordering score above which quiet moves are tried before bad captures.
    good_quiet: -16419, -100000..=0;
    /// Quiet move ordering: bonus for a check.
    check_bonus: 15807, 0..=65536;
    /// Quiet move ordering: loss above which a check gets no bonus, in centipawns.
    check_see: 80, 0..=1000;
    /// Quiescence: futility margin of a capture, in centipawns.
    qsearch_margin: 354, 0..=2000;
    /// Quiescence: weight of the material gained by a capture, in 128ths.
    qsearch_gain: 124, 32..=512;
    /// Quiescence: number of moves after which only checks and recaptures are searched.
    qsearch_moves: 2, 1..=100;
    /// Quiescence: maximum loss of a capture in the exchange, in centipawns.
    qsearch_see: 80, 0..=1000;
    /// Correction history: weight of the pawns, in 131072nds.
    correction_pawns: 15976, 0..=65536;
    /// Correction history: weight of the minor pieces, in 131072nds.
    correction_minors: 7662, 0..=65536;
    /// Correction history: weight of each side's pieces, in 131072nds.
    correction_pieces: 17321, 0..=65536;
    /// Correction history: weight of the pieces in hand, in 131072nds.
    correction_hands: 7667, 0..=65536;
    /// Correction history: weight of the last moves, in 131072nds.
    correction_moves: 9096, 0..=65536;
    /// Correction history: learning rate if there is a best move, in 128ths.
    correction_best: 11, 1..=128;
    /// Correction history: learning rate if there is no best move, in 128ths.
    correction_bound: 22, 1..=128;
}

impl Params {
    /// The step by which tuning changes a parameter of this value and range: a quarter of the value, at most a tenth of
    /// the range, at least 0.5.
    pub fn step(value: i32, lo: i32, hi: i32) -> f64 {
        (f64::from(value.abs()) / 4.0).min(f64::from(hi - lo) / 10.0).max(0.5)
    }
}

/// Converts a parameter in percent to a factor.
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
