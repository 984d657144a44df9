//! Owns expressions, `${{ … }}`: the engine, what an expression may see, and values in and out of it.
//! Where expressions may stand is the readers' business.

mod operators;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use minijinja::value::Serde;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

use super::problem::{did_you_mean, listed};

/// A compiled expression.
pub struct Expression {
    source: String,
    compiled: minijinja::Expression<'static, 'static>,
    names: Vec<String>,
}

/// Why an expression could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The first byte of the expression that is wrong.
    pub offset: usize,
    /// How many characters are wrong.
    pub length: usize,
}

/// Why an expression has no value in a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`${{{{ {expression} }}}}` has no value: {message}")]
pub struct ExpressionError {
    /// The expression's text.
    pub expression: String,
    /// What went wrong.
    pub message: String,
    hint: Option<String>,
}

impl ExpressionError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

/// An expression that does more work than this is stopped.
const FUEL: u64 = 50_000;

/// Names that every expression may use beside those of its scope.
pub const FUNCTIONS: [&str; 2] = ["range", "dict"];

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        // Without it errors carry no place.
        environment.set_debug(true);
        environment.remove_global("debug");
        environment.remove_global("namespace");
        environment
    })
}

impl Expression {
    /// Compiles the text between `${{` and `}}`.
    pub fn compile(source: &str) -> Result<Expression, SyntaxError> {
        let source = source.trim();
        if source.is_empty() {
            return Err(SyntaxError {
                message: "the expression is empty".into(),
                hint: Some("write a name such as `inputs.email` between `${{` and `}}`".into()),
                offset: 0,
                length: 0,
            });
        }
        match environment().compile_expression_owned(source.to_owned()) {
            Ok(compiled) => {
                if let Some(unknown) = operators::unknown(source) {
                    return Err(unknown.into());
                }
                let mut names: Vec<String> = compiled.undeclared_variables(true).into_iter().collect();
                names.sort();
                Ok(Expression { source: source.to_owned(), compiled, names })
            }
            Err(error) => {
                let range = error.range().unwrap_or(0..0);
                let offset = range.start.min(source.len());
                let wrong = source.get(range).unwrap_or_default();
                Err(SyntaxError {
                    message: format!("not a valid expression: {}", words(&error)),
                    hint: Some(operators::meant(&source[offset..]).into()),
                    offset,
                    length: wrong.chars().count(),
                })
            }
        }
    }

    /// The text between the braces.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The expression as a shortcut writes it.
    pub fn in_braces(&self) -> String {
        format!("${{{{ {} }}}}", self.source)
    }

    /// The names it reads, with the attributes that follow them: `inputs.email`, `account`, `page.url`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it reads the page's address or title.
    pub fn uses_page(&self) -> bool {
        let page = |name: &String| name == "page" || name.starts_with("page.");
        self.names.iter().any(page)
    }

    /// What it counts as, if it is the literal `true` or `false`.
    pub fn constant(&self) -> Option<bool> {
        self.source.parse().ok()
    }

    /// Its value; text keeps being text, numbers keep being numbers.
    pub fn evaluate(&self, scope: &Scope) -> Result<Value, ExpressionError> {
        let value = self.engine_value(scope)?;
        serde_json::to_value(&value).map_err(|error| self.error(error.to_string(), None))
    }

    /// Whether its value counts as true: not `false`, null, zero or empty.
    pub fn is_true(&self, scope: &Scope) -> Result<bool, ExpressionError> {
        Ok(self.engine_value(scope)?.is_true())
    }

    /// Its value as part of a longer text.
    ///
    /// Null is refused: `Hello none` and `Hello ` are rarely meant.
    pub fn evaluate_text(&self, scope: &Scope) -> Result<String, ExpressionError> {
        match self.evaluate(scope)? {
            Value::String(text) => Ok(text),
            Value::Null => Err(self.error(
                "null can't be part of a text".into(),
                Some(format!("give a default: `${{{{ {} or '' }}}}`", self.source)),
            )),
            other => Ok(other.to_string()),
        }
    }

    fn engine_value(&self, scope: &Scope) -> Result<minijinja::Value, ExpressionError> {
        let context = minijinja::Value::from(scope.values.clone());
        match self.compiled.eval(context) {
            Ok(value) if value.is_undefined() => Err(self.error(
                "it names something that does not exist".into(),
                Some("use `| default(…)` if it may be absent".into()),
            )),
            Ok(value) => Ok(value),
            Err(error) => {
                let hint = match error.kind() {
                    ErrorKind::UndefinedError => Some("use `| default(…)` if it may be absent".into()),
                    ErrorKind::OutOfFuel => Some("compute less in one expression".into()),
                    _ => None,
                };
                Err(self.error(words(&error), hint))
            }
        }
    }

    fn error(&self, message: String, hint: Option<String>) -> ExpressionError {
        ExpressionError { expression: self.source.clone(), message, hint }
    }
}

impl From<operators::Unknown<'_>> for SyntaxError {
    fn from(unknown: operators::Unknown<'_>) -> SyntaxError {
        let known = || unknown.known.iter().copied();
        let hint = did_you_mean(unknown.name, known());
        let hint = hint.unwrap_or_else(|| format!("known are {}", listed(known())));
        SyntaxError {
            message: format!("unknown {} `{}`", unknown.what, unknown.name),
            hint: Some(hint),
            offset: unknown.offset,
            length: unknown.name.len(),
        }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_braces())
    }
}

fn words(error: &minijinja::Error) -> String {
    match error.detail() {
        Some(detail) => detail.to_owned(),
        None => error.kind().to_string(),
    }
}

/// What an expression sees: `inputs.*`, captured values, `page.url`, `page.title`.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    values: BTreeMap<String, minijinja::Value>,
}

impl Scope {
    /// A scope with the arguments of a call, as `Action::arguments` completed them.
    pub fn new(inputs: &Map<String, Value>) -> Scope {
        let mut scope = Scope::default();
        let inputs = minijinja::Value::from(Serde(inputs));
        scope.values.insert("inputs".into(), inputs);
        scope
    }

    /// Sets a captured value; the capture of a step that was skipped is set to null.
    pub fn set(&mut self, name: &str, value: &Value) {
        let value = minijinja::Value::from(Serde(value));
        self.values.insert(name.to_owned(), value);
    }

    /// Takes a name away.
    pub fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Sets `page.url` and `page.title`, which an expression with `uses_page` needs just before it is evaluated.
    pub fn set_page(&mut self, url: &str, title: &str) {
        let page = BTreeMap::from([("url", url), ("title", title)]);
        let page = minijinja::Value::from(Serde(page));
        self.values.insert("page".into(), page);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scope() -> Scope {
        let inputs = json!({"email": "a@b.c", "count": u64::MAX, "tags": ["x", "y"], "none": null});
        let mut scope = Scope::new(inputs.as_object().expect("it is a map"));
        scope.set("account", &json!({"id": -7, "ratio": 0.5}));
        scope.set_page("https://x.example/", "X");
        scope
    }

    fn evaluate(source: &str) -> String {
        let expression = match Expression::compile(source) {
            Ok(expression) => expression,
            Err(error) => return format!("{error} at {}+{}", error.offset, error.length),
        };
        match expression.evaluate(&scope()) {
            Ok(value) => value.to_string(),
            Err(error) => format!("{error}"),
        }
    }

    #[test]
    fn values_keep_their_types() {
        let answers = [
            "inputs.email",
            "inputs.count",
            "inputs.tags",
            "inputs.none",
            "account.id + 1",
            "account.ratio",
            "account",
            "inputs.tags | join('-')",
            "'x' in inputs.tags and page.url == 'https://x.example/'",
            "{'a': {'b': 1}}",
        ]
        .map(|source| format!("{source} → {}", evaluate(source)));
        insta::assert_snapshot!(answers.join("\n"), @r#"
        inputs.email → "a@b.c"
        inputs.count → 18446744073709551615
        inputs.tags → ["x","y"]
        inputs.none → null
        account.id + 1 → -6
        account.ratio → 0.5
        account → {"id":-7,"ratio":0.5}
        inputs.tags | join('-') → "x-y"
        'x' in inputs.tags and page.url == 'https://x.example/' → true
        {'a': {'b': 1}} → {"a":{"b":1}}
        "#);
    }

    #[test]
    fn faults_are_sentences() {
        let answers = [
            "",
            "inputs.",
            "inputs.email +",
            "a b",
            "inputs.nothing",
            "inputs.nothing.more",
            "inputs.email - 1",
            "inputs.email | nofilter",
            "inputs.email is sting",
            "range(100000) | sort | join | length",
            "debug()",
            "'x' * 1000000000",
        ]
        .map(|source| format!("{source} → {}", evaluate(source)));
        insta::assert_snapshot!(answers.join("\n"), @r"
         → the expression is empty at 0+0
        inputs. → not a valid expression: unexpected end of input, expected identifier or integer at 6+1
        inputs.email + → not a valid expression: unexpected end of input, expected expression at 13+1
        a b → not a valid expression: unexpected input after expression at 2+1
        inputs.nothing → `${{ inputs.nothing }}` has no value: it names something that does not exist
        inputs.nothing.more → `${{ inputs.nothing.more }}` has no value: `inputs.nothing` is undefined
        inputs.email - 1 → `${{ inputs.email - 1 }}` has no value: tried to use - operator on unsupported types string and number
        inputs.email | nofilter → unknown filter `nofilter` at 15+8
        inputs.email is sting → unknown test `sting` at 16+5
        range(100000) | sort | join | length → 488890
        debug() → `${{ debug() }}` has no value: debug is unknown
        'x' * 1000000000 → `${{ 'x' * 1000000000 }}` has no value: repeated string is too large
        ");
        assert!(evaluate(&"(".repeat(100_000)).starts_with("not a valid expression"));
    }

    #[test]
    fn every_filter_and_test_that_is_offered_exists() {
        let missing = |kind: ErrorKind, source: String| {
            let compiled = environment().compile_expression_owned(source);
            let value = compiled.and_then(|compiled| compiled.eval(()));
            value.is_err_and(|error| error.kind() == kind)
        };
        for filter in operators::FILTERS {
            assert!(!missing(ErrorKind::UnknownFilter, format!("'a' | {filter}")), "{filter}");
        }
        for test in operators::TESTS {
            assert!(!missing(ErrorKind::UnknownTest, format!("'a' is {test}")), "{test}");
        }
    }

    #[test]
    fn names_are_known_before_it_runs() {
        let expression = Expression::compile("inputs.a ~ account.id.x ~ page.title | upper");
        let expression = expression.expect("it is valid");
        assert_eq!(expression.names(), ["account.id.x", "inputs.a", "page.title"]);
        assert!(expression.uses_page());
    }
}
