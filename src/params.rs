//! Every tunable number of the search, once: one row gives the field, its default, its range and its meaning.
//! A game may start from other values (`Game::PARAMS`); the feature `tune` makes them options at run time.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $value:literal, $lo:literal..=$hi:literal;)*) => {
        /// The tunable numbers of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params { $($(#[$doc])* pub $name: i32),* }

        impl Params {
            /// The values shogi was tuned to.
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
    aspiration_window: 25, 5..=200;
    /// Null move: constant part of the reduction, in plies.
    null_base: 3, 1..=8;
    /// Null move: plies of depth that reduce by one more.
    null_divisor: 4, 1..=16;
    /// Late move reductions: constant part, in 1024ths of a ply.
    lmr_base: 400, 0..=2048;
    /// Late move reductions: factor of the product of the logarithms of depth and move count, in 1024ths.
    lmr_factor: 400, 0..=2048;
    /// Late move reductions: history for one ply less.
    lmr_history: 4096, 512..=32768;
    /// History bonus: factor of the depth squared.
    history_factor: 16, 1..=64;
    /// History bonus: largest.
    history_most: 1600, 100..=8192;
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
