//! How the end of a step answers to forces: against differences of steps, and the same however many forces are answered together.
#![expect(clippy::unwrap_used, reason = "a step that fails is a failed test")]

use cosimo_dynamics::{ConstrainedSystem, Level, MatrixSink, Motion, Structure};
use cosimo_mechanics::Energy;
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method, StepAnswer};
use nalgebra::DMatrix;

use crate::pendulum_dae::{Pendulum, start};

/// The pendulum with a force on its coordinates, and a spring that turns it.
struct Pushed {
    force: [f64; 3],
    /// Stiffness (N m), and the angle without moment.
    spring: [f64; 2],
}

impl ConstrainedSystem for Pushed {
    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        Pendulum.balance(motion, a, mu, out);
        out.iter_mut().zip(&self.force).for_each(|(x, f)| *x -= f);
        out[2] += self.spring[0] * (motion.q[2] - self.spring[1]);
    }

    fn structure(&self) -> &Structure {
        Pendulum.structure()
    }

    fn mass_product(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        Pendulum.mass_product(q, x, out);
    }

    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        Pendulum.add_reactions(t, q, mu, out);
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        Pendulum.constraints(level, motion, a, out);
    }

    fn tangents(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        Pendulum.tangents(motion, a, mu, sink);
        let mut stiffness = [0.0; 9];
        stiffness[8] = self.spring[0];
        sink.stiffness(0, 0, &stiffness);
    }

    fn masses(&self, q: &[f64], sink: &mut dyn MatrixSink) {
        Pendulum.masses(q, sink);
    }

    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        Pendulum.jacobian(t, q, sink);
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        Pendulum.rate_gradient(motion, sink);
    }

    fn energy(&self, motion: Motion<'_>) -> Energy {
        Pendulum.energy(motion)
    }
}

const H: f64 = 5e-3;
const FORCE: [f64; 3] = [2.0, -1.0, 0.5];

/// Directions of the forces: more than are answered at once.
fn directions() -> DMatrix<f64> {
    DMatrix::from_fn(3, 10, |i, k| ((3 * k + i) as f64).cos())
}

/// A trial step in the middle of a motion, under the force.
fn trial(method: Method, formulation: Formulation) -> DaeSolver<Pushed> {
    let settings = DaeSettings { formulation, tolerance: 1e-13, ..DaeSettings::default() };
    let mut solver =
        DaeSolver::new(Pushed { force: FORCE, spring: [0.0; 2] }, method, settings, start()).unwrap();
    for _ in 0..4 {
        solver.step(H).unwrap();
    }
    solver.start_trial().unwrap();
    solver.solve_trial(H).unwrap();
    solver
}

/// The end of the trial step under another force.
fn end(solver: &mut DaeSolver<Pushed>, force: [f64; 3]) -> (Vec<f64>, Vec<f64>) {
    solver.system_mut().force = force;
    solver.solve_trial(H).unwrap();
    (solver.trial_end().q.clone(), solver.trial_end().v.clone())
}

const CASES: [(Method, Formulation); 6] = [
    (Method::Midpoint, Formulation::PositionVelocity),
    (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::PositionVelocityAcceleration),
    (Method::GeneralizedAlpha { spectral_radius: 0.8 }, Formulation::Position),
    (Method::ImplicitEuler, Formulation::PositionVelocityAcceleration),
    (Method::ImplicitEuler, Formulation::Velocity),
    (Method::Multistep { spectral_radius: 0.8 }, Formulation::Baumgarte { alpha: 10.0, beta: 10.0 }),
];

#[test]
fn answers_are_derivatives() {
    for (method, formulation) in CASES {
        let mut solver = trial(method, formulation);
        assert_derivative(&mut solver, 1e-5, &format!("{method:?} {formulation:?}"));
    }
}

/// Loads that come after the step is solved may turn a body further than its inertia holds it. The spring is without moment at the
/// end, which therefore stays the end.
#[test]
fn factors_that_do_not_contract_are_renewed() {
    for (method, formulation) in CASES {
        for share in [-0.8, 0.9, 20.0] {
            let mut solver = trial(method, formulation);
            let stage = solver.trial_stage().q[2];
            let unit = 1.1 / (solver.trial_weights()[1] * solver.trial_share());
            solver.system_mut().spring = [share * unit, stage];
            // A spring that pushes makes five times as much of what the reactions of projections lack.
            assert_derivative(&mut solver, 1e-4, &format!("{method:?} {formulation:?}, {share}"));
        }
    }
}

/// The answer is the quotient of differences of the end.
fn assert_derivative(solver: &mut DaeSolver<Pushed>, tolerance: f64, what: &str) {
    const WIDTH: f64 = 1e-3;
    let forces = directions();
    let mut answer = StepAnswer::new(solver.system(), forces.ncols());
    solver.derive_trial(&forces, &mut answer).unwrap();
    let [position, velocity] = [answer.position().amax(), answer.velocity().amax()];
    for (k, direction) in forces.column_iter().enumerate() {
        let moved = |width: f64| std::array::from_fn(|i| FORCE[i] + width * direction[i]);
        let (before, after) = (end(solver, moved(-WIDTH)), end(solver, moved(WIDTH)));
        for i in 0..3 {
            let slope = |before: &[f64], after: &[f64]| (after[i] - before[i]) / (2.0 * WIDTH);
            let error = answer.position()[(i, k)] - slope(&before.0, &after.0);
            assert!(error.abs() < tolerance * position, "{what}: {error} of {position}");
            let error = answer.velocity()[(i, k)] - slope(&before.1, &after.1);
            assert!(error.abs() < tolerance * velocity, "{what}: {error} of {velocity}");
        }
    }
}

/// To the accuracy of an answer: those that are found together are corrected as often as the slowest asks for.
#[test]
fn forces_are_answered_together_as_each_alone() {
    for (method, formulation) in CASES {
        let mut solver = trial(method, formulation);
        let forces = directions();
        let [mut together, mut alone] = [forces.ncols(), 1].map(|r| StepAnswer::new(solver.system(), r));
        solver.derive_trial(&forces, &mut together).unwrap();
        for k in 0..forces.ncols() {
            solver.derive_trial(&forces.columns(k, 1).into_owned(), &mut alone).unwrap();
            let pairs = [(together.position(), alone.position()), (together.velocity(), alone.velocity())];
            for (of_all, own) in pairs {
                let error = (of_all.column(k) - own.column(0)).amax();
                assert!(error <= 1e-8 * of_all.amax(), "{method:?} {formulation:?}: {error}");
            }
        }
    }
}
