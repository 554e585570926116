//! Centres off the reference line, and pretwist.

use super::{hold, slender, straight, turning_modes};
use cosimo_multibody::modes::{Equilibrium, Turning};
use cosimo_multibody::spatial::{
    Beam, BodyFunction, Force, ForceKind, Frame, JointKind, Section, SectionStiffness, SpatialModel,
};
use nalgebra::{UnitQuaternion, Vector3};
use std::sync::Arc;

/// Small changes of the tip, translation and turn, under a small force at its reference point; per unit of the force.
fn answer(section: Section, force: [f64; 3]) -> [Vector3<f64>; 2] {
    let elements = 32;
    let size = 1e-7;
    let beam = straight(section, elements);
    let load = Vector3::from(force) * size;
    let kind = ForceKind::OnBody(BodyFunction(Arc::new(move |_, _, _| [load, Vector3::zeros()])));
    let tip = Frame::on(beam.node(elements), [0.0; 3]);
    let model = SpatialModel::new().with_beam(&beam).unwrap();
    let model = hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]);
    let system = model.with_force(Force::new("load", kind, Frame::ground([0.0; 3]), tip)).build().unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let state = system.body_state(elements, &found.q, &found.v).unwrap();
    let point = state.point(&-system.bodies()[elements].centre_of_mass);
    [(point - Vector3::x()) / size, state.orientation.scaled_axis() / size]
}

fn section(stiffness: SectionStiffness) -> Section {
    Section { stiffness: stiffness.matrix(), ..slender([1.0, 1.0], 1e-3) }
}

/// `EA` = 100, `GA` = 80, `GJ` = 0.5, `EI` = 2 and 5.
fn plain() -> SectionStiffness {
    SectionStiffness::new(100.0, [80.0; 2], 0.5, [2.0, 5.0])
}

#[test]
fn a_pull_off_the_tension_centre_bends() {
    // The force P acts at −y_t from the centre: M_z = P y_t, and the reference line has the stretch P/EA + κ_z y_t.
    let yt = 0.1;
    let [displacement, turn] =
        answer(section(SectionStiffness { tension_centre: [yt, 0.0], ..plain() }), [1.0, 0.0, 0.0]);
    let curvature = yt / 5.0;
    assert!((turn.z - curvature).abs() < 1e-6 && (displacement.y - 0.5 * curvature).abs() < 1e-6);
    assert!((displacement.x - (0.01 + yt * curvature)).abs() < 1e-6);
}

#[test]
fn a_force_off_the_shear_centre_twists() {
    let ys = 0.2;
    let [_, turn] = answer(section(SectionStiffness { shear_centre: [ys, 0.0], ..plain() }), [0.0, 0.0, 1.0]);
    // About the shear centre the force has the moment −y_s F.
    assert!((turn.x + ys / 0.5).abs() < 1e-6, "{turn}");
}

#[test]
fn turned_principal_axes_bend_askew() {
    let angle = 0.4_f64;
    let [displacement, _] =
        answer(section(SectionStiffness { principal_angle: angle, ..plain() }), [0.0, 0.0, 1.0]);
    // Along the principal axes the load bends by L³/3EI each, and shears by L/GA.
    let (along, across) = (angle.sin() / 5.0, angle.cos() / 2.0);
    let expected = [
        (along * angle.cos() - across * angle.sin()) / 3.0,
        (along * angle.sin() + across * angle.cos()) / 3.0 + 1.0 / 80.0,
    ];
    assert!(
        (displacement.y - expected[0]).abs() < 2e-4 && (displacement.z - expected[1]).abs() < 2e-4,
        "{displacement} {expected:?}"
    );
}

/// A twist by reference axes and the same twist by sections are one beam.
#[test]
fn pretwist_is_the_same_by_axes_and_by_sections() {
    #[derive(Debug)]
    struct Twisted(Section);
    impl cosimo_multibody::spatial::SectionLaw for Twisted {
        fn at(&self, _station: f64) -> Section {
            self.0
        }
        fn twist(&self, station: f64) -> f64 {
            0.8 * station
        }
    }
    let own = slender([1.0, 9.0], 1e-4);
    let by_sections = Beam::straight(
        "beam",
        ([0.0; 3], UnitQuaternion::identity()),
        &Beam::even(0.0, 1.0, 10),
        Twisted(own),
    );
    let mut by_axes = straight(own, 10);
    for station in &mut by_axes.stations {
        station.orientation = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.8 * station.station);
    }
    let modes = [by_sections, by_axes].map(|beam| {
        let model = SpatialModel::new().with_beam(&beam).unwrap();
        let system = hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]).build().unwrap();
        turning_modes(&system, 0.0, (6, 5.0)).iter().map(|mode| mode.eigenvalue.im).collect::<Vec<_>>()
    });
    for (a, b) in modes[0].iter().zip(&modes[1]) {
        assert!((a / b - 1.0).abs() < 1e-9, "{modes:?}");
    }
}
