//! What a subsystem says about itself.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::SubsystemError;

/// A port: kinematic coordinates at which the subsystem can be joined to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortSpec {
    /// Name, unique among the subsystem's ports.
    pub name: String,
    /// Number of coordinates: 1, 3 (a point in space) or 6 (a point and an orientation).
    pub size: usize,
    /// Whether the six coordinates are those of a frame that may turn by any angle: see [`PortSpec::frame`].
    pub is_frame: bool,
}

impl PortSpec {
    /// A port whose coordinates are plain numbers. The last three of six are then small rotations.
    #[must_use]
    pub fn new(name: impl Into<String>, size: usize) -> Self {
        Self { name: name.into(), size, is_frame: false }
    }

    /// A port that is a frame: a point and an orientation without bounds.
    ///
    /// Its rows are the position of the point (m) and a **rotation increment** (rad), both along the axes of space.
    /// The increment is the rotation vector from the orientation at the present communication point, which
    /// [`RowState::orientations`](crate::RowState::orientations) holds: zero in the rows, the rotation of the step in a
    /// response. The rates of the last three rows are the angular velocity (rad/s), their loads moments (N m).
    #[must_use]
    pub fn frame(name: impl Into<String>) -> Self {
        Self { name: name.into(), size: 6, is_frame: true }
    }
}

/// A contact that acts at a port: its rows are combinations of the port's coordinates.
///
/// With it the master can compute the effective mass of a contact at a joint without cancellation, at any ratio of
/// masses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortAttachment {
    /// Index of the port.
    pub port: usize,
    /// `gap rate = direction · port velocity + …`, one weight a port coordinate.
    pub direction: Vec<f64>,
}

/// A frictionless unilateral contact, one row: its gap (m), not negative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactSpec {
    /// Name, unique among the subsystem's contacts.
    pub name: String,
    /// Newton's coefficient of restitution, in \[0, 1\] (–).
    pub restitution: f64,
    /// The port at which the contact acts, if it acts at one and always in the same direction.
    pub attachment: Option<PortAttachment>,
}

/// A quantity that can be recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// Name, unique among the subsystem's quantities.
    pub name: String,
    /// Unit, e.g. `m/s`; empty for a number.
    pub unit: String,
}

/// How much a subsystem knows of its compliance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compliance {
    /// [`StepResponse::compliance`](crate::StepResponse::compliance) is the derivative of the answer.
    Exact,
    /// The subsystem cannot tell; the field is zero.
    Unknown,
}

/// What a subsystem can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// Whether the compliance is given.
    pub compliance: Compliance,
    /// Whether the answer of the rows to impulses is exactly affine: no re-evaluation is needed.
    pub is_affine: bool,
    /// Whether a step can be discarded, and states saved and restored.
    pub can_roll_back: bool,
    /// Whether the subsystem takes impulses inside a step and velocity jumps.
    pub takes_impulses: bool,
    /// Whether the step size may change from step to step.
    pub has_variable_step: bool,
}

/// Name, ports, contacts, quantities and capabilities: everything that is known before the first step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Name, unique in the model.
    pub name: String,
    /// Ports; their coordinates are the first rows.
    pub ports: Vec<PortSpec>,
    /// Contacts; their gaps are the rows after the ports'.
    pub contacts: Vec<ContactSpec>,
    /// Quantities in the order of [`Subsystem::observe`](crate::Subsystem::observe).
    pub quantities: Vec<Quantity>,
    /// What the subsystem can do.
    pub capabilities: Capabilities,
}

impl Description {
    /// Number of rows that belong to ports.
    #[must_use]
    pub fn port_rows(&self) -> usize {
        self.ports.iter().map(|port| port.size).sum()
    }

    /// Number of all rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.port_rows() + self.contacts.len()
    }

    /// First row of port `index`.
    #[must_use]
    pub fn port_row(&self, index: usize) -> usize {
        self.ports[..index].iter().map(|port| port.size).sum()
    }

    /// First row and place among [`RowState::orientations`](crate::RowState::orientations) of every port that is a
    /// frame, in the order of the ports.
    pub fn frames(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = self.ports.iter().scan(0, |next, port| {
            let row = *next;
            *next += port.size;
            Some((row, port.is_frame))
        });
        first.filter(|(_, is_frame)| *is_frame).enumerate().map(|(place, (row, _))| (row, place))
    }

    /// Index of the port of this name.
    #[must_use]
    pub fn port_index(&self, name: &str) -> Option<usize> {
        self.ports.iter().position(|port| port.name == name)
    }

    /// Checks loads on the rows.
    ///
    /// # Errors
    /// [`SubsystemError::LoadLength`] or [`SubsystemError::LoadNotFinite`].
    #[inline]
    pub fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        let are_finite = loads.iter().fold(true, |all, x| all & x.is_finite());
        if loads.len() == self.rows() && are_finite { Ok(()) } else { Err(self.bad_loads(loads)) }
    }

    #[cold]
    fn bad_loads(&self, loads: &[f64]) -> SubsystemError {
        let subsystem = self.name.clone();
        if loads.len() != self.rows() {
            return SubsystemError::LoadLength { subsystem, expected: self.rows(), found: loads.len() };
        }
        let row = loads.iter().position(|x| !x.is_finite()).unwrap_or_default();
        SubsystemError::LoadNotFinite { subsystem, row }
    }

    /// Checks that names are unique, port sizes are 1, 3 or 6 and restitutions lie in \[0, 1\].
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`] names the first rule broken.
    pub fn validate(&self) -> Result<(), SubsystemError> {
        let fail =
            |reason: String| Err(SubsystemError::BadDescription { subsystem: self.name.clone(), reason });
        for port in &self.ports {
            if ![1, 3, 6].contains(&port.size) {
                return fail(format!(
                    "port `{}` has {} coordinates; must be 1, 3 or 6",
                    port.name, port.size
                ));
            }
            if port.is_frame && port.size != 6 {
                return fail(format!(
                    "port `{}` is a frame with {} coordinates, not 6",
                    port.name, port.size
                ));
            }
        }
        for contact in &self.contacts {
            if !(0.0..=1.0).contains(&contact.restitution) {
                let e = contact.restitution;
                return fail(format!("contact `{}` has restitution {e}; must be in [0, 1]", contact.name));
            }
            let fits = |a: &PortAttachment| {
                self.ports.get(a.port).is_some_and(|port| port.size == a.direction.len())
            };
            if !contact.attachment.as_ref().is_none_or(fits) {
                return fail(format!("contact `{}` is attached to a port that does not fit", contact.name));
            }
        }
        let names = [
            ("ports", repeated(self.ports.iter().map(|port| port.name.as_str()))),
            ("contacts", repeated(self.contacts.iter().map(|contact| contact.name.as_str()))),
            ("quantities", repeated(self.quantities.iter().map(|quantity| quantity.name.as_str()))),
        ];
        match names.iter().find_map(|(what, name)| name.map(|name| (what, name))) {
            Some((what, name)) => fail(format!("two {what} are named `{name}`")),
            None => Ok(()),
        }
    }
}

/// The first name that has been there before.
fn repeated<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut known = BTreeSet::new();
    names.find(|name| !known.insert(*name))
}
