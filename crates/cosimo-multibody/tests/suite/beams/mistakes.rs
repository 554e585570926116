//! What is refused, by name.

use std::sync::Arc;

use super::{slender, straight};
use cosimo_multibody::modes::{Equilibrium, ModesError, Turning};
use cosimo_multibody::spatial::{
    Beam, BeamElement, BeamError, Body, Frame, RigidBody, SectionQuantity, SectionTableError, SpanTable,
    SpatialModel, SpatialModelError, TableSections,
};
use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector6};

fn refuse(beam: &Beam) -> BeamError {
    SpatialModel::new().with_beam(beam).unwrap_err()
}

#[test]
fn beams_without_elements_or_order_are_refused() {
    let section = slender([1.0, 1.0], 1e-3);
    let frame = ([0.0; 3], UnitQuaternion::identity());
    assert!(matches!(
        refuse(&Beam::straight("b", frame, &[0.0], section)),
        BeamError::TooFewNodes { nodes: 1, .. }
    ));
    let error = refuse(&Beam::straight("b", frame, &[0.0, 1.0, 0.5], section));
    assert!(matches!(error, BeamError::Stations { station: 0.5, before: 1.0, .. }), "{error}");
}

#[test]
fn sections_without_stiffness_or_inertia_are_refused() {
    let mut section = slender([1.0, 1.0], 1e-3);
    section.stiffness[(3, 3)] = 0.0;
    assert!(matches!(refuse(&straight(section, 2)), BeamError::Stiffness { .. }));
    let mut section = slender([1.0, 1.0], 1e-3);
    section.inertia.second_moment.fill(0.0);
    let error = refuse(&straight(section, 2));
    assert!(matches!(error, BeamError::NodeInertia { node: 0, .. }), "{error}");
    assert!(error.to_string().contains("inertia floor"));
    section.inertia.centre.x = 0.1;
    assert!(matches!(refuse(&straight(section, 2)), BeamError::NegativeCentralInertia { .. }));
}

#[test]
fn tables_of_the_wrong_unit_are_refused() {
    let table = |unit: &str| {
        SpanTable::read("t.csv", &format!("r0_m,r1_m,x_{unit}_at_r0,x_{unit}_at_r1\n0,1,1,1\n")).unwrap()
    };
    let with =
        |quantity, unit: &str| TableSections::new().with_table(quantity, &table(unit), "x").unwrap_err();
    let error = with(SectionQuantity::Mass, "kg_m");
    assert!(matches!(error, SectionTableError::WrongUnit { .. }));
    assert_eq!(error.to_string(), "t.csv: column `x` is in kg m, the mass must be in kg/m");
    assert!(matches!(with(SectionQuantity::CentreY, "over_chord"), SectionTableError::NoChord { .. }));
    assert!(matches!(
        TableSections::new().with_table(SectionQuantity::Mass, &table("N"), "y").unwrap_err(),
        SectionTableError::Column { .. }
    ));
    assert!(matches!(TableSections::new().check().unwrap_err(), SectionTableError::Missing { .. }));
}

#[test]
fn elements_by_hand_are_checked() {
    let element =
        |length, stiffness| BeamElement { length, reference: Vector6::zeros(), stiffness, damping: 0.0 };
    let build = |element, nodes| {
        let body = RigidBody::new(1.0, Matrix3::identity()).unwrap();
        SpatialModel::new()
            .with_body(Body::new("a", body))
            .with_element("e", nodes, element)
            .build()
            .unwrap_err()
    };
    let ends = || vec![Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3])];
    let quantity = |error| match error {
        SpatialModelError::OutOfRange { quantity, owner, .. } if owner == "element `e`" => quantity,
        other => panic!("{other}"),
    };
    assert_eq!(quantity(build(element(0.0, Matrix6::identity()), ends())), "length");
    assert_eq!(
        quantity(build(element(1.0, Matrix6::zeros()), ends())),
        "least eigenvalue of the section stiffness"
    );
    assert_eq!(quantity(build(element(1.0, Matrix6::identity()), ends()[..1].to_vec())), "number of nodes");
    let error =
        build(element(1.0, Matrix6::identity()), vec![Frame::on("c", [0.0; 3]), Frame::on("a", [0.0; 3])]);
    assert!(matches!(error, SpatialModelError::UnknownBody { .. }));
}

/// Ends that turn against each other by more than the logarithm has.
#[test]
fn elements_that_bend_too_far_are_told_by_name() {
    use cosimo_multibody::spatial::{BodyFunction, Force, ForceKind};
    use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Method};
    let twisting =
        BodyFunction(Arc::new(|_, _, _| [nalgebra::Vector3::zeros(), nalgebra::Vector3::new(3.0, 0.0, 0.0)]));
    let model = SpatialModel::new().with_beam(&straight(slender([1.0, 1.0], 1e-2), 1)).unwrap();
    let model = super::hold(
        model,
        cosimo_multibody::spatial::JointKind::Fixed,
        ("beam.0", [0.0; 3]),
        [0.0, 0.0, 1.0],
    );
    let load = Force::new(
        "load",
        ForceKind::OnBody(twisting),
        Frame::ground([0.0; 3]),
        Frame::on("beam.1", [0.0; 3]),
    );
    let system = model.with_force(load).build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let mut solver =
        DaeSolver::new(system, Method::ImplicitEuler, DaeSettings::default(), (0.0, q, v)).unwrap();
    let error = solver.advance_to(1.0, 1e-4).unwrap_err();
    assert!(
        error.to_string().contains("element `beam.1`") && error.to_string().contains("use more elements"),
        "{error}"
    );
    assert!(!matches!(error, DaeError::NotFinite { .. }));
}

#[test]
fn turns_that_joints_forbid_are_told_by_name() {
    let model = SpatialModel::new().with_beam(&straight(slender([1.0, 1.0], 1e-3), 2)).unwrap();
    let model = super::hold(
        model,
        cosimo_multibody::spatial::JointKind::Fixed,
        ("beam.0", [0.0; 3]),
        [0.0, 0.0, 1.0],
    );
    let system = model.build().unwrap();
    let turning = Turning::about_origin([0.0, 0.0, 2.0]);
    let error = Equilibrium::find(&system, 0.0, &system.initial_position(), turning).unwrap_err();
    assert!(
        matches!(&error, ModesError::NotSteady { constraint, .. } if constraint == "beam.0 held"),
        "{error}"
    );
}
