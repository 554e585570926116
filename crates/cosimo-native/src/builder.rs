//! Builds a mechanism from its parts.

use cosimo_dynamics::{Kinematics, LinearSystem, NoRows, StepRule, Stepper, SystemError};
use cosimo_impact::ImpactError;
use cosimo_nonsmooth::ContactLaw;
use cosimo_smooth::dae::{DaeError, Formulation, Method};
use cosimo_subsystem::scene::Appearance;
use cosimo_subsystem::{
    Capabilities, ContactSpec, Description, Excitation, InverseMass, PortSpec, Quantity, SubsystemError,
};
use nalgebra::DMatrix;
use thiserror::Error;

use crate::contact_spec::contact_spec;
use crate::seen::{Seen, SlidingBodies, SlidingBody};
use crate::{Channel, Mechanism, attachment};

/// Why a mechanism is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// Its equations of motion contradict themselves.
    #[error("subsystem `{subsystem}`: {source}")]
    System {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: SystemError,
    },
    /// Its description contradicts itself.
    #[error(transparent)]
    Description(#[from] SubsystemError),
    /// The number of ports' or contacts' rows differs from what the names say.
    #[error("subsystem `{subsystem}`: the {what} have {found} rows, their names say {expected}")]
    Rows {
        /// Name of the subsystem.
        subsystem: String,
        /// `ports` or `contacts`.
        what: &'static str,
        /// Rows according to the names.
        expected: usize,
        /// Rows of the kinematics.
        found: usize,
    },
    /// A multibody system cannot start.
    #[error("subsystem `{subsystem}`: {source}")]
    Constraints {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: DaeError,
    },
    /// A nonsmooth integrator cannot start.
    #[error("subsystem `{subsystem}`: {source}")]
    Nonsmooth {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: Box<ImpactError>,
    },
    /// A step rule that cannot take loads of ports and contacts.
    #[error(
        "subsystem `{subsystem}` has ports or contacts, whose loads {method:?} cannot take: its points before the start know nothing of \
         them, and steps that follow the error have no inverse mass; use Midpoint, Multistep (of spectral radius 0 it is BDF 2), \
         GeneralizedAlpha, Hht, Newmark or ImplicitEuler, or remove the ports and contacts"
    )]
    Method {
        /// Name of the subsystem.
        subsystem: String,
        /// The rule.
        method: Method,
    },
    /// A formulation that does not go with the step rule.
    #[error("subsystem `{subsystem}`: the formulation {formulation:?} does not go with {method:?}, {reason}")]
    Formulation {
        /// Name of the subsystem.
        subsystem: String,
        /// The formulation.
        formulation: Formulation,
        /// The step rule.
        method: Method,
        /// Why, and what does.
        reason: &'static str,
    },
    /// A parameter of a ready-made subsystem is refused.
    #[error("subsystem `{subsystem}`: {reason}")]
    Parameter {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        reason: String,
    },
}

/// A contact of a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeContact {
    /// Name, unique in the mechanism.
    pub name: String,
    /// Restitution and friction.
    pub law: ContactLaw,
    /// Number of its slip rows: 0, 1 in the plane, or 2 in space.
    pub slips: usize,
}

impl NativeContact {
    /// A contact of this name with `slips` slip rows.
    #[must_use]
    pub fn new(name: &str, law: ContactLaw, slips: usize) -> Self {
        Self { name: name.to_owned(), law, slips }
    }
}

/// Collects the parts of a [`Mechanism`].
pub struct MechanismBuilder {
    name: String,
    system: LinearSystem,
    rule: Box<dyn StepRule>,
    ports: (Vec<PortSpec>, Box<dyn Kinematics>),
    contacts: (Vec<NativeContact>, Box<dyn Kinematics>),
    start: (f64, Vec<f64>, Vec<f64>),
    quantities: Vec<(Quantity, Channel)>,
    excitations: Vec<Excitation>,
    seen: Option<(Appearance, Box<dyn Seen>)>,
}

impl MechanismBuilder {
    /// A mechanism that is this system, stepped by this rule; at rest at the origin, without ports and contacts.
    #[must_use]
    pub fn new(name: impl Into<String>, system: LinearSystem, rule: Box<dyn StepRule>) -> Self {
        let n = system.coordinates();
        Self {
            name: name.into(),
            system,
            rule,
            ports: (Vec::new(), Box::new(NoRows)),
            contacts: (Vec::new(), Box::new(NoRows)),
            start: (0.0, vec![0.0; n], vec![0.0; n]),
            quantities: Vec::new(),
            excitations: Vec::new(),
            seen: None,
        }
    }

    /// Sets the ports: name and number of coordinates (1, 3 or 6) of each, and their rows in the same order.
    #[must_use]
    pub fn with_ports(mut self, ports: &[(&str, usize)], rows: Box<dyn Kinematics>) -> Self {
        let spec = |&(name, size): &(&str, usize)| PortSpec::new(name, size);
        self.ports = (ports.iter().map(spec).collect(), rows);
        self
    }

    /// Sets contacts without friction: name and coefficient of restitution of each, and their gaps as rows in the same
    /// order.
    #[must_use]
    pub fn with_contacts(self, contacts: &[(&str, f64)], gaps: Box<dyn Kinematics>) -> Self {
        let contact = |&(name, e): &(&str, f64)| NativeContact::new(name, ContactLaw::frictionless(e), 0);
        self.with_contact_laws(contacts.iter().map(contact).collect(), gaps)
    }

    /// Sets the contacts, and their rows: the gaps in the same order, then the slips of each.
    #[must_use]
    pub fn with_contact_laws(mut self, contacts: Vec<NativeContact>, rows: Box<dyn Kinematics>) -> Self {
        self.contacts = (contacts, rows);
        self
    }

    /// Sets the initial time (s), positions and velocities, one a coordinate.
    #[must_use]
    pub fn with_initial_state(mut self, time: f64, q: Vec<f64>, v: Vec<f64>) -> Self {
        self.start = (time, q, v);
        self
    }

    /// Adds a quantity that can be recorded.
    #[must_use]
    pub fn with_quantity(mut self, name: impl Into<String>, unit: &str, channel: Channel) -> Self {
        self.quantities.push((Quantity { name: name.into(), unit: unit.to_owned() }, channel));
        self
    }

    /// Adds position (m) and velocity (m/s) of every coordinate, `name` and `v_name`, in the order of coordinates.
    #[must_use]
    pub fn with_coordinate_quantities(mut self, names: &[String]) -> Self {
        for (i, name) in names.iter().enumerate() {
            self = self.with_quantity(name, "m", Channel::Position(i));
        }
        for (i, name) in names.iter().enumerate() {
            self = self.with_quantity(format!("v_{name}"), "m/s", Channel::Velocity(i));
        }
        self
    }

    /// Shows bodies that coordinates move.
    #[must_use]
    pub fn with_sliding_bodies(self, bodies: Vec<SlidingBody>) -> Self {
        let bodies = SlidingBodies(bodies);
        self.with_appearance(bodies.appearance(), Box::new(bodies))
    }

    /// Sets what it looks like, and what tells where its bodies are.
    #[must_use]
    pub fn with_appearance(mut self, appearance: Appearance, seen: Box<dyn Seen>) -> Self {
        self.seen = Some((appearance, seen));
        self
    }

    /// Tells of an input over time that is known beforehand, for steps that follow the error. Those of the
    /// system are known.
    #[must_use]
    pub fn with_excitation(mut self, excitation: Excitation) -> Self {
        self.excitations.push(excitation);
        self
    }

    /// Puts the parts together and checks them.
    ///
    /// # Errors
    /// See [`MechanismError`].
    pub fn build(mut self) -> Result<Mechanism, MechanismError> {
        self.check_rows()?;
        let contacts = self.contact_specs();
        let mut slip = 0;
        for (i, contact) in contacts.iter().enumerate() {
            let quantity = |name: String, unit: &str| Quantity {
                name: format!("{}.{name}", contact.name),
                unit: unit.into(),
            };
            self.quantities.push((quantity("gap".to_owned(), "m"), Channel::Gap(i)));
            for name in contact.slip_names("slip") {
                self.quantities.push((quantity(name, "m/s"), Channel::Slip(slip)));
                slip += 1;
            }
        }
        let (quantities, channels): (Vec<_>, Vec<_>) = self.quantities.into_iter().unzip();
        let is_affine = self.ports.1.is_constant() && self.contacts.1.is_constant();
        let mut excitations = self.excitations;
        for (table, unit) in self.system.load_accelerations() {
            let accelerations = table.values().iter().map(|force| force * unit).collect();
            // Numbers beyond all bounds are refused by the step that meets them.
            excitations.extend(Excitation::new(table.times().to_vec(), accelerations).ok());
        }
        let (end_share, rule) = (self.rule.end_share(), self.rule.label());
        let excitations = excitations.into_iter().map(|input| input.weighing_ends(end_share)).collect();
        let (appearance, seen) = self.seen.unzip();
        let description = Description {
            name: self.name.clone(),
            appearance: appearance.unwrap_or_default(),
            ports: self.ports.0,
            contacts,
            quantities,
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine,
                can_roll_back: true,
                takes_impulses: true,
                takes_jumps: false,
                has_variable_step: true,
                takes_moves: true,
                lacks_momenta: false,
                captures_impacts: false,
                is_strain_free: self.system.is_strain_free(),
            },
            excitations,
            rule,
            ..Description::default()
        };
        description.validate()?;
        let stepper = Stepper::new(self.system, self.rule, (self.ports.1, self.contacts.1), self.start)
            .map_err(|source| MechanismError::System { subsystem: self.name, source })?;
        Ok(Mechanism::new(description, channels, (stepper, seen)))
    }

    fn check_rows(&self) -> Result<(), MechanismError> {
        let ports = ("ports", self.ports.0.iter().map(|port| port.size).sum(), self.ports.1.rows());
        let contact_rows = self.contacts.0.iter().map(|contact| 1 + contact.slips).sum();
        let contacts = ("contacts", contact_rows, self.contacts.1.rows());
        for (what, expected, found) in [ports, contacts] {
            if expected != found {
                return Err(MechanismError::Rows { subsystem: self.name.clone(), what, expected, found });
            }
        }
        let n = self.system.coordinates();
        let checked = [("port", &self.ports.1), ("contact", &self.contacts.1)].into_iter().try_for_each(
            |(what, rows)| {
                rows.as_linear().map_or(Ok(()), |rows| rows.0.iter().try_for_each(|row| row.check(what, n)))
            },
        );
        let checked = checked.and_then(|()| self.system.check_rows());
        checked.map_err(|source| MechanismError::System { subsystem: self.name.clone(), source })
    }

    fn contact_specs(&self) -> Vec<ContactSpec> {
        let n = self.system.coordinates();
        let (count, rows) = (self.contacts.0.len(), self.contacts.1.rows());
        let can_attach =
            self.ports.1.is_constant() && self.contacts.1.is_constant() && self.start.1.len() == n;
        let mut jacobian = DMatrix::zeros(self.ports.1.rows() + rows, n);
        if can_attach {
            self.ports.1.jacobian(self.start.0, &self.start.1, 0, &mut jacobian);
            self.contacts.1.jacobian(self.start.0, &self.start.1, self.ports.1.rows(), &mut jacobian);
        }
        let attachment =
            |row| if can_attach { attachment::find(&self.ports.0, &jacobian, row) } else { None };
        let first = self.ports.1.rows();
        let mut slip = first + count;
        let spec = |(i, NativeContact { name, law, slips }): (usize, &NativeContact)| {
            let rows = slip..slip + slips;
            slip = rows.end;
            contact_spec(name, law, (attachment(first + i), rows.map(attachment).collect()))
        };
        self.contacts.0.iter().enumerate().map(spec).collect()
    }
}
