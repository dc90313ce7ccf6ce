//! Protocols of hosts and servers: USI, UCI, CECP and CSA, each a translation between text and an
//! [`Engine`](sanban_engine::Engine).
//!
//! [`serve`](serve()) reads standard input and never blocks on anything else. It starts as USI; `uci` and `xboard`
//! change the protocol. The CSA client ([`csa::play`]) connects to a server.

#![deny(unsafe_code)]

mod cecp;
pub mod csa;
mod serve;
pub mod uci;
pub mod usi;

pub use serve::serve;
