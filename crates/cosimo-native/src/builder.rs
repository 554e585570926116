//! Builds a mechanism from its parts.

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, NoRows, RowMap, StepRule, Stepper, Theta};
use cosimo_mechanics::{ContactLaw, TimeFunction, TimeTable};
use cosimo_subsystem::scene::Appearance;
use cosimo_subsystem::{Capabilities, ContactSpec, Description, Excitation, InverseMass, PortSpec, Quantity};
use nalgebra::DMatrix;

use crate::LinearMotion;
use crate::contact_spec::contact_spec;
use crate::seen::{Seen, SlidingBodies, SlidingBody};
use crate::{Channel, Mechanism, MechanismError, attachment};

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
    pub fn new(name: impl Into<String>, law: ContactLaw, slips: usize) -> Self {
        Self { name: name.into(), law, slips }
    }
}

/// Collects the parts of a [`Mechanism`].
pub struct MechanismBuilder {
    name: String,
    system: LinearSystem,
    rule: Box<dyn StepRule>,
    ports: (Vec<PortSpec>, Box<dyn RowMap>),
    contacts: (Vec<NativeContact>, Box<dyn RowMap>),
    start: (f64, Vec<f64>, Vec<f64>),
    quantities: Vec<(Quantity, Channel)>,
    excitations: Vec<Excitation>,
    seen: Option<(Appearance, Box<dyn Seen>)>,
}

/// Linear rows with more of them from place `at` on. To others none are added: there are fewer than the names say then, which is refused.
fn with_more(rows: Box<dyn RowMap>, at: usize, more: Vec<LinearRow>) -> Box<dyn RowMap> {
    let mut all = match rows.as_linear() {
        Some(linear) => linear.0.clone(),
        None if rows.rows() == 0 => Vec::new(),
        None => return rows,
    };
    all.splice(at.min(all.len())..at.min(all.len()), more);
    Box::new(LinearRows(all))
}

impl MechanismBuilder {
    /// A mechanism that is this system, stepped by the θ rule with θ = ½; at rest at the origin, without ports and contacts.
    #[must_use]
    pub fn new(name: impl Into<String>, system: LinearSystem) -> Self {
        let n = system.coordinates();
        Self {
            name: name.into(),
            system,
            rule: Theta::default().into(),
            ports: (Vec::new(), Box::new(NoRows)),
            contacts: (Vec::new(), Box::new(NoRows)),
            start: (0.0, vec![0.0; n], vec![0.0; n]),
            quantities: Vec::new(),
            excitations: Vec::new(),
            seen: None,
        }
    }

    /// Sets the step rule; the default is the θ rule with θ = ½.
    #[must_use]
    pub fn with_rule(mut self, rule: impl Into<Box<dyn StepRule>>) -> Self {
        self.rule = rule.into();
        self
    }

    /// Adds a port of 1, 3 or 6 coordinates, one per row. Where [`with_ports`](Self::with_ports) gave rows that are not linear, the
    /// mechanism is refused.
    #[must_use]
    pub fn with_port(mut self, name: impl Into<String>, rows: impl IntoIterator<Item = LinearRow>) -> Self {
        let rows: Vec<LinearRow> = rows.into_iter().collect();
        self.ports.0.push(PortSpec::new(name, rows.len()));
        self.ports.1 = with_more(self.ports.1, usize::MAX, rows);
        self
    }

    /// Adds a contact without friction: its coefficient of restitution, and its gap. Where [`with_contacts`](Self::with_contacts) gave
    /// gaps that are not linear, the mechanism is refused.
    #[must_use]
    pub fn with_contact(mut self, name: impl Into<String>, restitution: f64, gap: LinearRow) -> Self {
        // The gaps come before all slips.
        self.contacts.1 = with_more(self.contacts.1, self.contacts.0.len(), vec![gap]);
        self.contacts.0.push(NativeContact::new(name, ContactLaw::frictionless(restitution), 0));
        self
    }

    /// Sets all ports: name and number of coordinates (1, 3 or 6) of each, and their rows in the same order.
    #[must_use]
    pub fn with_ports(mut self, ports: &[(&str, usize)], rows: impl RowMap + 'static) -> Self {
        let spec = |&(name, size): &(&str, usize)| PortSpec::new(name, size);
        self.ports = (ports.iter().map(spec).collect(), Box::new(rows));
        self
    }

    /// Sets all contacts, without friction: name and coefficient of restitution of each, and their gaps as rows in the same
    /// order.
    #[must_use]
    pub fn with_contacts(self, contacts: &[(&str, f64)], gaps: impl RowMap + 'static) -> Self {
        let contact = |&(name, e): &(&str, f64)| NativeContact::new(name, ContactLaw::frictionless(e), 0);
        self.with_contact_laws(contacts.iter().map(contact).collect(), gaps)
    }

    /// Sets all contacts, and their rows: the gaps in the same order, then the slips of each.
    #[must_use]
    pub fn with_contact_laws(mut self, contacts: Vec<NativeContact>, rows: impl RowMap + 'static) -> Self {
        self.contacts = (contacts, Box::new(rows));
        self
    }

    /// Sets positions (m) and velocities (m/s) at the start, one per coordinate.
    #[must_use]
    pub fn with_initial_state(mut self, q: impl Into<Vec<f64>>, v: impl Into<Vec<f64>>) -> Self {
        (self.start.1, self.start.2) = (q.into(), v.into());
        self
    }

    /// Sets the initial time (s), default 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.start.0 = time;
        self
    }

    /// Adds a quantity that can be recorded.
    #[must_use]
    pub fn with_quantity(
        mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        channel: Channel,
    ) -> Self {
        self.quantities.push((Quantity { name: name.into(), unit: unit.into() }, channel));
        self
    }

    /// Adds position (m) and velocity (m/s) of every coordinate, `name` and `v_name`, in the order of coordinates.
    #[must_use]
    pub fn with_coordinate_quantities<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
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
        for (size, unit) in self.system.load_accelerations() {
            let TimeFunction::Curve(curve) = size else { continue };
            let TimeTable { time, value } = curve.table();
            let accelerations = value.iter().map(|force| force * unit).collect();
            // Numbers beyond all bounds are refused by the step that meets them.
            excitations.extend(Excitation::new(time.clone(), accelerations).ok());
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
                keeps_impacts: false,
                is_strain_free: self.system.is_strain_free(),
            },
            excitations,
            rule,
            ..Description::default()
        };
        description.validate()?;
        let stepper = Stepper::new(self.system, self.rule, (self.ports.1, self.contacts.1), self.start)
            .map_err(|source| MechanismError::System { subsystem: self.name, source })?;
        Ok(LinearMotion::new(description, channels, (stepper, seen)))
    }

    fn check_rows(&self) -> Result<(), MechanismError> {
        let ports = ("ports", self.ports.0.iter().map(|port| port.size).sum(), self.ports.1.rows());
        let contact_rows = self.contacts.0.iter().map(|contact| 1 + contact.slips).sum();
        let contacts = ("contacts", contact_rows, self.contacts.1.rows());
        for (what, expected, found) in [ports, contacts] {
            if expected != found {
                return Err(MechanismError::ConstrainedRows {
                    subsystem: self.name.clone(),
                    what,
                    expected,
                    found,
                });
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
