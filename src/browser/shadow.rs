//! Closed shadow roots. Scripts can't look into them, the protocol can: they are handed to the injected bundle, which
//! from then on treats them as open ones.
//!
//! To look for them costs as much as a snapshot of the document, so it is done only where an element was looked for in
//! vain for a while, and ever more rarely where there are none: pages without closed roots pay nothing. The page can't
//! notice any of it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::dom::{BackendNodeId, ResolveNodeParams};
use chromiumoxide::cdp::browser_protocol::dom_snapshot::CaptureSnapshotParams;
use chromiumoxide::cdp::browser_protocol::page::CreateIsolatedWorldParams;
use chromiumoxide::cdp::js_protocol::runtime::{CallFunctionOnParams, ExecutionContextId, RemoteObjectId};
use serde::Deserialize;

use super::calls::{CallReturns, RemoteObject};
use super::frames::Place;
use super::setup::WORLD;
use super::{Error, Page};

/// How long an element is looked for without success before the first look.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// Nodes that are asked for their root.
const MAX_NODES: usize = 500;

const ADOPT: &str = "function () { return globalThis.__repertoire?.adopt(this.getRootNode()) ?? false; }";

/// When a document's closed shadow roots were looked for.
#[derive(Clone, Debug)]
pub(super) struct Look {
    context: String,
    /// The last look, or when something was missed first.
    at: Instant,
    has_looked: bool,
    /// What lies at least between two looks.
    pause: Duration,
}

/// A snapshot as columns; of strings there is only the index.
#[derive(Deserialize)]
struct Captured {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    frame_id: usize,
    nodes: Nodes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    backend_node_id: Vec<i64>,
    /// The kind of shadow tree that a node is in.
    #[serde(default)]
    shadow_root_type: Rare,
}

#[derive(Default, Deserialize)]
struct Rare {
    index: Vec<usize>,
    value: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    execution_context_id: i64,
}

#[derive(Deserialize)]
struct Resolved {
    object: RemoteObject,
}

impl Page<'_> {
    /// Opens closed shadow roots to the bundle where it is time to look for them; answers whether there were new ones.
    /// `is_final`: what was missed will not be looked for again.
    pub(super) async fn reveal(&self, place: &Place, is_final: bool) -> Result<bool, Error> {
        if !self.is_time_to_look(&place.frame, is_final) {
            return Ok(false);
        }
        let session = Some(&place.session);
        // One style, because the parameter must be there and an empty list is not sent.
        let capture = CaptureSnapshotParams::new(vec!["display".to_owned()]);
        let captured: Captured = self.link.connection.send(session, &capture).await?;
        let insides = captured.insides(&place.frame);
        if insides.is_empty() {
            return Ok(false);
        }
        let mut world = CreateIsolatedWorldParams::new(place.frame.clone());
        world.world_name = Some(WORLD.to_owned());
        let world: World = self.link.connection.send(session, &world).await?;
        let mut is_news = false;
        // All are asked at once.
        let resolving: Vec<_> =
            insides.into_iter().map(|node| self.link.connection.send(session, &world.resolve(node))).collect();
        let mut adopting = Vec::new();
        for resolved in resolving {
            // A node may be gone by now.
            let Ok(Resolved { object }) = resolved.await else { continue };
            let mut adopt = CallFunctionOnParams::new(ADOPT);
            adopt.object_id = object.object_id.map(RemoteObjectId::new);
            adopt.return_by_value = Some(true);
            adopting.push(self.link.connection.send::<CallReturns>(session, &adopt));
        }
        for adopted in adopting {
            is_news |= adopted.await?.result.value == true;
        }
        if is_news
            && let Some(look) = self.link.tracker().frames.get_mut(&place.frame).and_then(|frame| frame.look.as_mut())
        {
            look.pause = FIRST_PAUSE;
        }
        Ok(is_news)
    }

    fn is_time_to_look(&self, frame: &str, is_final: bool) -> bool {
        let mut tracker = self.link.tracker();
        let Some(frame) = tracker.frames.get_mut(frame) else { return false };
        let Some(context) = frame.isolated.clone() else { return false };
        let now = Instant::now();
        frame.look.take_if(|look| look.context != context);
        let look = frame.look.get_or_insert(Look { context, at: now, has_looked: false, pause: FIRST_PAUSE });
        let is_time = now - look.at >= look.pause || (is_final && !look.has_looked);
        if is_time {
            look.pause = if look.has_looked { LONGEST_PAUSE.min(look.pause * 2) } else { FIRST_PAUSE };
            look.at = now;
            look.has_looked = true;
        }
        is_time
    }
}

impl World {
    /// Asks for a node as an object of this world.
    fn resolve(&self, node: i64) -> ResolveNodeParams {
        ResolveNodeParams {
            backend_node_id: Some(BackendNodeId::new(node)),
            execution_context_id: Some(ExecutionContextId::new(self.execution_context_id)),
            ..ResolveNodeParams::default()
        }
    }
}

impl Captured {
    /// Nodes of a frame's document, at least one directly in each closed shadow root.
    fn insides(&self, frame: &str) -> Vec<i64> {
        let text = |index: usize| self.strings.get(index).map(String::as_str);
        let Some(document) = self.documents.iter().find(|document| text(document.frame_id) == Some(frame)) else {
            return Vec::new();
        };
        let Nodes { parent_index, backend_node_id, shadow_root_type: Rare { index, value } } = &document.nodes;
        let closed = index.iter().zip(value).filter(|(_, value)| text(**value) == Some("closed"));
        // A root in a root looks like more children of its host, before or after the host's own.
        let mut children: BTreeMap<i64, (usize, usize)> = BTreeMap::new();
        for (index, _) in closed {
            let parent = parent_index.get(*index).copied().unwrap_or(-1);
            children.entry(parent).or_insert((*index, *index)).1 = *index;
        }
        let ends: BTreeSet<usize> = children.into_values().flat_map(|(first, last)| [first, last]).collect();
        ends.into_iter().filter_map(|index| backend_node_id.get(index).copied()).take(MAX_NODES).collect()
    }
}
