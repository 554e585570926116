//! Derivatives of beam elements against differences, at large deformations.

use crate::differences::tangent_mismatch;
use cosimo_multibody::spatial::{
    Beam, BeamElement, BeamStation, Frame, Section, SectionInertia, SectionStiffness, SpatialModel,
};
use nalgebra::{Matrix2, UnitQuaternion, Vector2, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

/// A section with all centres off the reference line and turned principal axes.
fn crooked() -> Section {
    let stiffness = SectionStiffness {
        axial: 50.0,
        shear: [30.0, 20.0],
        torsion: 4.0,
        bending: [2.0, 7.0],
        principal_angle: 0.3,
        tension_centre: [0.1, -0.05],
        shear_centre: [-0.08, 0.02],
    };
    let centre = Vector2::new(0.06, -0.03);
    let second_moment = centre * centre.transpose() * 1.5 + Matrix2::new(0.04, 0.01, 0.01, 0.02);
    let inertia = SectionInertia { mass: 1.5, centre, second_moment };
    Section { stiffness: stiffness.matrix(), inertia, twist: 0.2 }
}

/// A bent and twisted beam of three nodes, whose first is held by one more element at the ground.
fn model(damping: f64) -> SpatialModel {
    let station = |k: usize| {
        let s = k as f64;
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.3 * s, 0.5 * s));
        BeamStation { station: s, position: Vector3::new(s, 0.1 * s * s, -0.2 * s), orientation: turn }
    };
    let beam = Beam::new("beam", (0..3).map(station).collect(), crooked()).with_damping(damping);
    let model = SpatialModel::new().with_beam(&beam).unwrap();
    let reference = nalgebra::Vector6::new(0.8, 0.1, -0.1, 0.3, -0.2, 0.1);
    let root = BeamElement { length: 0.8, reference, stiffness: crooked().stiffness, damping };
    let ends = vec![Frame::ground([-0.7, 0.1, 0.0]), Frame::on("beam.0", [0.0; 3])];
    model.with_element("root", ends, root)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn tangents_are_those_of_differences(
        x in vec(-0.8..0.8f64, 18), v in vec(-2.0..2.0f64, 18), damping in 0.0..0.5f64,
    ) {
        let system = model(damping).build().unwrap();
        let mut q = vec![0.0; 21];
        use cosimo_dynamics::ConstrainedSystem;
        system.structure().coordinates().move_by(&system.initial_position(), &x, &mut q);
        let [stiffness, velocity] = tangent_mismatch(&system, (0.0, &q, &v));
        prop_assert!(stiffness < 1e-9 && velocity < 1e-9, "{stiffness:e} {velocity:e}");
    }
}

/// Forces are the gradient of the energy: their power is what it changes by, and what damping takes.
#[test]
fn forces_without_damping_are_the_gradient_of_the_energy() {
    use cosimo_dynamics::{ConstrainedSystem, Motion};
    let system = model(0.0).build().unwrap();
    let coordinates = system.structure().coordinates();
    let x: Vec<f64> = (0..18).map(|k| 0.5 * f64::from(k).sin()).collect();
    let (rest, start) = (vec![0.0; 18], system.initial_position());
    let mut q = vec![0.0; 21];
    coordinates.move_by(&start, &x, &mut q);
    let forces = crate::differences::balance(&system, (0.0, &q, &rest), &rest, &[]);
    let energy = |q: &[f64]| vec![system.energy(Motion { t: 0.0, q, v: &rest }).potential];
    let slopes = crate::differences::by_position(&system, &q, energy);
    for (force, slope) in forces.iter().zip(slopes.iter()) {
        assert!((force - slope).abs() < 1e-9 * (1.0 + slope.abs()), "{force} {slope}");
    }
}

#[test]
fn damping_takes_the_power_of_its_forces() {
    use cosimo_dynamics::{ConstrainedSystem, Motion};
    let [damped, free] = [0.3, 0.0].map(|damping| model(damping).build().unwrap());
    let v: Vec<f64> = (0..18).map(|k| f64::from(k).cos()).collect();
    let (q, rest) = (damped.initial_position(), vec![0.0; 18]);
    let of = |system| crate::differences::balance(system, (0.0, &q, &v), &rest, &[]);
    let power: f64 = of(&damped).iter().zip(of(&free)).zip(&v).map(|((a, b), v)| (a - b) * v).sum();
    let told = damped.dissipated_power(Motion { t: 0.0, q: &q, v: &v });
    assert!((power - told).abs() < 1e-12 * told && told > 1.0, "{power} {told}");
}
