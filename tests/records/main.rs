//! Commands that read records, and analysed games with their comments.

mod arena;
#[path = "../common/command.rs"]
mod command;
mod judged;
mod repair;
use sanban_system::scratch;
