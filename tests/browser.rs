//! The browser module in a real Chromium.

mod acting;
mod frames;
mod lifecycle;
mod navigation;
