//! Statics: a cantilever rolled up by an end moment, and small loads.

use std::sync::Arc;

use super::{hold, reference, slender, straight};
use cosimo_multibody::modes::{Equilibrium, Turning};
use cosimo_multibody::spatial::{
    BodyFunction, Force, ForceKind, Frame, JointKind, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::Vector3;

/// A clamped beam of unit stiffness and length with a force and a moment at its tip, both fixed in space.
fn cantilever(elements: usize, force: [f64; 3], moment: [f64; 3]) -> SpatialSystem {
    let beam = straight(slender([1.0, 1.0], 1e-4), elements);
    let load = [Vector3::from(force), Vector3::from(moment)];
    let kind = ForceKind::OnBody(BodyFunction(Arc::new(move |_, _, _| load)));
    let tip = Frame::on(beam.node(elements), [0.0; 3]);
    let model = SpatialModel::new().with_beam(&beam).unwrap();
    let model = hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]);
    model.with_force(Force::new("load", kind, Frame::ground([0.0; 3]), tip)).build().unwrap()
}

/// Position of the node at the tip: its body's centre of mass is a quarter of an element inboard.
fn tip(system: &SpatialSystem, q: &[f64], elements: usize) -> Vector3<f64> {
    let state = system.body_state(elements, q, &vec![0.0; 6 * (elements + 1)]).unwrap();
    state.point(&-system.bodies()[elements].centre_of_mass)
}

#[test]
fn an_end_moment_rolls_a_cantilever_up() {
    let elements = 8;
    let mut q = cantilever(elements, [0.0; 3], [0.0; 3]).initial_position();
    let mut worst = 0.0_f64;
    for row in reference("P1_cantilever_rollup").iter().step_by(5) {
        let [_, phi, x, y] = [0, 1, 2, 3].map(|k| row[k].parse::<f64>().unwrap());
        let system = cantilever(elements, [0.0; 3], [0.0, 0.0, phi]);
        let found = Equilibrium::find(&system, 0.0, &q, Turning::REST).unwrap();
        q = found.q;
        worst = worst.max((tip(&system, &q, elements) - Vector3::new(x, y, 0.0)).norm());
    }
    assert!(worst < 1e-8, "{worst:e}");
}

#[test]
fn small_tip_loads_bend_by_the_closed_form_to_order_two() {
    let errors = [8, 16, 32].map(|elements| {
        let system = cantilever(elements, [0.0, 0.0, 1e-6], [0.0; 3]);
        let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
        // With the shear 1e-4 of a force of one; curvature at the middle of elements misses 1/(4 n²) of the way.
        tip(&system, &found.q, elements).z * 1e6 - (1.0 / 3.0 + 1e-4)
    });
    assert!(errors.windows(2).all(|pair| (pair[0] / pair[1] - 4.0).abs() < 0.05), "{errors:?}");
    assert!(errors[2].abs() < 1e-4);
}

/// What an equilibrium is found to be stays where it is when a run starts from it.
#[test]
fn runs_that_start_from_an_equilibrium_stay_there() {
    let system = cantilever(6, [0.0, 0.5, 2.0], [0.3, 0.0, 0.0]);
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let before = tip(&system, &found.q, 6);
    assert!(before.z > 0.3, "{before}");
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let start = (0.0, found.q.clone(), found.v.clone());
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), start).unwrap();
    solver.advance_to(0.5, 0.01).unwrap();
    let after = tip(solver.system(), &solver.state().q, 6);
    assert!((after - before).norm() < 1e-8, "{after} {before}");
}

#[test]
fn what_moves_freely_has_no_equilibrium_under_a_load() {
    let beam = straight(slender([1.0, 1.0], 1e-4), 2);
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]).with_beam(&beam).unwrap();
    let system = model.build().unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST);
    let error = found.unwrap_err().to_string();
    assert!(error.contains("body `beam.0` along z, and 2 others with it"), "{error}");
}
