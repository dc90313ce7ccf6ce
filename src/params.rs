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
    /// Reverse futility: margin in centipawns per ply of depth.
    rfp_margin: 90, 20..=300;
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
