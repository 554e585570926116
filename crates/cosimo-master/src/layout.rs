//! Where the rows of all subsystems, the unknowns of all interfaces and all contacts stand in the master's vectors.

use std::ops::Range;

use cosimo_subsystem::{Description, LoadWeights, PortAttachment, StepResponse};
use nalgebra::DMatrix;

use crate::{Discretisation, Interface, InterfaceLaw, MasterConfig, SetupError};

/// One side of a joint.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// Index of the subsystem.
    pub(crate) subsystem: usize,
    /// First row within the subsystem.
    pub(crate) row: usize,
    /// First row in the master's vectors.
    pub(crate) global_row: usize,
    /// +1 for side `a`, −1 for side `b`: the gap is `Σ sign · z`, the load `−sign · λ`.
    pub(crate) sign: f64,
    /// `subsystem.port`.
    pub(crate) label: String,
}

/// An interface with everything looked up.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) law: InterfaceLaw,
    pub(crate) offset: Vec<f64>,
    pub(crate) size: usize,
    /// First unknown.
    pub(crate) first: usize,
    pub(crate) sides: [Side; 2],
}

impl Joint {
    pub(crate) fn unknowns(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// Gap or gap rate in coordinate `k` from the rows' positions or velocities; without the offset.
    pub(crate) fn difference(&self, k: usize, rows: &[f64]) -> f64 {
        rows[self.sides[0].global_row + k] - rows[self.sides[1].global_row + k]
    }

    pub(crate) fn gap(&self, k: usize, positions: &[f64]) -> f64 {
        self.difference(k, positions) - self.offset[k]
    }
}

/// A contact of some subsystem.
#[derive(Debug, Clone)]
pub(crate) struct Contact {
    pub(crate) subsystem: usize,
    /// Row within the subsystem.
    pub(crate) row: usize,
    pub(crate) global_row: usize,
    pub(crate) name: String,
    /// Joint and side at which the contact acts, with its direction, where the joined port is its own.
    pub(crate) attachment: Option<(usize, usize, Vec<f64>)>,
}

/// What the master keeps of a subsystem's last answer besides the rows.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Rows in the master's vectors.
    pub(crate) rows: Range<usize>,
    pub(crate) compliance: DMatrix<f64>,
    pub(crate) damped: DMatrix<f64>,
    pub(crate) weights: LoadWeights,
    pub(crate) revision: Option<u64>,
    pub(crate) is_affine: bool,
    /// Joint and side at each port, in the order of ports.
    pub(crate) joints: Vec<(usize, usize)>,
}

impl Member {
    /// Takes over compliance and weights if they are new; says whether they are.
    pub(crate) fn take(&mut self, response: &StepResponse) -> bool {
        if self.revision == Some(response.revision) {
            return false;
        }
        self.revision = Some(response.revision);
        self.compliance.copy_from(&response.compliance);
        if self.damped.shape() == response.damped_compliance.shape() {
            self.damped.copy_from(&response.damped_compliance);
        } else {
            self.damped.clone_from(&response.damped_compliance);
        }
        self.weights = response.weights;
        true
    }

    /// Velocity change of row `row` of this subsystem for these loads on all rows of the master.
    pub(crate) fn answer(&self, row: usize, loads: &[f64]) -> f64 {
        let own = &loads[self.rows.clone()];
        own.iter().enumerate().map(|(k, x)| self.compliance[(row, k)] * x).sum()
    }
}

/// The whole layout.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) members: Vec<Member>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) restitutions: Vec<f64>,
    pub(crate) rows: usize,
    pub(crate) unknowns: usize,
}

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
            contacts: Vec::new(),
            restitutions: Vec::new(),
            rows: 0,
            unknowns: 0,
        };
        for description in descriptions {
            description.validate()?;
            layout.add_member(description);
        }
        for interface in interfaces {
            layout.add_joint(descriptions, interface)?;
        }
        layout.add_contacts(descriptions);
        layout.check_capabilities(descriptions, config)?;
        Ok(layout)
    }

    fn add_member(&mut self, description: &Description) {
        let r = description.rows();
        self.members.push(Member {
            rows: self.rows..self.rows + r,
            compliance: DMatrix::zeros(r, r),
            damped: DMatrix::zeros(0, 0),
            weights: LoadWeights::default(),
            revision: None,
            is_affine: description.capabilities.is_affine,
            joints: Vec::new(),
        });
        self.rows += r;
    }

    fn add_joint(&mut self, descriptions: &[&Description], interface: Interface) -> Result<(), SetupError> {
        let (a, size) = self.find_side(descriptions, &interface, &interface.a, 1.0)?;
        let (b, size_b) = self.find_side(descriptions, &interface, &interface.b, -1.0)?;
        let bad =
            |reason: String| Err(SetupError::BadInterface { interface: interface.name.clone(), reason });
        if size != size_b {
            return bad(format!("`{}` has {size} coordinates, `{}` has {size_b}", a.label, b.label));
        }
        if a.subsystem == b.subsystem {
            return bad(format!("both sides are subsystem `{}`", descriptions[a.subsystem].name));
        }
        let offset = if interface.offset.is_empty() { vec![0.0; size] } else { interface.offset.clone() };
        if offset.len() != size || offset.iter().any(|x| !x.is_finite()) {
            return bad(format!("the offset must have {size} finite entries"));
        }
        check_law(&interface, size)?;
        let index = self.joints.len();
        self.members[a.subsystem].joints.push((index, 0));
        self.members[b.subsystem].joints.push((index, 1));
        let joint = Joint {
            name: interface.name,
            law: interface.law,
            offset,
            size,
            first: self.unknowns,
            sides: [a, b],
        };
        self.unknowns += size;
        self.joints.push(joint);
        Ok(())
    }

    fn find_side(
        &self,
        descriptions: &[&Description],
        interface: &Interface,
        (subsystem, port): &(String, String),
        sign: f64,
    ) -> Result<(Side, usize), SetupError> {
        let found = descriptions.iter().position(|d| d.name == *subsystem);
        let found = found.and_then(|i| descriptions[i].port_index(port).map(|p| (i, p)));
        let Some((index, port_index)) = found else {
            let known = descriptions
                .iter()
                .flat_map(|d| d.ports.iter().map(move |p| format!("{}.{}", d.name, p.name)));
            return Err(SetupError::UnknownPort {
                interface: interface.name.clone(),
                subsystem: subsystem.clone(),
                port: port.clone(),
                known: known.collect::<Vec<_>>().join(", "),
            });
        };
        let label = format!("{subsystem}.{port}");
        let row = descriptions[index].port_row(port_index);
        let global_row = self.members[index].rows.start + row;
        if let Some(other) =
            self.joints.iter().find(|j| j.sides.iter().any(|side| side.global_row == global_row))
        {
            let reason = format!("is joined already by interface `{}`", other.name);
            return Err(SetupError::BadJoint { interface: interface.name.clone(), port: label, reason });
        }
        let size = descriptions[index].ports[port_index].size;
        Ok((Side { subsystem: index, row, global_row, sign, label }, size))
    }

    fn add_contacts(&mut self, descriptions: &[&Description]) {
        for (subsystem, description) in descriptions.iter().enumerate() {
            for (k, contact) in description.contacts.iter().enumerate() {
                let row = description.port_rows() + k;
                let attachment = contact.attachment.as_ref().and_then(|a: &PortAttachment| {
                    let port_row = description.port_row(a.port);
                    let at = |&(j, side): &(usize, usize)| self.joints[j].sides[side].row == port_row;
                    let (joint, side) = self.members[subsystem].joints.iter().copied().find(at)?;
                    Some((joint, side, a.direction.clone()))
                });
                self.contacts.push(Contact {
                    subsystem,
                    row,
                    global_row: self.members[subsystem].rows.start + row,
                    name: format!("{}.{}", description.name, contact.name),
                    attachment,
                });
                self.restitutions.push(contact.restitution);
            }
        }
    }

    fn check_capabilities(
        &self,
        descriptions: &[&Description],
        config: &MasterConfig,
    ) -> Result<(), SetupError> {
        if config.discretisation == Discretisation::Position {
            return Ok(());
        }
        for joint in self.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let cluster = self.rigid_cluster(joint.sides[0].subsystem);
            if !cluster.iter().any(|&i| !descriptions[i].contacts.is_empty()) {
                continue;
            }
            if let Some(&i) = cluster.iter().find(|&&i| !descriptions[i].capabilities.takes_impulses) {
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

    /// All subsystems that jump together with this one.
    fn rigid_cluster(&self, start: usize) -> Vec<usize> {
        let mut cluster = vec![start];
        let mut next = 0;
        while next < cluster.len() {
            for &(j, side) in &self.members[cluster[next]].joints {
                let other = self.joints[j].sides[1 - side].subsystem;
                if self.joints[j].law.passes_impulses() && !cluster.contains(&other) {
                    cluster.push(other);
                }
            }
            next += 1;
        }
        cluster
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
