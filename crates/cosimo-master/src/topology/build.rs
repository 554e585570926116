//! The topology of descriptions and interfaces.

use cosimo_subsystem::{Description, InverseMass};

use super::check::{check_law, check_names};
use super::components::components;
use super::contact_rows::{JoinedRow, JoinedRows};
use super::joint::Closing;
use super::joint::{Joint, Side};
use super::load::{LoadJoint, LoadSource};
use super::ports::Ports;
use super::subsystem::{JoinedPort, SubsystemLayout};
use super::{Cluster, Topology};
use crate::topology::frame::{FrameJoint, FramePort};
use crate::topology::signals::graph::SignalGraph;
use crate::{Connection, Interface, InterfaceLaw, MasterConfig, SetupError};

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
        (connections, open): (&[Connection], &[(String, String)]),
        config: MasterConfig,
    ) -> Result<Self, SetupError> {
        check_names(descriptions, &interfaces)?;
        descriptions.iter().try_for_each(|description| description.validate())?;
        let signals = SignalGraph::new(descriptions, connections, config.signal_loops)?;
        let mut topology = Self {
            config,
            subsystems: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            load_sources: Vec::new(),
            load_joints: Vec::new(),
            load_coordinates: 0,
            coordinates: 0,
            clusters: Vec::new(),
            contacts: Vec::new(),
            contact_rows: Vec::new(),
            rows: 0,
            unknowns: 0,
            passes_impulses: false,
            closes_gaps: false,
            has_signals: !signals.is_empty(),
            signals,
        };
        for description in descriptions {
            topology.add_subsystem(description);
        }
        let ports = Ports::new(descriptions);
        let mut joined = vec![JoinedRow::Nothing; topology.rows];
        for interface in interfaces {
            match interface.law {
                InterfaceLaw::Load => topology.add_load_joint(&ports, &interface)?,
                _ => topology.add_joint(&ports, &mut joined, interface)?,
            }
        }
        topology.check_load_ports(descriptions)?;
        topology.add_open_ports(descriptions, open)?;
        let shares =
            |joint: &Joint| joint.sides.iter().any(|side| joined[side.global_row] == JoinedRow::Several);
        topology.joints.iter_mut().for_each(|joint| joint.shares_port = shares(joint));
        topology.find_clusters();
        topology.add_contacts(descriptions, &joined);
        topology.choose_impacts(descriptions);
        topology.choose_closings(descriptions);
        topology.check_capabilities(descriptions)?;
        Ok(topology)
    }

    fn add_subsystem(&mut self, description: &Description) {
        let r = description.rows();
        self.subsystems.push(SubsystemLayout {
            name: description.name.clone(),
            rows: self.rows..self.rows + r,
            is_declared_affine: description.capabilities.is_affine || r == 0,
            loaded_by: Vec::new(),
            open: Vec::new(),
            takes_impulses: description.capabilities.takes_impulses,
            takes_moves: description.capabilities.takes_moves,
            captures_impacts: description.capabilities.captures_impacts,
            captures_contacts: description.contacts.iter().any(|contact| contact.law.is_captured()),
            sees_moves: false,
            passes_momenta: false,
            takes_signals: !description.inputs.is_empty(),
            is_load_source: !description.load_ports.is_empty(),
            joints: Vec::new(),
            contacts: 0..0,
            cluster: 0,
            cluster_row: 0,
        });
        self.rows += r;
        if !description.load_ports.is_empty() {
            let first = self.load_coordinates;
            self.load_coordinates += description.load_coordinates();
            self.load_sources.push(LoadSource {
                subsystem: self.subsystems.len() - 1,
                coordinates: first..self.load_coordinates,
                frames: description.load_frames(),
                joints: Vec::new(),
                gives_tangents: description.capabilities.inverse_mass == InverseMass::Exact,
            });
        }
    }

    /// Notes the rows of open ports.
    fn add_open_ports(
        &mut self,
        descriptions: &[&Description],
        open: &[(String, String)],
    ) -> Result<(), SetupError> {
        for (subsystem, port) in open {
            let found = descriptions.iter().position(|description| description.name == *subsystem);
            let found = found.and_then(|i| Some((i, descriptions[i].port_index(port)?)));
            let Some((i, port)) = found else {
                let reason = format!("there is no port `{subsystem}.{port}`");
                return Err(SetupError::BadInterface { interface: "open".to_owned(), reason });
            };
            let first = descriptions[i].port_row(port);
            self.subsystems[i].open.push(first..first + descriptions[i].ports[port].size);
        }
        Ok(())
    }

    fn add_joint(
        &mut self,
        ports: &Ports,
        joined: &mut JoinedRows,
        interface: Interface,
    ) -> Result<(), SetupError> {
        let FoundSide { side: a, size, frame: frame_a } = find_side(&self.subsystems, ports, &interface, 0)?;
        let FoundSide { side: b, size: size_b, frame: frame_b } =
            find_side(&self.subsystems, ports, &interface, 1)?;
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
            joined[side.global_row] = joined[side.global_row].and(port);
        }
        if frame.is_some() {
            self.frames.push(index);
        }
        let (first_coordinate, first) = (self.coordinates, 0);
        self.coordinates += size;
        let (name, law) = (interface.name, interface.law);
        self.joints.push(Joint {
            name,
            law,
            offset,
            size,
            first,
            first_coordinate,
            sides: [a, b],
            shares_port: false,
            closing: Closing::Nothing,
            frame,
        });
        Ok(())
    }

    /// Divides subsystems and joints into clusters and numbers rows and unknowns within them.
    fn find_clusters(&mut self) {
        let load = |joint: &LoadJoint| (joint.body, self.load_sources[joint.source].subsystem);
        let joined = self.joints.iter().map(Joint::subsystems).chain(self.load_joints.iter().map(load));
        let labels = components(self.subsystems.len(), joined);
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

fn find_side(
    subsystems: &[SubsystemLayout],
    ports: &Ports,
    interface: &Interface,
    number: usize,
) -> Result<FoundSide, SetupError> {
    let (port, sign) = if number == 0 { (&interface.a, 1.0) } else { (&interface.b, -1.0) };
    let place = ports.find(interface, port)?;
    let label = format!("{}.{}", port.0, port.1);
    if place.is_load {
        let reason = "is a load port, which holds nothing: it is joined by the law `load`".to_owned();
        return Err(SetupError::BadJoint { interface: interface.name.clone(), port: label, reason });
    }
    let subsystem = place.subsystem;
    let global_row = subsystems[subsystem].rows.start + place.row;
    let side = Side { subsystem, row: place.row, global_row, sign, label };
    let frame = place.frame.map(|frame| FramePort { subsystem, place: frame, row: global_row });
    Ok(FoundSide { side, size: place.size, frame })
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
