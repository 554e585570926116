//! Blades that turn: hinged rigid ones, and the propeller moment.

use super::{Kind, frequencies, reference, slender, straight, turning_modes, with_hub};
use cosimo_multibody::spatial::{
    Beam, Body, Frame, Joint, JointKind, RigidBody, SectionInertia, SpatialModel,
};
use nalgebra::{Matrix2, Matrix3, UnitQuaternion};

/// A blade from the hinge at `offset` to the radius 1, joined to the hub; so stiff that it is rigid.
fn hinged(offset: f64, axis: [f64; 3]) -> f64 {
    let speed = 3.0;
    let mut section = slender([1.0, 1.0], 1.0);
    section.stiffness *= 1e8;
    section.inertia.second_moment = Matrix2::new(1e-7, 0.0, 0.0, 0.0);
    let frame = ([0.0; 3], UnitQuaternion::identity());
    let beam = Beam::straight("beam", frame, &Beam::even(offset, 1.0, 3), section);
    let beam = beam.moving([0.0; 3], [0.0, 0.0, speed]);
    let model = with_hub(SpatialModel::new().with_beam(&beam).unwrap(), speed);
    let root = [Some("hub"), Some("beam.0")];
    let at = ([offset, 0.0, 0.0], axis);
    let system = model.with_joint_at("root", JointKind::Revolute, root, at).build().unwrap();
    turning_modes(&system, speed, (1, speed))[0].eigenvalue.im / speed
}

#[test]
fn hinged_rigid_blades_flap_and_lag_as_the_closed_form_says() {
    let mut worst = 0.0_f64;
    for row in reference("P6_hinged_rigid_blade").iter().step_by(4) {
        let [offset, flap, lag] = [0, 1, 2].map(|k| row[k].parse::<f64>().unwrap());
        worst = worst.max((hinged(offset, [0.0, 1.0, 0.0]) - flap).abs());
        if offset > 0.0 {
            worst = worst.max((hinged(offset, [0.0, 0.0, 1.0]) - lag).abs());
        }
    }
    assert!(worst < 1e-6, "{worst:e}");
}

/// A thin blade at flat pitch: `ω²(Ω) = ω²(0) + Ω²` in torsion.
#[test]
fn the_propeller_moment_stiffens_torsion() {
    let torsion = |speed: f64| {
        let mut section = slender([1e3, 1e5], 1e-9);
        section.inertia =
            SectionInertia { second_moment: Matrix2::new(0.01, 0.0, 0.0, 0.0), ..section.inertia };
        let beam = straight(section, 8).moving([0.0; 3], [0.0, 0.0, speed]);
        let model = with_hub(SpatialModel::new().with_beam(&beam).unwrap(), speed);
        let root = [Some("hub"), Some("beam.0")];
        let at = ([0.0; 3], [0.0, 0.0, 1.0]);
        let system = model.with_joint_at("root", JointKind::Fixed, root, at).build().unwrap();
        let found = turning_modes(&system, speed, (4, 10.0));
        frequencies(&system, &found, Kind::Torsion)[0]
    };
    let still = torsion(0.0);
    for speed in [5.0, 10.0] {
        let gained = torsion(speed).powi(2) - still * still;
        assert!((gained / (speed * speed) - 1.0).abs() < 1e-4, "{gained} at {speed}");
    }
}

/// A blade that turns with its hub does as the equilibrium says: no motion in axes that turn.
#[test]
fn runs_from_a_steady_turn_keep_turning() {
    use cosimo_multibody::modes::{Equilibrium, Turning};
    use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
    let speed = 4.0;
    let beam = straight(slender([1.0, 1.0], 1e-3), 5).moving([0.0; 3], [0.0, 0.0, speed]);
    let model = with_hub(SpatialModel::new().with_beam(&beam).unwrap(), speed);
    let tip = RigidBody::new(0.2, Matrix3::identity() * 1e-3).unwrap();
    let model = model.with_body(Body::new("weight", tip).with_position([1.0, 0.0, 0.1]));
    let [first, second] = [Frame::on("beam.5", [0.0; 3]), Frame::on("weight", [0.0, 0.0, -0.1])];
    let model = model.with_joint(Joint::new("tip", JointKind::Fixed, first, second));
    let root = [Some("hub"), Some("beam.0")];
    let system =
        model.with_joint_at("root", JointKind::Fixed, root, ([0.0; 3], [0.0, 0.0, 1.0])).build().unwrap();
    let turning = Turning::about_origin([0.0, 0.0, speed]);
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), turning).unwrap();
    let (q, weight) = (found.q.clone(), system.bodies().len() - 1);
    let state = system.body_state(weight, &q, &found.v).unwrap();
    let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, found.v)).unwrap();
    solver.advance_to(std::f64::consts::TAU / speed, 1e-3).unwrap();
    let after = solver.system().body_state(weight, &solver.state().q, &solver.state().v).unwrap();
    assert!(state.position.z < 0.099, "the weight pulls itself down: {}", state.position);
    let change = (after.position - state.position).norm();
    assert!(change < 1e-5, "{change:e}");
}
