//! The topology of descriptions and interfaces.

use std::collections::BTreeMap;

use cosimo_subsystem::Description;

use super::check::{check_law, check_names};
use super::components::components;
use super::contact_rows::JoinedRows;
use super::joint::{Joint, Side};
use super::subsystem::{JoinedPort, SubsystemLayout};
use super::{Cluster, Topology};
use crate::laws::frame::{FrameJoint, FramePort};
use crate::{Interface, MasterConfig, SetupError};

/// Where a port stands.
struct PortPosition {
    subsystem: usize,
    /// First row within the subsystem.
    row: usize,
    size: usize,
    /// Place among the orientations of the subsystem, if it is a frame.
    frame: Option<usize>,
}

/// All ports by the names of subsystem and port.
type Ports<'a> = BTreeMap<(&'a str, &'a str), PortPosition>;

/// A side of a joint, and what must agree with the other side.
struct FoundSide {
    side: Side,
    size: usize,
    frame: Option<FramePort>,
}

impl Topology {
    pub(crate) fn new(
        descriptions: &[&Description],
        interfaces: Vec<Interface>,
        config: MasterConfig,
    ) -> Result<Self, SetupError> {
        check_names(descriptions, &interfaces)?;
        let mut topology = Self {
            config,
            subsystems: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            coordinates: 0,
            clusters: Vec::new(),
            contacts: Vec::new(),
            contact_rows: Vec::new(),
            rows: 0,
            unknowns: 0,
        };
        for description in descriptions {
            description.validate()?;
            topology.add_subsystem(description);
        }
        let ports = ports_by_name(descriptions);
        let mut joined = vec![None; topology.rows];
        for interface in interfaces {
            topology.add_joint(&ports, &mut joined, interface)?;
        }
        topology.find_clusters();
        topology.add_contacts(descriptions, &joined);
        topology.check_capabilities(descriptions)?;
        Ok(topology)
    }

    fn add_subsystem(&mut self, description: &Description) {
        let r = description.rows();
        self.subsystems.push(SubsystemLayout {
            name: description.name.clone(),
            rows: self.rows..self.rows + r,
            is_declared_affine: description.capabilities.is_affine,
            joints: Vec::new(),
            contacts: 0..0,
            cluster: 0,
            cluster_row: 0,
        });
        self.rows += r;
    }

    fn add_joint(
        &mut self,
        ports: &Ports<'_>,
        joined: &mut JoinedRows,
        interface: Interface,
    ) -> Result<(), SetupError> {
        let FoundSide { side: a, size, frame: frame_a } = self.find_side(ports, joined, &interface, 0)?;
        let FoundSide { side: b, size: size_b, frame: frame_b } =
            self.find_side(ports, joined, &interface, 1)?;
        let bad =
            |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
        if size != size_b {
            return bad(format!("`{}` has {size} coordinates, `{}` has {size_b}", a.label, b.label));
        }
        if a.subsystem == b.subsystem {
            return bad(format!("both sides are subsystem `{}`", interface.a.0));
        }
        let mut offset = if interface.offset.is_empty() { vec![0.0; size] } else { interface.offset.clone() };
        if offset.len() != size || offset.iter().any(|x| !x.is_finite()) {
            return bad(format!("the offset must have {size} finite entries"));
        }
        check_law(&interface, size)?;
        let frame = join_frames(&interface, &offset, [&a, &b], [frame_a, frame_b])?;
        let frame = frame.map(|frame| Box::new(frame.numbered(self.frames.len())));
        if frame.is_some() {
            // The orientation at rest is no difference of coordinates.
            offset.fill(0.0);
        }
        let index = self.joints.len();
        for (number, side) in [&a, &b].into_iter().enumerate() {
            let port = JoinedPort { joint: index, side: number };
            self.subsystems[side.subsystem].joints.push(port);
            joined[side.global_row] = Some(port);
        }
        if frame.is_some() {
            self.frames.push(index);
        }
        let (first_coordinate, first) = (self.coordinates, 0);
        self.coordinates += size;
        let (name, law) = (interface.name, interface.law);
        self.joints.push(Joint { name, law, offset, size, first, first_coordinate, sides: [a, b], frame });
        Ok(())
    }

    fn find_side(
        &self,
        ports: &Ports<'_>,
        joined: &JoinedRows,
        interface: &Interface,
        number: usize,
    ) -> Result<FoundSide, SetupError> {
        let ((subsystem, port), sign) = if number == 0 { (&interface.a, 1.0) } else { (&interface.b, -1.0) };
        let Some(place) = ports.get(&(subsystem.as_str(), port.as_str())) else {
            let mut places: Vec<_> = ports.iter().collect();
            places.sort_by_key(|(_, place)| (place.subsystem, place.row));
            let known: Vec<_> = places.iter().map(|((s, p), _)| format!("{s}.{p}")).collect();
            return Err(SetupError::UnknownPort {
                interface: interface.name.clone(),
                subsystem: subsystem.clone(),
                port: port.clone(),
                known: known.join(", "),
            });
        };
        let label = format!("{subsystem}.{port}");
        let global_row = self.subsystems[place.subsystem].rows.start + place.row;
        if let Some(other) = joined[global_row] {
            let reason = format!("is joined already by interface `{}`", self.joints[other.joint].name);
            return Err(SetupError::BadJoint { interface: interface.name.clone(), port: label, reason });
        }
        let side = Side { subsystem: place.subsystem, row: place.row, global_row, sign, label };
        let frame = place.frame.map(|place_of| FramePort {
            subsystem: place.subsystem,
            place: place_of,
            row: global_row,
        });
        Ok(FoundSide { side, size: place.size, frame })
    }

    /// Divides subsystems and joints into clusters and numbers rows and unknowns within them.
    fn find_clusters(&mut self) {
        let labels = components(self.subsystems.len(), self.joints.iter().map(Joint::subsystems));
        let count = labels.iter().max().map_or(0, |last| last + 1);
        self.clusters = vec![Cluster::default(); count];
        for (i, (layout, &label)) in self.subsystems.iter_mut().zip(&labels).enumerate() {
            let cluster = &mut self.clusters[label];
            (layout.cluster, layout.cluster_row) = (label, cluster.rows);
            cluster.rows += layout.rows.len();
            cluster.members.push(i);
        }
        for (j, joint) in self.joints.iter().enumerate() {
            self.clusters[labels[joint.sides[0].subsystem]].joints.push(j);
        }
        for cluster in &mut self.clusters {
            let first = self.unknowns;
            for &j in &cluster.joints {
                self.joints[j].first = self.unknowns;
                self.unknowns += self.joints[j].size;
            }
            cluster.unknowns = first..self.unknowns;
        }
    }
}

fn ports_by_name<'a>(descriptions: &[&'a Description]) -> Ports<'a> {
    let mut ports = BTreeMap::new();
    for (subsystem, description) in descriptions.iter().enumerate() {
        let mut row = 0;
        for port in &description.ports {
            let frame = description.frames().find(|(first, _)| port.is_frame && *first == row);
            let frame = frame.map(|(_, place)| place);
            let place = PortPosition { subsystem, row, size: port.size, frame };
            ports.insert((description.name.as_str(), port.name.as_str()), place);
            row += port.size;
        }
    }
    ports
}

/// What a joint between two frames needs besides; nothing between plain ports.
fn join_frames(
    interface: &Interface,
    offset: &[f64],
    sides: [&Side; 2],
    frames: [Option<FramePort>; 2],
) -> Result<Option<FrameJoint>, SetupError> {
    let bad = |reason: String| SetupError::BadInterface { interface: interface.name.clone(), reason };
    match frames {
        [Some(a), Some(b)] => Ok(Some(FrameJoint::new(&interface.law, offset, [a, b]).map_err(bad)?)),
        [None, None] => Ok(None),
        [a, _] => {
            let [frame, other] = if a.is_some() { sides } else { [sides[1], sides[0]] };
            Err(bad(format!(
                "`{}` is a frame that may turn by any angle, `{}` has small rotations only; join two frames, or points",
                frame.label, other.label
            )))
        }
    }
}
