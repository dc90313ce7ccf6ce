//! Games judged by the search, and the comments written about them.

#[path = "../common/command.rs"]
mod command;
mod judged;
#[path = "../common/scratch.rs"]
mod scratch;
