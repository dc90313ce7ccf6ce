//! Room for deep searches.

use super::dfpn::MAX_LINE;
use std::thread;

/// Longest line in plies that the caller's stack has room for.
pub(super) const SHORT: usize = 200;
/// Longest line of a search beyond the first nodes: where there are no threads, the caller's stack must do.
pub(super) const LONG: usize = if cfg!(target_family = "wasm") { SHORT } else { MAX_LINE };
/// Stack of a searching thread in bytes; only the part that is used takes memory.
pub(super) const STACK: usize = 256 << 20;

/// Does work that needs a deep stack; `None` if there is no memory for one. Calls `work` with the longest line in plies
/// that fits.
pub(super) fn with_stack<T: Send>(work: impl FnOnce(usize) -> T + Send) -> Option<T> {
    if cfg!(target_family = "wasm") {
        return Some(work(SHORT));
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(LONG));
        thread.ok()?.join().ok()
    })
}
