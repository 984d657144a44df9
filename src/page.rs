//! Reading a page as a whole: the accessibility snapshot with references, within a budget of tokens, and what changed
//! since the last one.
//!
//! The page's side finds the nodes and writes a line for each (`browser::snapshot`); here the documents of iframes are
//! put in place, lines are chosen by how much they matter, and notes tell what was left out and how to get it.
//!
//! Leaves to others: finding and acting (`browser`), the words around it for a client (`mcp::response`). Nothing here
//! retries.

mod budget;
mod changes;
mod failure;
mod outline;
mod snapshot;
mod tokens;

pub use failure::around_failure;
pub use snapshot::{Mode, SnapshotOptions, snapshot};
pub use tokens::estimate as estimate_tokens;
