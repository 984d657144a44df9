//! What the tracker reads of Chromium's events: only the fields that it uses, so that others may change.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::browser::connection::decode;

/// Decodes an event; `None` for a shape that isn't known.
pub(in crate::browser) fn parse<T: DeserializeOwned>(params: &str) -> Option<T> {
    decode(params).inspect_err(|error| tracing::debug!(%error, "ignored an event of an unknown shape")).ok()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChooserOpened {
    pub(super) mode: String,
    pub(super) backend_node_id: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attached {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
    /// It was opened just now, and is paused.
    #[serde(default)]
    pub(super) waiting_for_debugger: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub(super) target_id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) url: String,
    pub(super) opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detached {
    pub(super) session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameAttached {
    pub(super) frame_id: String,
    pub(super) parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameDetached {
    pub(super) frame_id: String,
    pub(super) reason: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Navigated {
    pub(super) frame: FrameInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameInfo {
    pub(super) id: String,
    pub(super) parent_id: Option<String>,
    pub(super) loader_id: String,
    pub(super) url: String,
    pub(super) url_fragment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    pub(super) frame_tree: FrameTree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTree {
    pub(super) frame: FrameInfo,
    #[serde(default)]
    pub(super) child_frames: Vec<FrameTree>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WithinDocument {
    pub(super) frame_id: String,
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Requested {
    pub(super) frame_id: String,
    pub(super) disposition: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ByFrame {
    pub(super) frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Lifecycle {
    pub(super) frame_id: String,
    pub(super) loader_id: String,
    pub(super) name: String,
}

#[derive(Deserialize)]
pub(super) struct ContextCreated {
    pub(super) context: Context,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context {
    pub(super) unique_id: String,
    pub(super) name: String,
    pub(super) aux_data: Option<AuxData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuxData {
    pub(super) frame_id: String,
    pub(super) is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Destroyed {
    pub(super) execution_context_unique_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Paused {
    pub(super) request_id: String,
}
