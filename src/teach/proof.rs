//! How facts are verified.

/// How a fact was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// The rules alone suffice.
    Rules,
    /// An exchange on one square was played out with legal moves.
    Exchange,
    /// The mate solver proved it.
    Mate,
    /// The search found it.
    Search,
}

impl Proof {
    /// The keyword of the method in data files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["rules", "exchange", "mate", "search"][self as usize]
    }
}
