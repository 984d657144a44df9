//! Repertoire: a plugin host for browser automation.

pub mod browser;
pub mod page;
pub mod selector;
