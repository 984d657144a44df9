//! Secrets: text that names them, the store that knows their values, and the redactor that keeps values out of every
//! answer.
//!
//! Owned here: the `$<<NAME>>` templates, reading `.env` files into memory (never into the process environment), the
//! moment a name becomes a value, and every form under which a value could leak. Left to others: where a secret may
//! be typed (`browser`), which action may use which (`action`), and calling the redactor at the exit (`mcp`).
//!
//! A value lives in the [`Store`], in what [`Store::resolve`] returns, and in the [`Redactor`]; nothing here prints one.

mod env_file;
mod forms;
mod name;
mod redactor;
mod store;
mod template;
mod tree;

pub use env_file::EnvFileProblem;
pub use name::{InvalidName, SecretName};
pub use redactor::Redactor;
pub use store::{MissingSecrets, Store};
pub use template::{Piece, TemplateError, Text};
pub use tree::Tree;
