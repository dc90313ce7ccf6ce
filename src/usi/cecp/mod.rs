//! CECP, the protocol of XBoard and WinBoard, version 2.
//!
//! `command` parses lines, `game` is the board with the moves played, `clock` the time control. The engine keeps the
//! game itself in this protocol, so [`serve`] is a state machine with two kinds of events, lines of the GUI and answers
//! of the thread that searches; it never waits for a search.

mod clock;
mod command;
mod game;
mod job;
mod serve;
mod state;

pub use serve::Cecp;
