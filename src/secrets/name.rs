//! The names of secrets.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The name of a secret: letters, digits and `_`, not starting with a digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(String);

/// A text that can't name a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` can't name a secret")]
pub struct InvalidName(String);

impl InvalidName {
    /// What a name looks like.
    pub fn hint(&self) -> &'static str {
        "a name has letters, digits and `_`, and does not start with a digit, such as `SHOP_PASSWORD`"
    }
}

impl SecretName {
    /// The name, such as `SHOP_PASSWORD`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands in place of the value in everything that leaves the host.
    pub fn mask(&self) -> String {
        format!("<secret:{}>", self.0)
    }
}

impl FromStr for SecretName {
    type Err = InvalidName;

    fn from_str(name: &str) -> Result<SecretName, InvalidName> {
        let is_valid = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        if is_valid { Ok(SecretName(name.to_owned())) } else { Err(InvalidName(name.to_owned())) }
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
