//! Every integration test, in one binary: each more would cost another link of the MCP engine and CDP's types.

mod author;
mod browser;
mod check;
mod host;
mod load;
mod readme;
mod schema;
mod support;
mod tidy;
