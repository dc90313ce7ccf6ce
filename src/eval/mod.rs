//! Hand-written evaluations.

pub mod shogi;
