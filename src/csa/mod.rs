//! A client for servers of the CSA protocol, such as shogi-server and Floodgate.
//!
//! `summary` reads what the server says of a game, `clock` keeps the times, `game` the board and the moves in CSA
//! notation, `record` writes the file. [`play`] logs in and plays game after game: a loop over three kinds of events,
//! lines of the server, answers of the engine, and the time for a sign of life. It connects again when the connection
//! is lost.

mod clock;
mod connection;
mod engine;
mod event;
mod game;
mod play;
mod record;
mod summary;
mod table;

pub use play::{CsaError, Settings, Tally, play};
