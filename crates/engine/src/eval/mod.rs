//! Hand-written evaluations.

pub mod dobutsu;
pub mod janggi;
pub mod shogi;
