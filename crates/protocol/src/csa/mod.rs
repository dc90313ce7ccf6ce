//! A client for servers that speak the CSA protocol, such as shogi-server and Floodgate.
//!
//! `summary` reads the server's summary of a game, `clock` keeps the times, `game` converts moves to CSA notation,
//! `record` writes the file. [`play`] logs in and plays one game after the other, in a loop over three kinds of events:
//! lines from the server, answers of the engine, and keep-alive timeouts. It reconnects when the connection is lost.

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
