//! Load ports joined to ports with rows.

use std::ops::Range;

use cosimo_subsystem::Description;

use super::subsystem::SubsystemLayout;
use super::{Ports, Topology};
use crate::{Interface, LoadTangents, SetupError};

/// A subsystem with load ports.
#[derive(Debug, Clone)]
pub(crate) struct LoadSource {
    pub(crate) subsystem: usize,
    /// Its load coordinates among those of all load ports.
    pub(crate) coordinates: Range<usize>,
    /// Number of its load ports that are frames.
    pub(crate) frames: usize,
    /// Whether it gives tangents.
    pub(crate) gives_tangents: bool,
}

/// The frames of a load joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadFrames {
    /// Place among the orientations of the subsystem with rows.
    pub(crate) of_body: usize,
    /// Place among the orientations of the load ports.
    pub(crate) of_load: usize,
}

/// An interface between a port with rows and a load port: motion goes one way, loads the other.
#[derive(Debug, Clone)]
pub(crate) struct LoadJoint {
    pub(crate) name: String,
    /// The subsystem with rows, and its first row there and in the master's vectors.
    pub(crate) body: usize,
    pub(crate) row: usize,
    pub(crate) global_row: usize,
    /// Index of the subsystem with the load port among the load sources.
    pub(crate) source: usize,
    /// First of its coordinates among those of all load ports.
    pub(crate) coordinate: usize,
    pub(crate) size: usize,
    /// Where both ports are frames.
    pub(crate) frames: Option<LoadFrames>,
}

impl LoadJoint {
    /// Its coordinates among those of all load ports.
    pub(crate) fn coordinates(&self) -> Range<usize> {
        self.coordinate..self.coordinate + self.size
    }

    /// Its rows in the master's vectors.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.global_row..self.global_row + self.size
    }
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

    /// Whether tangents of loads may enter the answer of a subsystem.
    pub(crate) fn takes_load_tangents(&self, layout: &SubsystemLayout) -> bool {
        let acts = |joint: &LoadJoint| {
            let is_own = joint.global_row >= layout.rows.start && joint.global_row < layout.rows.end;
            is_own && self.load_sources[joint.source].gives_tangents
        };
        self.config.load_tangents != LoadTangents::Never && layout.is_loaded && self.load_joints.iter().any(acts)
    }

    /// Adds an interface between a port with rows and a load port.
    pub(super) fn add_load_joint(&mut self, ports: &Ports<'_>, interface: &Interface) -> Result<(), SetupError> {
        let bad = |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
        let (a, b) = (self.find_port(ports, interface, &interface.a)?, self.find_port(ports, interface, &interface.b)?);
        let (body, load) = match (a.is_load, b.is_load) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            (true, true) => return bad("joins two load ports, neither of which moves; join each to a body".to_owned()),
            (false, false) => {
                return bad("has the law `load`, but neither of its ports is a load port; use another law".to_owned());
            }
        };
        if body.size != load.size || body.frame.is_some() != load.frame.is_some() {
            return bad("joins a port and a load port of different coordinates".to_owned());
        }
        if interface.offset.iter().any(|x| *x != 0.0) {
            return bad("has an offset, which a load port does not take; leave it out".to_owned());
        }
        let Some(source) = self.load_sources.iter().position(|source| source.subsystem == load.subsystem) else {
            return bad("has no load source".to_owned());
        };
        let coordinate = self.load_sources[source].coordinates.start + load.row;
        if let Some(other) = self.load_joints.iter().find(|joint| joint.coordinate == coordinate) {
            return bad(format!("joins a load port that interface `{}` joins already", other.name));
        }
        self.subsystems[body.subsystem].is_loaded = true;
        let frames = body.frame.zip(load.frame);
        self.load_joints.push(LoadJoint {
            name: interface.name.clone(),
            body: body.subsystem,
            row: body.row,
            global_row: self.subsystems[body.subsystem].rows.start + body.row,
            source,
            coordinate,
            size: body.size,
            frames: frames.map(|(of_body, of_load)| LoadFrames { of_body, of_load }),
        });
        Ok(())
    }

    /// Refuses load ports that nothing moves.
    pub(super) fn check_load_ports(&self, descriptions: &[&Description]) -> Result<(), SetupError> {
        for source in &self.load_sources {
            let description = descriptions[source.subsystem];
            let mut coordinate = source.coordinates.start;
            for port in &description.load_ports {
                if !self.load_joints.iter().any(|joint| joint.coordinate == coordinate) {
                    let port = format!("{}.{}", description.name, port.name);
                    return Err(SetupError::UnjoinedLoadPort { port });
                }
                coordinate += port.size;
            }
        }
        Ok(())
    }
}
