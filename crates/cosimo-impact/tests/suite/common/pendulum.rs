//! The bouncing pendulum of Brüls, Acary and Cardona, 2018, section 6.1: `x = L cos θ`, `y = L sin θ`, `x ≥ L/√2`.

use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::LazyLock;

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, MatrixSink, Motion, Structure,
};
use cosimo_impact::{ContactBlock, ContactLayout, ContactSink, Contacts, NonsmoothStepper, Scheme};
use cosimo_mechanics::{ContactLaw, Energy};

/// `L = 1 m`, `m = 1 kg`, `J = 0.1 kg m²`, `g = 10 m/s²` along `y`.
pub(crate) struct Pendulum;

pub(crate) const INERTIA: f64 = 0.1;
const GRAVITY: f64 = 10.0;

static STRUCTURE: LazyLock<Structure> = LazyLock::new(|| {
    Structure::new(Coordinates::new([CoordinateBlock::Flat(3)])).with_constraint(2, vec![0])
});

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

/// `x ≥ L/√2` with restitution 0.8.
pub(crate) struct Wall(ContactLayout);

impl Wall {
    pub(crate) fn new(restitution: f64) -> Self {
        let law = ContactLaw::with_friction(restitution, 0.0);
        Self(ContactLayout::new(1, vec![ContactBlock { touches: vec![0], law }]))
    }
}

impl Contacts for Wall {
    fn layout(&self) -> &ContactLayout {
        &self.0
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out[0] = q[0] - FRAC_1_SQRT_2;
    }

    fn rates(&self, motion: Motion<'_>, out: &mut [f64]) {
        out[0] = motion.v[0];
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn ContactSink) {
        sink.jacobian(0, 0, &[1.0, 0.0, 0.0]);
    }
}

pub(crate) fn pendulum(scheme: Scheme) -> NonsmoothStepper<Pendulum, Wall> {
    let theta = PI / 12.0;
    let q = vec![theta.cos(), theta.sin(), theta];
    NonsmoothStepper::new(Pendulum, Wall::new(0.8), scheme, (0.0, q, vec![0.0; 3])).unwrap()
}
