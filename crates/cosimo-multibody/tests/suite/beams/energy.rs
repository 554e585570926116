//! Energy of a flying free beam by the midpoint rule.

use super::{slender, straight};
use cosimo_dynamics::ConstrainedSystem;
use cosimo_multibody::spatial::{SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::Vector3;

/// A soft beam that flies, tumbles and vibrates: bent at the start by a third of its length.
fn flying() -> DaeSolver<SpatialSystem> {
    let mut section = slender([1.0, 1.5], 0.02);
    section.inertia.second_moment[(0, 0)] = 0.02;
    let beam = straight(section, 4).moving([0.2, 0.1, 0.0], [0.4, 1.0, 2.0]);
    let system = SpatialModel::new().with_beam(&beam).unwrap().build().unwrap();
    let bend = |node: usize| {
        let s = node as f64 / 4.0;
        [0.0, 0.0, 0.3 * s * s, 0.0, -0.6 * s, 0.0]
    };
    let x: Vec<f64> = (0..5).flat_map(bend).collect();
    let mut q = system.initial_position();
    system.structure().coordinates().move_by(&system.initial_position(), &x, &mut q);
    let v = system.initial_velocity();
    let settings = DaeSettings { formulation: Formulation::Velocity, ..DaeSettings::default() };
    DaeSolver::new(system, Method::Midpoint, settings, (0.0, q, v)).unwrap()
}

/// Largest deviation of the energy from its start, over so many steps, in the first and in the second half.
fn deviation(h: f64, steps: usize) -> [f64; 2] {
    let mut solver = flying();
    let start = solver.energy().total();
    let mut worst = [0.0_f64; 2];
    for step in 0..steps {
        solver.step(h).unwrap();
        let half = &mut worst[usize::from(2 * step >= steps)];
        *half = half.max((solver.energy().total() / start - 1.0).abs());
    }
    worst
}

#[test]
fn energy_of_a_flying_beam_does_not_drift_over_1e5_steps() {
    let [first, second] = deviation(2e-3, 100_000);
    assert!(first < 2e-4 && second < 1.3 * first, "{first:e} {second:e}");
}

#[test]
fn energy_of_a_flying_beam_deviates_by_the_square_of_the_step() {
    let on = [4e-3, 2e-3, 1e-3].map(|h: f64| deviation(h, (2.0 / h) as usize));
    let on = on.map(|[first, second]| first.max(second));
    assert!(on.windows(2).all(|pair| (pair[0] / pair[1]).log2() > 1.7), "{on:?}");
}

#[test]
fn momentum_of_a_flying_beam_is_kept_to_round_off() {
    let mut solver = flying();
    let momentum = |solver: &DaeSolver<SpatialSystem>| {
        let state = solver.state();
        let of = |(k, body): (usize, &cosimo_multibody::spatial::Body)| {
            let own = solver.system().body_state(k, &state.q, &state.v).unwrap();
            body.properties.momentum(&own)
        };
        solver.system().bodies().iter().enumerate().map(of).sum::<Vector3<f64>>()
    };
    let before = momentum(&solver);
    (0..1000).for_each(|_| {
        solver.step(2e-3).unwrap();
    });
    assert!((momentum(&solver) - before).norm() < 1e-9, "{} {before}", momentum(&solver));
}
