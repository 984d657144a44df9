//! Owns the actions that are compiled into the binary. They are files like any other and read by the same reader.

/// The name and the text of every built-in action.
pub const FILES: [(&str, &str); 4] = [
    ("browser_close", include_str!("../../builtin-actions/browser_close.yaml")),
    ("browser_screenshot", include_str!("../../builtin-actions/browser_screenshot.yaml")),
    ("browser_session", include_str!("../../builtin-actions/browser_session.yaml")),
    ("browser_snapshot", include_str!("../../builtin-actions/browser_snapshot.yaml")),
];
