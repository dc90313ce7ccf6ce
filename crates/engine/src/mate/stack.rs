//! Stack space for deep searches.

use super::dfpn::MAX_LINE;
use std::thread;

/// Longest line in plies that the caller's stack has room for.
pub(super) const SHORT: usize = 200;
/// Longest line of a search that has moved to a deep stack; without threads, the caller's stack limits it.
pub(super) const LONG: usize = if cfg!(target_family = "wasm") { SHORT } else { MAX_LINE };
/// Stack of a searching thread in bytes; only the part that is used takes memory.
pub(super) const STACK: usize = 256 << 20;

/// Runs `work` with a deep stack and passes the longest line that fits, in plies; `None` if there is not enough memory.
pub(super) fn with_stack<T: Send>(work: impl FnOnce(usize) -> T + Send) -> Option<T> {
    if cfg!(target_family = "wasm") {
        return Some(work(SHORT));
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(LONG));
        thread.ok()?.join().ok()
    })
}
