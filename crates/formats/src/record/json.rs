//! A JSON parser whose values refer to their text, for errors with locations.

use super::source::Source;

/// Maximum nesting depth, as in `serde_json`.
const DEEPEST: usize = 128;

/// A value and its text.
#[derive(Debug)]
pub(super) struct Json<'a> {
    text: &'a str,
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    /// A string, a number, `true`, `false` or `null`.
    Scalar,
    Items(Vec<Json<'a>>),
    Fields(Vec<(Name<'a>, Json<'a>)>),
}

/// The name of a field.
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
        value(text, 0)
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

fn value(text: &str, depth: usize) -> Parsed<'_, Json<'_>> {
    let text = blank(text);
    if depth > DEEPEST {
        return Err((text, "recursion limit exceeded"));
    }
    let (kind, rest) = match text.as_bytes().first() {
        Some(b'{') => fields(text, depth)?,
        Some(b'[') => items(text, depth)?,
        Some(b'"') => (Kind::Scalar, string(text)?),
        Some(_) => {
            let end = text.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c)).unwrap_or(text.len());
            let word = &text[..end];
            if serde_json::from_str::<serde::de::IgnoredAny>(word).is_err() {
                return Err((text, "expected a value"));
            }
            (Kind::Scalar, &text[end..])
        }
        None => return Err((text, "EOF while parsing a value")),
    };
    Ok((Json { text: &text[..text.len() - rest.len()], kind }, rest))
}

fn items(text: &str, depth: usize) -> Parsed<'_, Kind<'_>> {
    let mut out = Vec::new();
    let mut rest = blank(&text[1..]);
    if let Some(after) = rest.strip_prefix(']') {
        return Ok((Kind::Items(out), after));
    }
    loop {
        let (item, after) = value(rest, depth + 1)?;
        out.push(item);
        rest = blank(after);
        if let Some(after) = rest.strip_prefix(']') {
            return Ok((Kind::Items(out), after));
        }
        rest = rest.strip_prefix(',').ok_or((rest, "expected `,` or `]`"))?;
    }
}

fn fields(text: &str, depth: usize) -> Parsed<'_, Kind<'_>> {
    let mut out = Vec::new();
    let mut rest = blank(&text[1..]);
    if let Some(after) = rest.strip_prefix('}') {
        return Ok((Kind::Fields(out), after));
    }
    loop {
        if !rest.starts_with('"') {
            return Err((rest, "expected a field name"));
        }
        let after = string(rest)?;
        let written = &rest[..rest.len() - after.len()];
        let name = serde_json::from_str(written).map_err(|_| (rest, "expected a string"))?;
        let colon = blank(after);
        let (field, after) = value(colon.strip_prefix(':').ok_or((colon, "expected `:`"))?, depth + 1)?;
        out.push((Name { text: written, name }, field));
        rest = blank(after);
        if let Some(after) = rest.strip_prefix('}') {
            return Ok((Kind::Fields(out), after));
        }
        rest = blank(rest.strip_prefix(',').ok_or((rest, "expected `,` or `}`"))?);
    }
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
