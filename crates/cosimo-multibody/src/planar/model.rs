//! The data of a planar system, and the rules they obey.

use nalgebra::Vector2;

use super::attachment::Attachment;
use super::spring::Spring;
use super::system::PinPair;
use super::{PlanarError, PlanarSystem};

/// Name that stands for the fixed world in model files; no body may bear it.
const GROUND: &str = "ground";

/// What a point is fixed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The fixed world.
    Ground,
    /// The body of this name.
    Body(String),
}

/// A point fixed to a body or to the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What it is fixed to.
    pub owner: Owner,
    /// `p_bp`, from the centre of mass in body axes (m); for the ground `p_wp`, world axes.
    pub position: [f64; 2],
}

impl Point {
    /// The point of the fixed world at `p_wp` (m).
    #[must_use]
    pub fn ground(position: [f64; 2]) -> Self {
        Self { owner: Owner::Ground, position }
    }

    /// The point of a body at `p_bp` (m), from the centre of mass in body axes.
    pub fn on(body: impl Into<String>, position: [f64; 2]) -> Self {
        Self { owner: Owner::Body(body.into()), position }
    }
}

/// A rigid body and its state at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Unique name, not `ground`.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Moment of inertia about the centre of mass (kg m²), positive.
    pub inertia: f64,
    /// Position `p_wb` of the centre of mass (m), world axes.
    pub position: [f64; 2],
    /// Angle from the world to the body axes (rad), counter-clockwise.
    pub angle: f64,
    /// Velocity of the centre of mass (m/s), world axes.
    pub velocity: [f64; 2],
    /// Angular velocity (rad/s), counter-clockwise.
    pub angular_velocity: f64,
}

impl Body {
    /// A body of this mass (kg) and inertia about its centre of mass (kg m²), at rest at the world's origin.
    pub fn new(name: impl Into<String>, mass: f64, inertia: f64) -> Self {
        Self {
            name: name.into(),
            mass,
            inertia,
            position: [0.0; 2],
            angle: 0.0,
            velocity: [0.0; 2],
            angular_velocity: 0.0,
        }
    }

    /// Starts it with its centre of mass at `position` (m, world axes) and turned by `angle` (rad).
    #[must_use]
    pub fn at(mut self, position: [f64; 2], angle: f64) -> Self {
        (self.position, self.angle) = (position, angle);
        self
    }

    /// Starts it with this velocity of the centre of mass (m/s, world axes) and angular velocity (rad/s).
    #[must_use]
    pub fn moving(mut self, velocity: [f64; 2], angular_velocity: f64) -> Self {
        (self.velocity, self.angular_velocity) = (velocity, angular_velocity);
        self
    }
}

/// A revolute joint: two points coincide,
///
/// ```text
///   φ = p_wp₁ − p_wp₂ = 0        (two rows: x, y, in m)
/// ```
///
/// Its multipliers `μ` (N) are the force that the first body exerts on the second, world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// Unique name.
    pub name: String,
    /// The two points, of different bodies or a body and the ground.
    pub between: [Point; 2],
}

impl Pin {
    /// The pin of this name that joins two points.
    pub fn new(name: impl Into<String>, first: Point, second: Point) -> Self {
        Self { name: name.into(), between: [first, second] }
    }
}

/// A spring and a damper along the line between two points. It pulls them together with
///
/// ```text
///   F = k (ℓ − l₀) + c ℓ̇        ℓ² = |p_wp₂ − p_wp₁|² + ε²,   ε = 1 nm
/// ```
///
/// | symbol | field       | unit  |
/// |--------|-------------|-------|
/// | `k`    | `stiffness` | N/m   |
/// | `c`    | `damping`   | N s/m |
/// | `l₀`   | `length`    | m     |
///
/// `ε` keeps the force smooth where the points coincide and the line between them has no direction: there both
/// forces vanish, except that with `l₀ = 0` the spring force is `k (p_wp₂ − p_wp₁)` everywhere. From 0.1 m on `ε` is
/// below the rounding of `ℓ`.
#[derive(Debug, Clone, PartialEq)]
pub struct SpringDamper {
    /// The two points, of different bodies or a body and the ground.
    pub between: [Point; 2],
    /// Stiffness (N/m), not negative.
    pub stiffness: f64,
    /// Damping along the line (N s/m), not negative.
    pub damping: f64,
    /// Length at zero force (m), not negative.
    pub length: f64,
}

/// The data of a [`PlanarSystem`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanarModel {
    /// Acceleration of gravity (m/s²), world axes. Default: zero.
    pub gravity: [f64; 2],
    /// Bodies; their order is that of the coordinates.
    pub bodies: Vec<Body>,
    /// Pins; their order is that of the constraints, two rows a pin.
    pub pins: Vec<Pin>,
    /// Springs with dampers.
    pub springs: Vec<SpringDamper>,
}

impl PlanarModel {
    /// An empty model under this gravity (m/s², world axes).
    #[must_use]
    pub fn new(gravity: [f64; 2]) -> Self {
        Self { gravity, ..Self::default() }
    }

    /// Adds a body.
    #[must_use]
    pub fn with_body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a pin.
    #[must_use]
    pub fn with_pin(mut self, pin: Pin) -> Self {
        self.pins.push(pin);
        self
    }

    /// Adds a spring with damper.
    #[must_use]
    pub fn with_spring(mut self, spring: SpringDamper) -> Self {
        self.springs.push(spring);
        self
    }

    /// Checks every rule stated on the fields and builds the equations of motion.
    ///
    /// Whether the initial state satisfies the pins is asked by [`PlanarSystem::initial_violations`].
    ///
    /// # Errors
    /// The first rule broken, naming the offender.
    pub fn build(self) -> Result<PlanarSystem, PlanarError> {
        if self.bodies.is_empty() {
            return Err(PlanarError::NoBodies);
        }
        check_finite("the model", "gravity", &self.gravity)?;
        self.bodies.iter().try_for_each(check_body)?;
        let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        check_unique("bodies", &names)?;
        check_unique("pins", &self.pins.iter().map(|pin| pin.name.as_str()).collect::<Vec<_>>())?;

        let mut pins = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            let [first, second] = attach_pair(&format!("pin `{}`", pin.name), &pin.between, &names)?;
            pins.push(PinPair { name: pin.name.clone(), first, second });
        }
        let mut springs = Vec::with_capacity(self.springs.len());
        for (index, spring) in self.springs.iter().enumerate() {
            springs.push(build_spring(&format!("spring {index}"), spring, &names)?);
        }
        Ok(PlanarSystem::assemble(self.gravity, self.bodies, pins, springs))
    }
}

/// A rule that a number obeys, and its text.
type Rule = (fn(f64) -> bool, &'static str);

const FINITE: Rule = (f64::is_finite, "finite");
const POSITIVE: Rule = (|x| x > 0.0 && x.is_finite(), "positive and finite");
const NOT_NEGATIVE: Rule = (|x| x >= 0.0 && x.is_finite(), "finite and not negative");

/// Unit vector along `vector`, a `quantity` of `owner`.
pub(super) fn unit(
    owner: &str,
    quantity: &'static str,
    vector: [f64; 2],
) -> Result<Vector2<f64>, PlanarError> {
    check_finite(owner, quantity, &vector)?;
    // Scaled by the largest entry first: the length of a tiny or huge vector would underflow or overflow.
    let largest = vector[0].abs().max(vector[1].abs());
    if largest == 0.0 {
        return Err(PlanarError::NoDirection { owner: owner.to_owned(), quantity });
    }
    Ok((Vector2::from(vector) / largest).normalize())
}

/// The first name that appears twice is an error.
pub(super) fn check_unique(kind: &'static str, names: &[&str]) -> Result<(), PlanarError> {
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(PlanarError::DuplicateName { kind, name: pair[0].to_owned() }),
        None => Ok(()),
    }
}

/// Every number of `values`, a `quantity` of `owner`, must be finite.
pub(super) fn check_finite(owner: &str, quantity: &'static str, values: &[f64]) -> Result<(), PlanarError> {
    check_all(owner, quantity, values, FINITE)
}

/// Finds the body of `point`; `names` are those of the bodies.
pub(super) fn attach(owner: &str, point: &Point, names: &[&str]) -> Result<Attachment, PlanarError> {
    check_finite(owner, "the point", &point.position)?;
    let column = match &point.owner {
        Owner::Ground => None,
        Owner::Body(body) => {
            let index = names.iter().position(|name| name == body);
            Some(
                3 * index.ok_or_else(|| PlanarError::UnknownBody {
                    owner: owner.to_owned(),
                    body: body.clone(),
                    known: names.join(", "),
                })?,
            )
        }
    };
    Ok(Attachment { column, point: Vector2::from(point.position) })
}

fn attach_pair(owner: &str, points: &[Point; 2], names: &[&str]) -> Result<[Attachment; 2], PlanarError> {
    let pair = [attach(owner, &points[0], names)?, attach(owner, &points[1], names)?];
    if pair[0].column == pair[1].column {
        return Err(PlanarError::SameOwner { owner: owner.to_owned() });
    }
    Ok(pair)
}

fn build_spring(owner: &str, spring: &SpringDamper, names: &[&str]) -> Result<Spring, PlanarError> {
    let ends = attach_pair(owner, &spring.between, names)?;
    check_all(owner, "stiffness", &[spring.stiffness], NOT_NEGATIVE)?;
    check_all(owner, "damping", &[spring.damping], NOT_NEGATIVE)?;
    check_all(owner, "length", &[spring.length], NOT_NEGATIVE)?;
    let SpringDamper { stiffness, damping, length, .. } = *spring;
    Ok(Spring { ends, stiffness, damping, length })
}

fn check_body(body: &Body) -> Result<(), PlanarError> {
    if body.name == GROUND {
        return Err(PlanarError::ReservedName { name: body.name.clone() });
    }
    let owner = format!("body `{}`", body.name);
    check_all(&owner, "mass", &[body.mass], POSITIVE)?;
    check_all(&owner, "inertia", &[body.inertia], POSITIVE)?;
    check_finite(&owner, "position", &body.position)?;
    check_finite(&owner, "angle", &[body.angle])?;
    check_finite(&owner, "velocity", &body.velocity)?;
    check_finite(&owner, "angular velocity", &[body.angular_velocity])
}

fn check_all(
    owner: &str,
    quantity: &'static str,
    values: &[f64],
    (holds, rule): Rule,
) -> Result<(), PlanarError> {
    match values.iter().find(|x| !holds(**x)) {
        Some(&found) => Err(PlanarError::OutOfRange { owner: owner.to_owned(), quantity, found, rule }),
        None => Ok(()),
    }
}
