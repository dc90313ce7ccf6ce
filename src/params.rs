//! Every tunable number of the search, once: one row gives the field, its default, its range and its meaning.
//! A game may start from other values (`Game::PARAMS`); the feature `tune` makes them options at run time.

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
    /// First half-width of the aspiration window, in centipawns.
    aspiration_window: 20, 5..=200;
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
    /// Null move: centipawns the static evaluation must be above beta at depth 0.
    null_static_base: 150, 0..=500;
    /// Null move: centipawns less of that per ply of depth.
    null_static_factor: 20, 0..=100;
    /// Null move: depth in plies from which a normal search verifies.
    null_verify: 14, 5..=100;
    /// Internal iterative reduction: least depth in plies.
    iir_depth: 4, 2..=100;
    /// ProbCut: least depth in plies.
    probcut_depth: 5, 3..=100;
    /// ProbCut: margin above beta in centipawns.
    probcut_margin: 200, 50..=1000;
    /// Singular extension: least depth in plies.
    singular_depth: 7, 4..=100;
    /// Singular extension: margin in 64ths of a centipawn per ply of depth.
    singular_margin: 128, 16..=1024;
    /// Singular extension: margin in centipawns for a second ply.
    singular_double: 25, 0..=500;
    /// Late move pruning: constant number of moves.
    lmp_base: 6, 1..=100;
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
    /// Late move reductions: when the children of the next ply were cut often, in 1024ths of a ply more.
    lmr_cutoffs: 1024, 0..=4096;
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
