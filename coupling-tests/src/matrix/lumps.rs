//! Point masses on a vertical line: what a side is, and the motion of two joined sides.
//!
//! ```text
//!   M a + C v + K q = f        q = T x + s: a rigid joint has one coordinate for both of its masses
//!   impact of contact w        Δv = P wᵀ p, wv⁺ = −e wv⁻, P = T (Tᵀ M T)⁻¹ Tᵀ of the rigid joint, else M⁻¹
//! ```
//!
//! With `e = 0` a contact stays closed as long as its load pushes.

use nalgebra::{DMatrix, DVector};

use super::axes::{Combination, Law};
use super::flow::{Flow, Motion};
use super::model::Truth;

/// A point mass.
#[derive(Debug, Clone, Copy)]
pub struct Lump {
    /// Mass (kg).
    pub mass: f64,
    /// Height at the start (m).
    pub position: f64,
    /// Velocity upwards at the start (m/s).
    pub velocity: f64,
}

/// A spring between two masses of a side, or from one to the ground.
#[derive(Debug, Clone, Copy)]
pub struct Spring {
    /// One end.
    pub first: usize,
    /// The other one; `None` for the ground.
    pub second: Option<usize>,
    /// Stiffness (N/m).
    pub stiffness: f64,
    /// Damping (N s/m).
    pub damping: f64,
    /// Height of the first end above the second one, or the ground's zero, at zero force (m).
    pub rest: f64,
}

/// A floor under a mass, or a ceiling over it.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    /// The mass.
    pub lump: usize,
    /// Whether it is a ceiling.
    pub is_ceiling: bool,
    /// Its height (m).
    pub place: f64,
    /// Restitution (–).
    pub restitution: f64,
}

impl Stop {
    /// Upwards for floors.
    #[must_use]
    pub fn normal(&self) -> f64 {
        if self.is_ceiling { -1.0 } else { 1.0 }
    }
}

/// A side of a joint.
#[derive(Debug, Clone)]
pub struct Side {
    /// Masses.
    pub lumps: Vec<Lump>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Stops.
    pub stops: Vec<Stop>,
    /// The mass that is joined.
    pub joined: usize,
}

/// Two sides, and the numbers of their joint.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The sides.
    pub sides: [Side; 2],
    /// Acceleration of gravity, upwards (m/s²).
    pub gravity: f64,
    /// Stiffness of a compliant joint (N/m).
    pub stiffness: f64,
    /// `c` of a Tikhonov joint that the steps do not resolve (m/N).
    pub small: f64,
    /// `c` of a Tikhonov joint that they resolve (m/N).
    pub soft: f64,
}

impl Pair {
    /// Height of the joined mass of the first side above that of the second one (m).
    #[must_use]
    pub fn offset(&self) -> f64 {
        let [a, b] = self.sides.each_ref().map(|side| side.lumps[side.joined].position);
        a - b
    }

    /// Stiffness of a joint that gives way.
    fn joint_stiffness(&self, law: Law) -> Option<f64> {
        match law {
            Law::Rigid | Law::Tikhonov => None,
            Law::SoftTikhonov => Some(1.0 / self.soft),
            Law::Compliant => Some(self.stiffness),
        }
    }

    /// Kinetic energy, and all of it (J), of the heights and velocities of all masses.
    #[must_use]
    pub fn energy(&self, law: Law, values: &[f64]) -> [f64; 2] {
        let lumps: Vec<&Lump> = self.sides.iter().flat_map(|side| &side.lumps).collect();
        let (z, v) = values.split_at(lumps.len());
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (i, lump) in lumps.iter().enumerate() {
            kinetic += 0.5 * lump.mass * v[i] * v[i];
            potential -= lump.mass * self.gravity * z[i];
        }
        let mut base = 0;
        for side in &self.sides {
            for spring in &side.springs {
                let other = spring.second.map_or(0.0, |j| z[base + j]);
                potential += 0.5 * spring.stiffness * (z[base + spring.first] - other - spring.rest).powi(2);
            }
            base += side.lumps.len();
        }
        if let Some(stiffness) = self.joint_stiffness(law) {
            let [a, b] = self.joined();
            potential += 0.5 * stiffness * (z[a] - z[b] - self.offset()).powi(2);
        }
        [kinetic, kinetic + potential]
    }

    /// Indices of the joined masses among all.
    fn joined(&self) -> [usize; 2] {
        [self.sides[0].joined, self.sides[0].lumps.len() + self.sides[1].joined]
    }

    /// The exact motion.
    #[must_use]
    pub fn truth(&self, combination: &Combination, end: f64) -> LumpTruth {
        let joined = Joined { meets: combination.meets(), ..Joined::new(self, combination.law) };
        let start = joined.start(self);
        LumpTruth { motion: Motion::of(joined, start, 0, end, 400) }
    }
}

/// Both sides in one system.
#[derive(Debug)]
pub struct Joined {
    /// Coordinates of all masses by the ones that are free, `q = T x + s`.
    transform: DMatrix<f64>,
    shift: DVector<f64>,
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    force: DVector<f64>,
    /// Of the free coordinates.
    inverse: DMatrix<f64>,
    /// What impulses on the masses do to their velocities.
    impulsive: DMatrix<f64>,
    stops: Vec<Stop>,
    joined: [usize; 2],
    /// Whether the ends of a joint that gives way meet at impacts.
    meets: bool,
    /// Coefficients of a joint that gives way, and its offset.
    spring: Option<(f64, f64)>,
}

impl Joined {
    /// Both sides of a pair.
    pub(super) fn new(pair: &Pair, law: Law) -> Self {
        let masses: Vec<f64> =
            pair.sides.iter().flat_map(|side| side.lumps.iter().map(|lump| lump.mass)).collect();
        let count = masses.len();
        let mut mass = DMatrix::zeros(count, count);
        let mut force = DVector::zeros(count);
        for (i, m) in masses.iter().enumerate() {
            mass[(i, i)] = *m;
            force[i] = m * pair.gravity;
        }
        let (mut stiffness, mut damping) = (DMatrix::zeros(count, count), DMatrix::zeros(count, count));
        let mut stops = Vec::new();
        let mut base = 0;
        for side in &pair.sides {
            for spring in &side.springs {
                let ends = [Some(base + spring.first), spring.second.map(|j| base + j)];
                add_spring(&mut stiffness, ends, spring.stiffness);
                add_spring(&mut damping, ends, spring.damping);
                add_offset(&mut force, ends, spring.stiffness * spring.rest);
            }
            stops.extend(side.stops.iter().map(|stop| Stop { lump: base + stop.lump, ..*stop }));
            base += side.lumps.len();
        }
        let joined = pair.joined();
        let spring = pair.joint_stiffness(law).map(|k| (k, pair.offset()));
        if let Some((k, offset)) = spring {
            add_spring(&mut stiffness, joined.map(Some), k);
            add_offset(&mut force, joined.map(Some), k * offset);
        }
        let rigid = merged(count, joined);
        let inverse_of = |t: &DMatrix<f64>| {
            let small = t.transpose() * &mass * t;
            small.try_inverse().unwrap_or_else(|| DMatrix::zeros(t.ncols(), t.ncols()))
        };
        let passes_rigidly = law != Law::Compliant;
        let impulsive = if passes_rigidly {
            &rigid * inverse_of(&rigid) * rigid.transpose()
        } else {
            inverse_of(&DMatrix::identity(count, count))
        };
        let transform = if spring.is_none() { rigid } else { DMatrix::identity(count, count) };
        let mut shift = DVector::zeros(count);
        if spring.is_none() {
            shift[joined[1]] = -pair.offset();
        }
        let inverse = inverse_of(&transform);
        Self {
            transform,
            shift,
            mass,
            stiffness,
            damping,
            force,
            inverse,
            impulsive,
            stops,
            joined,
            meets: false,
            spring,
        }
    }

    /// Heights, then velocities, of all masses.
    pub(super) fn values(&self, state: &[f64]) -> Vec<f64> {
        let [q, v] = self.full(state);
        q.iter().chain(v.iter()).copied().collect()
    }

    /// Load (N) that holds the first mass.
    pub(super) fn held_load(&self, state: &[f64]) -> f64 {
        self.accelerations(1, state).1[0]
    }

    /// Derivative of the state with a force (N) on the first mass.
    pub(super) fn derivative_with(&self, state: &[f64], force: f64, derivative: &mut [f64]) {
        self.derivative(0, state, derivative);
        let size = self.transform.ncols();
        let row = self.transform.row(0).transpose();
        let change = &self.inverse * row * force;
        for i in 0..size {
            derivative[size + i] += change[i];
        }
    }

    /// The state at the start.
    pub(super) fn start(&self, pair: &Pair) -> Vec<f64> {
        let lumps: Vec<&Lump> = pair.sides.iter().flat_map(|side| &side.lumps).collect();
        let free = (0..lumps.len()).filter(|i| self.spring.is_some() || *i != self.joined[1]);
        let free: Vec<usize> = free.collect();
        let positions = free.iter().map(|i| lumps[*i].position);
        positions.chain(free.iter().map(|i| lumps[*i].velocity)).collect()
    }

    /// Positions and velocities of all masses.
    fn full(&self, state: &[f64]) -> [DVector<f64>; 2] {
        let size = self.transform.ncols();
        let q = &self.transform * DVector::from_column_slice(&state[..size]) + &self.shift;
        [q, &self.transform * DVector::from_column_slice(&state[size..])]
    }

    /// Accelerations of the free coordinates and the loads of the closed contacts.
    fn accelerations(&self, mode: u32, state: &[f64]) -> (DVector<f64>, Vec<f64>) {
        let [q, v] = self.full(state);
        let force = &self.force - &self.stiffness * q - &self.damping * v;
        let free = &self.inverse * (self.transform.transpose() * force);
        let closed: Vec<usize> = (0..self.stops.len()).filter(|i| mode & (1 << i) != 0).collect();
        if closed.is_empty() {
            return (free, Vec::new());
        }
        let rows = DMatrix::from_fn(closed.len(), self.transform.ncols(), |i, j| {
            let stop = &self.stops[closed[i]];
            stop.normal() * self.transform[(stop.lump, j)]
        });
        let matrix = &rows * &self.inverse * rows.transpose();
        let loads = matrix.lu().solve(&-(&rows * &free)).unwrap_or_else(|| DVector::zeros(closed.len()));
        let all = free + &self.inverse * (rows.transpose() * &loads);
        (all, loads.as_slice().to_vec())
    }

    /// Load of the joint, as it pulls the second side (N).
    fn load(&self, mode: u32, state: &[f64]) -> f64 {
        let [q, v] = self.full(state);
        if let Some((k, offset)) = self.spring {
            return k * (q[self.joined[0]] - q[self.joined[1]] - offset);
        }
        let (free, _) = self.accelerations(mode, state);
        let force = &self.force - &self.stiffness * q - &self.damping * v;
        let missing = &self.mass * (&self.transform * free) - force;
        missing[self.joined[1]]
    }
}

/// How far a contact must be closed before it counts, so that one at rest does not (m).
const TOUCH: f64 = 1e-13;
/// Speed below which a mass does not rebound (m/s).
const REST: f64 = 1e-6;

impl Flow for Joined {
    fn derivative(&self, mode: u32, state: &[f64], derivative: &mut [f64]) {
        let size = self.transform.ncols();
        let (accelerations, _) = self.accelerations(mode, state);
        derivative[..size].copy_from_slice(&state[size..]);
        derivative[size..].copy_from_slice(accelerations.as_slice());
    }

    fn events(&self, mode: u32, state: &[f64]) -> Vec<f64> {
        let [q, _] = self.full(state);
        let mut loads = self.accelerations(mode, state).1.into_iter();
        let value = |(i, stop): (usize, &Stop)| {
            if mode & (1 << i) != 0 {
                loads.next().unwrap_or(0.0)
            } else {
                stop.normal() * (q[stop.lump] - stop.place) + TOUCH
            }
        };
        self.stops.iter().enumerate().map(value).collect()
    }

    fn jump(&self, mode: u32, event: usize, state: &mut [f64]) -> u32 {
        let bit = 1 << event;
        if mode & bit != 0 {
            return mode & !bit;
        }
        let stop = self.stops[event];
        let [_, mut v] = self.full(state);
        if self.meets {
            v = &self.impulsive * &self.mass * v;
            state[self.transform.ncols()..].copy_from_slice(v.as_slice());
        }
        let own = self.impulsive[(stop.lump, stop.lump)];
        // Rebounds that have become so small have come to their end.
        let restitution = if v[stop.lump].abs() < REST { 0.0 } else { stop.restitution };
        let impulse = -(1.0 + restitution) * v[stop.lump] / own;
        let size = self.transform.ncols();
        for i in 0..size {
            // Each free coordinate is that of the first mass that moves with it.
            let mass = (0..v.len()).find(|m| self.transform[(*m, i)] != 0.0).unwrap_or(i);
            state[size + i] += self.impulsive[(mass, stop.lump)] * impulse;
        }
        if restitution > 0.0 {
            return mode;
        }
        let closed = mode | bit;
        let (_, loads) = self.accelerations(closed, state);
        if loads.iter().all(|load| *load > 0.0) { closed } else { mode }
    }
}

/// The exact motion of two joined sides.
#[derive(Debug)]
pub struct LumpTruth {
    motion: Motion<Joined>,
}

impl Truth for LumpTruth {
    fn values(&self, t: f64) -> Vec<f64> {
        let (_, state) = self.motion.at(t);
        self.motion.flow.values(&state)
    }

    fn events(&self) -> &[f64] {
        &self.motion.events
    }

    fn load(&self, t: f64) -> Option<f64> {
        let (mode, state) = self.motion.at(t);
        Some(self.motion.flow.load(mode, &state))
    }
}

/// One coordinate less: the second joined mass moves with the first one.
fn merged(count: usize, joined: [usize; 2]) -> DMatrix<f64> {
    let mut transform = DMatrix::zeros(count, count - 1);
    let mut column = 0;
    for i in 0..count {
        if i == joined[1] {
            transform[(i, joined[0])] = 1.0;
        } else {
            transform[(i, column)] = 1.0;
            column += 1;
        }
    }
    transform
}

fn add_spring(matrix: &mut DMatrix<f64>, ends: [Option<usize>; 2], coefficient: f64) {
    for (i, row) in ends.into_iter().enumerate() {
        for (j, column) in ends.into_iter().enumerate() {
            if let (Some(row), Some(column)) = (row, column) {
                matrix[(row, column)] += if i == j { coefficient } else { -coefficient };
            }
        }
    }
}

fn add_offset(force: &mut DVector<f64>, ends: [Option<usize>; 2], value: f64) {
    for (end, sign) in ends.into_iter().zip([1.0, -1.0]) {
        if let Some(end) = end {
            force[end] += sign * value;
        }
    }
}
