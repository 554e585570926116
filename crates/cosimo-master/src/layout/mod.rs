//! Where the rows of all subsystems, the unknowns of all interfaces and all contacts stand in the master's vectors.

mod joint;
mod member;

use std::collections::BTreeMap;
use std::ops::Range;

use cosimo_nonsmooth::{ContactLaw, ContactLaws, ImpactLaw};
use cosimo_subsystem::{ContactSpec, Description, LoadWeights, PortAttachment};
use nalgebra::DMatrix;

use crate::components::components;
use crate::frames::FrameJoint;
pub(crate) use joint::{Joint, Side};
pub(crate) use member::Member;

use crate::{Discretisation, Interface, InterfaceLaw, MasterConfig, SetupError};

/// A contact of some subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Contact {
    pub(crate) subsystem: usize,
    /// Its gap's row in the master's vectors.
    pub(crate) global_row: usize,
    pub(crate) name: String,
    /// Its gap and its slips among the contact rows.
    pub(crate) gap: usize,
    pub(crate) slips: Range<usize>,
}

/// A row of a contact: its gap, or the slip along one of its tangents. In each cluster the gaps come first, one a contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactRow {
    pub(crate) subsystem: usize,
    /// Row within the subsystem.
    pub(crate) row: usize,
    pub(crate) global_row: usize,
    /// The contact whose gap it is; `None` of slips.
    pub(crate) gap_of: Option<usize>,
    /// Joint and side at which the row acts, with its direction, where the joined port is its own.
    pub(crate) attachment: Option<(usize, usize, Vec<f64>)>,
}

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

    /// Whether there are compliant joints between frames.
    pub(crate) fn has_bushings(&self) -> bool {
        self.joints.iter().any(|joint| joint.frame.as_ref().is_some_and(|frame| frame.is_compliant()))
    }

    /// First row of a side in the vectors of its cluster.
    pub(crate) fn cluster_row(&self, side: &Side) -> usize {
        self.members[side.subsystem].cluster_row + side.row
    }

    fn add_contacts(&mut self, descriptions: &[&Description], joined: &JoinedRows) {
        for cluster in &mut self.clusters {
            let (first, first_row) = (self.contacts.len(), self.contact_rows.len());
            let specs = || cluster.members.iter().flat_map(|&i| descriptions[i].contacts.iter());
            cluster.laws = ContactLaws::new(specs().map(|contact| (contact_law(contact), contact.slips())));
            for &subsystem in &cluster.members {
                let member = &mut self.members[subsystem];
                let own = self.contacts.len();
                for contact in &descriptions[subsystem].contacts {
                    let local = self.contacts.len() - first;
                    let slips = cluster.laws.slips(local);
                    self.contacts.push(Contact {
                        subsystem,
                        global_row: member.rows.start
                            + member_row(descriptions[subsystem], self.contacts.len() - own),
                        name: format!("{}.{}", descriptions[subsystem].name, contact.name),
                        gap: first_row + local,
                        slips: first_row + slips.start..first_row + slips.end,
                    });
                }
                member.contacts = own..self.contacts.len();
            }
            cluster.contacts = first..self.contacts.len();
            for level in [RowKind::Gap, RowKind::Slip] {
                for &subsystem in &cluster.members {
                    let member = (subsystem, &self.members[subsystem]);
                    add_contact_rows(
                        descriptions[subsystem],
                        member,
                        (joined, level),
                        &mut self.contact_rows,
                    );
                }
            }
            cluster.contact_rows = first_row..self.contact_rows.len();
        }
    }

    /// Rows whose errors a step control watches besides the contacts: all rows, and the slips as the contacts see them.
    pub(crate) fn watched_rows(&self) -> usize {
        self.rows + self.contact_rows.len() - self.contacts.len()
    }

    /// The law of a contact.
    pub(crate) fn law(&self, contact: usize) -> &ContactLaw {
        let cluster = &self.clusters[self.members[self.contacts[contact].subsystem].cluster];
        cluster.laws.of(contact - cluster.contacts.start)
    }

    fn check_capabilities(
        &self,
        descriptions: &[&Description],
        config: &MasterConfig,
    ) -> Result<(), SetupError> {
        let takes_no_frames =
            config.discretisation == Discretisation::Position || config.scheme.is_iterative();
        if let Some(joint) = self.joints.iter().find(|joint| takes_no_frames && joint.frame.is_some()) {
            let reason = "frames that turn are joined by scheme = \"condensed\" with discretisation = \"impulse\" alone";
            let (interface, reason) = (joint.name.clone(), reason.to_owned());
            return Err(SetupError::BadInterface { interface, reason });
        }
        if config.discretisation == Discretisation::Position {
            return Ok(());
        }
        let rigid = self.joints.iter().filter(|joint| joint.law.passes_impulses());
        let labels = components(self.members.len(), rigid.clone().map(Joint::subsystems));
        // Of every rigid cluster: whether it has contacts, and its first subsystem that takes no impulses.
        let mut clusters = vec![(false, None); self.members.len()];
        for (i, (description, &label)) in descriptions.iter().zip(&labels).enumerate() {
            clusters[label].0 |= !description.contacts.is_empty();
            if !description.capabilities.takes_impulses {
                clusters[label].1 = clusters[label].1.or(Some(i));
            }
        }
        for joint in rigid {
            if let (true, Some(i)) = clusters[labels[joint.sides[0].subsystem]] {
                return Err(SetupError::Incapable {
                    interface: joint.name.clone(),
                    need: "passes the impulses of contacts",
                    subsystem: descriptions[i].name.clone(),
                    lack: "takes no impulses inside a step",
                    remedy: "give it the solver `theta`, join it by a compliant interface, or use discretisation = \"position\"",
                });
            }
        }
        Ok(())
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

/// Which rows of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Gap,
    Slip,
}

/// Row of the gap of contact `k` within its subsystem.
fn member_row(description: &Description, k: usize) -> usize {
    description.port_rows() + k
}

/// Adds the gap rows, or the slip rows, of the contacts of a subsystem.
fn add_contact_rows(
    description: &Description,
    (subsystem, member): (usize, &Member),
    (joined, kind): (&JoinedRows, RowKind),
    rows: &mut Vec<ContactRow>,
) {
    let attached = |a: &PortAttachment| {
        let (joint, side) = joined[member.rows.start + description.port_row(a.port)]?;
        Some((joint, side, a.direction.clone()))
    };
    let mut row = member_row(description, if kind == RowKind::Gap { 0 } else { description.contacts.len() });
    let mut push = |gap_of: Option<usize>, attachment: Option<&PortAttachment>| {
        let attachment = attachment.and_then(attached);
        rows.push(ContactRow { subsystem, row, global_row: member.rows.start + row, gap_of, attachment });
        row += 1;
    };
    for (k, contact) in description.contacts.iter().enumerate() {
        match kind {
            RowKind::Gap => push(Some(member.contacts.start + k), contact.attachment.as_ref()),
            RowKind::Slip => {
                let tangents = contact.friction.iter().flat_map(|friction| &friction.tangents);
                tangents.for_each(|tangent| push(None, tangent.as_ref()));
            }
        }
    }
}

fn contact_law(contact: &ContactSpec) -> ContactLaw {
    let friction = contact.friction.as_ref();
    let impact = match contact.impact_law {
        cosimo_subsystem::ImpactLaw::Newton => ImpactLaw::Newton,
        cosimo_subsystem::ImpactLaw::Moreau => ImpactLaw::Moreau,
    };
    ContactLaw {
        restitution: contact.restitution,
        friction: friction.map_or(0.0, |friction| friction.coefficient),
        tangential_restitution: friction.map_or(0.0, |friction| friction.restitution),
        impact,
        facets: friction.and_then(|friction| friction.facets),
    }
}

fn check_names(descriptions: &[&Description], interfaces: &[Interface]) -> Result<(), SetupError> {
    let mut names: Vec<&str> = descriptions.iter().map(|d| d.name.as_str()).collect();
    names.extend(interfaces.iter().map(|i| i.name.as_str()));
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(SetupError::DuplicateName { name: pair[0].to_owned() }),
        None => Ok(()),
    }
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

fn check_law(interface: &Interface, size: usize) -> Result<(), SetupError> {
    let bad = |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
    match &interface.law {
        InterfaceLaw::Rigid => Ok(()),
        InterfaceLaw::Tikhonov { constant } if *constant > 0.0 && constant.is_finite() => Ok(()),
        InterfaceLaw::Tikhonov { constant } => {
            bad(format!("the Tikhonov constant is {constant}, must be positive"))
        }
        InterfaceLaw::Compliant { stiffness, damping } => {
            for (name, matrix) in [("stiffness", stiffness), ("damping", damping)] {
                if matrix.shape() != (size, size) || matrix.iter().any(|x| !x.is_finite()) {
                    return bad(format!("the {name} must be a finite {size} × {size} matrix"));
                }
                let smallest = matrix.symmetric_eigenvalues().min();
                if (matrix - matrix.transpose()).amax() > 1e-12 * matrix.amax()
                    || smallest < -1e-12 * matrix.amax()
                {
                    return bad(format!("the {name} must be symmetric and positive semidefinite"));
                }
            }
            if *stiffness == DMatrix::zeros(size, size) && *damping == DMatrix::zeros(size, size) {
                return bad("stiffness and damping are both zero".to_owned());
            }
            Ok(())
        }
    }
}
