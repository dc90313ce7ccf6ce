//! A JSON parser whose values refer to their text, for errors with locations.

use super::source::Source;

/// Maximum nesting depth: that of a hundred thousand nested variations, which limits the memory.
const DEEPEST: usize = 300_000;

/// A value and its text.
#[derive(Debug)]
pub(super) struct Json<'a> {
    text: &'a str,
    kind: Kind<'a>,
}

#[derive(Debug, Default)]
enum Kind<'a> {
    /// A string, a number, `true`, `false` or `null`.
    #[default]
    Scalar,
    Items(Vec<Json<'a>>),
    Fields(Vec<(Name<'a>, Json<'a>)>),
}

#[derive(Debug)]
pub(super) struct Name<'a> {
    text: &'a str,
    name: String,
}

impl<'a> Name<'a> {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, including the quotes.
    pub fn text(&self) -> &'a str {
        self.text
    }
}

impl<'a> Json<'a> {
    /// Parses the value at the beginning of `text`. Returns the value and the rest of `text`, or the part of `text`
    /// from the error on and a message.
    pub fn parse(text: &'a str) -> Result<(Self, &'a str), (&'a str, &'static str)> {
        value(text)
    }

    /// The text of the value.
    pub fn text(&self) -> &'a str {
        self.text
    }

    pub fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Fields(_))
    }

    /// The items of an array; `None` for other values.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Items(items) => Some(items),
            _ => None,
        }
    }

    /// The fields of an object; empty for other values.
    pub fn fields(&self) -> &[(Name<'a>, Self)] {
        match &self.kind {
            Kind::Fields(fields) => fields,
            _ => &[],
        }
    }

    /// The first field with this name; the name is claimed. `null` counts as a missing field.
    pub fn field(&self, name: &str, source: &mut Source<'_>) -> Option<&Self> {
        let (found, value) = self.fields().iter().find(|(found, _)| found.name == name)?;
        source.claim(found.text);
        if value.text == "null" {
            source.claim(value.text);
            return None;
        }
        Some(value)
    }

    /// The value of a string, which is claimed.
    pub fn string(&self, source: &mut Source<'_>) -> Option<String> {
        let text = self.text.starts_with('"').then(|| serde_json::from_str(self.text).ok())??;
        source.claim(self.text);
        Some(text)
    }

    /// The value of a number, which is claimed.
    pub fn number(&self, source: &mut Source<'_>) -> Option<f64> {
        let number = matches!(self.kind, Kind::Scalar).then(|| self.text.parse().ok())??;
        source.claim(self.text);
        Some(number)
    }

    /// The value of a Boolean, which is claimed.
    pub fn bool(&self, source: &mut Source<'_>) -> Option<bool> {
        let value = match self.text {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        source.claim(self.text);
        Some(value)
    }
}

/// Returns whether `text` begins with a JSON object or with an array of objects.
pub(super) fn is_json(text: &str) -> bool {
    let text = blank(text);
    match text.as_bytes() {
        [b'[', ..] => is_json(&text[1..]),
        [b'{', ..] => {
            let name = blank(&text[1..]);
            name.starts_with('"') && string(name).map_or(true, |after| blank(after).starts_with(':'))
        }
        _ => false,
    }
}

type Parsed<'a, T> = Result<(T, &'a str), (&'a str, &'static str)>;

fn blank(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}'])
}

/// Values are dropped without recursion, because they can be nested deeply.
impl Drop for Json<'_> {
    fn drop(&mut self) {
        let mut waiting = self.take();
        while let Some(mut value) = waiting.pop() {
            waiting.append(&mut value.take());
        }
    }
}

impl<'a> Json<'a> {
    /// Removes the values that this value contains.
    fn take(&mut self) -> Vec<Self> {
        match std::mem::take(&mut self.kind) {
            Kind::Scalar => Vec::new(),
            Kind::Items(items) => items,
            Kind::Fields(fields) => fields.into_iter().map(|(_, value)| value).collect(),
        }
    }
}

/// An array or object that has begun but not ended, with its text from the beginning on, and the name of the field that
/// is being read.
struct Open<'a> {
    text: &'a str,
    kind: Kind<'a>,
    name: Option<Name<'a>>,
}

impl<'a> Open<'a> {
    fn add(&mut self, value: Json<'a>) {
        match (&mut self.kind, self.name.take()) {
            (Kind::Items(items), _) => items.push(value),
            (Kind::Fields(fields), Some(name)) => fields.push((name, value)),
            _ => {}
        }
    }
}

/// Parses the value at the beginning of `text`, with an explicit stack of the arrays and objects around it.
fn value(text: &str) -> Parsed<'_, Json<'_>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut rest = blank(text);
    loop {
        // The value at the beginning of `rest`, or the beginning of an array or object.
        let begin = rest;
        let mut done = match rest.as_bytes().first() {
            Some(b'[' | b'{') => {
                if open.len() >= DEEPEST {
                    return Err((rest, "too many nested values"));
                }
                let list = rest.starts_with('[');
                let kind = if list { Kind::Items(Vec::new()) } else { Kind::Fields(Vec::new()) };
                rest = blank(&rest[1..]);
                match rest.strip_prefix(if list { ']' } else { '}' }) {
                    Some(after) => {
                        rest = after;
                        Some(Json { text: &begin[..begin.len() - after.len()], kind })
                    }
                    None => {
                        let name = if list { None } else { Some(field_name(&mut rest)?) };
                        open.push(Open { text: begin, kind, name });
                        None
                    }
                }
            }
            Some(b'"') => {
                rest = string(rest)?;
                Some(Json { text: &begin[..begin.len() - rest.len()], kind: Kind::Scalar })
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                if serde_json::from_str::<serde::de::IgnoredAny>(word).is_err() {
                    return Err((rest, "expected a value"));
                }
                rest = after;
                Some(Json { text: word, kind: Kind::Scalar })
            }
            None => return Err((rest, "EOF while parsing a value")),
        };
        // The value, and the arrays and objects that end after it.
        while let Some(value) = done.take() {
            let Some(mut around) = open.pop() else { return Ok((value, rest)) };
            around.add(value);
            rest = blank(rest);
            let list = matches!(around.kind, Kind::Items(_));
            if let Some(after) = rest.strip_prefix(if list { ']' } else { '}' }) {
                rest = after;
                done =
                    Some(Json { text: &around.text[..around.text.len() - after.len()], kind: around.kind });
                continue;
            }
            let expected = if list { "expected `,` or `]`" } else { "expected `,` or `}`" };
            rest = blank(rest.strip_prefix(',').ok_or((rest, expected))?);
            if !list {
                around.name = Some(field_name(&mut rest)?);
            }
            open.push(around);
        }
    }
}

/// Reads the name of a field and the colon after it.
fn field_name<'a>(rest: &mut &'a str) -> Result<Name<'a>, (&'a str, &'static str)> {
    let text = *rest;
    if !text.starts_with('"') {
        return Err((text, "expected a field name"));
    }
    let after = string(text)?;
    let written = &text[..text.len() - after.len()];
    let name = serde_json::from_str(written).map_err(|_| (text, "expected a string"))?;
    let colon = blank(after);
    *rest = blank(colon.strip_prefix(':').ok_or((colon, "expected `:`"))?);
    Ok(Name { text: written, name })
}

/// Skips a string and returns the text after it.
fn string(text: &str) -> Result<&str, (&str, &'static str)> {
    let mut escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|&(_, byte)| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    let (end, _) = end.ok_or((text, "EOF while parsing a string"))?;
    let written = &text[..=end];
    match serde_json::from_str::<serde::de::IgnoredAny>(written) {
        Ok(_) => Ok(&text[end + 1..]),
        Err(_) => Err((text, "expected a string")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_text() {
        let text = r#" {"a" : [1, "\"x\u00e9", {}], "b": true} rest"#;
        let (value, rest) = Json::parse(text).expect("JSON");
        assert_eq!(rest, " rest");
        let mut source = Source::new(text);
        let items = value.field("a", &mut source).and_then(Json::items).expect("a list");
        assert_eq!(items.iter().map(Json::text).collect::<Vec<_>>(), ["1", r#""\"x\u00e9""#, "{}"]);
        assert_eq!(items[1].string(&mut source).as_deref(), Some("\"xé"));
        assert_eq!(items[0].number(&mut source), Some(1.0));
        assert_eq!(value.field("b", &mut source).and_then(|b| b.bool(&mut source)), Some(true));
        for wrong in ["{", "[1,]", "{\"a\" 1}", "\"abc", "{a:1}", "tru", "[1 2]", "\"\\x\"", "01x"] {
            assert!(Json::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }
}
