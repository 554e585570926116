//! What never changes after setup: where the rows of all subsystems, the unknowns of all interfaces and all contacts stand
//! in the master's vectors, the laws of joints and contacts, and the settings.
//!
//! Subsystems that are joined, directly or through others, form a cluster; clusters are solved by themselves.
//!
//! | where | what |
//! |---|---|
//! | `build`, `build_loads`, `ports` | the topology of descriptions and interfaces |
//! | `subsystem` | rows, joints and contacts of a subsystem |
//! | `joint` | an interface with everything looked up |
//! | `frame`, `bushing` | joints between frames that may turn by any angle |
//! | `signals` | signals between subsystems, and the order of their evaluation |
//! | `load` | load ports joined to ports with rows |
//! | `contact`, `contact_rows` | contacts and their rows |
//! | `closing` | what closes the gap of a joint that passes impulses |
//! | `impacts` | how the impacts of a cluster are resolved |
//! | `check` | what descriptions and interfaces must agree on |
//! | `components` | connected components of a graph |

mod build;
mod build_loads;
pub(crate) mod bushing;
pub(crate) mod check;
pub(crate) mod closing;
mod components;
pub(crate) mod contact;
mod contact_rows;
pub(crate) mod frame;
mod impacts;
pub(crate) mod joint;
pub(crate) mod load;
mod ports;
pub(crate) mod signals;
pub(crate) mod subsystem;

use std::ops::Range;

use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{ContactLaws, ImpactResolution};

use crate::MasterConfig;
use crate::topology::frame::FrameJoint;
use crate::topology::signals::graph::SignalGraph;
use contact::{Contact, ContactRow};
use joint::{Joint, Side};
use load::{LoadJoint, LoadSource};
use subsystem::SubsystemLayout;

/// Subsystems that are joined, directly or through others. What happens in one cluster is no matter to the others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    /// Subsystems, joints: their indices, ascending.
    pub(crate) members: Vec<usize>,
    pub(crate) joints: Vec<usize>,
    /// Contacts in the master's vectors, their laws and their rows.
    pub(crate) contacts: Range<usize>,
    pub(crate) laws: ContactLaws,
    pub(crate) contact_rows: Range<usize>,
    /// How their impacts are resolved.
    pub(crate) impacts: ImpactResolution,
    /// The joint because of which the plain problem takes impacts against the settings, if there is one.
    pub(crate) plain_because_of: Option<usize>,
    /// Unknowns in the master's vectors.
    pub(crate) unknowns: Range<usize>,
    /// Number of rows of all members.
    pub(crate) rows: usize,
}

/// Everything about a coupled model that never changes.
#[derive(Debug, Clone)]
pub(crate) struct Topology {
    pub(crate) config: MasterConfig,
    pub(crate) subsystems: Vec<SubsystemLayout>,
    pub(crate) joints: Vec<Joint>,
    /// The joints between frames.
    pub(crate) frames: Vec<usize>,
    /// Subsystems with load ports, and the interfaces that join these.
    pub(crate) load_sources: Vec<LoadSource>,
    pub(crate) load_joints: Vec<LoadJoint>,
    /// Number of coordinates of all load ports.
    pub(crate) load_coordinates: usize,
    /// Number of coordinates of all joints.
    pub(crate) coordinates: usize,
    pub(crate) clusters: Vec<Cluster>,
    /// Cluster by cluster, in each in the order of the subsystems.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) contact_rows: Vec<ContactRow>,
    pub(crate) rows: usize,
    pub(crate) unknowns: usize,
    /// Whether there are joints that pass impulses, and any whose gaps are closed.
    pub(crate) passes_impulses: bool,
    pub(crate) closes_gaps: bool,
    /// What feeds what, and in which order outputs are evaluated.
    pub(crate) signals: SignalGraph,
    /// Whether there are any to exchange.
    pub(crate) has_signals: bool,
}

impl Topology {
    /// Number of interfaces: joints, then load joints.
    pub(crate) fn interfaces(&self) -> usize {
        self.joints.len() + self.load_joints.len()
    }

    /// Name of an interface.
    pub(crate) fn interface_name(&self, index: usize) -> &str {
        match self.joints.get(index) {
            Some(joint) => &joint.name,
            None => &self.load_joints[index - self.joints.len()].name,
        }
    }

    /// Cluster of an interface.
    pub(crate) fn interface_cluster(&self, index: usize) -> usize {
        let subsystem = match self.joints.get(index) {
            Some(joint) => joint.sides[0].subsystem,
            None => self.load_joints[index - self.joints.len()].body,
        };
        self.subsystems[subsystem].cluster
    }

    /// Whether loads act on a subsystem of a source of those that `enters` selects.
    pub(crate) fn is_loaded_by(&self, subsystem: usize, enters: impl Fn(usize) -> bool) -> bool {
        self.subsystems[subsystem].loaded_by.iter().any(|source| enters(*source))
    }

    /// The rows of a subsystem that need a response to impulses, one entry per row: those of joints, open ports and contacts. Rows that only loads
    /// act on need none, unless the tangents of a source of these loads enter.
    pub(crate) fn needed_responses(&self, subsystem: usize, enters: impl Fn(usize) -> bool) -> Vec<bool> {
        let layout = &self.subsystems[subsystem];
        let needs_all = !layout.is_loaded() || self.is_loaded_by(subsystem, enters);
        let mut needed = vec![needs_all; layout.rows.len()];
        for port in &layout.joints {
            let (joint, row) = (&self.joints[port.joint], self.joints[port.joint].sides[port.side].row);
            needed[row..row + joint.size].fill(true);
        }
        layout.open.iter().for_each(|rows| needed[rows.clone()].fill(true));
        let contact_rows = self.contact_rows.iter().filter(|row| row.subsystem == subsystem);
        contact_rows.for_each(|contact| needed[contact.row] = true);
        needed
    }

    /// The compliant joints between frames, with their numbers among all joints.
    pub(crate) fn bushings(&self) -> impl Iterator<Item = (usize, &FrameJoint)> {
        let frames = self.frames.iter().filter_map(|&j| Some((j, self.joints[j].frame.as_deref()?)));
        frames.filter(|(_, frame)| frame.is_compliant)
    }

    /// First row of a side in the vectors of its cluster.
    pub(crate) fn cluster_row(&self, side: &Side) -> usize {
        self.subsystems[side.subsystem].cluster_row + side.row
    }

    /// Rows whose errors a step control watches besides the contacts: all rows, and the slips as the contacts see them.
    pub(crate) fn watched_rows(&self) -> usize {
        self.rows + self.contact_rows.len() - self.contacts.len()
    }

    /// Whether a subsystem with joints captures impacts.
    pub(crate) fn joins_captured_impacts(&self) -> bool {
        self.subsystems.iter().any(|own| own.captures_impacts && !own.joints.is_empty())
    }

    /// The law of a contact.
    pub(crate) fn law(&self, contact: usize) -> &ContactLaw {
        let cluster = &self.clusters[self.subsystems[self.contacts[contact].subsystem].cluster];
        cluster.laws.of(contact - cluster.contacts.start)
    }
}
