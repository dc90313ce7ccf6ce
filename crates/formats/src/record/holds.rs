//! Flags for what a format can represent and what a record needs.

use bitflags::bitflags;

bitflags! {
    /// What a format can represent besides a start position.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Holds: u16 {
        /// Variations.
        const VARIATIONS = 1;
        /// Comments.
        const COMMENTS = 2;
        /// Bookmarks.
        const BOOKMARKS = 4;
        /// Times, at least to the second.
        const TIMES = 8;
        /// Times to the millisecond.
        const MILLISECONDS = 16;
        /// The end of the game.
        const ENDS = 32;
        /// Players, event, site, start and end times, time control, opening and remarks.
        const HEADERS = 64;
        /// Any other header.
        const ALL_HEADERS = 128;
        /// Moves.
        const MOVES = 256;
        /// The number of the first move, if moves were made before the start position.
        const NUMBER = 512;
    }
}

impl Holds {
    /// The names of the flags in this set.
    pub fn words(self) -> Vec<&'static str> {
        let words = [
            (Self::MOVES, "moves"),
            (Self::VARIATIONS, "variations"),
            (Self::COMMENTS, "comments"),
            (Self::BOOKMARKS, "bookmarks"),
            (Self::TIMES, "times"),
            (Self::MILLISECONDS, "milliseconds"),
            (Self::ENDS, "ends of games"),
            (Self::HEADERS, "headers"),
            (Self::ALL_HEADERS, "some headers"),
            (Self::NUMBER, "the number of the first move"),
        ];
        words.iter().filter(|(flag, _)| self.contains(*flag)).map(|&(_, word)| word).collect()
    }
}
