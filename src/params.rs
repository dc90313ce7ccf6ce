//! Every tunable number of the search, once: one row gives the field, its default, its range and its meaning.
//! A game may start from other values (`Game::PARAMS`); the feature `tune` makes them options at run time. (What is
//! part of a table stands with it: its size, its units, what an entry is worth.)

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
        }
    };
}

params! {
    /// Time: what stays on the clock, if it can, for when the machine stands still at the wrong moment, in milliseconds.
    time_reserve: 200, 0..=2000;
    /// Time: moves to plan for at the start of a game.
    time_horizon: 52, 10..=100;
    /// Time: moves less to plan for every hundred plies.
    time_horizon_fall: 20, 0..=50;
    /// Time: least number of moves to plan for.
    time_horizon_least: 24, 5..=100;
    /// Time: share of the increment and the byoyomi that is planned with, in percent.
    time_always: 85, 10..=100;
    /// Time: most that a move may take of what is planned, in percent.
    time_most: 400, 100..=1000;
    /// Time: most that a move may take of the main time, in percent.
    time_most_main: 30, 5..=90;
    /// Time: most that a move may take of the increment and the byoyomi besides, in percent.
    time_most_always: 90, 10..=100;
    /// Time: share of the plan for a move that has just become the best, in percent.
    time_stable_0: 135, 50..=300;
    /// Time: the same, when it was the best once before.
    time_stable_1: 115, 50..=300;
    /// Time: the same, when it was the best twice before.
    time_stable_2: 100, 50..=200;
    /// Time: the same, when it was the best three times before.
    time_stable_3: 90, 20..=200;
    /// Time: the same, when it was the best more often.
    time_stable_4: 80, 20..=200;
    /// Time: centipawns that the score fell short of the usual for each whole plan more.
    time_falling: 150, 20..=1000;
    /// Time: share of the plan when the score rises, in percent.
    time_falling_least: 80, 20..=100;
    /// Time: share of the plan when the score falls deep, in percent.
    time_falling_most: 170, 100..=400;
    /// Time: share of the plan for a move that took no effort, in percent.
    time_effort: 150, 100..=300;
    /// Time: how much less it is for a move that took all of it, in percent.
    time_effort_share: 80, 0..=100;
    /// Time: iterations after which an only move is played.
    time_forced: 8, 1..=100;
    /// Aspiration: first depth in plies that has a narrow window.
    aspiration_depth: 4, 1..=20;
    /// First half-width of the aspiration window, in centipawns.
    aspiration_window: 20, 5..=200;
    /// Aspiration: half-width beyond which the window is opened altogether, in centipawns.
    aspiration_widest: 1000, 100..=10000;
    /// Table: share of the history bonus for its move when it cuts, in percent.
    table_bonus: 50, 0..=100;
    /// Mate in one: plies deeper than the node that the table takes it for.
    mate_depth: 6, 0..=100;
    /// Reverse futility: deepest depth in plies.
    rfp_depth: 9, 0..=20;
    /// Reverse futility: margin in centipawns per ply of depth.
    rfp_margin: 90, 20..=300;
    /// Null move: least depth in plies.
    null_depth: 3, 1..=100;
    /// Null move: constant part of the reduction, in plies.
    null_base: 4, 1..=8;
    /// Null move: plies of depth that reduce by one more.
    null_divisor: 4, 1..=16;
    /// Null move: centipawns above beta that reduce by one more.
    null_eval: 200, 50..=1000;
    /// Null move: most plies that the evaluation reduces by.
    null_eval_most: 3, 0..=8;
    /// Null move: centipawns the static evaluation must be above beta at depth 0.
    null_static_base: 150, 0..=500;
    /// Null move: centipawns less of that per ply of depth.
    null_static_factor: 20, 0..=100;
    /// Null move: depth in plies from which a normal search verifies.
    null_verify: 14, 5..=100;
    /// Null move: share of the reduced depth in which the verification passes no move itself, in percent.
    null_verify_share: 75, 0..=100;
    /// Internal iterative reduction: least depth in plies.
    iir_depth: 4, 2..=100;
    /// ProbCut: least depth in plies.
    probcut_depth: 5, 3..=100;
    /// ProbCut: margin above beta in centipawns.
    probcut_margin: 200, 50..=1000;
    /// ProbCut: plies that the search of a capture is shallower.
    probcut_reduction: 4, 1..=10;
    /// Singular extension: least depth in plies.
    singular_depth: 7, 4..=100;
    /// Singular extension: most plies that the table's entry may be shallower.
    singular_table: 3, 0..=10;
    /// Singular extension: deepest ply, in depths of the iteration.
    singular_ply: 2, 1..=8;
    /// Singular extension: divisor of the depth for the search without the move.
    singular_divisor: 2, 1..=8;
    /// Singular extension: margin in 64ths of a centipawn per ply of depth.
    singular_margin: 128, 16..=1024;
    /// Singular extension: margin in centipawns for a second ply.
    singular_double: 25, 0..=500;
    /// Singular extension: most double extensions in a line.
    singular_doubles: 10, 0..=100;
    /// Singular extension: plies less when the table's move fails high and is not alone.
    singular_less: 2, 0..=4;
    /// Singular extension: plies less when it is not alone where a cut is expected.
    singular_less_cut: 1, 0..=4;
    /// Late move pruning: constant number of moves.
    lmp_base: 6, 1..=100;
    /// Late move pruning: divisor of the number of moves when the evaluation does not rise.
    lmp_falling: 2, 1..=8;
    /// Futility: deepest reduced depth in plies.
    futility_depth: 9, 0..=20;
    /// Futility: constant part of the margin in centipawns.
    futility_base: 150, 0..=1000;
    /// Futility: margin in centipawns per ply of reduced depth.
    futility_factor: 110, 10..=500;
    /// Futility: history for one more centipawn.
    futility_history: 64, 8..=1024;
    /// Captures: constant part of the futility margin in centipawns.
    capture_futility_base: 250, 0..=1000;
    /// Captures: futility margin in centipawns per ply of reduced depth.
    capture_futility_factor: 200, 10..=1000;
    /// Captures: history for one more centipawn of the futility margin.
    capture_futility_history: 16, 4..=1024;
    /// Captures: deepest reduced depth of futility in plies.
    capture_futility_depth: 6, 0..=20;
    /// History pruning: lowest history per ply of depth.
    history_pruning: 2500, 500..=20000;
    /// History pruning: deepest depth in plies.
    history_depth: 6, 0..=20;
    /// Exchange pruning: loss of a quiet move in centipawns per reduced ply squared.
    see_quiet: 20, 5..=200;
    /// Exchange pruning: loss of a noisy move in centipawns per ply.
    see_noisy: 100, 10..=500;
    /// Late move reductions: constant part, in 1024ths of a ply.
    lmr_base: 300, 0..=2048;
    /// Late move reductions: factor of the product of the logarithms of depth and move count, in 1024ths.
    lmr_factor: 480, 0..=2048;
    /// Late move reductions: history for one ply less.
    lmr_history: 8192, 512..=65536;
    /// Late move reductions: on the principal variation and where it once was, in 1024ths of a ply less.
    lmr_pv: 1024, 0..=4096;
    /// Late move reductions: where a cut is expected, in 1024ths of a ply more.
    lmr_cut: 1536, 0..=4096;
    /// Late move reductions: when the evaluation does not rise, in 1024ths of a ply more.
    lmr_falling: 512, 0..=4096;
    /// Late move reductions: when the table's move is noisy, in 1024ths of a ply more.
    lmr_noisy_table: 768, 0..=4096;
    /// Late move reductions: captures and promotions, in 1024ths of a ply less.
    lmr_noisy: 512, 0..=4096;
    /// Late move reductions: when the nodes of the next ply were cut often, in 1024ths of a ply more.
    lmr_cutoffs: 1024, 0..=4096;
    /// Late move reductions: more cuts than this are often.
    lmr_often: 3, 0..=20;
    /// Late move reductions: killers and counter-moves, and moves that give check, in 1024ths of a ply less.
    lmr_refutation: 1024, 0..=4096;
    /// Re-search one ply deeper when a reduced move beat the best by this many centipawns.
    deeper_margin: 60, 10..=500;
    /// Re-search one ply less deep when it did by no more than this.
    shallower_margin: 8, 0..=100;
    /// History bonus: factor of the depth.
    bonus_factor: 160, 10..=1000;
    /// History bonus: largest.
    bonus_most: 1600, 100..=8192;
    /// History malus: factor of the depth.
    malus_factor: 200, 10..=1000;
    /// History malus: largest.
    malus_most: 1400, 100..=8192;
    /// Quiescence: margin in centipawns that a capture may lack.
    quiescence_margin: 180, 0..=1000;
    /// Correction history: weight in 1024ths.
    correction_weight: 512, 0..=4096;
    /// Is a node in check searched one ply deeper (1) or not (0)?
    check_extension: 1, 0..=1;
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
