//! Numbers in questions, which may also be written as `200.5` or `1e3`.

use serde_json::Value as Json;
use std::time::Duration;

/// Longest time accepted, in milliseconds (about 30 years).
const MAX_MILLIS: f64 = 1e12;

/// Reads a count, truncated, and 0 if negative; `None` if it is missing or not a number.
pub fn count(value: &Json) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().map(|number| number as u64))
}

/// Reads a time in milliseconds, 0 if negative; `None` if it is missing. A value that is not a number counts as 0, so
/// that the intended time is not exceeded.
pub fn millis(value: &Json) -> Option<Duration> {
    let known = (!value.is_null()).then(|| value.as_f64().unwrap_or_default());
    known.map(|millis| Duration::from_secs_f64(millis.clamp(0.0, MAX_MILLIS) / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_str, json};

    #[test]
    fn fractions_and_exponents_are_read() {
        let read = |text: &str| from_str::<Json>(text).map(|value| (count(&value), millis(&value)));
        let us = |n| Some(Duration::from_micros(n));
        for (text, number, micros) in [
            ("200", 200, 200_000),
            ("200.5", 200, 200_500),
            ("1e3", 1000, 1_000_000),
            ("-7.5", 0, 0),
            ("-7", 0, 0),
            ("1e300", u64::MAX, 1_000_000_000_000_000),
        ] {
            assert_eq!(read(text).expect("JSON"), (Some(number), us(micros)), "{text}");
        }
        assert_eq!(
            (count(&json!(u64::MAX)), count(&json!("5")), count(&Json::Null)),
            (Some(u64::MAX), None, None)
        );
        for other in [json!("500"), json!([500]), json!(true), json!({})] {
            assert_eq!(millis(&other), us(0), "{other}");
        }
        assert_eq!(millis(&Json::Null), None);
    }
}
