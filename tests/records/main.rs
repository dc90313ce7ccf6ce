//! Games judged by the search, and what is written about them.

#[path = "../common/command.rs"]
mod command;
mod judged;
#[path = "../common/scratch.rs"]
mod scratch;
