//! Solved games: tables of exact values that replace the search.

pub mod dobutsu;
pub mod janggi;
mod line;
mod value;

pub use value::Value;
