//! Long work on another thread, which Ctrl-C can interrupt.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sanban::engine::search::STACK;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, current, park_timeout, scope};
use std::time::Duration;

/// Time between two checks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` on a thread with enough stack for a deep search, with the interpreter lock released. On an interrupt,
/// `stop` is called, after which `work` must return.
pub fn wait<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    stop: impl Fn() + Send + Sync,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    let done = &done;
    py.detach(|| {
        scope(|threads| {
            let waiter = current();
            let worker = Builder::new().stack_size(STACK).spawn_scoped(threads, move || {
                let out = work();
                done.store(true, Ordering::Release);
                waiter.unpark();
                out
            });
            let worker =
                worker.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
            let mut interrupt = Ok(());
            while !done.load(Ordering::Acquire) && !worker.is_finished() {
                park_timeout(LOOK);
                if interrupt.is_ok() && !done.load(Ordering::Acquire) {
                    interrupt = Python::attach(|py| py.check_signals());
                    if interrupt.is_err() {
                        stop();
                    }
                }
            }
            let out = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupt.map(|()| out)
        })
    })
}
