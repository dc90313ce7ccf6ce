//! Hand-written evaluations.

pub mod dobutsu;
pub mod shogi;
