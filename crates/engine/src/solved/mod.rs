//! Solved games: tables that answer instead of a search.

pub mod dobutsu;
pub mod janggi;
mod line;
mod value;

pub use value::Value;
