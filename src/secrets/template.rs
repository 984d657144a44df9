//! Text that names secrets, `Bearer $<<API_TOKEN>>`: parsed once, and never holding a value.

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

use super::SecretName;

const OPEN: &str = "$<<";
const CLOSE: &str = ">>";
/// How to write [`OPEN`] itself.
const ESCAPED_OPEN: &str = "$$<<";

/// Text in which secrets are named but not resolved.
///
/// Displayed, it is its own source again: `$<<NAME>>` for a secret, `$$<<` for a literal `$<<`. Literals are never
/// empty and never adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands.
    Literal(String),
    /// The value of a secret.
    Secret(SecretName),
}

/// Why a text is not a template, with the place in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct TemplateError {
    /// Where the wrong piece starts, in characters from 0.
    pub offset: usize,
    /// How many characters are wrong.
    pub length: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

impl TemplateError {
    /// What to write instead.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

impl Text {
    /// Parses text that its author trusts to name secrets: only scalars of files on disk.
    pub fn parse(source: &str) -> Result<Text, TemplateError> {
        let mut text = Text::default();
        let mut rest = source;
        while let Some(at) = rest.find(OPEN) {
            let after = at + OPEN.len();
            if rest[..at].ends_with('$') {
                text.push(Piece::Literal(rest[..at - 1].to_owned() + OPEN));
                rest = &rest[after..];
                continue;
            }
            text.push(Piece::Literal(rest[..at].to_owned()));
            let length = rest[after..].find(CLOSE);
            let offset = source[..source.len() - rest.len() + at].chars().count();
            let Some(length) = length else {
                return Err(TemplateError {
                    offset,
                    length: rest[at..].chars().count(),
                    message: "`$<<` is never closed".to_owned(),
                    hint: "write `$<<NAME>>`, or `$$<<` for a literal `$<<`".to_owned(),
                });
            };
            let inside = &rest[after..after + length];
            let name = name(inside).map_err(|(message, hint)| TemplateError {
                offset,
                length: (OPEN.len() + CLOSE.len()) + inside.chars().count(),
                message,
                hint,
            })?;
            text.push(Piece::Secret(name));
            rest = &rest[after + length + CLOSE.len()..];
        }
        text.push(Piece::Literal(rest.to_owned()));
        Ok(text)
    }

    /// Text that names no secret, whatever it holds.
    pub fn literal(text: impl Into<String>) -> Text {
        Text::from_iter([Piece::Literal(text.into())])
    }

    /// The value of one secret.
    pub fn secret(name: SecretName) -> Text {
        Text(vec![Piece::Secret(name)])
    }

    /// Adds another text at the end.
    pub fn append(&mut self, other: Text) {
        self.extend(other.0);
    }

    /// The pieces in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The secrets it names.
    pub fn names(&self) -> BTreeSet<SecretName> {
        self.0
            .iter()
            .filter_map(|piece| match piece {
                Piece::Literal(_) => None,
                Piece::Secret(name) => Some(name.clone()),
            })
            .collect()
    }

    /// The text itself, if it names no secret.
    pub fn as_literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with `<secret:NAME>` in place of every secret.
    pub fn masked(&self) -> String {
        self.render(SecretName::mask)
    }

    /// The text with something in place of every secret.
    pub(super) fn render(&self, mut secret: impl FnMut(&SecretName) -> String) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Literal(text) => text.clone(),
                Piece::Secret(name) => secret(name),
            })
            .collect()
    }

    fn push(&mut self, piece: Piece) {
        match (self.0.last_mut(), piece) {
            (_, Piece::Literal(text)) if text.is_empty() => {}
            (Some(Piece::Literal(last)), Piece::Literal(text)) => last.push_str(&text),
            (_, piece) => self.0.push(piece),
        }
    }
}

impl Extend<Piece> for Text {
    fn extend<I: IntoIterator<Item = Piece>>(&mut self, pieces: I) {
        pieces.into_iter().for_each(|piece| self.push(piece));
    }
}

impl FromIterator<Piece> for Text {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Text {
        let mut text = Text::default();
        text.extend(pieces);
        text
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Literal(text) => f.write_str(&text.replace(OPEN, ESCAPED_OPEN)),
            Piece::Secret(name) => write!(f, "{OPEN}{name}{CLOSE}"),
        })
    }
}

/// The name between `$<<` and `>>`; otherwise a message and a hint.
fn name(inside: &str) -> Result<SecretName, (String, String)> {
    let refused = match inside.parse::<SecretName>() {
        Ok(name) => return Ok(name),
        Err(refused) => refused,
    };
    if inside.trim().is_empty() {
        let hint = "write `$<<NAME>>`, or `$$<<` for a literal `$<<`";
        return Err(("the name of the secret is missing".to_owned(), hint.to_owned()));
    }
    if let Ok(name) = inside.trim().parse::<SecretName>() {
        return Err(("white space around the name of a secret".to_owned(), format!("write `$<<{name}>>`")));
    }
    if let Some((name, filter)) = inside.split_once('|')
        && let Ok(name) = name.trim().parse::<SecretName>()
    {
        let filter = shortened(filter.trim());
        return Err((format!("unknown filter `{filter}` of the secret `{name}`"), format!("write `$<<{name}>>`")));
    }
    Err((format!("`{}` can't name a secret", shortened(inside)), refused.hint().to_owned()))
}

/// The start of a text, for messages: what follows an unclosed `$<<` can be long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(name: &str) -> Piece {
        Piece::Secret(name.parse().expect("a valid name"))
    }

    fn literal(text: &str) -> Piece {
        Piece::Literal(text.to_owned())
    }

    /// A template is read in one pass and printed as it was written.
    #[test]
    fn templates_are_read_and_printed() {
        for (source, pieces) in [
            ("", vec![]),
            ("plain", vec![literal("plain")]),
            ("$<<A>>", vec![secret("A")]),
            (
                "Bearer $<<A>>.$<<_b2>>!",
                vec![literal("Bearer "), secret("A"), literal("."), secret("_b2"), literal("!")],
            ),
            ("cost: $5 << 6 $", vec![literal("cost: $5 << 6 $")]),
            ("$$<<A>> ä $<<B>>", vec![literal("$<<A>> ä "), secret("B")]),
            ("$$$<<A>>", vec![literal("$$<<A>>")]),
            ("$$<<$<<A>>>>", vec![literal("$<<"), secret("A"), literal(">>")]),
            ("${{ inputs.x }}", vec![literal("${{ inputs.x }}")]),
        ] {
            let text = Text::parse(source).expect(source);
            assert_eq!(text.pieces(), pieces, "{source}");
            assert_eq!(text.to_string(), source);
        }
    }

    /// What is wrong is pointed at.
    #[test]
    fn errors_point_at_the_place() {
        let long = "x".repeat(50);
        for (source, offset, length, message, hint) in [
            ("ä $<<A", 2, 4, "`$<<` is never closed", "write `$<<NAME>>`, or `$$<<` for a literal `$<<`"),
            (
                "ä$<<1A>>.",
                1,
                7,
                "`1A` can't name a secret",
                "a name has letters, digits and `_`, and does not start with a digit, such as `SHOP_PASSWORD`",
            ),
            ("$<< A >>", 0, 8, "white space around the name of a secret", "write `$<<A>>`"),
            ("$<<>>", 0, 5, "the name of the secret is missing", "write `$<<NAME>>`, or `$$<<` for a literal `$<<`"),
            ("$<<SEED|totp>>", 0, 14, "unknown filter `totp` of the secret `SEED`", "write `$<<SEED>>`"),
            (
                &format!("$<<{long}->>"),
                0,
                56,
                &format!("`{}…` can't name a secret", &long[..40]),
                "a name has letters, digits and `_`, and does not start with a digit, such as `SHOP_PASSWORD`",
            ),
        ] {
            let error = Text::parse(source).expect_err(source);
            let found = (error.offset, error.length, error.to_string());
            assert_eq!((found, error.hint()), ((offset, length, message.to_owned()), hint), "{source}");
        }
    }

    /// Text that is put together never makes a name out of literals.
    #[test]
    fn literals_stay_literal() {
        let mut text = Text::literal("$<<A>>");
        text.append(Text::secret("B".parse().expect("a valid name")));
        text.append(Text::literal(""));
        assert_eq!(text.names().into_iter().map(|name| name.to_string()).collect::<Vec<_>>(), ["B"]);
        assert_eq!((text.to_string(), text.masked()), ("$$<<A>>$<<B>>".to_owned(), "$<<A>><secret:B>".to_owned()));
        assert_eq!(
            (text.as_literal(), Text::literal("x").as_literal(), Text::default().as_literal()),
            (None, Some("x"), Some(""))
        );
    }
}
