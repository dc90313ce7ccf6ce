//! Analysed games, and their comments.

#[path = "../common/command.rs"]
mod command;
mod judged;
#[path = "../common/scratch.rs"]
mod scratch;
