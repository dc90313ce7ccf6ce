//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// The template of a count whose end is known.
pub(super) const COUNT: &str = "{elapsed_precise} {wide_bar} {percent}%  {eta} to go";

/// A bar of this length on a terminal, nothing elsewhere. The template is [`ProgressStyle`]'s.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
