//! What a random model consists of: lumps one above the other, in subsystems, with springs, contacts and joints.

use super::super::matrix::axes::Kind;

/// A mass.
#[derive(Debug, Clone, Copy)]
pub struct Lump {
    /// Mass (kg).
    pub mass: f64,
    /// Radius (m), of bodies and nodes.
    pub radius: f64,
    /// Height (m).
    pub height: f64,
    /// Velocity upwards, and to the right (m/s).
    pub velocity: [f64; 2],
    /// Turn in the plane of both, of bodies (rad/s).
    pub spin: f64,
}

impl Lump {
    /// Moment of inertia of a body (kg m²).
    #[must_use]
    pub fn inertia(&self) -> f64 {
        0.4 * self.mass * self.radius * self.radius
    }
}

/// A spring below a lump.
#[derive(Debug, Clone, Copy)]
pub struct Spring {
    /// The lump.
    pub lump: usize,
    /// Whether it stands on the ground, not on the lump below.
    pub is_grounded: bool,
    /// Stiffness (N/m).
    pub stiffness: f64,
    /// Damping (N s/m).
    pub damping: f64,
    /// Stretch at the start (m).
    pub stretch: f64,
    /// Its distance from the centres (m), of bodies.
    pub arm: f64,
}

/// What a lump may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Obstacle {
    /// A plane with this normal, `[right, up]`.
    Plane([f64; 2]),
    /// The lump below.
    Below,
}

/// A contact.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// The lump.
    pub lump: usize,
    /// What it may touch.
    pub obstacle: Obstacle,
    /// Gap at the start (m).
    pub gap: f64,
    /// Restitution (–).
    pub restitution: f64,
    /// Coefficient of friction (–).
    pub friction: f64,
    /// Whether restitution acts on the slip too.
    pub is_of_moreau: bool,
}

/// A subsystem.
#[derive(Debug, Clone)]
pub struct Side {
    /// Its kind.
    pub kind: Kind,
    /// The value of the key `solver`, where there is one.
    pub solver: Option<String>,
    /// Whether contacts belong to an integrator of its own.
    pub is_nonsmooth: bool,
    /// Masses, from below.
    pub lumps: Vec<Lump>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Contacts.
    pub contacts: Vec<Contact>,
}

impl Side {
    /// Whether its lumps turn.
    #[must_use]
    pub fn turns(&self) -> bool {
        matches!(self.kind, Kind::Planar | Kind::Multibody | Kind::RigidBody)
    }
}

/// How two subsystems are joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// No gap.
    Rigid,
    /// Gap by force, with this constant (m/N).
    Tikhonov(f64),
    /// Spring (N/m) and damper (N s/m).
    Compliant(f64, f64),
}

/// A joint of the lowest lump of a subsystem with the highest one of the subsystem before.
#[derive(Debug, Clone, Copy)]
pub struct Joint {
    /// Its law.
    pub law: Law,
    /// Whether it joins points, not heights.
    pub is_of_points: bool,
    /// Distances of the points from the centres (m): of the lower and the upper lump.
    pub arms: [f64; 2],
}

/// A model.
#[derive(Debug, Clone)]
pub struct ParsedModel {
    /// Step (s), and how many.
    pub step: f64,
    /// How many steps.
    pub steps: u32,
    /// Downwards (m/s²).
    pub gravity: f64,
    /// Keys of `[master]`.
    pub master: String,
    /// Subsystems, from below.
    pub sides: Vec<Side>,
    /// Joint of every subsystem but the first to the one before; none where they are apart.
    pub joints: Vec<Option<Joint>>,
}
