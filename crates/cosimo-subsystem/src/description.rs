//! What a subsystem says about itself.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Excitation, ImpulseMoments, MacroStep, StepLoads, SubsystemError};

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

/// A unilateral contact: its gap (m), not negative, is one row; with friction the slips along its tangents are one or two
/// rows more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactSpec {
    /// Name, unique among the subsystem's contacts.
    pub name: String,
    /// Coefficient of restitution, in \[0, 1\] (–).
    pub restitution: f64,
    /// How impacts are resolved.
    pub impact_law: ImpactLaw,
    /// Friction, if there is any.
    pub friction: Option<Friction>,
    /// The port at which the contact acts, if it acts at one and always in the same direction.
    pub attachment: Option<PortAttachment>,
}

/// How velocities before and after an impact belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImpactLaw {
    /// Newton's restitution of the gap rate; with friction it can create energy in special states.
    #[default]
    Newton,
    /// Moreau's: the restitution acts on gap and slip alike. It never creates energy.
    Moreau,
}

/// Coulomb friction of a contact. Its slips are rows after the gaps of all contacts, in the order of the contacts; the
/// velocity of such a row is that of the body over the obstacle along a tangent (m/s).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Coefficient of friction, finite and not negative (–).
    pub coefficient: f64,
    /// Tangential coefficient of restitution of Newton's law, in \[0, 1\] (–).
    pub restitution: f64,
    /// Facets of an outer polygon that stands for the disk of friction, at least 3; `None` for the disk itself.
    pub facets: Option<usize>,
    /// Of each tangent, 1 in the plane or 2 in space and orthonormal, the port at which it acts, if it acts at one and
    /// always in the same direction.
    pub tangents: Vec<Option<PortAttachment>>,
}

impl ContactSpec {
    /// Number of slip rows.
    #[must_use]
    pub fn slips(&self) -> usize {
        self.friction.as_ref().map_or(0, |friction| friction.tangents.len())
    }

    /// Names of a quantity of its slip rows: `name` of a single one, `name_0` and `name_1` of two.
    #[must_use]
    pub fn slip_names(&self, name: &str) -> Vec<String> {
        match self.slips() {
            1 => vec![name.to_owned()],
            count => (0..count).map(|k| format!("{name}_{k}")).collect(),
        }
    }

    /// The first rule that it breaks, given the ports of its subsystem.
    fn broken_rule(&self, ports: &[PortSpec]) -> Option<String> {
        let is_share = |e: f64| (0.0..=1.0).contains(&e);
        if !is_share(self.restitution) {
            return Some(format!("has restitution {}; must be in [0, 1]", self.restitution));
        }
        let fits = |a: &PortAttachment| ports.get(a.port).is_some_and(|port| port.size == a.direction.len());
        let tangents = self.friction.iter().flat_map(|friction| friction.tangents.iter().flatten());
        if !self.attachment.iter().chain(tangents).all(fits) {
            return Some("is attached to a port that does not fit".to_owned());
        }
        let friction = self.friction.as_ref()?;
        if !(friction.coefficient >= 0.0 && friction.coefficient.is_finite()) {
            let mu = friction.coefficient;
            return Some(format!("has friction {mu}; must be finite and not negative"));
        }
        if !is_share(friction.restitution) {
            return Some(format!("has tangential restitution {}; must be in [0, 1]", friction.restitution));
        }
        if let Some(facets) = friction.facets.filter(|count| *count < 3) {
            return Some(format!("has a cone of {facets} facets; must be at least 3"));
        }
        let count = friction.tangents.len();
        (!(1..=2).contains(&count)).then(|| format!("has {count} tangents; must have 1 or 2"))
    }
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
    /// Whether the subsystem takes impulses inside a step and velocity jumps. Without, jumps between steps may be possible
    /// nevertheless; the master tries.
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
    /// Contacts; their gaps are the rows after the ports', and their slips those after all gaps.
    pub contacts: Vec<ContactSpec>,
    /// Quantities in the order of [`Subsystem::observe`](crate::Subsystem::observe).
    pub quantities: Vec<Quantity>,
    /// What the subsystem can do.
    pub capabilities: Capabilities,
    /// Inputs over time that are known beforehand and that its steps sample; of subsystems that see to it themselves, none.
    pub excitations: Vec<Excitation>,
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
        self.port_rows() + self.contact_rows()
    }

    /// Number of rows that belong to contacts: gaps and slips.
    #[must_use]
    pub fn contact_rows(&self) -> usize {
        self.contacts.iter().map(|contact| 1 + contact.slips()).sum()
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

    /// A row in words, by its port or contact: ``coordinate 2 of port `tip` ``.
    #[must_use]
    pub fn row_name(&self, row: usize) -> String {
        let mut first = 0;
        for port in &self.ports {
            if row < first + port.size {
                return match port.size {
                    1 => format!("port `{}`", port.name),
                    _ => format!("coordinate {} of port `{}`", row - first, port.name),
                };
            }
            first += port.size;
        }
        let contact = self.contacts.get(row - first);
        format!("contact `{}`", contact.map_or("", |contact| &contact.name))
    }

    /// Checks loads on the rows.
    ///
    /// # Errors
    /// [`SubsystemError::LoadLength`] or [`SubsystemError::LoadNotFinite`].
    #[inline]
    pub fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads_on(self.rows(), loads)
    }

    /// The same for one who knows the number of [`rows`](Self::rows) and need not have them counted in every call.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    #[inline]
    pub fn check_loads_on(&self, rows: usize, loads: &[f64]) -> Result<(), SubsystemError> {
        let are_finite = loads.iter().fold(true, |all, x| all & x.is_finite());
        if loads.len() == rows && are_finite { Ok(()) } else { Err(self.bad_loads(loads)) }
    }

    /// Checks the loads of a whole step, impulses inside it included.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    pub fn check_step_loads(&self, loads: &StepLoads) -> Result<(), SubsystemError> {
        self.check_loads(&loads.impulses)?;
        if loads.has_moments { self.check_moments(&loads.moments) } else { Ok(()) }
    }

    /// Checks the moments of impulses inside a step.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    pub fn check_moments(&self, moments: &ImpulseMoments) -> Result<(), SubsystemError> {
        let ImpulseMoments { velocity, velocity_damped, position, position_damped } = moments;
        [velocity, velocity_damped, position, position_damped]
            .into_iter()
            .try_for_each(|part| self.check_loads(part))
    }

    /// Checks a step from the communication point `now` (s).
    ///
    /// # Errors
    /// [`SubsystemError::BadStep`] for a size that is not positive and finite, or a start that is not `now`, up to round-off.
    #[inline]
    pub fn check_step(&self, step: MacroStep, now: f64) -> Result<(), SubsystemError> {
        if !(step.size > 0.0 && step.size.is_finite()) {
            return Err(self.bad_step(step, "the size must be positive and finite"));
        }
        if !step.time.is_finite() || (step.time - now).abs() > 1e-9 * step.size.max(now.abs()) {
            return Err(self.bad_step(step, "the step does not start at the present communication point"));
        }
        Ok(())
    }

    #[cold]
    fn bad_step(&self, step: MacroStep, reason: &'static str) -> SubsystemError {
        SubsystemError::BadStep { subsystem: self.name.clone(), time: step.time, size: step.size, reason }
    }

    #[cold]
    fn bad_loads(&self, loads: &[f64]) -> SubsystemError {
        let subsystem = self.name.clone();
        if loads.len() != self.rows() {
            return SubsystemError::LoadLength { subsystem, expected: self.rows(), found: loads.len() };
        }
        let row = loads.iter().position(|x| !x.is_finite()).unwrap_or_default();
        SubsystemError::LoadNotFinite { subsystem, row, place: self.row_name(row) }
    }

    /// Checks that names are unique, port sizes are 1, 3 or 6, and the contacts' laws and attachments.
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
            if let Some(rule) = contact.broken_rule(&self.ports) {
                return fail(format!("contact `{}` {rule}", contact.name));
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
