//! Interrupts of a subcommand: Ctrl-C, SIGTERM, and the end of the terminal session.

use super::failure::ExitStatus;
use once_cell::sync::OnceCell;
use sanban_system::leftovers;

type Handler = Box<dyn Fn() + Send + Sync>;

/// What a command does instead of ending at once.
static HANDLER: OnceCell<Handler> = OnceCell::new();

/// From now on, an interrupt ends the process with the documented exit code and without temporary files.
pub(super) fn install() {
    // Without a handler, the system ends the process.
    let _ = ctrlc::set_handler(|| HANDLER.get().map_or_else(|| end(), |handler| handler()));
}

/// Replaces the end by something else; the first call counts.
pub(super) fn instead(handler: impl Fn() + Send + Sync + 'static) {
    let _ = HANDLER.set(Box::new(handler));
}

/// Ends the process.
pub(super) fn end() -> ! {
    leftovers::delete_all();
    std::process::exit(ExitStatus::Interrupted as i32)
}
