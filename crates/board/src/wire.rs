//! The representation of values in JSON: moves and squares in USI notation, times in milliseconds, sides as `b` and
//! `w`.

use super::error::BoardError;
use super::number;
use sanban_rules::Score;
use sanban_rules::score::{mate_distance, mate_in, mated_in};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// Formats the message that answers the question with this id.
pub fn answer_json(id: &Json, answer: &Result<impl Serialize, BoardError>) -> Json {
    let mut message = match answer {
        Ok(answer) => {
            serde_json::to_value(answer).unwrap_or_else(|error| json!({ "error": error.to_string() }))
        }
        Err(BoardError::Record(error)) => {
            json!({ "error": error.to_string(), "line": error.line, "column": error.column })
        }
        Err(error) => json!({ "error": error.to_string() }),
    };
    message["id"] = id.clone();
    message
}

/// Formats the message that reports a line of the search for the question with this id.
pub fn line_json(id: &Json, line: &impl Serialize) -> Json {
    json!({ "id": id, "finding": line })
}

/// A score for the side to move: `{"cp": N}` or `{"mate": PLIES}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireScore {
    /// Centipawns.
    Cp(i64),
    /// Plies to mate; negative if the side to move is mated.
    Mate(i64),
}

impl From<Score> for WireScore {
    fn from(score: Score) -> Self {
        mate_distance(score).map_or(Self::Cp(score.into()), |plies| Self::Mate(plies.into()))
    }
}

impl From<WireScore> for Score {
    fn from(score: WireScore) -> Self {
        match score {
            WireScore::Cp(cp) => cp.clamp(-20_000, 20_000) as Self,
            WireScore::Mate(plies) if plies > 0 => mate_in(plies.min(2_000) as usize),
            WireScore::Mate(plies) => mated_in(plies.unsigned_abs().min(2_000) as usize),
        }
    }
}

/// Writes a value as text.
pub(super) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes an optional value as text.
pub(super) fn optional_text<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(serializer)
}

/// Writes a list of values as strings.
pub(super) fn texts<S: Serializer>(values: &[impl Display], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes a time in milliseconds.
pub(super) fn millis<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
}

/// Writes an optional time in milliseconds.
pub(super) fn optional_millis<S: Serializer>(
    time: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_millis() as u64).serialize(serializer)
}

/// Parses a value from text.
pub(super) fn parse<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// Parses an optional value from text.
pub(super) fn parse_optional<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Reads a number of milliseconds, see [`number::millis`].
pub(super) fn read_millis<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    Ok(number::millis(&Json::deserialize(deserializer)?))
}

/// Reads a count, see [`number::count`].
pub(super) fn read_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(number::count(&Json::deserialize(deserializer)?))
}
