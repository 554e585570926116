//! Where the rows of all subsystems, the unknowns of all interfaces and all contacts stand in the master's vectors.

mod check;
mod contact;
mod joint;
mod member;

use std::collections::BTreeMap;
use std::ops::Range;

use cosimo_nonsmooth::ContactLaws;
use cosimo_subsystem::{Description, LoadWeights};
use nalgebra::DMatrix;

use crate::components::components;
use crate::frames::FrameJoint;
use check::{check_law, check_names};
pub(crate) use contact::{Contact, ContactRow};
pub(crate) use joint::{Joint, Side};
pub(crate) use member::Member;

use crate::{Interface, MasterConfig, SetupError};

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

/// The whole layout.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) members: Vec<Member>,
    pub(crate) joints: Vec<Joint>,
    /// The joints between frames.
    pub(crate) frames: Vec<usize>,
    /// Number of coordinates of all joints.
    pub(crate) wires: usize,
    pub(crate) clusters: Vec<Cluster>,
    /// Cluster by cluster, in each in the order of the subsystems.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) contact_rows: Vec<ContactRow>,
    pub(crate) rows: usize,
    pub(crate) unknowns: usize,
}

/// Where a port stands.
struct PortPlace {
    subsystem: usize,
    /// First row within the subsystem.
    row: usize,
    size: usize,
    /// Place among the orientations of the subsystem, if it is a frame.
    frame: Option<usize>,
}

/// All ports by the names of subsystem and port.
type Ports<'a> = BTreeMap<(&'a str, &'a str), PortPlace>;

/// Joint and side at the first row of each joined port.
type JoinedRows = Vec<Option<(usize, usize)>>;

impl Layout {
    pub(crate) fn new(
        descriptions: &[&Description],
        interfaces: Vec<Interface>,
        config: &MasterConfig,
    ) -> Result<Self, SetupError> {
        check_names(descriptions, &interfaces)?;
        let mut layout = Self {
            members: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            wires: 0,
            clusters: Vec::new(),
            contacts: Vec::new(),
            contact_rows: Vec::new(),
            rows: 0,
            unknowns: 0,
        };
        for description in descriptions {
            description.validate()?;
            layout.add_member(description);
        }
        let ports = ports_by_name(descriptions);
        let mut joined = vec![None; layout.rows];
        for interface in interfaces {
            layout.add_joint(&ports, &mut joined, interface)?;
        }
        layout.find_clusters();
        layout.add_contacts(descriptions, &joined);
        layout.check_capabilities(descriptions, config)?;
        Ok(layout)
    }

    fn add_member(&mut self, description: &Description) {
        let r = description.rows();
        self.members.push(Member {
            name: description.name.clone(),
            rows: self.rows..self.rows + r,
            compliance: DMatrix::zeros(r, r),
            damped: DMatrix::zeros(0, 0),
            weights: LoadWeights::default(),
            revision: None,
            is_affine: description.capabilities.is_affine,
            is_coarse: false,
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
        let (a, (size, frame_a)) = self.find_side(ports, joined, &interface, (&interface.a, 1.0))?;
        let (b, (size_b, frame_b)) = self.find_side(ports, joined, &interface, (&interface.b, -1.0))?;
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
        let frame = join_frames(&interface, &offset, [(&a, frame_a), (&b, frame_b)])?;
        if frame.is_some() {
            // The orientation at rest is no difference of coordinates.
            offset.fill(0.0);
        }
        let index = self.joints.len();
        for (number, side) in [&a, &b].into_iter().enumerate() {
            self.members[side.subsystem].joints.push((index, number));
            joined[side.global_row] = Some((index, number));
        }
        if frame.is_some() {
            self.frames.push(index);
        }
        let (first_wire, first) = (self.wires, 0);
        self.wires += size;
        let (name, law) = (interface.name, interface.law);
        self.joints.push(Joint { name, law, offset, size, first, first_wire, sides: [a, b], frame });
        Ok(())
    }

    fn find_side(
        &self,
        ports: &Ports<'_>,
        joined: &JoinedRows,
        interface: &Interface,
        ((subsystem, port), sign): (&(String, String), f64),
    ) -> Result<(Side, (usize, Option<usize>)), SetupError> {
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
        let global_row = self.members[place.subsystem].rows.start + place.row;
        if let Some((other, _)) = joined[global_row] {
            let reason = format!("is joined already by interface `{}`", self.joints[other].name);
            return Err(SetupError::BadJoint { interface: interface.name.clone(), port: label, reason });
        }
        let side = Side { subsystem: place.subsystem, row: place.row, global_row, sign, label };
        Ok((side, (place.size, place.frame)))
    }

    /// Divides subsystems and joints into clusters and numbers rows and unknowns within them.
    fn find_clusters(&mut self) {
        let labels = components(self.members.len(), self.joints.iter().map(Joint::subsystems));
        let count = labels.iter().max().map_or(0, |last| last + 1);
        self.clusters = vec![Cluster::default(); count];
        for (i, (member, &label)) in self.members.iter_mut().zip(&labels).enumerate() {
            let cluster = &mut self.clusters[label];
            (member.cluster, member.cluster_row) = (label, cluster.rows);
            cluster.rows += member.rows.len();
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

    /// Whether the whole model answers to loads in an affine way.
    pub(crate) fn is_affine(&self) -> bool {
        self.members.iter().all(|member| member.is_affine) && !self.has_bushings()
    }

    /// Whether there are compliant joints between frames.
    pub(crate) fn has_bushings(&self) -> bool {
        self.joints.iter().any(|joint| joint.frame.as_ref().is_some_and(|frame| frame.is_compliant()))
    }

    /// First row of a side in the vectors of its cluster.
    pub(crate) fn cluster_row(&self, side: &Side) -> usize {
        self.members[side.subsystem].cluster_row + side.row
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
            let place = PortPlace { subsystem, row, size: port.size, frame };
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
    [(a, frame_a), (b, frame_b)]: [(&Side, Option<usize>); 2],
) -> Result<Option<Box<FrameJoint>>, SetupError> {
    let bad = |reason: String| SetupError::BadInterface { interface: interface.name.clone(), reason };
    match (frame_a, frame_b) {
        (Some(place_a), Some(place_b)) => {
            let joint = FrameJoint::new(interface, offset, [(a, place_a), (b, place_b)]);
            Ok(Some(Box::new(joint.map_err(bad)?)))
        }
        (None, None) => Ok(None),
        _ => {
            let [frame, other] = if frame_a.is_some() { [a, b] } else { [b, a] };
            Err(bad(format!(
                "`{}` is a frame that may turn by any angle, `{}` has small rotations only; join two frames, or points",
                frame.label, other.label
            )))
        }
    }
}
