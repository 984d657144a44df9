//! How many tokens a text takes, estimated from above.
//!
//! Models cut text differently, and none of their vocabularies is worth megabytes in the binary for a budget. So this
//! counts the way byte pair encoders split text (words, runs of digits, punctuation, line ends) with a price for each
//! that common vocabularies stay under for what pages hold. Snapshots of English pages cost about a fifth less than
//! estimated, other scripts up to a half.

/// The tokens that a text takes at most, as an estimate.
pub fn estimate(text: &str) -> usize {
    let mut quarters = 0;
    let mut run = Kind::Space;
    let mut length = 0;
    for character in text.chars().chain(['\n']) {
        let kind = Kind::of(character);
        if (run, kind, length) == (Kind::Upper, Kind::Lower, 1) {
            // A capital begins its word.
            run = kind;
        } else if kind != run {
            quarters += run.price(length);
            (run, length) = (kind, 0);
        }
        length += 1;
    }
    quarters.div_ceil(4)
}

/// Characters that are counted together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digits,
    Space,
    LineEnd,
    Punctuation,
    /// Accented Latin, Greek, Cyrillic.
    European,
    /// Hebrew, Arabic and their neighbours.
    Semitic,
    /// Arrows, symbols, pictures, controls.
    Symbols,
    /// Ideographs and all other scripts.
    Other,
}

impl Kind {
    fn of(character: char) -> Kind {
        match character {
            'a'..='z' => Kind::Lower,
            'A'..='Z' => Kind::Upper,
            '0'..='9' => Kind::Digits,
            ' ' => Kind::Space,
            '\n' | '\r' | '\t' => Kind::LineEnd,
            '!'..='~' => Kind::Punctuation,
            '\u{a0}'..='\u{58f}' => Kind::European,
            '\u{590}'..='\u{7ff}' => Kind::Semitic,
            '\0'..'\u{a0}' | '\u{2000}'..='\u{2dff}' | '\u{10000}'.. => Kind::Symbols,
            _ => Kind::Other,
        }
    }

    /// What a run of so many characters costs, in quarters of a token.
    fn price(self, length: usize) -> usize {
        match self {
            _ if length == 0 => 0,
            // Short words are one token; long ones break into pieces.
            Kind::Lower => length.max(4),
            Kind::Upper => (2 * length).max(4),
            Kind::Digits | Kind::Punctuation | Kind::European => 2 * length + 2,
            // One space belongs to the word behind it; an indentation is one token.
            Kind::Space if length == 1 => 0,
            Kind::Space | Kind::LineEnd => 4,
            Kind::Semitic => 5 * length,
            Kind::Symbols => 10 * length,
            Kind::Other => 6 * length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn estimates_are_not_below_what_encoders_need() {
        // The text, and the larger count of two common vocabularies.
        for (text, tokens) in TEXTS {
            assert!(estimate(text) >= *tokens && estimate(text) < 4 * tokens, "{text}: {}", estimate(text));
        }
    }

    const TEXTS: &[(&str, usize)] = &[
        ("    - button \"Add to cart\" [disabled] [ref=e123]", 16),
        ("- paragraph: Some words about the goods that people buy here most of the time.", 17),
        ("- text: 1,234,567.89 €", 12),
        ("- text: getElementById DNS_PROBE_FINISHED 3f9a0c71", 20),
        ("- paragraph: Bitte melden Sie sich mit Ihrem Benutzerkonto an", 15),
        ("- paragraph: Добро пожаловать на наш сайт", 17),
        ("- paragraph: مرحبا بكم في موقعنا", 18),
        ("- paragraph: שלום עולם", 13),
        ("- link \"カートに追加する\"", 11),
        ("- text: 请登录以继续购买", 14),
        ("- text: 주문이 접수되었습니다", 12),
        ("- text: ยินดีต้อนรับ", 13),
        ("- text: 🎉 → ✓", 8),
    ];
}
