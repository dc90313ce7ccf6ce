//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this length on a terminal, nothing elsewhere. The template is [`ProgressStyle`]'s.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
