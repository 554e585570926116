//! What comes back for a request.

use cosimo_subsystem::cost::RemoteCost;
use cosimo_subsystem::{Statistics, SubsystemError};

use crate::message::{Answer, Request};
use crate::storage::Storage;

/// The answer to a request, with the request itself: its storage is used again.
#[derive(Debug)]
pub struct Reply {
    /// The request that is answered.
    pub request: Request,
    /// What the call returned.
    pub answer: Result<Answer, SubsystemError>,
    /// The work of the subsystem so far.
    pub statistics: Statistics,
    /// What it has cost so far, where it is known.
    pub cost: Option<RemoteCost>,
    /// Storage that is not in use.
    pub storage: Storage,
}
