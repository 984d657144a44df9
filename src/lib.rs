//! t
#[allow(missing_docs)] pub mod action;
pub mod app;
#[allow(missing_docs)] pub mod browser;
pub mod config;
pub mod mcp;
#[allow(missing_docs)] pub mod run;
#[allow(missing_docs)] pub mod secrets;
pub mod watch;
