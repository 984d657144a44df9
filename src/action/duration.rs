//! Owns how a length of time is written: `45s`, `300ms`, `2m`, or a whole number of milliseconds.

use std::time::Duration;

use serde_json::Value;

/// No step, action or pause is longer.
pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a value is no length of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// It is something else.
    #[error("expected a duration, found {found}")]
    NotADuration {
        /// The value as JSON.
        found: String,
    },
    /// It is above [`LONGEST`].
    #[error("the duration is longer than 24 hours: {found}")]
    TooLong {
        /// The value as JSON.
        found: String,
    },
}

impl DurationError {
    /// What to write instead.
    pub fn hint(&self) -> String {
        match self {
            DurationError::NotADuration { .. } => {
                "write `45s`, `300ms`, `2m`, or a whole number of milliseconds".into()
            }
            DurationError::TooLong { .. } => "the longest is `24h`".into(),
        }
    }
}

/// Reads a duration: text with units, or an integer of milliseconds.
pub fn parse(value: &Value) -> Result<Duration, DurationError> {
    let parsed = match value {
        Value::String(text) => humantime::parse_duration(text.trim()).ok(),
        Value::Number(number) => number.as_u64().map(Duration::from_millis),
        _ => None,
    };
    let found = || super::schema::shown(value);
    match parsed {
        None => Err(DurationError::NotADuration { found: found() }),
        Some(duration) if duration > LONGEST => Err(DurationError::TooLong { found: found() }),
        Some(duration) => Ok(duration),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn durations_are_text_or_milliseconds() {
        assert_eq!(parse(&json!("45s")), Ok(Duration::from_secs(45)));
        assert_eq!(parse(&json!("1m 30s")), Ok(Duration::from_secs(90)));
        assert_eq!(parse(&json!(300)), Ok(Duration::from_millis(300)));
        for wrong in [json!("45"), json!(-1), json!(1.5), json!(null), json!("soon")] {
            assert!(parse(&wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            parse(&json!("3days")).map_err(|e| e.to_string()),
            Err("the duration is longer than 24 hours: \"3days\"".into())
        );
    }
}
