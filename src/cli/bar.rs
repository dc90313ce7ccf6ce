//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// The template for work of known length.
pub(super) const COUNT: &str = "{elapsed_precise} {wide_bar} {percent}%  {eta} to go";

/// A progress bar of this length, hidden if standard error is not a terminal. `template` is a template of
/// [`ProgressStyle`].
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
