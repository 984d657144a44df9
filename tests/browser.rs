//! The browser module in a real Chromium.

mod accessibility;
mod acting;
mod conditions;
mod environment;
mod forms;
mod frames;
mod hostile;
mod lifecycle;
mod navigation;
mod session;
