//! Makes external text printable, for messages.

/// The first 40 characters of an external text, escaped to printable ASCII.
pub fn clip(text: &str) -> String {
    let mut out: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        out.push_str("...");
    }
    out
}
