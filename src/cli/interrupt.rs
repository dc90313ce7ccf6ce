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
    // If this fails, an interrupt still ends the process.
    let _ = ctrlc::set_handler(|| HANDLER.get().map_or_else(|| end(), |handler| handler()));
}

/// Calls `handler` on an interrupt instead of ending the process. Only the first call has an effect.
pub(super) fn instead(handler: impl Fn() + Send + Sync + 'static) {
    let _ = HANDLER.set(Box::new(handler));
}

/// Returns a flag that is set by an interrupt; a second one ends the process.
pub(super) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let signal = flag.clone();
    instead(move || {
        if signal.swap(true, Ordering::Relaxed) {
            end();
        }
    });
    flag
}

/// Returns signals that an interrupt stops; a second one ends the process.
pub(super) fn signals() -> Arc<Signals> {
    let signals = Arc::new(Signals::default());
    let interrupted = signals.clone();
    instead(move || {
        if interrupted.stopped() {
            end();
        }
        interrupted.stop();
    });
    signals
}

/// Deletes temporary files and ends the process.
pub(super) fn end() -> ! {
    leftovers::delete_all();
    std::process::exit(ExitStatus::Interrupted as i32)
}
