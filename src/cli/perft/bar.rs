//! How far a count is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on a terminal, nothing elsewhere.
pub(super) fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    match ProgressStyle::with_template("{elapsed_precise} {wide_bar} {percent}%  {eta} to go") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
