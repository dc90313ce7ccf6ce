//! Arrays and sets of squares computed at compile time.

/// [`std::array::from_fn`] for constants: `from_fn!(4, |i| i * i)`.
#[macro_export]
macro_rules! from_fn {
    ($len:expr, |$i:ident| $value:expr) => {{
        let mut array = {
            let $i = 0;
            [$value; $len]
        };
        let mut $i = 1;
        while $i < $len {
            array[$i] = $value;
            $i += 1;
        }
        array
    }};
}

/// The squares below a number for which a condition holds: `squares!(81, |sq| sq % 9 == 0)`.
#[macro_export]
macro_rules! squares {
    ($end:expr, |$sq:ident| $has:expr) => {{
        let (mut set, mut $sq) = ($crate::Bitboard::EMPTY, 0);
        while $sq < $end {
            if $has {
                set = set.or($crate::Bitboard::square($sq));
            }
            $sq += 1;
        }
        set
    }};
}
