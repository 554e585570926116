//! Gears, racks and cams against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{Z, diagonal, start};
use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::modes::{Equilibrium, Turning, modes};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, Gear, GearMesh, Joint, JointKind, RigidBody, Sensor, SensorKind,
    SpatialModel, SpatialSystem, Transfer,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

const RULES: [Method; 3] =
    [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }, Method::Bdf { order: 2 }];

fn settings(method: Method) -> DaeSettings {
    let formulation = match method {
        Method::Midpoint => Formulation::PositionVelocity,
        _ => Formulation::PositionVelocityAcceleration,
    };
    DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() }
}

/// A wheel of this inertia about `z` on a hinge with a sensor of its angle.
fn wheel(model: SpatialModel, name: &str, (x, inertia, spin): (f64, f64, f64)) -> SpatialModel {
    let properties = RigidBody::new(1.0, diagonal(inertia, inertia, inertia)).unwrap();
    let body =
        Body::new(name, properties).with_position([x, 0.0, 0.0]).with_velocity([0.0; 3], [0.0, 0.0, spin]);
    let [first, second] = [Frame::ground([x, 0.0, 0.0]), Frame::on(name, [0.0; 3])];
    let model = model.with_body(body);
    model
        .with_joint_at(name, JointKind::Revolute, [None, Some(name)], ([x, 0.0, 0.0], Z))
        .with_sensor(Sensor::new(name, SensorKind::Angle, first, second))
}

fn torque(model: SpatialModel, name: &str, size: f64) -> SpatialModel {
    let kind = ForceKind::RotaryActuator(TimeFunction::Constant(size));
    let [first, second] = [Frame::ground([0.0; 3]), Frame::on(name, [0.0; 3])];
    model.with_force(Force::new("motor", kind, first, second))
}

/// Two flywheels with the ratio `r`: `θ̈₁ = T/(J₁ + r² J₂)`, the load on the second one `r J₂ θ̈₁`, over many turns.
#[test]
fn two_flywheels_accelerate_as_one() {
    let (first, second, ratio, size) = (0.3, 2.0, -0.4, 7.0);
    for rule in RULES {
        let model = wheel(SpatialModel::new(), "a", (0.0, first, 0.0));
        let model = torque(wheel(model, "b", (1.0, second, 0.0)), "a", size);
        let model = model.with_gear(Gear::new("stage", ["a", "b"], ratio));
        let mut solver = start(model, rule, settings(rule));
        solver.advance_to(3.0, 0.01).unwrap();
        let acceleration = size / (first + ratio * ratio * second);
        let state = solver.state();
        assert!((state.v[5] - 3.0 * acceleration).abs() < 1e-8, "{rule:?}: {}", state.v[5]);
        assert!((state.v[11] - ratio * state.v[5]).abs() < 1e-10, "{rule:?}");
        let load = solver.system().gear_load(0, &state.mu).unwrap();
        assert!((load - ratio * second * acceleration).abs() < 1e-7, "{rule:?}: {load}");
        let mut out = [0.0; 4];
        solver.system().observe_sensors(&state.q, &state.v, &state.a, &mut out);
        assert!(
            out[0] > 10.0 * std::f64::consts::PI && (out[2] - ratio * out[0]).abs() < 1e-9,
            "{rule:?} {out:?}"
        );
        assert!(solver.violation(Level::Position) < 1e-9);
    }
}

/// A mass that hangs on a rack of a pinion of radius `r`: `z̈ = −g m r²/(J + m r²)`.
#[test]
fn a_mass_on_a_rack_turns_the_pinion() {
    let (inertia, mass, radius) = (0.05, 2.0, 0.1);
    for rule in RULES {
        let model = wheel(SpatialModel::new(), "pinion", (0.0, inertia, 0.0)).with_gravity([0.0, -10.0, 0.0]);
        let block = RigidBody::new(mass, diagonal(0.1, 0.1, 0.1)).unwrap();
        let guide = ([0.1, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let model = model.with_body(Body::new("rack", block).with_position([0.1, 0.0, 0.0]));
        let axis = |frame: Frame| frame.with_axis([0.0, 1.0, 0.0]);
        let ends = [axis(Frame::ground([0.1, 0.0, 0.0])), axis(Frame::on("rack", [0.0; 3]))];
        let [first, second] = ends;
        let model = model
            .with_joint_at("guide", JointKind::Prismatic, [None, Some("rack")], guide)
            .with_sensor(Sensor::new("height", SensorKind::Displacement, first, second))
            .with_gear(Gear::new("rack and pinion", ["pinion", "height"], radius));
        let mut solver = start(model, rule, settings(rule));
        solver.advance_to(2.0, 0.01).unwrap();
        let share = mass * radius * radius / (inertia + mass * radius * radius);
        let v = &solver.state().v;
        assert!((v[7] + 10.0 * share * 2.0).abs() < 1e-8, "{rule:?}: {}", v[7]);
        assert!((v[5] - v[7] / radius).abs() < 1e-8, "{rule:?}");
    }
}

/// A follower on a cam that turns at `ω`: `ÿ = f''(θ) ω²`, and its load `m ÿ`.
#[test]
fn a_follower_moves_as_its_cam_says() {
    let (spin, mass) = (3.0, 2.0);
    let lift = TimeFunction::Harmonic { mean: 0.0, amplitude: 0.01, frequency: 2.0, phase: 0.0 };
    for rule in RULES {
        let model = wheel(SpatialModel::new(), "cam", (0.0, 0.1, spin));
        let turning = JointKind::Angle(TimeFunction::linear(0.0, spin));
        let model = model.with_joint(Joint::new(
            "drive",
            turning,
            Frame::ground([0.0; 3]),
            Frame::on("cam", [0.0; 3]),
        ));
        let block = RigidBody::new(mass, diagonal(0.1, 0.1, 0.1)).unwrap();
        let body = Body::new("follower", block).with_velocity([0.0, 0.0, 0.02 * spin], [0.0; 3]);
        let model = model
            .with_body(body)
            .with_joint_at("guide", JointKind::Prismatic, [None, Some("follower")], ([0.0; 3], Z))
            .with_sensor(Sensor::new(
                "lift",
                SensorKind::Displacement,
                Frame::ground([0.0; 3]),
                Frame::on("follower", [0.0; 3]),
            ))
            .with_gear(
                Gear::new("profile", ["cam", "lift"], 1.0).with_transfer(Transfer::Curve(lift.clone())),
            );
        let mut solver = start(model, rule, settings(rule));
        solver.advance_to(5.0, 1e-3).unwrap();
        let [y, slope, bend] = lift.at(spin * 5.0);
        let state = solver.state();
        assert!((state.q[9] - y).abs() < 1e-9 && (state.v[8] - slope * spin).abs() < 1e-8, "{rule:?}");
        if rule != Method::Midpoint {
            assert!((state.a[8] - bend * spin * spin).abs() < 1e-7, "{rule:?}: {}", state.a[8]);
            let load = solver.system().gear_load(0, &state.mu).unwrap();
            assert!((load - mass * bend * spin * spin).abs() < 1e-6, "{rule:?}: {load}");
        }
    }
}

fn mesh(efficiency: f64) -> GearMesh {
    GearMesh {
        coordinates: [SensorKind::Angle; 2],
        turns: [0, 0],
        ratio: -0.5,
        offset: 0.0,
        efficiency,
        stiffness: 1e6,
        damping: 300.0,
        slip_speed: 1e-3,
    }
}

fn with_mesh(model: SpatialModel, efficiency: f64) -> SpatialModel {
    let [ground, on] = [|| Frame::ground([0.0; 3]), || Frame::ground([1.0, 0.0, 0.0])];
    let nodes = vec![ground(), Frame::on("a", [0.0; 3]), on(), Frame::on("b", [0.0; 3])];
    model.with_element("mesh", nodes, mesh(efficiency))
}

/// With losses: what drives feels `F`, what is driven `η F`. Where the first wheel drives, `J₁ θ̈₁ = T + r F` and `J₂ r θ̈₁ = −η F`, so
/// `θ̈₁ = T/(J₁ + r² J₂/η)`; where the second one does, `J₂ r θ̈₁ = T − F` and `J₁ θ̈₁ = η r F`, so `r θ̈₁ = T/(J₂ + J₁/(r² η))`.
#[test]
fn losses_are_those_of_the_driven_side() {
    let (first, second, ratio, size, efficiency) = (0.3, 2.0, -0.5, 7.0, 0.8);
    for rule in RULES {
        for (driver, exact) in [
            ("a", size / (first + ratio * ratio * second / efficiency)),
            ("b", size / (second + first / (ratio * ratio * efficiency)) / ratio),
        ] {
            let model = wheel(SpatialModel::new(), "a", (0.0, first, 0.0));
            let model = wheel(model, "b", (1.0, second, 0.0));
            let model = with_mesh(torque(model, driver, size), efficiency);
            let mut solver = start(model, rule, settings(rule));
            solver.advance_to(0.5, 1e-3).unwrap();
            let from = solver.state().v[5];
            solver.advance_to(1.5, 1e-3).unwrap();
            let found = solver.state().v[5] - from;
            assert!((found - exact).abs() < 2e-3 * exact.abs(), "{rule:?}, {driver}: {found} {exact}");
        }
    }
}

/// The power lost is `(1 − η)` of the power transmitted, either way round, and what is lost is what the energy lacks.
#[test]
fn losses_are_a_share_of_the_power_transmitted() {
    for spins in [[4.0, -2.01], [4.0, -1.99]] {
        let model = wheel(SpatialModel::new(), "a", (0.0, 0.3, spins[0]));
        let system = with_mesh(wheel(model, "b", (1.0, 2.0, spins[1])), 0.9).build().unwrap();
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let motion = cosimo_dynamics::Motion { t: 0.0, q: &q, v: &v };
        let rate = spins[1] + 0.5 * spins[0];
        let force = 300.0 * rate;
        // The rates of both sides differ a little while the damper works: the share is that of their mean.
        let exact = 0.1 * force.abs() * 0.5 * (2.0 + spins[1].abs()) + 0.95 * force * rate;
        let found = system.dissipated_power(motion);
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
    }
}

#[test]
fn gears_are_checked() {
    let two = || wheel(wheel(SpatialModel::new(), "a", (0.0, 1.0, 0.0)), "b", (1.0, 1.0, 0.0));
    let rejection = |gear| two().with_gear(gear).build().map(|_: SpatialSystem| ()).unwrap_err().to_string();
    let found = rejection(Gear::new("g", ["a", "c"], 1.0));
    assert!(found.contains("gear `g`") && found.contains("`c`"), "{found}");
    let found = rejection(Gear::new("g", ["a", "b"], 0.0));
    assert!(found.contains("gear `g`: ratio is 0.0, must be finite and not zero"), "{found}");
    let found = with_mesh(two(), 1.5).build().map(|_: SpatialSystem| ()).unwrap_err().to_string();
    assert!(found.contains("efficiency is 1.5, must be in (0, 1]"), "{found}");
}

/// The wheels of a gear may not turn by half a turn in a step: their turns would not be known.
#[test]
fn steps_that_lose_turns_are_refused() {
    let model = wheel(SpatialModel::new(), "a", (0.0, 0.3, 400.0));
    let model = with_mesh(wheel(model, "b", (1.0, 2.0, -200.0)), 0.9);
    let mut solver: DaeSolver<SpatialSystem> = start(model, RULES[1], settings(RULES[1]));
    let found = solver.step(0.01).unwrap_err().to_string();
    assert!(found.contains("must be less than 3.142 rad"), "{found}");
}

/// Two wheels on a torsion spring vibrate as one: `ω² = k/(J₁ + r² J₂)`, in the modes too.
#[test]
fn geared_wheels_vibrate_as_one() {
    let (first, second, ratio, stiffness) = (0.3, 2.0, -0.4, 50.0);
    let model = wheel(SpatialModel::new(), "a", (0.0, first, 0.0));
    let spring = ForceKind::TorsionSpring { stiffness, damping: 0.0, free_angle: 0.0 };
    let system = wheel(model, "b", (1.0, second, 0.0))
        .with_force(Force::new("spring", spring, Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3])))
        .with_gear(Gear::new("stage", ["a", "b"], ratio))
        .build()
        .unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let modes = modes(&system, &found, (4, 10.0)).unwrap();
    let exact = (stiffness / (first + ratio * ratio * second)).sqrt();
    assert_eq!(modes.len(), 1);
    assert!((modes[0].eigenvalue.im - exact).abs() < 1e-9 * exact, "{:?}", modes[0].eigenvalue);
}

/// A gear to the ground does not turn with the rest.
#[test]
fn a_steady_turn_that_a_gear_forbids_is_refused_by_name() {
    let system = wheel(wheel(SpatialModel::new(), "a", (0.0, 0.3, 0.0)), "b", (0.0, 2.0, 0.0));
    let system = system.with_gear(Gear::new("stage", ["a", "b"], -0.4)).build().unwrap();
    let turning = Turning::about_origin(Z.map(|axis| 3.0 * axis));
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), turning).unwrap_err().to_string();
    assert!(found.contains("`stage` does not allow to turn steadily"), "{found}");
}
