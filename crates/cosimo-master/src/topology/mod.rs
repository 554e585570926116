//! What never changes after setup: where the rows of all subsystems, the unknowns of all interfaces and all contacts stand
//! in the master's vectors, the laws of joints and contacts, and the settings.
//!
//! Subsystems that are joined, directly or through others, form a cluster; clusters are solved by themselves.
//!
//! | where | what |
//! |---|---|
//! | `subsystem` | rows, joints and contacts of a subsystem |
//! | `joint` | an interface with everything looked up |
//! | `load` | load ports joined to ports with rows |
//! | `contact` | contacts and their rows |
//! | `check` | what descriptions and interfaces must agree on |
//! | `components` | connected components of a graph |

mod check;
mod components;
pub(crate) mod contact;
pub(crate) mod joint;
pub(crate) mod load;
pub(crate) mod subsystem;

use std::collections::BTreeMap;
use std::ops::Range;

use cosimo_nonsmooth::ContactLaws;
use cosimo_subsystem::{Compliance, Description};

use crate::laws::frame::{FrameJoint, FramePort};
use crate::{Interface, InterfaceLaw, MasterConfig, SetupError};
use check::{check_law, check_names};
use components::components;
use contact::{Contact, ContactRow};
use joint::{Joint, Side};
use load::{LoadJoint, LoadSource};
use subsystem::{JoinedPort, SubsystemLayout};

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
}

/// Where a port stands.
struct PortPosition {
    subsystem: usize,
    /// First row within the subsystem.
    row: usize,
    size: usize,
    /// Place among the orientations of the subsystem, or of its load ports, if it is a frame.
    frame: Option<usize>,
    /// Whether it is a load port; `row` is then its first load coordinate.
    is_load: bool,
}

/// All ports by the names of subsystem and port.
type Ports<'a> = BTreeMap<(&'a str, &'a str), PortPosition>;

/// What is joined to the first row of each port.
type JoinedRows = Vec<JoinedRow>;

/// What is joined to the first row of a port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum JoinedRow {
    #[default]
    Nothing,
    /// One joint alone.
    One(JoinedPort),
    /// Several joints.
    Several,
}

impl JoinedRow {
    fn and(self, port: JoinedPort) -> Self {
        if self == Self::Nothing { Self::One(port) } else { Self::Several }
    }

    /// The joint, if there is one alone.
    fn alone(self) -> Option<JoinedPort> {
        if let Self::One(port) = self { Some(port) } else { None }
    }
}

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
            load_sources: Vec::new(),
            load_joints: Vec::new(),
            load_coordinates: 0,
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
        let mut joined = vec![JoinedRow::Nothing; topology.rows];
        for interface in interfaces {
            if interface.law == InterfaceLaw::Load {
                topology.add_load_joint(&ports, &interface)?;
            } else {
                topology.add_joint(&ports, &mut joined, interface)?;
            }
        }
        topology.check_load_ports(descriptions)?;
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
            is_declared_affine: description.capabilities.is_affine || r == 0,
            is_loaded: false,
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
                gives_tangents: description.capabilities.compliance == Compliance::Exact,
            });
        }
    }

    fn add_joint(
        &mut self,
        ports: &Ports<'_>,
        joined: &mut JoinedRows,
        interface: Interface,
    ) -> Result<(), SetupError> {
        let FoundSide { side: a, size, frame: frame_a } = self.find_side(ports, &interface, 0)?;
        let FoundSide { side: b, size: size_b, frame: frame_b } =
            self.find_side(ports, &interface, 1)?;
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
        self.joints.push(Joint { name, law, offset, size, first, first_coordinate, sides: [a, b], frame });
        Ok(())
    }

    fn find_side(
        &self,
        ports: &Ports<'_>,
        interface: &Interface,
        number: usize,
    ) -> Result<FoundSide, SetupError> {
        let (port, sign) = if number == 0 { (&interface.a, 1.0) } else { (&interface.b, -1.0) };
        let place = self.find_port(ports, interface, port)?;
        let (subsystem, port) = port;
        let label = format!("{subsystem}.{port}");
        let global_row = self.subsystems[place.subsystem].rows.start + place.row;
        if place.is_load {
            let reason = "is a load port, which holds nothing: it is joined by the law `load`".to_owned();
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

    /// The port of these names.
    fn find_port<'p>(
        &self,
        ports: &'p Ports<'p>,
        interface: &'p Interface,
        (subsystem, port): &'p (String, String),
    ) -> Result<&'p PortPosition, SetupError> {
        ports.get(&(subsystem.as_str(), port.as_str())).ok_or_else(|| {
            let mut places: Vec<_> = ports.iter().collect();
            places.sort_by_key(|(_, place)| (place.subsystem, place.is_load, place.row));
            let known: Vec<_> = places.iter().map(|((s, p), _)| format!("{s}.{p}")).collect();
            SetupError::UnknownPort {
                interface: interface.name.clone(),
                subsystem: subsystem.clone(),
                port: port.clone(),
                known: known.join(", "),
            }
        })
    }

    /// Divides subsystems and joints into clusters and numbers rows and unknowns within them.
    fn find_clusters(&mut self) {
        let by_loads = self.load_joints.iter().map(|joint| (joint.body, self.load_sources[joint.source].subsystem));
        let joined = self.joints.iter().map(Joint::subsystems).chain(by_loads);
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

    /// Whether there are compliant joints between frames.
    pub(crate) fn has_bushings(&self) -> bool {
        self.joints.iter().any(|joint| joint.frame.as_ref().is_some_and(|frame| frame.is_compliant))
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
}

fn ports_by_name<'a>(descriptions: &[&'a Description]) -> Ports<'a> {
    let mut ports = BTreeMap::new();
    for (subsystem, description) in descriptions.iter().enumerate() {
        let mut row = 0;
        for port in &description.ports {
            let frame = description.frames().find(|(first, _)| port.is_frame && *first == row);
            let frame = frame.map(|(_, place)| place);
            let place = PortPosition { subsystem, row, size: port.size, frame, is_load: false };
            ports.insert((description.name.as_str(), port.name.as_str()), place);
            row += port.size;
        }
        let mut row = 0;
        for port in &description.load_ports {
            let frame = description.frames_of_loads().find(|(first, _)| *first == row).filter(|_| port.is_frame);
            let frame = frame.map(|(_, place)| place);
            let place = PortPosition { subsystem, row, size: port.size, frame, is_load: true };
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
