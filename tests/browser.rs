//! The browser module in a real Chromium.

mod accessibility;
mod acting;
mod actionability;
mod candidates;
mod conditions;
mod dragging;
mod environment;
mod forms;
mod frames;
mod hostile;
mod input;
mod lifecycle;
mod navigation;
mod selecting;
mod session;
mod snapshots;
mod stress;
