//! Objectivity: rigid motions leave strains where they are.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::spatial::{Beam, SpatialModel};
use nalgebra::{UnitQuaternion, Vector3};

use super::{slender, straight};

/// Stress resultants of all elements.
fn stresses(system: &cosimo_multibody::spatial::SpatialSystem, q: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; system.element_quantities().len()];
    let v = vec![0.0; system.structure().velocities()];
    system.observe_elements(Motion { t: 0.0, q, v: &v }, &mut out);
    out
}

/// A beam that is bent and then turned a hundred times about a skew axis, in steps of a third of a turn.
#[test]
fn a_hundred_turns_leave_strains_at_round_off() {
    let beam: Beam = straight(slender([1.0, 3.0], 1e-2), 6);
    let system = SpatialModel::new().with_beam(&beam).unwrap().build().unwrap();
    let coordinates = system.structure().coordinates();
    let bend: Vec<f64> = (0..42).map(|k| 0.2 * f64::from(k).sin()).collect();
    let mut q = system.initial_position();
    coordinates.move_by(&system.initial_position(), &bend, &mut q);
    let before = stresses(&system, &q);
    let turn = UnitQuaternion::from_scaled_axis(
        Vector3::new(0.5, 0.7, -0.4).normalize() * (std::f64::consts::TAU / 3.0),
    );
    for _ in 0..300 {
        for body in q.chunks_exact_mut(7) {
            let position = turn * Vector3::new(body[0], body[1], body[2]);
            let own = nalgebra::Quaternion::new(body[3], body[4], body[5], body[6]);
            let turned = turn * UnitQuaternion::new_normalize(own);
            body.copy_from_slice(&[
                position.x, position.y, position.z, turned.w, turned.i, turned.j, turned.k,
            ]);
        }
    }
    let most = before.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let change = stresses(&system, &q).iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(most > 1.0 && change < 1e-11 * most, "{change:e} of {most}");
}

/// The same from the unbent shape: strains at round-off, which the stiffness of a pull multiplies.
#[test]
fn rigid_motions_have_no_stress() {
    let system =
        SpatialModel::new().with_beam(&straight(slender([1.0, 3.0], 1e-2), 6)).unwrap().build().unwrap();
    let moved = UnitQuaternion::from_scaled_axis(Vector3::new(1.0, -2.0, 0.7));
    let mut q = system.initial_position();
    for body in q.chunks_exact_mut(7) {
        let position = moved * Vector3::new(body[0], body[1], body[2]) + Vector3::new(1.0, 2.0, 3.0);
        let turned = moved
            * UnitQuaternion::new_normalize(nalgebra::Quaternion::new(body[3], body[4], body[5], body[6]));
        body.copy_from_slice(&[position.x, position.y, position.z, turned.w, turned.i, turned.j, turned.k]);
    }
    assert!(stresses(&system, &q).iter().all(|stress| stress.abs() < 1e-11));
}
