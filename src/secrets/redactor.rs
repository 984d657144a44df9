//! The redactor: replaces secret values, in all their forms, by their names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, BuildError, MatchKind};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};

use super::{SecretName, forms};

/// Values of fewer characters are replaced only where a whole field equals them: they occur in too many words.
pub(super) const MIN_LENGTH: usize = 4;

/// Stands for a whole text that could not be searched.
const WITHHELD: &str = "<withheld: the text could not be searched for secrets>";

/// Replaces secrets by `<secret:NAME>`, the longest first, in one pass.
///
/// Redacting twice changes nothing more. Its `Debug` prints names only.
#[derive(Default)]
pub struct Redactor {
    /// Values as a whole, which also hides short ones and numbers.
    whole: BTreeMap<String, String>,
    /// What is searched for and what replaces it.
    patterns: BTreeMap<String, String>,
    names: BTreeSet<String>,
    matcher: OnceLock<Result<Matcher, BuildError>>,
}

struct Matcher {
    automaton: AhoCorasick,
    replacements: Vec<String>,
}

impl Redactor {
    /// A redactor for these values; of names that share a value the first is shown.
    pub(super) fn new(values: &[(SecretName, SecretString)]) -> Redactor {
        let mut redactor = Redactor::default();
        for (name, value) in values {
            let (value, mask) = (value.expose_secret(), name.mask());
            if value.is_empty() {
                continue;
            }
            redactor.names.insert(name.to_string());
            redactor.whole.entry(value.to_owned()).or_insert_with(|| mask.clone());
            if value.chars().count() >= MIN_LENGTH {
                for form in forms::of(value, MIN_LENGTH) {
                    redactor.patterns.entry(form).or_insert_with(|| mask.clone());
                }
            }
        }
        // A mask that is already there stays, even where a value is part of it.
        if !redactor.patterns.is_empty() {
            let masks = values.iter().map(|(name, _)| (name.mask(), name.mask()));
            redactor.patterns.extend(masks);
        }
        redactor
    }

    /// Whether there is nothing to replace.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    /// The text without secrets.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if let Some(mask) = self.whole.get(text) {
            return Cow::Owned(mask.clone());
        }
        if self.patterns.is_empty() {
            return Cow::Borrowed(text);
        }
        match self.matcher.get_or_init(|| Matcher::new(&self.patterns)) {
            Ok(matcher) => matcher.replace(text),
            Err(_) => Cow::Borrowed(WITHHELD),
        }
    }

    /// Replaces secrets in all strings, map keys and numbers of a value.
    pub fn value(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                if let Some(mask) = self.whole.get(&number.to_string()) {
                    *value = Value::String(mask.clone());
                }
            }
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.text(text) {
                    *text = redacted;
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            Value::Object(map) => {
                map.values_mut().for_each(|value| self.value(value));
                if map.keys().any(|key| self.text(key) != key.as_str()) {
                    *map = self.keys(std::mem::take(map));
                }
            }
        }
    }

    /// The map with redacted keys, in order; a number tells keys apart that became equal.
    fn keys(&self, map: Map<String, Value>) -> Map<String, Value> {
        let mut redacted = Map::new();
        for (key, value) in map {
            let masked = self.text(&key).into_owned();
            let mut unique = masked.clone();
            let mut count = 1;
            while redacted.contains_key(&unique) {
                count += 1;
                unique = format!("{masked}#{count}");
            }
            redacted.insert(unique, value);
        }
        redacted
    }
}

impl Matcher {
    fn new(patterns: &BTreeMap<String, String>) -> Result<Matcher, BuildError> {
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(patterns.keys())?;
        Ok(Matcher { automaton, replacements: patterns.values().cloned().collect() })
    }

    fn replace<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !self.automaton.is_match(text) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.automaton.replace_all(text, &self.replacements))
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("names", &self.names).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
