//! Stack space for deep searches.

use super::dfpn::MAX_LINE;
use std::thread;

/// Maximum length of a line in plies on the caller's stack.
pub(super) const SHORT: usize = 200;
/// Maximum length of a line in plies on a thread with a large stack. WebAssembly has no threads, so it uses the
/// caller's stack.
pub(super) const LONG: usize = if cfg!(target_family = "wasm") { SHORT } else { MAX_LINE };
/// Stack size of a search thread in bytes. Untouched pages take no memory.
pub(super) const STACK: usize = 256 << 20;

/// Runs `work` on a thread with a large stack and passes it the maximum length of a line in plies. Returns `None` if
/// the thread cannot be started.
pub(super) fn with_stack<T: Send>(work: impl FnOnce(usize) -> T + Send) -> Option<T> {
    if cfg!(target_family = "wasm") {
        return Some(work(SHORT));
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(LONG));
        thread.ok()?.join().ok()
    })
}
