//! Systems with known behaviour, for the tests of this crate and of the step rules.
#![allow(dead_code, reason = "the tests of another crate use their own share")]
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use cosimo_dynamics::{Energy, EquationsOfMotion, Kinematics, LinearSystem, StepRule, Stepper};
use nalgebra::DMatrix;

/// A stepper of `system` with these ports and no contacts.
pub(crate) fn stepper(
    system: impl EquationsOfMotion + 'static,
    rule: impl StepRule + 'static,
    ports: impl Kinematics + 'static,
    start: (&[f64], &[f64]),
) -> Stepper {
    let rows = (Box::new(ports), Box::new(cosimo_dynamics::NoRows));
    let start = (0.0, start.0.to_vec(), start.1.to_vec());
    Stepper::new(Box::new(system), Box::new(rule), (rows.0, rows.1), start).unwrap()
}

/// The numbers that [`Stepper::save`] writes, as bits.
pub(crate) fn bits(stepper: &Stepper) -> Vec<u64> {
    let mut saved = Vec::new();
    stepper.save(&mut saved);
    saved.iter().map(|x| x.to_bits()).collect()
}

/// Slope of `log(error)` over `log(h)` by least squares.
pub(crate) fn observed_order(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let (x, y): (Vec<_>, Vec<_>) = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let covariance: f64 = x.iter().zip(&y).map(|(a, b)| (a - mx) * (b - my)).sum();
    covariance / x.iter().map(|a| (a - mx) * (a - mx)).sum::<f64>()
}

/// Chain of `n` equal masses between two walls; `damping` is a multiple of the stiffness matrix.
pub(crate) fn chain(n: usize, (mass, stiffness, damping): (f64, f64, f64)) -> LinearSystem {
    let springs = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 2.0 * stiffness,
        1 => -stiffness,
        _ => 0.0,
    });
    LinearSystem::new(DMatrix::identity(n, n) * mass)
        .unwrap()
        .with_damping(&springs * (damping / stiffness))
        .unwrap()
        .with_stiffness(springs)
        .unwrap()
}

/// Two point masses on rods in angles from the vertical: the mass matrix depends on the configuration.
///
/// ```text
///   (m₁ + m₂) l₁² θ̈₁ + m₂ l₁ l₂ cos(θ₁ − θ₂) θ̈₂ + m₂ l₁ l₂ sin(θ₁ − θ₂) θ̇₂² + (m₁ + m₂) g l₁ sin θ₁ + d θ̇₁ = 0
///   m₂ l₁ l₂ cos(θ₁ − θ₂) θ̈₁ + m₂ l₂² θ̈₂ − m₂ l₁ l₂ sin(θ₁ − θ₂) θ̇₁² + m₂ g l₂ sin θ₂ + d θ̇₂ = 0
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct DoublePendulum {
    pub(crate) masses: [f64; 2],
    pub(crate) lengths: [f64; 2],
    pub(crate) gravity: f64,
    /// `d` (N m s).
    pub(crate) damping: f64,
}

impl Default for DoublePendulum {
    fn default() -> Self {
        Self { masses: [1.0, 0.7], lengths: [1.0, 0.8], gravity: 9.81, damping: 0.0 }
    }
}

impl DoublePendulum {
    fn coupling(&self) -> f64 {
        self.masses[1] * self.lengths[0] * self.lengths[1]
    }
    fn weights(&self) -> [f64; 2] {
        let [m1, m2] = self.masses;
        [(m1 + m2) * self.gravity * self.lengths[0], m2 * self.gravity * self.lengths[1]]
    }
}

impl EquationsOfMotion for DoublePendulum {
    fn coordinates(&self) -> usize {
        2
    }

    fn mass(&self, q: &[f64], out: &mut DMatrix<f64>) {
        let ([m1, m2], [l1, l2]) = (self.masses, self.lengths);
        out[(0, 0)] = (m1 + m2) * l1 * l1;
        out[(1, 1)] = m2 * l2 * l2;
        out[(0, 1)] = self.coupling() * (q[0] - q[1]).cos();
        out[(1, 0)] = out[(0, 1)];
    }

    fn force(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (s, w) = (self.coupling() * (q[0] - q[1]).sin(), self.weights());
        out[0] = -s * v[1] * v[1] - w[0] * q[0].sin() - self.damping * v[0];
        out[1] = s * v[0] * v[0] - w[1] * q[1].sin() - self.damping * v[1];
    }

    fn tangents(
        &self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    ) {
        let (s, c) = ((q[0] - q[1]).sin() * self.coupling(), (q[0] - q[1]).cos() * self.coupling());
        let w = self.weights();
        let first = -s * a[1] + c * v[1] * v[1];
        let second = -s * a[0] - c * v[0] * v[0];
        stiffness[(0, 0)] = first + w[0] * q[0].cos();
        stiffness[(0, 1)] = -first;
        stiffness[(1, 0)] = second;
        stiffness[(1, 1)] = -second + w[1] * q[1].cos();
        damping[(0, 0)] = self.damping;
        damping[(0, 1)] = 2.0 * s * v[1];
        damping[(1, 0)] = -2.0 * s * v[0];
        damping[(1, 1)] = self.damping;
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let ([m1, m2], [l1, l2], w) = (self.masses, self.lengths, self.weights());
        let own = (m1 + m2) * l1 * l1 * v[0] * v[0] + m2 * l2 * l2 * v[1] * v[1];
        let shared = 2.0 * self.coupling() * (q[0] - q[1]).cos() * v[0] * v[1];
        Energy { kinetic: 0.5 * (own + shared), potential: -w[0] * q[0].cos() - w[1] * q[1].cos() }
    }

    fn dissipated_power(&self, _t: f64, _q: &[f64], v: &[f64]) -> f64 {
        self.damping * (v[0] * v[0] + v[1] * v[1])
    }
}

/// Horizontal position and height of the lower mass of a [`DoublePendulum`]: rows that turn with the motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tip(pub(crate) [f64; 2]);

impl Kinematics for Tip {
    fn rows(&self) -> usize {
        2
    }
    fn is_constant(&self) -> bool {
        false
    }
    fn positions(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        let [l1, l2] = self.0;
        out[0] = l1 * q[0].sin() + l2 * q[1].sin();
        out[1] = -l1 * q[0].cos() - l2 * q[1].cos();
    }
    fn velocities(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let [l1, l2] = self.0;
        out[0] = l1 * q[0].cos() * v[0] + l2 * q[1].cos() * v[1];
        out[1] = l1 * q[0].sin() * v[0] + l2 * q[1].sin() * v[1];
    }
    fn jacobian(&self, _t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (j, l) in self.0.iter().enumerate() {
            out[(first, j)] = l * q[j].cos();
            out[(first + 1, j)] = l * q[j].sin();
        }
    }
    fn velocity_gradient(&self, _t: f64, q: &[f64], v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (j, l) in self.0.iter().enumerate() {
            out[(first, j)] = -l * q[j].sin() * v[j];
            out[(first + 1, j)] = l * q[j].cos() * v[j];
        }
    }
}

/// Rigid pendulum of mass 1 kg, inertia 0.1 kg m² about its centre and length 1 m to the centre, under 10 m/s²
/// along +y, in the coordinates `x, y, θ` of its centre.
///
/// ```text
///   φ = (x − L cos θ, y − L sin θ − amplitude · sin(ω t))
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ConstrainedPendulum {
    /// Amplitude (m) and angular frequency (rad/s) of the prescribed vertical motion of the pivot.
    pub(crate) pivot: [f64; 2],
}

pub(crate) const INERTIA: f64 = 0.1;
pub(crate) const GRAVITY: f64 = 10.0;

impl EquationsOfMotion for ConstrainedPendulum {
    fn coordinates(&self) -> usize {
        3
    }
    fn constraints(&self) -> usize {
        2
    }
    fn mass(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        (out[(0, 0)], out[(1, 1)], out[(2, 2)]) = (1.0, 1.0, INERTIA);
    }
    fn force(&self, _t: f64, _q: &[f64], _v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[0.0, GRAVITY, 0.0]);
    }
    fn tangents(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    ) {
        stiffness.fill(0.0);
        damping.fill(0.0);
    }
    fn constraint(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let [amplitude, omega] = self.pivot;
        out[0] = q[0] - q[2].cos();
        out[1] = q[1] - q[2].sin() - amplitude * (omega * t).sin();
    }
    fn constraint_jacobian(&self, _t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        out[(0, 0)] = 1.0;
        out[(1, 1)] = 1.0;
        out[(0, 2)] = q[2].sin();
        out[(1, 2)] = -q[2].cos();
    }
    fn constraint_rate(&self, t: f64, _q: &[f64], out: &mut [f64]) {
        let [amplitude, omega] = self.pivot;
        out[0] = 0.0;
        out[1] = -amplitude * omega * (omega * t).cos();
    }
    fn constraint_curvature(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let [amplitude, omega] = self.pivot;
        out[0] = q[2].cos() * v[2] * v[2];
        out[1] = q[2].sin() * v[2] * v[2] + amplitude * omega * omega * (omega * t).sin();
    }
    fn constraint_stiffness(&self, _t: f64, q: &[f64], mu: &[f64], out: &mut DMatrix<f64>) {
        out[(2, 2)] += q[2].cos() * mu[0] + q[2].sin() * mu[1];
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1] + INERTIA * v[2] * v[2]);
        Energy { kinetic, potential: -GRAVITY * q[1] }
    }
}

/// The same pendulum with a fixed pivot in its angle alone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AnglePendulum;

impl EquationsOfMotion for AnglePendulum {
    fn coordinates(&self) -> usize {
        1
    }
    fn mass(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out[(0, 0)] = 1.0 + INERTIA;
    }
    fn force(&self, _t: f64, q: &[f64], _v: &[f64], out: &mut [f64]) {
        out[0] = GRAVITY * q[0].cos();
    }
    fn tangents(
        &self,
        _t: f64,
        q: &[f64],
        _v: &[f64],
        _a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    ) {
        stiffness[(0, 0)] = GRAVITY * q[0].sin();
        damping.fill(0.0);
    }
    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        Energy { kinetic: 0.5 * (1.0 + INERTIA) * v[0] * v[0], potential: -GRAVITY * q[0].sin() }
    }
}

/// Rows along and across the body of a [`ConstrainedPendulum`], one metre beyond its centre.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendulumTip;

impl Kinematics for PendulumTip {
    fn rows(&self) -> usize {
        2
    }
    fn is_constant(&self) -> bool {
        false
    }
    fn positions(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out[0] = q[0] + q[2].cos();
        out[1] = q[1] + q[2].sin();
    }
    fn velocities(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        out[0] = v[0] - q[2].sin() * v[2];
        out[1] = v[1] + q[2].cos() * v[2];
    }
    fn jacobian(&self, _t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (j, row) in [[1.0, 0.0], [0.0, 1.0], [-q[2].sin(), q[2].cos()]].iter().enumerate() {
            out[(first, j)] = row[0];
            out[(first + 1, j)] = row[1];
        }
    }
    fn velocity_gradient(&self, _t: f64, q: &[f64], v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        out.rows_mut(first, 2).fill(0.0);
        out[(first, 2)] = -q[2].cos() * v[2];
        out[(first + 1, 2)] = -q[2].sin() * v[2];
    }
}

/// Largest difference between a system's tangents and central differences of `M a − f`, over its size.
pub(crate) fn tangent_error(system: &dyn EquationsOfMotion, (q, v, a): (&[f64], &[f64], &[f64])) -> f64 {
    let n = q.len();
    let (mut k, mut c) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    system.tangents(0.0, q, v, a, &mut k, &mut c);
    let residual = |q: &[f64], v: &[f64]| {
        let (mut mass, mut force) = (DMatrix::zeros(n, n), vec![0.0; n]);
        system.mass(q, &mut mass);
        system.force(0.0, q, v, &mut force);
        mass * nalgebra::DVector::from_column_slice(a) - nalgebra::DVector::from_vec(force)
    };
    let step = 1e-5;
    let moved = |x: &[f64], j: usize, d: f64| {
        let mut x = x.to_vec();
        x[j] += d;
        x
    };
    let mut error: f64 = 0.0;
    for j in 0..n {
        let by_q = (residual(&moved(q, j, step), v) - residual(&moved(q, j, -step), v)) / (2.0 * step);
        let by_v = (residual(q, &moved(v, j, step)) - residual(q, &moved(v, j, -step))) / (2.0 * step);
        error = error.max((by_q - k.column(j)).amax()).max((by_v - c.column(j)).amax());
    }
    error / (1.0 + k.amax().max(c.amax()))
}
