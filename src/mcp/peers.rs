//! The clients of older protocol versions, which are told of changes without asking.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::{Peer, RoleServer};

/// A client that does not read may not hold up the others.
const PATIENCE: Duration = Duration::from_secs(5);

/// The initialized clients.
#[derive(Default)]
pub(super) struct Peers(Mutex<Vec<Peer<RoleServer>>>);

impl Peers {
    pub(super) fn add(&self, peer: Peer<RoleServer>) {
        let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|known| !known.is_transport_closed());
        peers.push(peer);
    }

    /// Tells every client that the list of tools changed.
    pub(super) fn tools_changed(&self) {
        let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|known| !known.is_transport_closed());
        for peer in peers.iter() {
            let peer = peer.clone();
            tokio::spawn(async move {
                if !matches!(tokio::time::timeout(PATIENCE, peer.notify_tool_list_changed()).await, Ok(Ok(()))) {
                    tracing::debug!("a client could not be told that the list of tools changed");
                }
            });
        }
    }
}
