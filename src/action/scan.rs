//! Owns how a scalar is taken apart into literal text and `${{ … }}`, once, from left to right.
//! What stands in a piece is left to `expression` and to `secrets`.

/// A piece of a scalar and where it starts, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text outside of expressions.
    Literal(usize, &'a str),
    /// The text between `${{` and `}}`.
    Expression(usize, &'a str),
}

/// `${{` without its `}}`, at this byte.
#[derive(Debug, PartialEq, Eq)]
pub struct Unclosed(pub usize);

const OPEN: &str = "${{";

/// Takes a scalar apart. `$${{` is a literal `${{`; quotes and nested braces inside an expression do not end it.
pub fn scan(text: &str) -> Result<Vec<Piece<'_>>, Unclosed> {
    let mut pieces = Vec::new();
    let mut literal = 0;
    let mut from = 0;
    while let Some(found) = text[from..].find(OPEN) {
        let start = from + found;
        let escaped = text[literal..start].ends_with('$');
        // The escape's own `$` is left out.
        let end = if escaped { start - 1 } else { start };
        if end > literal {
            pieces.push(Piece::Literal(literal, &text[literal..end]));
        }
        let inner = start + OPEN.len();
        if escaped {
            literal = start;
            from = inner;
            continue;
        }
        let length = expression_length(&text[inner..]).ok_or(Unclosed(start))?;
        pieces.push(Piece::Expression(inner, &text[inner..inner + length]));
        literal = inner + length + 2;
        from = literal;
    }
    if literal < text.len() {
        pieces.push(Piece::Literal(literal, &text[literal..]));
    }
    Ok(pieces)
}

fn expression_length(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0usize;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') if depth > 0 => depth -= 1,
            (None, '}') if text[at..].starts_with("}}") => return Some(at),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Piece::{Expression, Literal};
    use super::*;

    #[test]
    fn scalars_are_taken_apart_once() {
        assert_eq!(scan("plain"), Ok(vec![Literal(0, "plain")]));
        assert_eq!(scan(""), Ok(vec![]));
        assert_eq!(
            scan("a ${{ x }} $<<B>>${{y}}"),
            Ok(vec![Literal(0, "a "), Expression(5, " x "), Literal(10, " $<<B>>"), Expression(20, "y"),])
        );
        assert_eq!(scan("${{ {'a': {'b': '}}'}} }}"), Ok(vec![Expression(3, " {'a': {'b': '}}'}} ")]));
        assert_eq!(scan("cost $${{ x }} é"), Ok(vec![Literal(0, "cost "), Literal(6, "${{ x }} é")]));
        assert_eq!(scan("é ${{ 'x }}"), Err(Unclosed(3)));
    }
}
