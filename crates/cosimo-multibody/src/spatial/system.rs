//! Bodies, joints and elements in space, their bodies found.

use cosimo_dynamics::{CoordinateBlock, Coordinates, Structure};
use cosimo_scene::{Appearance, Pose};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::appearance::add_seen_point;
use super::contact::{NamedContact, PlacedPool};
use super::element::PlacedElement;
use super::gear::PlacedGear;
use super::placed_joint::PlacedJoint;
use super::sensor::PlacedSensor;
use super::{Body, BodyState};

/// Rigid bodies in space with joints and forces:
///
/// ```text
///   m ẍ = m g + f_x − Φ_xᵀ μ          J ω̇ + ω × J ω = f_θ − Φ_θᵀ μ          φ(t, q) = 0
/// ```
///
/// for every body, with the centre of mass `x` in world axes and the angular velocity `ω` in body axes. Built by
/// [`SpatialModel::build`](super::SpatialModel::build). The potential energy of gravity is zero at the world's origin.
///
/// Reference: E. J. Haug, *Computer Aided RowMap and Dynamics of Mechanical Systems*, Allyn and Bacon 1989, ch. 11.
#[derive(Debug)]
pub struct SpatialSystem {
    pub(super) bodies: Vec<Body>,
    /// Gravity on each body (m/s²).
    pub(super) gravity: Vec<Vector3<f64>>,
    pub(super) joints: Vec<PlacedJoint>,
    /// The forces first.
    pub(super) elements: Vec<PlacedElement>,
    /// How many of the elements are forces.
    forces: usize,
    pub(super) sensors: Vec<PlacedSensor>,
    pub(super) gears: Vec<PlacedGear>,
    pub(super) contacts: Vec<NamedContact>,
    pub(super) pools: Vec<PlacedPool>,
    pub(super) structure: Structure,
    appearance: Appearance,
}

/// Positions of all bodies at the start.
pub(crate) fn initial_position(bodies: &[Body]) -> Vec<f64> {
    let numbers = |body: &Body| {
        let (x, q) = (body.position + body.orientation * body.centre_of_mass, body.orientation);
        [x.x, x.y, x.z, q.w, q.i, q.j, q.k]
    };
    bodies.iter().flat_map(numbers).collect()
}

/// The coordinates of so many bodies and the states of these elements, which are placed behind them.
fn coordinates(bodies: usize, elements: &mut [PlacedElement]) -> Coordinates {
    let mut kinds = vec![CoordinateBlock::Rigid; bodies];
    let mut first = 6 * bodies;
    for element in elements {
        let states = element.initial_states.len();
        if states > 0 {
            element.states = (first, kinds.len());
            kinds.push(CoordinateBlock::Flat(states));
            first += states;
        } else {
            element.states = (first, usize::MAX);
        }
    }
    Coordinates::new(kinds)
}

impl SpatialSystem {
    pub(crate) fn assemble(
        gravity: Vector3<f64>,
        bodies: Vec<Body>,
        mut joints: Vec<PlacedJoint>,
        (mut elements, forces): (Vec<PlacedElement>, usize),
    ) -> Self {
        let mut structure = Structure::new(coordinates(bodies.len(), &mut elements));
        for joint in &mut joints {
            joint.first = structure.rows();
            let touched = joint.bodies.iter().flatten().copied().collect();
            structure = structure.with_constraint(joint.rows.len(), touched);
        }
        for (a, b) in elements.iter().flat_map(PlacedElement::couplings) {
            structure = structure.with_coupling(a, b);
        }
        let gravity = bodies.iter().map(|body| gravity + body.properties.gravity()).collect();
        Self {
            bodies,
            gravity,
            joints,
            elements,
            forces,
            sensors: Vec::new(),
            gears: Vec::new(),
            contacts: Vec::new(),
            pools: Vec::new(),
            structure,
            appearance: Appearance::default(),
        }
    }

    pub(super) fn with_sensors(self, sensors: Vec<PlacedSensor>) -> Self {
        Self { sensors, ..self }
    }

    /// With gears between what the sensors measure, each a constraint behind those of the joints.
    pub(super) fn with_gears(mut self, mut gears: Vec<PlacedGear>) -> Self {
        for gear in &mut gears {
            gear.row = self.structure.rows();
            self.structure = self.structure.with_constraint(1, gear.bodies().collect());
        }
        Self { gears, ..self }
    }

    pub(super) fn with_contacts(self, contacts: Vec<NamedContact>) -> Self {
        Self { contacts, ..self }
    }

    pub(super) fn with_pools(self, pools: Vec<PlacedPool>) -> Self {
        Self { pools, ..self }
    }

    pub(super) fn with_appearance(self, appearance: Appearance) -> Self {
        Self { appearance, ..self }
    }

    /// The same with sticks to these points of bodies (m, in the body's frame), where bodies have no shapes that were given: something is
    /// joined to them from outside.
    #[must_use]
    pub fn with_seen_points<'a>(mut self, points: impl Iterator<Item = (&'a str, &'a Vector3<f64>)>) -> Self {
        for (name, point) in points {
            let Some(number) = self.bodies.iter().position(|body| body.name == name) else { continue };
            add_seen_point(&mut self.appearance, (number, &self.bodies[number]), point);
        }
        self
    }

    /// What it looks like: a body for every body of the system, in its order, then one for what stands still, if there is any.
    #[must_use]
    pub fn appearance(&self) -> &Appearance {
        &self.appearance
    }

    /// Appends the poses of the bodies of the [`appearance`](Self::appearance).
    pub fn add_poses(&self, q: &[f64], out: &mut Vec<Pose>) {
        for body in q.chunks_exact(7).take(self.bodies.len()) {
            let orientation = Quaternion::new(body[3], body[4], body[5], body[6]);
            out.push(Pose {
                position: Vector3::new(body[0], body[1], body[2]),
                orientation: UnitQuaternion::new_normalize(orientation),
            });
        }
        out.resize(self.appearance.bodies.len(), Pose::default());
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Names of the joints, in the order of the constraint blocks.
    pub fn joint_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.joints.iter().map(|joint| joint.name.as_str())
    }

    /// Names of the forces.
    pub fn force_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.elements[..self.forces].iter().map(|force| force.name.as_str())
    }

    /// Rows of a joint among the constraints and multipliers; `None` if there is none of this name.
    #[must_use]
    pub fn joint_rows(&self, name: &str) -> Option<std::ops::Range<usize>> {
        let joint = self.joints.iter().find(|joint| joint.name == name)?;
        Some(joint.first..joint.first + joint.rows.len())
    }

    /// Positions at the start: centre of mass (m) and quaternion `w, x, y, z` of every body; behind them the integrals of the
    /// elements' states.
    #[must_use]
    pub fn initial_position(&self) -> Vec<f64> {
        let mut q = initial_position(&self.bodies);
        q.resize(self.structure.coordinates().positions(), 0.0);
        q
    }

    /// Velocities at the start: of the centre of mass in world axes (m/s) and angular velocity in body axes (rad/s); behind
    /// them the states of elements.
    #[must_use]
    pub fn initial_velocity(&self) -> Vec<f64> {
        let numbers = |body: &Body| {
            let of_centre = body.angular_velocity.cross(&body.centre_of_mass);
            let v = body.velocity + body.orientation * of_centre;
            let w = body.angular_velocity;
            [v.x, v.y, v.z, w.x, w.y, w.z]
        };
        let states = self.elements.iter().flat_map(|element| element.initial_states.iter().copied());
        self.bodies.iter().flat_map(numbers).chain(states).collect()
    }

    /// Where the body of this number is and how it moves, by its centre of mass; `None` if there is none.
    #[must_use]
    pub fn body_state(&self, body: usize, q: &[f64], v: &[f64]) -> Option<BodyState> {
        let (q, v) = (q.get(7 * body..7 * body + 7)?, v.get(6 * body..6 * body + 6)?);
        Some(BodyState {
            position: Vector3::new(q[0], q[1], q[2]),
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(q[3], q[4], q[5], q[6])),
            velocity: Vector3::new(v[0], v[1], v[2]),
            angular_velocity: Vector3::new(v[3], v[4], v[5]),
        })
    }

    /// Potential energy of each force at positions `q` (J), in the order of [`force_names`](Self::force_names).
    pub fn force_potentials(&self, q: &[f64]) -> impl ExactSizeIterator<Item = f64> {
        self.elements[..self.forces].iter().map(|force| force.element.potential(&force.nodes(q, &[])))
    }
}
