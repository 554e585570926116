//! The data of a planar system.

use cosimo_scene::Shape;

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
    /// What it looks like, from the centre of mass in body axes, `z` across the plane.
    pub shapes: Vec<Shape>,
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
            shapes: Vec::new(),
        }
    }

    /// Starts it with its centre of mass at `position` (m, world axes) and turned by `angle` (rad).
    #[must_use]
    pub fn with_pose(mut self, position: [f64; 2], angle: f64) -> Self {
        (self.position, self.angle) = (position, angle);
        self
    }

    /// Adds a shape that is seen only.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Starts it with this velocity of the centre of mass (m/s, world axes) and angular velocity (rad/s).
    #[must_use]
    pub fn with_velocity(mut self, velocity: [f64; 2], angular_velocity: f64) -> Self {
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

/// The data of a [`PlanarSystem`](super::PlanarSystem).
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
}
