//! The whole host: the real binary, a real MCP client, a real Chromium.

mod awaited;
mod calls;
mod ending;
mod flow;
mod flows;
mod language;
mod reload;
mod secrets;
mod shop;
