//! The pendulum of Brüls, Acary and Cardona (2018), section 5: `x, y, θ` with `x = L cos θ`, `y = L sin θ`; gravity along `y`.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, MatrixSink, Motion, Structure,
};
use cosimo_mechanics::Energy;
use cosimo_smooth::dae::DaeState;
use std::sync::LazyLock;

/// `L = 1 m`, `m = 1 kg`, `J = 0.1 kg m²`, `g = 10 m/s²`.
pub(crate) struct Pendulum;

const INERTIA: f64 = 0.1;
const GRAVITY: f64 = 10.0;

static STRUCTURE: LazyLock<Structure> = LazyLock::new(|| {
    Structure::new(Coordinates::new([CoordinateBlock::Flat(3)])).with_constraint(2, vec![0])
});

/// Time, positions and velocities of the paper's start.
pub(crate) fn start() -> (f64, Vec<f64>, Vec<f64>) {
    let (theta, rate) = (std::f64::consts::PI / 6.0, 10.0);
    let (s, c) = theta.sin_cos();
    (0.0, vec![c, s, theta], vec![-rate * s, rate * c, rate])
}

/// Residual of the constraints at the level of accelerations.
pub(crate) fn acceleration_residual(state: &DaeState, out: &mut [f64]) {
    Pendulum.constraints(
        Level::Acceleration,
        Motion { t: state.time, q: &state.q, v: &state.v },
        &state.a,
        out,
    );
}

impl ConstrainedSystem for Pendulum {
    fn structure(&self) -> &Structure {
        &STRUCTURE
    }

    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[a[0], a[1] - GRAVITY, INERTIA * a[2]]);
        self.add_reactions(motion.t, motion.q, mu, out);
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[x[0], x[1], INERTIA * x[2]]);
    }

    fn add_reactions(&self, _t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        out[0] += mu[0];
        out[1] += mu[1];
        out[2] += s * mu[0] - c * mu[1];
    }

    fn constraints(&self, level: Level, Motion { q, v, .. }: Motion<'_>, a: &[f64], out: &mut [f64]) {
        let (s, c) = q[2].sin_cos();
        match level {
            Level::Position => out.copy_from_slice(&[q[0] - c, q[1] - s]),
            Level::Velocity => out.copy_from_slice(&[v[0] + s * v[2], v[1] - c * v[2]]),
            Level::Acceleration => {
                let square = v[2] * v[2];
                out.copy_from_slice(&[a[0] + s * a[2] + c * square, a[1] - c * a[2] + s * square]);
            }
        }
    }

    fn tangents(&self, Motion { q, .. }: Motion<'_>, _a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(q, sink);
        let (s, c) = q[2].sin_cos();
        let mut stiffness = [0.0; 9];
        stiffness[8] = c * mu[0] + s * mu[1];
        sink.stiffness(0, 0, &stiffness);
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        sink.mass(0, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, INERTIA]);
    }

    fn jacobian(&self, _t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        let (s, c) = q[2].sin_cos();
        sink.jacobian(0, 0, &[1.0, 0.0, 0.0, 1.0, s, -c]);
    }

    fn rate_gradient(&self, Motion { q, v, .. }: Motion<'_>, sink: &mut dyn MatrixSink) {
        let (s, c) = q[2].sin_cos();
        sink.rate_gradient(0, 0, &[0.0, 0.0, 0.0, 0.0, c * v[2], s * v[2]]);
    }

    fn energy(&self, Motion { q, v, .. }: Motion<'_>) -> Energy {
        let kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1] + INERTIA * v[2] * v[2]);
        Energy { kinetic, potential: -GRAVITY * q[1] }
    }
}
