//! Jumps and reactions against closed forms.

use cosimo_native::Multibody;
use cosimo_smooth::dae::Method;
use cosimo_subsystem::Subsystem;

use super::models::{chain, four_bar, free_body, horizontal_rod, pendulum, sprung};

fn quantity(system: &Multibody, name: &str) -> f64 {
    let quantities = &system.description().quantities;
    let at = quantities.iter().position(|quantity| quantity.name == name).unwrap();
    let mut values = vec![0.0; quantities.len()];
    system.observe(&mut values);
    values[at]
}

/// An impulse `p` along `z` at the tip of a hinged rod at the angle `φ`: `Δω = p L cos φ/(I + m L²/4)`.
#[test]
fn an_impulse_turns_a_hinged_rod_as_a_rigid_body() {
    let mut rod = pendulum().build().unwrap();
    rod.prepare_jump(1e-2).unwrap();
    rod.jump(&[0.0, 0.0, 0.3, 0.0]).unwrap();
    // The spin about −y lifts the tip: ω_y = −Δω.
    let expected = 0.3 * 0.75_f64.sqrt() / (2.0 / 3.0);
    let found = -quantity(&rod, "rod.wy");
    assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
    let [vx, vz] = ["rod.vx", "rod.vz"].map(|name| quantity(&rod, name));
    assert!((vx - 0.25 * expected).abs() < 1e-14 && (vz - 0.75_f64.sqrt() / 2.0 * expected).abs() < 1e-14);
}

/// Ideal joints do no work: `ΔT = Σ ξ (ż⁻ + ż⁺)/2` where no force elements take part.
#[test]
fn joints_do_no_work_at_a_jump() {
    for mut system in [four_bar(), free_body(), chain(8)].map(|builder| builder.build().unwrap()) {
        let inverse_mass = system.prepare_jump(1e-3).unwrap().to_dense();
        let impulses: Vec<f64> =
            (0..inverse_mass.ncols()).map(|k| 0.1 * (1.0 + k as f64).sin() / inverse_mass.amax()).collect();
        let (before, rates) = (system.energy().kinetic, system.rows().velocities.clone());
        system.jump(&impulses).unwrap();
        let mean = rates.iter().zip(&system.rows().velocities).map(|(a, b)| 0.5 * (a + b));
        let work: f64 = mean.zip(&impulses).map(|(rate, impulse)| rate * impulse).sum();
        let gained = system.energy().kinetic - before;
        assert!(work.abs() > 1e-8, "{work}");
        assert!((gained - work).abs() < 1e-12 * (before + work.abs()), "{gained} J, {work} J");
    }
}

/// A stiff damper takes part in a jump as far as the step resolves it: less moves, never more.
#[test]
fn forces_stiffen_a_jump() {
    let mut system = sprung().build().unwrap();
    let [short, long] = [1e-6, 1e-2].map(|h| system.prepare_jump(h).unwrap().to_dense().trace());
    assert!(long < 0.99 * short, "{short} {long}");
}

#[test]
fn shifts_stay_on_the_joints() {
    let mut system = four_bar().build().unwrap();
    let inverse_mass = system.prepare_jump(1e-3).unwrap().to_dense();
    let before = system.rows().positions.clone();
    let mut weights = vec![0.0; inverse_mass.ncols()];
    weights[6] = 0.02 / inverse_mass[(6, 6)];
    system.project_positions(&weights).unwrap();
    let moved = system.rows().positions[6] - before[6];
    assert!((moved - 0.02).abs() < 2e-3, "{moved}");
    assert!(quantity(&system, "residual") < 1e-12, "{:e}", quantity(&system, "residual"));
}

/// A rod that is let go on its hinge weighs a quarter of its weight on it.
#[test]
fn reactions_are_those_of_statics_and_release() {
    let rod =
        horizontal_rod().with_method(Method::GeneralizedAlpha { spectral_radius: 0.8 }).build().unwrap();
    let force = ["hinge.fx", "hinge.fy", "hinge.fz"].map(|name| quantity(&rod, name));
    let moment = ["hinge.mx", "hinge.my", "hinge.mz"].map(|name| quantity(&rod, name));
    let weight = 2.0 * 9.81;
    assert!(
        (force[2] - 0.25 * weight).abs() < 1e-12 && force[0].abs().max(force[1].abs()) < 1e-12,
        "{force:?}"
    );
    assert!(moment.iter().all(|m| m.abs() < 1e-12), "{moment:?}");
}
