//! Ports on bodies that joints and motions hold altogether.

use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{Body, Joint, JointKind, RigidBody, SpatialModel};
use cosimo_native::{MultibodyBuilder, MultibodyPort};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use nalgebra::Matrix3;

const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// A rod of 1 m whose angle a motion prescribes, with a port at its tip.
fn driven(amplitude: f64) -> MultibodyBuilder {
    let rod = RigidBody::new(2.0, Matrix3::from_diagonal(&[0.01, 0.2, 0.2].into())).unwrap();
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]).with_body(
        Body::new("rod", rod)
            .with_position([0.5, 0.0, 0.0])
            .with_velocity([0.0, 0.0, -3.0 * amplitude], [0.0, 6.0 * amplitude, 0.0]),
    );
    let (hinge, on_rod) = (model.frame_at(None, [0.0; 3], Y), model.frame_at(Some("rod"), [0.0; 3], Y));
    let angle = TimeFunction::Harmonic { mean: 0.0, amplitude, frequency: 6.0, phase: 0.0 };
    let system = model
        .with_joint_at("hinge", JointKind::Revolute, [None, Some("rod")], ([0.0; 3], Y))
        .with_joint(Joint::new("drive", JointKind::Angle(angle), hinge, on_rod))
        .build()
        .unwrap();
    MultibodyBuilder::new("arm", system).with_port("tip", MultibodyPort::point("rod", [0.5, 0.0, 0.0]))
}

#[test]
fn a_load_on_a_driven_body_moves_nothing() {
    let loads = StepLoads { impulses: vec![3.0, -2.0, 5.0], ..StepLoads::zeros(3) };
    for amplitude in [0.8, 0.0] {
        for method in [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }] {
            let mut arm = driven(amplitude).with_method(method).build().unwrap();
            for step in 0..300 {
                let (time, size) = (1e-3 * f64::from(step), 1e-3);
                let response = arm.begin(MacroStep { time, size }, &[0.0; 3]).unwrap();
                assert!(response.inverse_mass.amax() < 1e-12, "{:?}", response.inverse_mass);
                arm.evaluate(&loads.impulses).unwrap();
                arm.commit(&loads).unwrap();
                let angle = amplitude * (6.0 * (time + size)).sin();
                let tip = &arm.rows().positions;
                assert!((tip[0] - angle.cos()).abs() < 1e-9 && (tip[2] + angle.sin()).abs() < 1e-9);
            }
        }
    }
}
