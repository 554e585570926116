//! A planar system as a subsystem: a [`ConstrainedSystem`](cosimo_dynamics::ConstrainedSystem) of three coordinates per body.
//!
//! Its equations are its own and not those of space, since these cost 3.3 times as much: a step of two bodies on two pins takes 51,000
//! instructions, that of the same mechanism in space 168,000 (both by the midpoint rule, without records).

mod rows;

use cosimo_mechanics::ContactLaw;
use cosimo_multibody::planar::{PlanarError, PlanarSystem, PlaneContact, Point, PointRow};
use cosimo_smooth::dae::{DaeSettings, Method};
use cosimo_subsystem::{ContactSpec, Description, PortSpec, Quantity};

use crate::ConstrainedMotion;
use crate::constrained::{self, Constrained, TOLERANCE, capabilities, default_formulation};
use crate::contact_spec::contact_spec;
use crate::error::cannot_start;
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
/// use cosimo_native::{PlanarBuilder, PlanarPort};
/// use cosimo_subsystem::Subsystem;
///
/// let system = PlanarModel::new([0.0, -9.81])
///     .with_body(Body::new("rod", 1.0, 0.1).with_pose([0.5, 0.0], 0.0))
///     .with_pin(Pin::new("hinge", Point::on("rod", [-0.5, 0.0]), Point::ground([0.0, 0.0])))
///     .build()?;
/// let tip = Point::on("rod", [0.5, 0.0]);
/// let pendulum = PlanarBuilder::new("pendulum", system).with_port("tip", PlanarPort::along(tip, [0.0, 1.0])).build()?;
/// assert_eq!(pendulum.rows().positions, [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlanarBuilder {
    name: String,
    system: PlanarSystem,
    method: Method,
    time: f64,
    ports: Vec<(String, PlanarPort)>,
    contacts: Vec<(PlaneContact, ContactLaw)>,
}

/// A port of a body in a plane.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlanarPort {
    /// A point along a direction of world axes, which is normalised, see [`PointRow::along`]: 1 coordinate.
    Along {
        /// The point.
        point: Point,
        /// Direction in world axes.
        direction: [f64; 2],
    },
    /// A point, see [`PointRow::spatial`]: 3 coordinates, the last of which is zero.
    Point {
        /// The point.
        point: Point,
    },
}

impl PlanarPort {
    /// A point along a direction of world axes.
    #[must_use]
    pub fn along(point: Point, direction: [f64; 2]) -> Self {
        Self::Along { point, direction }
    }

    /// A point.
    #[must_use]
    pub fn point(point: Point) -> Self {
        Self::Point { point }
    }

    /// Its rows.
    fn rows(&self, system: &PlanarSystem) -> Result<Vec<PointRow>, PlanarError> {
        match self {
            Self::Along { point, direction } => Ok(vec![PointRow::along(system, point, *direction)?]),
            Self::Point { point } => Ok(PointRow::spatial(system, point)?.to_vec()),
        }
    }
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

    /// Adds a port.
    #[must_use]
    pub fn with_port(mut self, name: impl Into<String>, port: PlanarPort) -> Self {
        self.ports.push((name.into(), port));
        self
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
    /// Names given twice, ports and contacts that are refused, a method that cannot serve, or a start that cannot be made consistent.
    pub fn build(self) -> Result<Planar, MechanismError> {
        if matches!(self.method, Method::Bdf { order: 2.. } | Method::AdaptiveBdf { .. }) {
            return Err(MechanismError::Method { subsystem: self.name, method: self.method });
        }
        let rule = self.method.rule().map_err(cannot_start(&self.name))?;
        let (ports, rows) = self.rows().map_err(|error| MechanismError::Parameter {
            subsystem: self.name.clone(),
            reason: error.to_string(),
        })?;
        let contacts = self.contact_specs(&ports, &rows);
        let planes: Vec<PlaneContact> = self.contacts.iter().map(|(contact, _)| contact.clone()).collect();
        let appearance = self.system.appearance(&planes);
        let rows = PlanarRows { has_ground: appearance.bodies.len() > self.system.bodies().len(), ..rows };
        let mut quantities = self.quantities();
        quantities.extend(constrained::contacts::quantities(&contacts));
        let description = Description {
            name: self.name.clone(),
            capabilities: capabilities(rule.as_ref(), !ports.is_empty()),
            ports,
            contacts,
            quantities,
            rule: rule.label(),
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
        ConstrainedMotion::start((description, None), system, (self.method, settings), start)
            .map_err(cannot_start(&self.name))
    }

    /// The ports; their rows, the gaps, then the slips of those that have friction.
    fn rows(&self) -> Result<(Vec<PortSpec>, PlanarRows), PlanarError> {
        let (mut ports, mut all) = (Vec::new(), Vec::new());
        for (name, port) in &self.ports {
            let own = port.rows(&self.system)?;
            ports.push(PortSpec::new(name, own.len()));
            all.extend(own);
        }
        let contacts: Vec<PlaneContact> = self.contacts.iter().map(|(contact, _)| contact.clone()).collect();
        let gaps = PointRow::gaps(&self.system, &contacts)?;
        let (first, slip) = (all.len(), all.len() + gaps.len());
        all.extend(&gaps);
        let sliding = gaps.iter().zip(&self.contacts).filter(|(_, (_, law))| law.friction > 0.0);
        all.extend(sliding.map(|(gap, _)| gap.slip()));
        let rows = PlanarRows { contacts: first..all.len(), slips: slip..all.len(), all, has_ground: false };
        Ok((ports, rows))
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

    fn contact_specs(&self, ports: &[PortSpec], rows: &PlanarRows) -> Vec<ContactSpec> {
        let jacobian = rows.constant_jacobian(self.system.initial_position());
        let attachment = |row| attachment::find(ports, jacobian.as_ref()?, row);
        let mut slips = rows.slips.clone();
        let spec = |(gap, (contact, law)): (usize, &(PlaneContact, ContactLaw))| {
            let own = usize::from(law.friction > 0.0);
            let tangents = slips.by_ref().take(own).map(attachment).collect();
            contact_spec(&contact.name, law, (attachment(gap), tangents))
        };
        (rows.contacts.start..).zip(&self.contacts).map(spec).collect()
    }
}
