//! End-to-end tests of the program: USI, the command line, networks and tables.

#[path = "../common/bots.rs"]
mod bots;
#[path = "../common/command.rs"]
mod command;
#[path = "../common/gui.rs"]
mod gui;
use sanban_system::scratch;

mod cecp;
mod cli;
mod dobutsu_table;
mod janggi;
mod levels;
mod lines;
mod malformed;
mod mate_check;
mod networks;
mod parts;
mod spec;
mod usi;
