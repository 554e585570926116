//! A slider-crank whose slider meets a compliant stop: `cargo run --release -p cosimo-multibody --example slider_crank`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod figure;

use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, PenaltyLaw, RigidBody, SpatialModel,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{Matrix3, Vector3};

/// Where the stop stands (m).
const STOP: f64 = 1.9;

pub(crate) fn run() -> figure::Outcome {
    let rod = |mass: f64, length: f64| {
        let across = mass * length * length / 12.0;
        RigidBody::new(mass, Matrix3::from_diagonal(&Vector3::new(1e-3, across, across)))
    };
    let z = [0.0, 0.0, 1.0];
    // The crank of 0.5 m stands upright and turns towards the stop, the rod of 1.5 m leads to the slider. In this position the
    // rod does not turn.
    let slider = (1.5_f64 * 1.5 - 0.25).sqrt();
    let rise = nalgebra::UnitQuaternion::from_scaled_axis(Vector3::z() * (-0.5_f64).atan2(slider));
    let upright = nalgebra::UnitQuaternion::from_scaled_axis(Vector3::z() * std::f64::consts::FRAC_PI_2);
    let law = PenaltyLaw::Flores { stiffness: 2e6, exponent: 1.5, restitution: 0.6 };
    let stop = ForceKind::SpherePlane { radius: 0.05, law };
    // The plane's z axis points back to the slider.
    let plane = Frame::ground([STOP + 0.05, 0.0, 0.0]).with_axis([-1.0, 0.0, 0.0]);
    let system = SpatialModel::new()
        .with_gravity([0.0, -9.81, 0.0])
        .with_body(
            Body::new("crank", rod(1.0, 0.5)?)
                .with_position([0.0, 0.25, 0.0])
                .with_orientation(upright)
                .with_velocity([1.5, 0.0, 0.0], [0.0, 0.0, -6.0]),
        )
        .with_body(
            Body::new("rod", rod(2.0, 1.5)?)
                .with_position([0.5 * slider, 0.25, 0.0])
                .with_orientation(rise)
                .with_velocity([3.0, 0.0, 0.0], [0.0; 3]),
        )
        .with_body(
            Body::new("slider", rod(1.0, 0.1)?)
                .with_position([slider, 0.0, 0.0])
                .with_velocity([3.0, 0.0, 0.0], [0.0; 3]),
        )
        .with_joint_at("bearing", JointKind::Revolute, [None, Some("crank")], ([0.0; 3], z))
        .with_joint_at("big end", JointKind::Revolute, [Some("crank"), Some("rod")], ([0.0, 0.5, 0.0], z))
        .with_joint_at(
            "small end",
            JointKind::Spherical,
            [Some("rod"), Some("slider")],
            ([slider, 0.0, 0.0], z),
        )
        .with_joint_at(
            "guide",
            JointKind::Prismatic,
            [None, Some("slider")],
            ([slider, 0.0, 0.0], [1.0, 0.0, 0.0]),
        )
        .with_force(Force::new("stop", stop, plane, Frame::on("slider", [0.0; 3])))
        .build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v))?;
    let (mut path, mut deepest) = (Vec::new(), 0.0_f64);
    while solver.state().time < 2.0 {
        solver.step(2e-5)?;
        let state = solver.state();
        deepest = deepest.max(state.q[14] - STOP);
        if path.last().is_none_or(|point: &(f64, f64)| state.time - point.0 > 2e-3) {
            path.push((state.time, state.q[14]));
        }
    }
    let end = path.last().map_or(0.0, |point| point.0);
    let curves = vec![("slider", path), ("stop", vec![(0.0, STOP), (end, STOP)])];
    Ok((format!("the slider goes {:.2} mm into the stop", 1e3 * deepest), curves))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, curves) = run()?;
    println!("{found}");
    let title = "Slider-crank against a compliant stop";
    println!("{}", figure::write("slider_crank", title, ["t (s)", "x (m)"], &curves)?.display());
    Ok(())
}
