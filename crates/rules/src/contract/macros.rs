//! Code shared by all games.

/// Implements trait methods by calling the inherent methods of the same names.
macro_rules! inherent {
    ($(fn $name:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $out:ty)?;)*) => {
        $(#[inline(always)]
        fn $name(&self $(, $arg: $ty)*) $(-> $out)? {
            Self::$name(self $(, $arg)*)
        })*
    };
}
pub(crate) use inherent;

/// The items of `impl Position` that are the same for every game: constants and types of the module that uses the
/// macro, field accessors, and calls to inherent methods.
macro_rules! position_methods {
    () => {
        type Rules = Rules;

        const FILES: usize = FILES;
        const RANKS: usize = RANKS;
        const PLACEMENTS: usize = PLACEMENTS;

        fn side(&self) -> $crate::Color {
            self.side
        }
        fn rules(&self) -> &Self::Rules {
            &self.rules
        }
        fn game_ply(&self) -> usize {
            self.game_ply
        }
        fn last_move(&self) -> Option<$crate::Move> {
            self.now.mv
        }
        fn from_sfen(text: &str) -> Result<Self, $crate::SfenError> {
            Self::from_sfen(text)
        }
        #[inline]
        fn make<O: $crate::contract::Observer>(&mut self, mv: $crate::Move, observer: &mut O) {
            Self::make(self, mv, observer);
            // Not checked at every move, because the check takes longer than the move itself.
            debug_assert!(
                self.game_ply % 16 != 0 || self.keys_are_right(),
                "wrong keys after {mv:?}: {self}"
            );
        }
        fn unmake(&mut self) {
            Self::unmake(self);
        }
        fn notation(mv: $crate::Move) -> $crate::UsiMove {
            Self::notation(mv)
        }
        $crate::contract::inherent! {
            fn sfen(&self) -> String;
            fn piece_at(&self, square: $crate::Square) -> Option<$crate::Symbol>;
            fn verdict(&self, ply: usize) -> Option<$crate::contract::Verdict>;
            fn legal(&self, out: &mut $crate::MoveList);
            fn count(&self) -> usize;
            fn is_legal(&self, mv: $crate::Move) -> bool;
            fn gives_check(&self, mv: $crate::Move) -> bool;
            fn parse_usi(&self, text: &str) -> Option<$crate::Move>;
        }
    };
}
pub(crate) use position_methods;

/// The items of `impl SearchPosition` that are the same for every game.
macro_rules! search_methods {
    () => {
        fn make_null(&mut self) {
            Self::make_null(self);
        }
        fn unmake_null(&mut self) {
            Self::unmake(self);
        }
        $crate::contract::inherent! {
            fn key_after(&self, mv: $crate::Move) -> u64;
            fn noisy(&self, out: &mut $crate::MoveList);
            fn quiet(&self, out: &mut $crate::MoveList);
            fn see_ge(&self, mv: $crate::Move, threshold: $crate::Score) -> bool;
            fn gain(&self, mv: $crate::Move) -> $crate::Score;
        }
    };
}
pub(crate) use search_methods;

/// The standard traits of a value. Two positions are equal if their boards, hands, sides to move and rule settings are
/// equal; `$same` lists these fields. History and ply are not compared.
macro_rules! value_traits {
    ([$($generics:tt)*] $position:ty, $start:expr; $($same:ident)*) => {
        impl<$($generics)*> PartialEq for $position {
            fn eq(&self, other: &Self) -> bool {
                true $(&& self.$same == other.$same)*
            }
        }

        impl<$($generics)*> Eq for $position {}

        impl<$($generics)*> std::hash::Hash for $position {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                $(self.$same.hash(state);)*
            }
        }

        impl<$($generics)*> std::fmt::Debug for $position {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple("Position").field(&self.sfen()).finish()
            }
        }

        /// The board as a diagram, then the SFEN.
        impl<$($generics)*> std::fmt::Display for $position {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let piece = |sq| self.piece_at($crate::Square::at(sq, RANKS));
                write!(f, "{}sfen {}", $crate::sfen::diagram([FILES, RANKS], piece), self.sfen())
            }
        }

        impl<$($generics)*> Default for $position {
            fn default() -> Self {
                Self::from_sfen($start).expect("the start position")
            }
        }

        impl<$($generics)*> std::str::FromStr for $position {
            type Err = $crate::SfenError;

            fn from_str(text: &str) -> Result<Self, $crate::SfenError> {
                Self::from_sfen(text)
            }
        }
    };
}
pub(crate) use value_traits;

/// Methods that update the board and the key together, shared by all games. The arguments name the key fields of the
/// state; the module must define `key_of` and `SIDE_KEY`.
macro_rules! key_methods {
    ($board:ident $(, $hand:ident)?) => {
        /// Returns whether the keys match the board, the hands and the side to move. Used in assertions.
        pub(super) fn keys_are_right(&self) -> bool {
            let mut key = if self.side == $crate::Color::White { SIDE_KEY } else { 0 };
            $crate::contract::Position::placements(self, |placement| key ^= key_of(placement));
            key == self.now.$board $(^ self.now.$hand)?
        }

        /// Puts a piece on an empty square.
        #[inline]
        pub(super) fn put<O: $crate::contract::Observer>(&mut self, sq: usize, piece: Piece, observer: &mut O) {
            self.set(sq, piece);
            self.now.$board ^= key_of(piece.at(sq));
            observer.put(piece.at(sq));
        }

        /// Removes the piece from a square.
        #[inline]
        pub(super) fn take<O: $crate::contract::Observer>(&mut self, sq: usize, piece: Piece, observer: &mut O) {
            self.clear(sq, piece);
            self.now.$board ^= key_of(piece.at(sq));
            observer.take(piece.at(sq));
        }
    };
}
pub(crate) use key_methods;
