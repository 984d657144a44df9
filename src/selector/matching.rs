//! Matching text outside a page, by the same three forms: addresses are compared so.

use super::{MatchKind, Part, Selector, SelectorError, TextMatch, regular_expression};

impl TextMatch {
    /// Parses the value of a `text:` selector: bare (contains), `"in quotes"` (equals) or `/a pattern/`. A path such as
    /// `/orders/7` is no pattern and means itself.
    ///
    /// # Errors
    /// As [`Selector::parse`].
    pub fn parse(source: &str) -> Result<TextMatch, SelectorError> {
        match Selector::parse(&format!("text:{source}")) {
            Ok(selector) => match selector.parts.as_slice() {
                [Part::Text(text)] => Ok(text.clone()),
                _ => Ok(TextMatch::contains(source)),
            },
            Err(_) if source.starts_with('/') => Ok(TextMatch::contains(source)),
            Err(error) => Err(error),
        }
    }

    /// A regular expression: as it stands, or `/a pattern/` with flags.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn pattern(source: &str) -> Result<TextMatch, SelectorError> {
        if let Ok(parsed) = TextMatch::parse(source)
            && parsed.kind == MatchKind::Regex
        {
            return Ok(parsed);
        }
        match regular_expression::check(source, "") {
            Ok(()) => Ok(TextMatch { kind: MatchKind::Regex, text: source.to_owned(), flags: String::new() }),
            Err((message, hint)) => Err(SelectorError::new(0, source.chars().count(), message, hint)),
        }
    }

    /// Whether a text matches; white space counts as it is.
    pub fn matches(&self, text: &str) -> bool {
        match self.kind {
            MatchKind::Contains => text.to_lowercase().contains(&self.text.to_lowercase()),
            MatchKind::Exact => text == self.text,
            // Checked when it was parsed, so a pattern that doesn't compile can't be here.
            MatchKind::Regex => {
                let flags: String = self.flags.chars().filter(|flag| *flag != 'u').collect();
                let pattern = if flags.is_empty() { self.text.clone() } else { format!("(?{flags}){}", self.text) };
                regex::Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(text))
            }
        }
    }
}

impl From<Vec<Part>> for Selector {
    fn from(parts: Vec<Part>) -> Selector {
        Selector { parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_match_in_the_three_forms() {
        let matches = |wanted: &str| {
            TextMatch::parse(wanted).expect("a text match").matches("https://shop.example/orders/7?page=2")
        };
        assert!(matches("/orders/7"));
        assert!(matches("\"https://shop.example/orders/7?page=2\""));
        assert!(!matches("\"https://shop.example\""));
        assert!(matches(r"/orders\/\d+\?/"));
        assert!(!matches("/cart/i"));
    }
}
