//! Replies, whole.
