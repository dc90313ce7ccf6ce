//! The rules of all games, and the code that depends only on them.

#[path = "../common/naive.rs"]
mod naive;
use sanban_system::scratch;

mod book;
mod contract;
mod dobutsu;
mod dobutsu_values;
mod janggi;
mod janggi_generator;
mod mate;
mod perft;
mod plain;
mod problems;
mod shogi;
mod shogi_generator;
