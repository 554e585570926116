//! A planar system as a subsystem.

mod rows;

use cosimo_multibody::planar::{PlanarError, PlanarSystem, PlaneContact, Point, PointRow};
use cosimo_nonsmooth::ContactLaw;
use cosimo_smooth::dae::{DaeSettings, Method};
use cosimo_subsystem::{ContactSpec, Description, PortSpec, Quantity};

use crate::constrained::{self, Constrained, TOLERANCE, capabilities, default_formulation};
use crate::contact_spec::contact_spec;
use crate::{MechanismError, attachment};
pub use rows::PlanarRows;

/// Rigid bodies in a plane. Built by [`PlanarBuilder`].
pub type Planar = Constrained<PlanarRows>;

/// What every body shows.
const OF_BODIES: [(&str, &str); 6] =
    [("x", "m"), ("y", "m"), ("angle", "rad"), ("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s")];

/// What every pin shows.
const OF_PINS: [(&str, &str); 2] = [("residual_x", "m"), ("residual_y", "m")];

/// Bodies in a plane, with pins and springs, joined to others at body points.
///
/// Bodies start as their model says. Every body shows `name.x`, `name.y` (m), `name.angle` (rad), `name.vx`, `name.vy` (m/s) and
/// `name.omega` (rad/s), every pin `name.residual_x` and `name.residual_y` (m).
///
/// ```
/// use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
/// use cosimo_native::PlanarBuilder;
/// use cosimo_subsystem::Subsystem;
///
/// let system = PlanarModel::new([0.0, -9.81])
///     .with_body(Body::new("rod", 1.0, 0.1).at([0.5, 0.0], 0.0))
///     .with_pin(Pin::new("hinge", Point::on("rod", [-0.5, 0.0]), Point::ground([0.0, 0.0])))
///     .build()?;
/// let tip = Point::on("rod", [0.5, 0.0]);
/// let pendulum = PlanarBuilder::new("pendulum", system).with_port_along("tip", &tip, [0.0, 1.0])?.build()?;
/// assert_eq!(pendulum.rows().positions, [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlanarBuilder {
    name: String,
    system: PlanarSystem,
    method: Method,
    time: f64,
    ports: Vec<PortSpec>,
    rows: Vec<PointRow>,
    contacts: Vec<(PlaneContact, ContactLaw)>,
}

impl PlanarBuilder {
    /// This system, stepped by the midpoint rule.
    #[must_use]
    pub fn new(name: impl Into<String>, system: PlanarSystem) -> Self {
        Self {
            name: name.into(),
            system,
            method: Method::Midpoint,
            time: 0.0,
            ports: Vec::new(),
            rows: Vec::new(),
            contacts: Vec::new(),
        }
    }

    /// Sets the step rule, by default `Midpoint`: any of fixed steps that needs no points before the start.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets the initial time (s), default 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Adds a port of one coordinate, a point along a direction of world axes, which is normalised.
    ///
    /// # Errors
    /// As [`PointRow::along`].
    pub fn with_port_along(
        mut self,
        name: &str,
        point: &Point,
        direction: [f64; 2],
    ) -> Result<Self, PlanarError> {
        self.rows.push(PointRow::along(&self.system, point, direction)?);
        self.ports.push(PortSpec::new(name, 1));
        Ok(self)
    }

    /// Adds a port of three coordinates, the last of which is zero, see [`PointRow::spatial`].
    ///
    /// # Errors
    /// As [`PointRow::spatial`].
    pub fn with_port(mut self, name: &str, point: &Point) -> Result<Self, PlanarError> {
        self.rows.extend(PointRow::spatial(&self.system, point)?);
        self.ports.push(PortSpec::new(name, 3));
        Ok(self)
    }

    /// Adds a contact; with friction it slides along the boundary.
    #[must_use]
    pub fn with_contact(mut self, contact: PlaneContact, law: ContactLaw) -> Self {
        self.contacts.push((contact, law));
        self
    }

    /// Builds the subsystem.
    ///
    /// # Errors
    /// Names given twice, contacts that are refused, a method that cannot serve, or a start that cannot be made consistent.
    pub fn build(mut self) -> Result<Planar, MechanismError> {
        if matches!(self.method, Method::Bdf { order: 2.. } | Method::AdaptiveBdf { .. }) {
            return Err(MechanismError::Method { subsystem: self.name, method: self.method });
        }
        let rows = self.rows().map_err(|error| MechanismError::Parameter {
            subsystem: self.name.clone(),
            reason: error.to_string(),
        })?;
        let contacts = self.contact_specs(&rows);
        let planes: Vec<PlaneContact> = self.contacts.iter().map(|(contact, _)| contact.clone()).collect();
        let appearance = self.system.appearance(&planes);
        let rows = PlanarRows { has_ground: appearance.bodies.len() > self.system.bodies().len(), ..rows };
        let mut quantities = self.quantities();
        quantities.extend(constrained::contacts::quantities(&contacts));
        let description = Description {
            name: self.name.clone(),
            capabilities: capabilities(self.method, !self.ports.is_empty()),
            ports: self.ports,
            contacts,
            quantities,
            rule: self.method.label(),
            appearance,
            ..Description::default()
        };
        description.validate()?;
        let settings = DaeSettings {
            formulation: default_formulation(self.method),
            tolerance: TOLERANCE,
            ..DaeSettings::default()
        };
        let [q, v] = [self.system.initial_position(), self.system.initial_velocity()].map(<[f64]>::to_vec);
        let (system, start) = ((self.system, rows), (self.time, q, v));
        Planar::start((description, None), system, (self.method, settings), start)
            .map_err(|source| MechanismError::Constraints { subsystem: self.name, source })
    }

    /// The rows of the ports, the gaps, then the slips of those that have friction.
    fn rows(&mut self) -> Result<PlanarRows, PlanarError> {
        let mut all = std::mem::take(&mut self.rows);
        let contacts: Vec<PlaneContact> = self.contacts.iter().map(|(contact, _)| contact.clone()).collect();
        let gaps = PointRow::gaps(&self.system, &contacts)?;
        let (first, slip) = (all.len(), all.len() + gaps.len());
        all.extend(&gaps);
        let sliding = gaps.iter().zip(&self.contacts).filter(|(_, (_, law))| law.friction > 0.0);
        all.extend(sliding.map(|(gap, _)| gap.slip()));
        Ok(PlanarRows { contacts: first..all.len(), slips: slip..all.len(), all, has_ground: false })
    }

    fn quantities(&self) -> Vec<Quantity> {
        let quantity = |owner: &str, (name, unit): (&str, &str)| Quantity {
            name: format!("{owner}.{name}"),
            unit: unit.to_owned(),
        };
        let bodies = self.system.bodies().iter();
        let bodies = bodies.flat_map(|body| OF_BODIES.map(|part| quantity(&body.name, part)));
        let pins = self.system.pin_names().flat_map(|pin| OF_PINS.map(|part| quantity(pin, part)));
        bodies.chain(pins).collect()
    }

    fn contact_specs(&self, rows: &PlanarRows) -> Vec<ContactSpec> {
        let jacobian = rows.constant_jacobian(self.system.initial_position());
        let attachment = |row| attachment::find(&self.ports, jacobian.as_ref()?, row);
        let mut slips = rows.slips.clone();
        let spec = |(gap, (contact, law)): (usize, &(PlaneContact, ContactLaw))| {
            let own = usize::from(law.friction > 0.0);
            let tangents = slips.by_ref().take(own).map(attachment).collect();
            contact_spec(&contact.name, law, (attachment(gap), tangents))
        };
        (rows.contacts.start..).zip(&self.contacts).map(spec).collect()
    }
}
