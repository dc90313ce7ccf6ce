//! The input sets of the games.

pub mod shogi;
