//! Numbers as GUIs, bots and match managers write them: `300`, `-5`, `200.5`, `1e3`.

use std::time::Duration;

/// The numeric argument of a command or an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    negative: bool,
    /// The absolute value without its fraction; `u64::MAX` for anything larger.
    whole: u64,
    /// The fractional part, at least 0 and less than 1.
    fraction: f64,
}

impl Number {
    /// Reads digits with an optional sign, fraction and exponent. Anything else, including `nan`, `inf`, `0x10` and
    /// `1,5`, is rejected.
    pub fn read(text: &str) -> Option<Self> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (digits, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let exponent_fits = exponent.is_none_or(|exponent| {
            let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !digits.is_empty() && is_digits(digits)
        });
        if digits.len() + decimals.len() == 0 || !is_digits(digits) || !is_digits(decimals) || !exponent_fits
        {
            return None;
        }
        if mantissa == digits && exponent.is_none() {
            // Exact beyond the 53 bits of an `f64`.
            return Some(Self { negative, whole: digits.parse().unwrap_or(u64::MAX), fraction: 0.0 });
        }
        let value: f64 = unsigned.parse().ok()?;
        let fraction = if value.is_finite() { value.fract() } else { 0.0 };
        Some(Self { negative, whole: value as u64, fraction })
    }

    pub fn is_whole(self) -> bool {
        self.fraction == 0.0
    }

    /// Returns the number as a count: truncated, 0 if negative.
    pub fn count(self) -> u64 {
        if self.negative { 0 } else { self.whole }
    }

    /// Returns the number as a signed integer: truncated, and saturated at the bounds of `i64`.
    pub fn signed(self) -> i64 {
        match (i64::try_from(self.whole), self.negative) {
            (Ok(n), false) => n,
            (Ok(n), true) => -n,
            (Err(_), false) => i64::MAX,
            (Err(_), true) => i64::MIN,
        }
    }

    /// Returns the number as a time in milliseconds: 0 if negative, at most `most`.
    pub fn millis(self, most: u64) -> Duration {
        if self.negative {
            return Duration::ZERO;
        }
        let nanos = (self.fraction * 1e6) as u64;
        (Duration::from_millis(self.whole.min(most)) + Duration::from_nanos(nanos))
            .min(Duration::from_millis(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_exponents_are_read() {
        let millis = |text: &str| Number::read(text).map(|n| n.millis(1_000_000_000_000));
        let us = |n| Some(Duration::from_micros(n));
        for (text, micros) in [
            ("200", 200_000),
            ("200.5", 200_500),
            ("+200.", 200_000),
            (".5", 500),
            ("1e3", 1_000_000),
            ("1E+3", 1_000_000),
            ("2.5e-1", 250),
            ("-7.5", 0),
            ("-0", 0),
            ("1e-400", 0),
        ] {
            assert_eq!(millis(text), us(micros), "{text}");
        }
        assert_eq!(millis("1e400"), us(1_000_000_000_000_000));
        let (exact, huge) = ("9007199254740993", "99999999999999999999");
        assert_eq!(Number::read(exact).map(Number::count), Some(9_007_199_254_740_993));
        assert_eq!(Number::read(huge).map(|n| (n.count(), n.signed())), Some((u64::MAX, i64::MAX)));
        assert_eq!(Number::read("-1e30").map(|n| (n.count(), n.signed())), Some((0, i64::MIN)));
        assert_eq!(Number::read("-12.75").map(|n| (n.signed(), n.is_whole())), Some((-12, false)));
    }

    #[test]
    fn anything_else_is_no_number() {
        for text in [
            "", "-", "+", ".", "-.", "e3", ".e3", "1e", "1e+", "1e1.5", "1.2.3", "1,5", "1_000", "0x10",
            "nan", "inf", "infinity", "200ms", "--5", "+-5", "1 2", "\u{0662}", "\u{ff12}",
        ] {
            assert_eq!(Number::read(text), None, "{text}");
        }
    }
}
