//! Argument values in which secrets are named but not resolved.

use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::{SecretName, Text};

/// A value like JSON's, whose text may name secrets. Map keys never do.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text, which may name secrets.
    Text(Text),
    /// Values in order.
    List(Vec<Tree>),
    /// Values by key, in the order of the file.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// A tree of data: whatever its strings hold, they name no secrets.
    pub fn from_json(value: Value) -> Tree {
        match value {
            Value::Null => Tree::Null,
            Value::Bool(value) => Tree::Bool(value),
            Value::Number(value) => Tree::Number(value),
            Value::String(value) => Tree::Text(Text::literal(value)),
            Value::Array(values) => Tree::List(values.into_iter().map(Tree::from_json).collect()),
            Value::Object(values) => {
                Tree::Map(values.into_iter().map(|(key, value)| (key, Tree::from_json(value))).collect())
            }
        }
    }

    /// The secrets that its texts name.
    pub fn names(&self) -> BTreeSet<SecretName> {
        match self {
            Tree::Null | Tree::Bool(_) | Tree::Number(_) => BTreeSet::new(),
            Tree::Text(text) => text.names(),
            Tree::List(values) => values.iter().flat_map(Tree::names).collect(),
            Tree::Map(values) => values.iter().flat_map(|(_, value)| value.names()).collect(),
        }
    }

    /// The value as it may be shown: `<secret:NAME>` in place of every secret.
    pub fn to_masked_json(&self) -> Value {
        self.render(&SecretName::mask)
    }

    /// The value with something in place of every secret.
    pub(super) fn render(&self, secret: &impl Fn(&SecretName) -> String) -> Value {
        match self {
            Tree::Null => Value::Null,
            Tree::Bool(value) => Value::Bool(*value),
            Tree::Number(value) => Value::Number(value.clone()),
            Tree::Text(text) => Value::String(text.render(secret)),
            Tree::List(values) => values.iter().map(|value| value.render(secret)).collect(),
            Tree::Map(values) => values.iter().map(|(key, value)| (key.clone(), value.render(secret))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Data never names secrets; a template does, and is shown masked.
    #[test]
    fn only_templates_name_secrets() {
        let data = json!({ "a": ["$<<A>>", 1.5, null, true], "$<<K>>": "x" });
        let tree = Tree::from_json(data.clone());
        assert_eq!((tree.names().len(), tree.to_masked_json()), (0, data));

        let template = Text::parse("Bearer $<<TOKEN>>").expect("a template");
        let tree = Tree::Map(vec![("headers".to_owned(), Tree::List(vec![Tree::Text(template), Tree::Null]))]);
        assert_eq!(tree.names().iter().map(SecretName::as_str).collect::<Vec<_>>(), ["TOKEN"]);
        assert_eq!(tree.to_masked_json(), json!({ "headers": ["Bearer <secret:TOKEN>", null] }));
    }
}
