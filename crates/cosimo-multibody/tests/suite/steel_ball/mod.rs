//! The steel ball of M. Fancello's thesis (Politecnico di Milano 2012, section 2.2) on a floor by penalty laws: what figures of it
//! show and tests of it check.

use std::error::Error;

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, PenaltyLaw, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::Matrix3;

/// Of the ball, which weighs 1 kg (m).
pub(crate) const RADIUS: f64 = 0.1;
/// Height of its centre at the start (m).
pub(crate) const HEIGHT: f64 = 1.0;
pub(crate) const GRAVITY: f64 = 9.81;
/// Steel on steel (N/m^1.5).
pub(crate) const STIFFNESS: f64 = 2.4e10;
const EXPONENT: f64 = 1.5;

/// Speed of the first impact (m/s).
pub(crate) fn speed() -> f64 {
    (2.0 * GRAVITY * (HEIGHT - RADIUS)).sqrt()
}

/// Depth to which Hertz' law stops the ball, without the weight (m).
pub(crate) fn elastic_depth() -> f64 {
    ((EXPONENT + 1.0) * 0.5 * speed().powi(2) / STIFFNESS).powf(1.0 / (EXPONENT + 1.0))
}

/// Laws for this restitution. The linear spring stores at Hertz' depth what Hertz' law stores; its damper is the one that
/// gives the restitution, `e = exp(−(π − 2 φ) tan φ)` with the damping ratio `sin φ`, for a contact that never pulls.
pub(crate) fn laws(restitution: f64) -> [(&'static str, PenaltyLaw); 5] {
    let (stiffness, exponent) = (STIFFNESS, EXPONENT);
    let linear = 2.0 / (EXPONENT + 1.0) * STIFFNESS * elastic_depth().powf(EXPONENT - 1.0);
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        let left = (-(std::f64::consts::PI - 2.0 * middle) * middle.tan()).exp();
        if left > restitution { low = middle } else { high = middle }
    }
    let damping = 2.0 * low.sin() * linear.sqrt();
    [
        ("Kelvin-Voigt", PenaltyLaw::KelvinVoigt { stiffness: linear, damping }),
        ("Hertz", PenaltyLaw::Hertz { stiffness, exponent }),
        ("Hunt-Crossley", PenaltyLaw::HuntCrossley { stiffness, exponent, restitution }),
        ("Lankarani-Nikravesh", PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution }),
        ("Flores", PenaltyLaw::Flores { stiffness, exponent, restitution }),
    ]
}

fn start(law: PenaltyLaw, height: f64, fall: f64) -> Result<DaeSolver<SpatialSystem>, Box<dyn Error>> {
    let ball = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.004))?;
    let floor = ForceKind::SpherePlane { radius: RADIUS, law };
    let system = SpatialModel::new()
        .with_gravity([0.0, 0.0, -GRAVITY])
        .with_body(
            Body::new("ball", ball)
                .with_position([0.0, 0.0, height])
                .with_velocity([0.0, 0.0, -fall], [0.0; 3]),
        )
        .with_force(Force::new("floor", floor, Frame::ground([0.0; 3]), Frame::on("ball", [0.0; 3])))
        .build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let settings =
        DaeSettings { formulation: Formulation::Position, tolerance: 1e-12, ..DaeSettings::default() };
    Ok(DaeSolver::new(system, Method::GeneralizedAlpha { spectral_radius: 0.9 }, settings, (0.0, q, v))?)
}

/// One impact.
#[derive(Debug, Clone)]
pub(crate) struct Impact {
    /// Depth (m) and force (N) at every step.
    pub(crate) path: Vec<(f64, f64)>,
    /// Speed of the rebound (m/s).
    pub(crate) rebound: f64,
}

impl Impact {
    /// Work that is not given back: the area in the loop (J).
    pub(crate) fn loss(&self) -> f64 {
        self.path.windows(2).map(|w| 0.5 * (w[0].1 + w[1].1) * (w[1].0 - w[0].0)).sum()
    }
}

/// The first impact, from touch to parting, in steps of 0.1 µs.
pub(crate) fn first_impact(law: PenaltyLaw) -> Result<Impact, Box<dyn Error>> {
    let mut solver = start(law, RADIUS, speed())?;
    let (mut path, mut force) = (vec![(0.0, 0.0)], [0.0; 6]);
    loop {
        solver.step(1e-7)?;
        let state = solver.state();
        let motion = Motion { t: state.time, q: &state.q, v: &state.v };
        solver.system().balance(motion, &[0.0; 6], &[], &mut force);
        let depth = RADIUS - state.q[2];
        let pushes = GRAVITY - force[2];
        path.push((depth, pushes.max(0.0)));
        if depth < 0.0 {
            return Ok(Impact { path, rebound: state.v[2] });
        }
    }
}

/// Height of the centre over time, from the start of the fall: in flight steps of 0.1 ms, within 1 mm of the floor of 2 µs.
pub(crate) fn bounces(law: PenaltyLaw, end: f64) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let mut solver = start(law, HEIGHT, 0.0)?;
    let mut path = vec![(0.0, HEIGHT)];
    while solver.state().time < end {
        let is_near = solver.state().q[2] - RADIUS < 1e-3;
        solver.step(if is_near { 2e-6 } else { 1e-4 })?;
        path.push((solver.state().time, solver.state().q[2]));
    }
    Ok(path)
}
