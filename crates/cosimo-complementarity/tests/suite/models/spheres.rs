//! Spheres poured into a box without a lid, and stopped in their fall, as friction problems of one step.

use std::collections::BTreeMap;

use cosimo_complementarity::friction::{
    BodyDelassus, ContactArm, FrictionProblem, GaussSeidel, GaussSeidelConfig,
};
use nalgebra::{Matrix6, SMatrix, Vector3, Vector6};

/// Radius (m), density (kg/m³), gravity (m/s²).
const RADIUS: f64 = 0.05;
const DENSITY: f64 = 2500.0;
const GRAVITY: f64 = 9.81;
/// Step (s).
pub(crate) const STEP: f64 = 1e-3;
/// Gaps (m) up to which a pair is a contact.
const MARGIN: f64 = 0.02 * RADIUS;
/// Share of a penetration that is taken back in a step.
const PUSH: f64 = 0.1;

/// A sphere, and another, or a wall beyond the number of spheres.
type Pair = (usize, usize);

struct Meeting {
    pair: Pair,
    gap: f64,
    /// Into the first.
    normal: Vector3<f64>,
}

/// The friction problem of a step.
pub(crate) struct Step {
    pub(crate) delassus: BodyDelassus<3, 6>,
    pub(crate) offset: Vec<f64>,
    pub(crate) friction: Vec<f64>,
}

impl Step {
    pub(crate) fn problem(&self) -> FrictionProblem<'_, 3> {
        FrictionProblem::new(&self.delassus, &self.offset, &self.friction).unwrap()
    }
}

/// The spheres.
pub(crate) struct Spheres {
    side: f64,
    friction: f64,
    centres: Vec<Vector3<f64>>,
    velocities: Vec<Vector6<f64>>,
    inverse_mass: Matrix6<f64>,
    impulses: BTreeMap<Pair, Vector3<f64>>,
    /// Sweeps alone: what is poured does not depend on the automatic choice.
    solver: GaussSeidel,
}

impl Spheres {
    /// At rest in six loose layers above the floor, a little off a lattice, otherwise for every seed.
    pub(crate) fn new(count: usize, friction: f64, seed: u64) -> Self {
        let pitch = 2.2 * RADIUS;
        let row = (count as f64 / 6.0).sqrt().ceil() as usize;
        let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut along = |i: usize| (i as f64 + 0.5) * pitch + 0.08 * RADIUS * random();
        let centre = |k: usize| Vector3::new(along(k % row), along(k / row % row), along(k / row / row));
        let (linear, angular) = (1.0 / mass, 1.0 / (0.4 * mass * RADIUS * RADIUS));
        Self {
            side: pitch * row as f64,
            friction,
            centres: (0..count).map(centre).collect(),
            velocities: vec![Vector6::zeros(); count],
            inverse_mass: Matrix6::from_diagonal(&[linear, linear, linear, angular, angular, angular].into()),
            impulses: BTreeMap::new(),
            solver: GaussSeidel::new(GaussSeidelConfig { tolerance: 1e-4, ..Default::default() }).unwrap(),
        }
    }

    /// The problem of spheres that nothing moves but their weight, gaps up to this share of the margin closed.
    pub(crate) fn stopped(&self, gaps: f64) -> Step {
        let mut meetings = self.meetings();
        meetings.retain(|meeting| meeting.gap <= gaps * MARGIN);
        self.problem(&meetings, &|_| fall(), &|_| 0.0)
    }

    /// Moves on by a step of Moreau's and Jean's rule, which closes gaps and takes back a tenth of what is penetrated.
    pub(crate) fn step(&mut self) {
        let meetings = self.meetings();
        let approach = |gap: f64| if gap > 0.0 { gap / STEP } else { PUSH * gap / STEP };
        let step = self.problem(&meetings, &|body| self.velocities[body] + fall(), &approach);
        let guess = |meeting: &Meeting| self.impulses.get(&meeting.pair).copied().unwrap_or_default();
        let mut r: Vec<f64> = meetings.iter().flat_map(|meeting| guess(meeting).data.0[0]).collect();
        if !meetings.is_empty() {
            let _ = self.solver.solve(&step.problem(), &mut r).unwrap();
        }
        self.velocities.iter_mut().for_each(|velocity| *velocity += fall());
        self.impulses.clear();
        for (meeting, r) in meetings.iter().zip(r.chunks_exact(3)) {
            let impulse = Vector3::from_column_slice(r);
            for arm in self.arms(meeting) {
                self.velocities[arm.body] += self.inverse_mass * (arm.rows.transpose() * impulse);
            }
            self.impulses.insert(meeting.pair, impulse);
        }
        for (centre, velocity) in self.centres.iter_mut().zip(&self.velocities) {
            *centre += STEP * velocity.fixed_rows::<3>(0);
        }
    }

    /// By the velocities of the spheres, and what a gap adds to that along the normal.
    fn problem(
        &self,
        meetings: &[Meeting],
        velocity: &dyn Fn(usize) -> Vector6<f64>,
        approach: &dyn Fn(f64) -> f64,
    ) -> Step {
        let arms: Vec<_> = meetings.iter().map(|meeting| self.arms(meeting)).collect();
        let mut offset = Vec::new();
        for (meeting, arms) in meetings.iter().zip(&arms) {
            let free: Vector3<f64> = arms.iter().map(|arm| arm.rows * velocity(arm.body)).sum();
            offset.extend_from_slice(&[free[0] + approach(meeting.gap), free[1], free[2]]);
        }
        let delassus = BodyDelassus::new(&vec![self.inverse_mass; self.centres.len()], arms).unwrap();
        Step { delassus, offset, friction: vec![self.friction; meetings.len()] }
    }

    fn arms(&self, meeting: &Meeting) -> Vec<ContactArm<3, 6>> {
        let mut arms = vec![arm(meeting.pair.0, 1.0, &meeting.normal)];
        if meeting.pair.1 < self.centres.len() {
            arms.push(arm(meeting.pair.1, -1.0, &meeting.normal));
        }
        arms
    }

    /// All contacts, in a fixed order, by a lattice of cells as wide as contacts reach.
    fn meetings(&self) -> Vec<Meeting> {
        let reach = 2.0 * RADIUS + MARGIN;
        let cell = |centre: &Vector3<f64>| centre.map(|x| (x / reach).floor() as i64);
        let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for (i, centre) in self.centres.iter().enumerate() {
            cells.entry(cell(centre).into()).or_default().push(i);
        }
        let mut found = Vec::new();
        for (i, centre) in self.centres.iter().enumerate() {
            self.meet_walls(i, &mut found);
            let own = cell(centre);
            let around = (0..27).map(|k| own + Vector3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
            let mut near: Vec<usize> =
                around.flat_map(|k| cells.get::<[i64; 3]>(&k.into())).flatten().copied().collect();
            near.retain(|j| *j > i);
            near.sort_unstable();
            for j in near {
                let between = centre - self.centres[j];
                let gap = between.norm() - 2.0 * RADIUS;
                if gap < MARGIN {
                    found.push(Meeting { pair: (i, j), gap, normal: between.normalize() });
                }
            }
        }
        found
    }

    fn meet_walls(&self, i: usize, found: &mut Vec<Meeting>) {
        let c = &self.centres[i];
        let walls = [
            (c.z, Vector3::z()),
            (c.x, Vector3::x()),
            (self.side - c.x, -Vector3::x()),
            (c.y, Vector3::y()),
            (self.side - c.y, -Vector3::y()),
        ];
        for (wall, (distance, normal)) in walls.into_iter().enumerate() {
            let gap = distance - RADIUS;
            if gap < MARGIN {
                found.push(Meeting { pair: (i, self.centres.len() + wall), gap, normal });
            }
        }
    }
}

/// What gravity gives a sphere in a step.
fn fall() -> Vector6<f64> {
    Vector6::new(0.0, 0.0, -STEP * GRAVITY, 0.0, 0.0, 0.0)
}

/// Rows of a sphere on whose side of the contact the normal points.
fn arm(body: usize, sign: f64, normal: &Vector3<f64>) -> ContactArm<3, 6> {
    let across = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&across).normalize();
    let (arm, mut rows) = (-sign * RADIUS * normal, SMatrix::<f64, 3, 6>::zeros());
    for (k, direction) in [*normal, first, normal.cross(&first)].iter().enumerate() {
        rows.fixed_view_mut::<1, 3>(k, 0).copy_from(&(direction * sign).transpose());
        rows.fixed_view_mut::<1, 3>(k, 3).copy_from(&(arm.cross(direction) * sign).transpose());
    }
    ContactArm { body, rows }
}
