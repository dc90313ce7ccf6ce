//! The methods by which facts are verified.

/// How a fact was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// By the rules alone.
    Rules,
    /// By playing out an exchange on one square with legal moves.
    Exchange,
    /// By the mate solver.
    Mate,
    /// By the search.
    Search,
    /// By the solution of the game.
    Solution,
}

impl Proof {
    /// The keyword for the method in data files.
    pub const fn word(self) -> &'static str {
        ["rules", "exchange", "mate", "search", "solution"][self as usize]
    }
}
