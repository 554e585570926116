//! Spheres in a box without a lid, by Moreau and Jean's rule.
#![allow(dead_code, reason = "the example and the test use what they need")]
//!
//! ```text
//!   M (v₁ − v₀) = h f + Hᵀ r        x₁ = x₀ + h v₁        K* ∋ ũ ⟂ r ∈ K,  u = H v₁ + γ N
//! ```
//!
//! with `γ = y/h` of an open contact, so that a gap is closed and not crossed, and a tenth of that of a penetrated one.

use std::collections::BTreeMap;

use cosimo_complementarity::friction::{
    BodyDelassus, ContactArm, FrictionError, FrictionOutcome, FrictionProblem, FrictionSolver,
};
use nalgebra::{Matrix3x6, Matrix6, Vector3, Vector6};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::details::contact_ball_ball;
use parry3d_f64::shape::Ball;

/// Radius (m), density (kg/m³), gravity (m/s²).
pub(crate) const RADIUS: f64 = 0.05;
const DENSITY: f64 = 2500.0;
const GRAVITY: f64 = 9.81;
/// Coefficient of friction, and residual of the contact problem.
const FRICTION: f64 = 0.3;
const TOLERANCE: f64 = 1e-4;
/// Gaps (m) up to which a pair is a contact.
const MARGIN: f64 = 0.02 * RADIUS;
/// Share of a penetration that is taken back in a step.
const PUSH: f64 = 0.1;

/// Which bodies meet: a sphere, and another, or a wall beyond the number of spheres.
type Pair = (usize, usize);

/// A contact that may be closed in this step.
struct Meeting {
    pair: Pair,
    gap: f64,
    /// Out of the partner, into the sphere.
    normal: Vector3<f64>,
}

/// The spheres.
pub(crate) struct Pile {
    /// Side of the square floor (m).
    pub(crate) side: f64,
    pub(crate) centres: Vec<Vector3<f64>>,
    /// Velocity and angular velocity.
    pub(crate) velocities: Vec<Vector6<f64>>,
    inverse_mass: Matrix6<f64>,
    /// Impulses of the last step, normal first.
    impulses: BTreeMap<Pair, Vector3<f64>>,
    /// What taking penetrations back has put in, in the last step (J).
    pub(crate) lifting: f64,
    solver: FrictionSolver,
}

impl Pile {
    /// Spheres in loose layers above the floor of a box, no two at rest in a row.
    pub(crate) fn above_the_floor(count: usize, side: f64) -> Result<Self, FrictionError> {
        let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
        let inertia = 0.4 * mass * RADIUS * RADIUS;
        let pitch = 2.2 * RADIUS;
        let row = (side / pitch).floor().max(1.0) as usize;
        let centre = |k: usize| {
            // Off the lattice by a little, alike in every run.
            let jitter = |n: usize| 0.08 * RADIUS * (((k * 7919 + n * 104_729) as f64) * 0.618).fract();
            let (i, j, layer) = (k % row, k / row % row, k / row / row);
            let along = |i: usize, n: usize| (i as f64 + 0.5) * pitch + jitter(n);
            Vector3::new(along(i, 1), along(j, 2), along(layer, 3))
        };
        let (linear, angular) = (1.0 / mass, 1.0 / inertia);
        Ok(Self {
            side,
            centres: (0..count).map(centre).collect(),
            velocities: vec![Vector6::zeros(); count],
            inverse_mass: Matrix6::from_diagonal(&[linear, linear, linear, angular, angular, angular].into()),
            impulses: BTreeMap::new(),
            lifting: 0.0,
            solver: FrictionSolver::new(TOLERANCE)?,
        })
    }

    /// Weight of all spheres (N).
    pub(crate) fn weight(&self) -> f64 {
        self.centres.len() as f64 * GRAVITY / self.inverse_mass[(0, 0)]
    }

    /// What the floor and the walls gave the spheres in the last step, upwards (N s).
    pub(crate) fn support(&self) -> f64 {
        let count = self.centres.len();
        let upwards = |(pair, impulse): (&Pair, &Vector3<f64>)| {
            let walls = self.walls(pair.0);
            let (_, normal) = walls.get(pair.1.checked_sub(count)?)?;
            Some(directions(normal).iter().zip(impulse.iter()).map(|(d, p)| d.z * p).sum::<f64>())
        };
        self.impulses.iter().filter_map(upwards).sum()
    }

    /// Kinetic and potential energy (J).
    pub(crate) fn energy(&self) -> f64 {
        let of_sphere = |(centre, velocity): (&Vector3<f64>, &Vector6<f64>)| {
            let (linear, angular) = (1.0 / self.inverse_mass[(0, 0)], 1.0 / self.inverse_mass[(3, 3)]);
            let kinetic = linear * velocity.fixed_rows::<3>(0).norm_squared()
                + angular * velocity.fixed_rows::<3>(3).norm_squared();
            0.5 * kinetic + linear * GRAVITY * centre.z
        };
        self.centres.iter().zip(&self.velocities).map(of_sphere).sum()
    }

    /// The deepest that two bodies stand in one another (m).
    pub(crate) fn penetration(&self) -> f64 {
        self.meetings().iter().fold(0.0, |most, meeting| most.max(-meeting.gap))
    }

    /// Takes a step of size `h` (s); returns the number of contacts, and how their problem was solved.
    pub(crate) fn step(&mut self, h: f64) -> Result<(usize, Option<FrictionOutcome>), FrictionError> {
        for velocity in &mut self.velocities {
            velocity[2] -= h * GRAVITY;
        }
        let meetings = self.meetings();
        self.lifting = 0.0;
        let outcome = if meetings.is_empty() { None } else { Some(self.collide(&meetings, h)?) };
        for (centre, velocity) in self.centres.iter_mut().zip(&self.velocities) {
            *centre += h * velocity.fixed_rows::<3>(0);
        }
        Ok((meetings.len(), outcome))
    }

    /// Solves for the impulses, and gives them to the spheres.
    fn collide(&mut self, meetings: &[Meeting], h: f64) -> Result<FrictionOutcome, FrictionError> {
        let arms: Vec<Vec<ContactArm<3, 6>>> = meetings.iter().map(|meeting| self.arms(meeting)).collect();
        let (mut offset, mut r) = (Vec::new(), Vec::new());
        for (meeting, arms) in meetings.iter().zip(&arms) {
            let free: Vector3<f64> = arms.iter().map(|arm| arm.rows * self.velocities[arm.body]).sum();
            let share = if meeting.gap > 0.0 { 1.0 } else { PUSH };
            offset.extend_from_slice(&[free[0] + share * meeting.gap / h, free[1], free[2]]);
            let guess = self.impulses.get(&meeting.pair).copied().unwrap_or_default();
            r.extend_from_slice(guess.as_slice());
        }
        let masses = vec![self.inverse_mass; self.centres.len()];
        let delassus = BodyDelassus::new(&masses, arms.iter().cloned())?;
        let friction = vec![FRICTION; meetings.len()];
        let outcome = self.solver.solve(&FrictionProblem::new(&delassus, &offset, &friction)?, &mut r)?;
        self.impulses.clear();
        for ((meeting, arms), r) in meetings.iter().zip(&arms).zip(r.chunks_exact(3)) {
            let impulse = Vector3::from_column_slice(r);
            for arm in arms {
                self.velocities[arm.body] += self.inverse_mass * (arm.rows.transpose() * impulse);
            }
            self.lifting += impulse[0] * PUSH * (-meeting.gap).max(0.0) / h;
            self.impulses.insert(meeting.pair, impulse);
        }
        Ok(outcome)
    }

    /// The rows of `H`: velocity of the sphere over its partner at the contact, along the normal and two tangents.
    fn arms(&self, meeting: &Meeting) -> Vec<ContactArm<3, 6>> {
        let (n, directions) = (meeting.normal, directions(&meeting.normal));
        let rows = |sign: f64| {
            // From the centre to the contact: against the normal for the sphere, along it for its partner.
            let arm = -sign * RADIUS * n;
            Matrix3x6::from_fn(|k, column| {
                let turning = arm.cross(&directions[k]);
                sign * if column < 3 { directions[k][column] } else { turning[column - 3] }
            })
        };
        let (sphere, partner) = meeting.pair;
        let mut arms = vec![ContactArm { body: sphere, rows: rows(1.0) }];
        if partner < self.centres.len() {
            arms.push(ContactArm { body: partner, rows: rows(-1.0) });
        }
        arms
    }

    /// All contacts, in a fixed order.
    fn meetings(&self) -> Vec<Meeting> {
        let count = self.centres.len();
        let reach = Vector::splat(RADIUS + 0.5 * MARGIN);
        let centre = |i: usize| Vector::new(self.centres[i].x, self.centres[i].y, self.centres[i].z);
        let boxes: Vec<Aabb> = (0..count).map(|i| Aabb::new(centre(i) - reach, centre(i) + reach)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let (ball, mut found) = (Ball::new(RADIUS), Vec::new());
        for i in 0..count {
            self.meet_walls(i, &mut found);
            let mut partners: Vec<usize> = tree.intersect_aabb(&boxes[i]).map(|j| j as usize).collect();
            partners.retain(|j| *j > i);
            partners.sort_unstable();
            for j in partners {
                let pose = Pose::from_translation(centre(j) - centre(i));
                if let Some(contact) = contact_ball_ball(&pose, &ball, &ball, MARGIN) {
                    let normal = -Vector3::new(contact.normal1.x, contact.normal1.y, contact.normal1.z);
                    found.push(Meeting { pair: (i, j), gap: contact.dist, normal });
                }
            }
        }
        found
    }

    fn meet_walls(&self, i: usize, found: &mut Vec<Meeting>) {
        for (wall, (distance, normal)) in self.walls(i).into_iter().enumerate() {
            let gap = distance - RADIUS;
            if gap < MARGIN {
                found.push(Meeting { pair: (i, self.centres.len() + wall), gap, normal });
            }
        }
    }

    /// Floor and walls: distance from the centre of a sphere, and normal into the box.
    fn walls(&self, i: usize) -> [(f64, Vector3<f64>); 5] {
        let c = &self.centres[i];
        [
            (c.z, Vector3::z()),
            (c.x, Vector3::x()),
            (self.side - c.x, -Vector3::x()),
            (c.y, Vector3::y()),
            (self.side - c.y, -Vector3::y()),
        ]
    }
}

/// A normal and two tangents.
fn directions(normal: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let across = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&across).normalize();
    [*normal, first, normal.cross(&first)]
}
