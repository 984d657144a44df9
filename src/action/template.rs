//! Owns arguments with templates in them: text of literals, secrets and expressions, and what they render to.
//! How a scalar is taken apart is `scan`'s; which names an expression may use is `context`'s.

use serde_json::{Map, Number, Value};

use super::expression::{Expression, ExpressionError, Scope};
use crate::secrets::{self, SecretName, Text, Tree};

/// An argument of a step as its file gives it.
#[derive(Debug)]
pub enum Argument {
    /// Nothing; the same as leaving the argument out.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text, maybe with secrets and expressions in it.
    Text(Template),
    /// A scalar that is exactly one expression: its value keeps its type.
    Expression(Expression),
    /// A list.
    List(Vec<Argument>),
    /// A map, in the order it is written.
    Map(Vec<(String, Argument)>),
}

/// Text of several pieces.
#[derive(Debug, Default)]
pub struct Template {
    pieces: Vec<Piece>,
}

/// Tells which expressions are evaluated.
pub type Known<'k> = &'k dyn Fn(&Expression) -> bool;

/// A piece of a template.
#[derive(Debug)]
pub enum Piece {
    /// Text of the file, maybe with secrets in it.
    Literal(Text),
    /// Text that is computed; it is data and never read for secrets.
    Expression(Expression),
}

impl Template {
    /// Text of these pieces in this order.
    pub fn new(pieces: Vec<Piece>) -> Template {
        Template { pieces }
    }

    /// Text without secrets and expressions.
    pub fn literal(text: &str) -> Template {
        Template::new(vec![Piece::Literal(Text::literal(text))])
    }

    /// The text itself if it needs neither a secret nor an expression.
    pub fn as_literal(&self) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal.as_literal()?),
                Piece::Expression(_) => return None,
            }
        }
        Some(text)
    }

    /// The text as a shortcut writes it.
    fn source(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Expression(expression) => text.push_str(&expression.in_braces()),
                Piece::Literal(literal) => literal.pieces().iter().for_each(|piece| match piece {
                    secrets::Piece::Literal(literal) => {
                        text.push_str(&literal.replace("$<<", "$$<<").replace("${{", "$${{"));
                    }
                    secrets::Piece::Secret(name) => text.push_str(&format!("$<<{name}>>")),
                }),
            }
        }
        text
    }

    /// The text with a word in place of every secret and expression.
    pub fn with_samples(&self, sample: &str) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Expression(_) => text.push_str(sample),
                Piece::Literal(literal) => literal.pieces().iter().for_each(|piece| match piece {
                    secrets::Piece::Literal(literal) => text.push_str(literal),
                    secrets::Piece::Secret(_) => text.push_str(sample),
                }),
            }
        }
        text
    }

    /// The same with a text before it.
    pub fn prefixed(mut self, prefix: &str) -> Template {
        self.pieces.insert(0, Piece::Literal(Text::literal(prefix)));
        self
    }

    fn render(&self, scope: &Scope, known: Known<'_>) -> Result<Text, ExpressionError> {
        let mut text = Text::default();
        for piece in &self.pieces {
            text.append(match piece {
                Piece::Literal(literal) => literal.clone(),
                Piece::Expression(expression) if known(expression) => Text::literal(expression.evaluate_text(scope)?),
                Piece::Expression(expression) => Text::literal(expression.in_braces()),
            });
        }
        Ok(text)
    }
}

impl Argument {
    /// The argument with every expression replaced by its value; secrets stay templates.
    pub fn render(&self, scope: &Scope) -> Result<Tree, ExpressionError> {
        self.render_where(scope, &|_| true)
    }

    /// The same, but expressions that are not `known` stay as they are written.
    pub fn render_where(&self, scope: &Scope, known: Known<'_>) -> Result<Tree, ExpressionError> {
        Ok(match self {
            Argument::Null => Tree::Null,
            Argument::Bool(value) => Tree::Bool(*value),
            Argument::Number(value) => Tree::Number(value.clone()),
            Argument::Text(template) => Tree::Text(template.render(scope, known)?),
            Argument::Expression(expression) if known(expression) => Tree::from_json(expression.evaluate(scope)?),
            Argument::Expression(expression) => Tree::Text(Text::literal(expression.in_braces())),
            Argument::List(items) => {
                let items: Result<_, _> = items.iter().map(|item| item.render_where(scope, known)).collect();
                Tree::List(items?)
            }
            Argument::Map(entries) => {
                let mut map = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    map.push((key.clone(), value.render_where(scope, known)?));
                }
                Tree::Map(map)
            }
        })
    }

    /// The argument as a plain value, for places where the loader allows no secrets; a secret would be null.
    pub fn value(&self, scope: &Scope) -> Result<Value, ExpressionError> {
        Ok(match self {
            Argument::Expression(expression) => expression.evaluate(scope)?,
            Argument::Text(template) => {
                template.render(scope, &|_| true)?.as_literal().map_or(Value::Null, Value::from)
            }
            Argument::List(items) => {
                let items: Result<_, _> = items.iter().map(|item| item.value(scope)).collect();
                Value::Array(items?)
            }
            Argument::Map(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    map.insert(key.clone(), value.value(scope)?);
                }
                Value::Object(map)
            }
            Argument::Null => Value::Null,
            Argument::Bool(value) => Value::Bool(*value),
            Argument::Number(value) => Value::Number(value.clone()),
        })
    }

    /// The value if it needs neither a secret nor an expression.
    pub fn as_literal(&self) -> Option<Value> {
        Some(match self {
            Argument::Null => Value::Null,
            Argument::Bool(value) => Value::Bool(*value),
            Argument::Number(value) => Value::Number(value.clone()),
            Argument::Text(template) => Value::String(template.as_literal()?),
            Argument::Expression(_) => return None,
            Argument::List(items) => {
                let items: Option<_> = items.iter().map(Argument::as_literal).collect();
                Value::Array(items?)
            }
            Argument::Map(entries) => {
                let pair = |(key, value): &(String, Argument)| Some((key.clone(), value.as_literal()?));
                let map: Option<_> = entries.iter().map(pair).collect();
                Value::Object(map?)
            }
        })
    }

    /// The argument as a shortcut writes it.
    pub fn source(&self) -> Value {
        match self {
            Argument::Null => Value::Null,
            Argument::Bool(value) => Value::Bool(*value),
            Argument::Number(value) => Value::Number(value.clone()),
            Argument::Text(template) => Value::String(template.source()),
            Argument::Expression(expression) => Value::String(expression.in_braces()),
            Argument::List(items) => items.iter().map(Argument::source).collect(),
            Argument::Map(entries) => {
                entries.iter().map(|(key, value)| (key.clone(), value.source())).collect::<Map<_, _>>().into()
            }
        }
    }

    /// Whether rendering needs the page's address or title.
    pub fn uses_page(&self) -> bool {
        self.expressions().iter().any(|expression| expression.uses_page())
    }

    /// The expressions in it.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut expressions = Vec::new();
        self.visit(&mut |piece| match piece {
            Part::Expression(expression) => expressions.push(expression),
            Part::Secrets(_) => {}
        });
        expressions
    }

    /// The secrets it will need.
    pub fn secret_names(&self) -> Vec<SecretName> {
        let mut names = Vec::new();
        self.visit(&mut |piece| match piece {
            Part::Secrets(text) => names.extend(text.names()),
            Part::Expression(_) => {}
        });
        names
    }

    fn visit<'a>(&'a self, seen: &mut dyn FnMut(Part<'a>)) {
        match self {
            Argument::Null | Argument::Bool(_) | Argument::Number(_) => {}
            Argument::Text(template) => {
                for piece in &template.pieces {
                    match piece {
                        Piece::Literal(text) => seen(Part::Secrets(text)),
                        Piece::Expression(expression) => seen(Part::Expression(expression)),
                    }
                }
            }
            Argument::Expression(expression) => seen(Part::Expression(expression)),
            Argument::List(items) => items.iter().for_each(|item| item.visit(seen)),
            Argument::Map(entries) => entries.iter().for_each(|(_, value)| value.visit(seen)),
        }
    }
}

enum Part<'a> {
    Expression(&'a Expression),
    Secrets(&'a Text),
}
