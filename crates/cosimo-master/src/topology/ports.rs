//! The ports of all subsystems by name.

use std::collections::BTreeMap;

use cosimo_subsystem::{Description, PortSpec};

use crate::{Interface, SetupError};

/// Where a port stands.
pub(super) struct PortPosition {
    pub(super) subsystem: usize,
    /// First row within the subsystem; of a load port its first load coordinate.
    pub(super) row: usize,
    pub(super) size: usize,
    /// Place among the orientations of the subsystem, or of its load ports, if it is a frame.
    pub(super) frame: Option<usize>,
    pub(super) is_load: bool,
}

/// All ports by the names of subsystem and port.
pub(super) struct Ports(BTreeMap<(String, String), PortPosition>);

impl Ports {
    pub(super) fn new(descriptions: &[&Description]) -> Self {
        let mut ports = Self(BTreeMap::new());
        for (subsystem, description) in descriptions.iter().enumerate() {
            ports.add(subsystem, &description.name, &description.ports, false);
            ports.add(subsystem, &description.name, &description.load_ports, true);
        }
        ports
    }

    fn add(&mut self, subsystem: usize, name: &str, ports: &[PortSpec], is_load: bool) {
        let (mut row, mut frames) = (0, 0);
        for port in ports {
            let frame = port.is_frame.then_some(frames);
            frames += usize::from(port.is_frame);
            let position = PortPosition { subsystem, row, size: port.size, frame, is_load };
            self.0.insert((name.to_owned(), port.name.clone()), position);
            row += port.size;
        }
    }

    /// The port of these names.
    pub(super) fn find(
        &self,
        interface: &Interface,
        port: &(String, String),
    ) -> Result<&PortPosition, SetupError> {
        self.0.get(port).ok_or_else(|| {
            let mut places: Vec<_> = self.0.iter().collect();
            places.sort_by_key(|(_, place)| (place.subsystem, place.is_load, place.row));
            let known: Vec<_> = places.iter().map(|((s, p), _)| format!("{s}.{p}")).collect();
            SetupError::UnknownPort {
                interface: interface.name.clone(),
                subsystem: port.0.clone(),
                port: port.1.clone(),
                known: known.join(", "),
            }
        })
    }
}
