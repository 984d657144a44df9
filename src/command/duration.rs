//! Durations as people write them: milliseconds as a number, or `5s`, `300ms`, `1m 30s`.

use std::borrow::Cow;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// The longest duration that is taken: a day.
const MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// A duration in an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

/// Parses `300ms`, `5s`, `1m 30s`, or a bare number of milliseconds.
///
/// # Errors
/// A sentence that says what is expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let parsed = match text.parse::<u64>() {
        Ok(milliseconds) => Some(Duration::from_millis(milliseconds)),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    parsed
        .filter(|duration| *duration <= MAX)
        .ok_or_else(|| format!("`{text}` is not a duration such as `300ms`, `5s` or `1m 30s`, at most a day"))
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Milliseconds(u64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Milliseconds(milliseconds) => milliseconds.to_string(),
            Written::Text(text) => text,
        };
        parse_duration(&text).map(Time).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "string"], "minimum": 0, "x-repertoire": "duration" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_of_milliseconds_or_words() {
        assert_eq!(parse_duration("300"), Ok(Duration::from_millis(300)));
        assert_eq!(parse_duration("1m 30s"), Ok(Duration::from_secs(90)));
        assert_eq!(
            parse_duration("soon"),
            Err("`soon` is not a duration such as `300ms`, `5s` or `1m 30s`, at most a day".to_owned())
        );
        assert!(parse_duration("999999999999h").is_err());
        assert!(parse_duration("2d").is_err());
    }
}
