//! Solved games: tables of exact values that replace the search.

pub mod dobutsu;
pub mod janggi;
mod line;
mod tables;
mod value;

pub use tables::{FromTables, SolvedTables};
pub use value::Value;
