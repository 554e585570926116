//! The load ports of descriptions and interfaces.

use cosimo_subsystem::Description;

use super::Topology;
use super::load::{LoadFrames, LoadJoint};
use super::ports::Ports;
use crate::{Interface, SetupError};

impl Topology {
    /// Adds an interface between a port with rows and a load port.
    pub(super) fn add_load_joint(&mut self, ports: &Ports, interface: &Interface) -> Result<(), SetupError> {
        let bad =
            |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
        let (a, b) = (ports.find(interface, &interface.a)?, ports.find(interface, &interface.b)?);
        let (body, load) = match (a.is_load, b.is_load) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            (true, true) => {
                return bad("joins two load ports, neither of which moves; join each to a body".to_owned());
            }
            (false, false) => {
                return bad(
                    "has the law `load`, but neither of its ports is a load port; use another law".to_owned()
                );
            }
        };
        if body.size != load.size || body.frame.is_some() != load.frame.is_some() {
            return bad("joins a port and a load port of different coordinates".to_owned());
        }
        if interface.offset.iter().any(|x| *x != 0.0) {
            return bad("has an offset, which a load port does not take; leave it out".to_owned());
        }
        let Some(source) = self.load_sources.iter().position(|source| source.subsystem == load.subsystem)
        else {
            return bad("has no load source".to_owned());
        };
        let coordinate = self.load_sources[source].coordinates.start + load.row;
        if let Some(other) = self.load_joints.iter().find(|joint| joint.coordinate == coordinate) {
            return bad(format!("joins a load port that interface `{}` joins already", other.name));
        }
        let loaded_by = &mut self.subsystems[body.subsystem].loaded_by;
        if !loaded_by.contains(&source) {
            loaded_by.push(source);
        }
        let frames = body.frame.zip(load.frame);
        self.load_sources[source].joints.push(self.load_joints.len());
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
