//! Handles interrupts of a subcommand: Ctrl-C, SIGTERM, and the end of the terminal session.

use super::failure::ExitStatus;
use once_cell::sync::OnceCell;
use sanban_engine::search::Signals;
use sanban_system::leftovers;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Handler = Box<dyn Fn() + Send + Sync>;

/// The handler of a command that must not end immediately.
static HANDLER: OnceCell<Handler> = OnceCell::new();

/// Installs the default handler: an interrupt deletes temporary files and ends the process with the documented exit
/// code.
pub(super) fn install() {
    let interrupted = AtomicBool::new(false);
    // If this fails, an interrupt still ends the process.
    let _ = ctrlc::set_handler(move || match HANDLER.get() {
        Some(handler) if !interrupted.swap(true, Ordering::Relaxed) => handler(),
        _ => end(),
    });
}

/// Calls `handler` on the first interrupt instead of ending the process; a second one ends it. Only the first call has an
/// effect.
pub(super) fn instead(handler: impl Fn() + Send + Sync + 'static) {
    let _ = HANDLER.set(Box::new(handler));
}

/// Returns a flag that is set by an interrupt; a second one ends the process.
pub(super) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let signal = flag.clone();
    instead(move || signal.store(true, Ordering::Relaxed));
    flag
}

/// Returns signals that an interrupt stops; a second one ends the process.
pub(super) fn signals() -> Arc<Signals> {
    let signals = Arc::new(Signals::default());
    let interrupted = signals.clone();
    instead(move || interrupted.stop());
    signals
}

/// Deletes temporary files and ends the process.
fn end() -> ! {
    leftovers::delete_all();
    std::process::exit(ExitStatus::Interrupted as i32)
}
