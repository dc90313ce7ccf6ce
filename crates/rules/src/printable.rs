//! Makes external text printable, for messages.

/// The first 40 characters of an external text, escaped to printable ASCII.
pub fn clip(text: &str) -> String {
    let mut out: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        out.push_str("...");
    }
    out
}

/// The first `most` characters of a text that may contain external words, without characters that a terminal could
/// interpret: they are replaced by question marks, except for line breaks and tabs.
pub fn printable(text: &str, most: usize) -> String {
    // Directions of writing and other invisible marks could make a message read differently.
    let is_hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    let plain = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() || is_hidden(c) || c == '\u{feff}' => '?',
        c => c,
    };
    let mut out: String = text.chars().take(most).map(plain).collect();
    if text.chars().nth(most).is_some() {
        out.push_str("...");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_cannot_steer_a_terminal() {
        assert_eq!(printable("a\u{1b}[31m\r\n将棋\u{9b}\u{202e}", 99), "a?[31m?\n将棋??");
        assert_eq!(printable("abcdef", 3), "abc...");
        assert_eq!(printable("abc", 3), "abc");
    }
}
