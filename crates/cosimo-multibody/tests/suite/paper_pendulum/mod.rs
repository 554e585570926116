//! The pendulum of Brüls, Acary and Cardona (2018), section 5, in the formulations that they compare: what figures of it show
//! and tests of it check.

#![allow(dead_code, reason = "figures and tests use their own shares")]

use std::error::Error;

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, DaeState, Formulation, Method};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Step of the paper (s).
pub(crate) const STEP: f64 = 2e-3;

/// Rule of the paper.
pub(crate) const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.9 };

/// The formulations compared, with the names that they have in model files.
pub(crate) const FORMULATIONS: [(&str, Formulation); 4] = [
    ("index-3", Formulation::Position),
    ("index-2", Formulation::Velocity),
    ("stabilised-index-2", Formulation::PositionVelocity),
    ("stabilised-index-1", Formulation::PositionVelocityAcceleration),
];

const LEVELS: [Level; 3] = [Level::Position, Level::Velocity, Level::Acceleration];

/// One instant of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instant {
    /// (s).
    pub(crate) time: f64,
    /// `θ` (rad).
    pub(crate) angle: f64,
    /// `φ¹`, `φ̇¹`, `φ̈¹` of `φ¹ = x − L cos θ` (m, m/s, m/s²).
    pub(crate) first: [f64; 3],
    /// Largest of all rows at the three levels.
    pub(crate) largest: [f64; 3],
    /// Force of the hinge on the pendulum along x (N).
    pub(crate) reaction: f64,
}

/// `L = 1 m`, `m = 1 kg`, `J = 0.1 kg m²`, 10 m/s² along y, from 30° at 10 rad/s.
fn model() -> Result<SpatialModel, Box<dyn Error>> {
    let (angle, rate) = (std::f64::consts::FRAC_PI_6, 10.0);
    let (s, c) = angle.sin_cos();
    let bob = Body::new("bob", RigidBody::new(1.0, Matrix3::from_diagonal_element(0.1))?)
        .with_position([c, s, 0.0])
        .with_orientation(UnitQuaternion::from_scaled_axis(Vector3::z() * angle))
        .with_velocity([-rate * s, rate * c, 0.0], [0.0, 0.0, rate]);
    let hinge = ([0.0; 3], [0.0, 0.0, 1.0]);
    Ok(SpatialModel::new().with_gravity([0.0, 10.0, 0.0]).with_body(bob).with_joint_at(
        "hinge",
        JointKind::Revolute,
        [None, Some("bob")],
        hinge,
    ))
}

/// The first row in closed form from the motion; the largest of all rows as the system reports them.
fn instant(solver: &DaeSolver<SpatialSystem>) -> Instant {
    let DaeState { time, q, v, a, mu } = solver.state();
    let angle = 2.0 * q[6].atan2(q[3]);
    let (s, c) = angle.sin_cos();
    let first = [q[0] - c, v[0] + s * v[5], a[0] + s * a[5] + c * v[5] * v[5]];
    let mut rows = vec![0.0; mu.len()];
    let largest = LEVELS.map(|level| {
        solver.system().constraints(level, Motion { t: *time, q, v }, a, &mut rows);
        rows.iter().fold(0.0, |m: f64, row| m.max(row.abs()))
    });
    Instant { time: *time, angle, first, largest, reaction: -mu[0] }
}

/// What to run: from accelerations that fit, or from zero as after an impact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) formulation: Formulation,
    pub(crate) rule: Method,
    pub(crate) is_disturbed: bool,
    /// (s).
    pub(crate) step: f64,
    pub(crate) steps: usize,
}

/// Every instant after the start.
pub(crate) fn run(run: Run) -> Result<Vec<Instant>, Box<dyn Error>> {
    let system = model()?.build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let settings = DaeSettings { formulation: run.formulation, tolerance: 1e-14, ..DaeSettings::default() };
    let mut solver = DaeSolver::new(system, run.rule, settings, (0.0, q, v))?;
    if run.is_disturbed {
        solver = solver.with_start_acceleration(&[0.0; 6])?;
    }
    let mut instants = Vec::with_capacity(run.steps);
    for _ in 0..run.steps {
        solver.step(run.step)?;
        instants.push(instant(&solver));
    }
    Ok(instants)
}
