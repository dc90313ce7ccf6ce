//! The rules of the five games, and the code that depends on them alone.

#[path = "../common/naive.rs"]
mod naive;
#[path = "../common/scratch.rs"]
mod scratch;

mod book;
mod contract;
mod dobutsu;
mod dobutsu_values;
mod janggi;
mod janggi_generator;
mod mate;
mod perft;
mod problems;
mod shogi;
mod shogi_generator;
