//! CECP, the protocol of XBoard and WinBoard, version 2.
//!
//! `command` parses lines, `game` is the board with the moves played, and `clock` the time control. In this protocol,
//! the engine keeps track of the game, so a session ([`serve`]) is a state machine with two kinds of events: lines from
//! the GUI and answers from the search thread. It never waits for a search.

mod clock;
mod command;
mod game;
mod job;
mod serve;
mod state;

pub use serve::Cecp;
