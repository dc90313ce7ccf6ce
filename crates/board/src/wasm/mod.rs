//! The engine as a WebAssembly module: the requests of the page, and USI for the web edition of ShogiHome, both
//! without threads. Everything but the exported functions is compiled and tested on every platform.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code)]
mod doors;
mod page;
mod usi;

pub use page::Page;
pub use usi::Usi;
