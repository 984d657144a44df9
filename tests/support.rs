//! What the scenarios stand on: pages served on this machine, a browser session, a whole host with a real client.

pub mod devtools;
pub mod directory;
pub mod host;
pub mod site;
pub mod stage;

pub use directory::Directory;
pub use host::{TestHost, browser, gone, parent, processes};
pub use site::Site;
pub use stage::{deadline, element, evaluate, open, session, without_attempts};
