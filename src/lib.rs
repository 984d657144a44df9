//! Repertoire is a plugin host for browser automation. It watches directories of **actions**, turns each into an MCP
//! tool, and performs them over one persistent Chromium session.
//!
//! # Bird's-eye view
//!
//! ```text
//! files ──> action::load ──> Catalog ──(watch publishes)──> mcp: tools/list
//!                                                            mcp: tools/call ──> run ──> command::execute ──> browser
//!                                                                                 └─ steps, captures, outputs
//! ```
//!
//! A tool call takes the catalog as it is, finds its action, checks the arguments, waits for its turn at the session, and
//! is performed step by step. Each step is one command of the vocabulary: secrets are filled in at that moment, the
//! browser finds the element and acts in one retry loop. The outcome leaves through `mcp::response`, which masks secrets.
//!
//! # Glossary
//!
//! - **Action**: a file that is a tool. **Shortcut**: an action in YAML, a list of steps.
//! - **Command**: one thing a browser can be told, such as `click`. **Step**: a command with arguments and modifiers, or a
//!   word of the flow with steps inside. **Condition**: an expression or states of the page. **Part**: an action that
//!   others perform, and no tool where its name begins with `_`.
//! - **Selector**: text that names elements. **Locating** is finding the one element that it names.
//! - **Session**: the one browser with its pages. **Stage**: the session with secrets and workspace, where actions run.
//! - **Catalog**: all actions that are loaded, immutable. **Problem**: what is wrong with a file, at its line and column.
//!
//! # Module order
//!
//! A module uses only modules to its left; inside one step (`·`) there are no edges. `tests/tidy.rs` checks it.
//!
//! ```text
//! config · secrets · selector < browser < page < command < action < run < watch · mcp < app < main
//! ```
//!
//! # Invariants
//!
//! 1. One call at a time touches the browser: the session's mutex is taken once per call and handed down as `&mut`.
//! 2. Only `watch` publishes a catalog; a catalog never changes after that.
//! 3. A broken file never harms another action, and its last good version goes on serving.
//! 4. A secret's value exists in the store, in the command being executed, and in Chromium; `mcp::response` masks it.
//! 5. Only `browser::retry` retries by itself, and a step's `retry` where its author asks; only `browser::Deadline` sleeps
//!    on behalf of a call.
//! 6. Only `mcp::response` makes text for a client; standard output carries the protocol alone.
//! 7. The same files give the same `tools/list`, byte for byte, in name order.
//! 8. No input panics; no Chromium outlives its host.
//! 9. Time, steps, rounds, nesting, output and file sizes are bounded.

pub mod action;
pub mod app;
pub mod browser;
pub mod command;
pub mod config;
pub mod mcp;
pub mod page;
pub mod run;
pub mod secrets;
pub mod selector;
pub mod watch;
