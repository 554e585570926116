//! Compliant joints of frames: springs and dashpots of six coordinates at any angle.

use cosimo_master::{Acceleration, Impacts, InterfaceLaw, Master, MasterConfig, Scheme};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use nalgebra::{DMatrix, Matrix3, Matrix6, UnitQuaternion, Vector3};

use super::bodies::{Part, couple, pair, state, totals, turned};
use super::reference::{bushing_loads, integrate};

/// A stiffness that couples all coordinates.
fn stiffness() -> Matrix6<f64> {
    let factor = Matrix6::from_fn(|i, j| ((7 * i + 3 * j + i * j) as f64).sin());
    factor * factor.transpose() * 8.0 + Matrix6::identity() * 4.0
}

fn law(stiffness: &Matrix6<f64>, damping: f64) -> InterfaceLaw {
    let dense = |m: &Matrix6<f64>| DMatrix::from_column_slice(6, 6, m.as_slice());
    InterfaceLaw::Compliant { stiffness: dense(stiffness), damping: dense(&(stiffness * damping)) }
}

/// The pair, and rest position of its bushing from which it is turned by one radian and displaced.
fn apart() -> ([Part; 2], Vec<f64>) {
    let mut parts = pair(Vector3::new(1.0, -0.5, 0.3), Vector3::new(1.5, 0.5, -1.0));
    let rest = parts[1].start.orientation.inverse() * parts[0].start.orientation * turned(0.6, -0.7, 0.4);
    parts[0].start.position += Vector3::new(0.1, 0.05, -0.02);
    let offset = [0.02, 0.0, -0.01].iter().chain(rest.scaled_axis().iter()).copied().collect();
    (parts, offset)
}

fn run(
    parts: &[Part; 2],
    (law, offset): (InterfaceLaw, Vec<f64>),
    (end, steps): (f64, usize),
) -> (Master, u32) {
    let mut master = couple(parts, "hub", (law, offset), MasterConfig::default());
    let mut most = 0;
    for _ in 0..steps {
        most = most.max(master.step(end / steps as f64).unwrap().iterations);
    }
    (master, most)
}

#[test]
fn large_angles_have_order_two() {
    let (parts, offset) = apart();
    let rest = turned(offset[3], offset[4], offset[5]);
    // The offset of the points is an arm of side b.
    let shift = Vector3::new(offset[0], offset[1], offset[2]);
    let arms = [parts[0].arm, parts[1].arm + shift];
    let stiffness = stiffness();
    let bodies = parts.clone().map(|part| part.body);
    let loads = |states: &[BodyState; 2]| bushing_loads(arms, rest, &stiffness, states);
    let exact = integrate(&bodies, parts.clone().map(|part| part.start), loads, (1.5, 3000));
    let error = |steps| {
        let (master, most) = run(&parts, (law(&stiffness, 0.0), offset.clone()), (1.5, steps));
        assert!(most <= 4, "{most} corrections");
        let parts = ["a", "b"].iter().zip(&exact).map(|(name, exact)| {
            let found = state(&master, name);
            (found.position - exact.position).norm() + found.orientation.angle_to(&exact.orientation)
        });
        parts.sum::<f64>()
    };
    let errors = [error(300), error(600), error(1200)];
    assert!(errors[2] < 5e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.2, "{errors:?}");
    }
}

/// Momentum is exact; angular momentum and energy are kept with order two, and the monitor reports what is not.
#[test]
fn bushing_keeps_momenta_and_energy() {
    let (parts, offset) = apart();
    let (momentum, spin, _) = totals(&parts, parts.clone().map(|part| part.start));
    let lost = |steps: usize| {
        let mut master =
            couple(&parts, "hub", (law(&stiffness(), 0.0), offset.clone()), MasterConfig::default());
        let report = master.run(3.0, 3.0 / steps as f64, &mut cosimo_master::NoObserver).unwrap();
        let (p, l, _) = totals(&parts, ["a", "b"].map(|name| state(&master, name)));
        assert!((p - momentum).norm() < 1e-12 * momentum.norm());
        let energy = report.energy;
        let drift = energy.end - energy.start;
        assert!((drift - energy.interfaces).abs() < 1e-2 * drift.abs(), "{energy:?}");
        ((l - spin).norm() / spin.norm(), drift.abs() / energy.start)
    };
    let (coarse, fine) = (lost(600), lost(1200));
    assert!(fine.0 < 1e-4 && fine.1 < 1e-4, "{fine:?}");
    assert!(fine.0 < coarse.0 / 3.0 && fine.1 < coarse.1 / 3.0, "{coarse:?} {fine:?}");
}

/// Two balls with coinciding centres that spin together about the axis of the bushing, twisted and displaced along it:
/// `ψ = ψ₀ e^(−δt) (cos ωt + δ/ω sin ωt)`, whatever the spin.
#[test]
fn twist_and_stretch_of_spinning_balls_have_the_closed_form() {
    let ball = |moment: f64, mass: f64| RigidBody::new(mass, Matrix3::from_diagonal_element(moment)).unwrap();
    let part = |body, state| Part { body, start: state, arm: Vector3::zeros() };
    let spin = Vector3::z() * 40.0;
    let first = BodyState {
        position: Vector3::z() * 2e-3,
        orientation: turned(0.0, 0.0, 0.5),
        angular_velocity: spin,
        ..BodyState::default()
    };
    let second = BodyState { angular_velocity: spin, ..BodyState::default() };
    let parts = [part(ball(0.3, 2.0), first), part(ball(0.6, 1.0), second)];
    let (stiffness, beta) = (Matrix6::from_diagonal(&[900.0, 900.0, 700.0, 50.0, 50.0, 80.0].into()), 2e-3);
    let (master, most) = run(&parts, (law(&stiffness, beta), Vec::new()), (1.0, 4000));
    let [a, b] = ["a", "b"].map(|name| state(&master, name));
    let exact = |stiffness: f64, inverse: f64, start: f64| {
        let (square, decay) = (stiffness * inverse, 0.5 * beta * stiffness * inverse);
        let omega = (square - decay * decay).sqrt();
        start * (-decay).exp() * (omega.cos() + decay / omega * omega.sin())
    };
    let twist = (b.orientation.inverse() * a.orientation).scaled_axis();
    let expected = exact(80.0, 1.0 / 0.3 + 1.0 / 0.6, 0.5);
    assert!((twist.z - expected).abs() < 2e-4 && twist.xy().norm() < 1e-12, "{twist} {expected}");
    let stretch = a.position - b.position;
    let expected = exact(700.0, 1.0 / 2.0 + 1.0, 2e-3);
    assert!((stretch.z - expected).abs() < 1e-6 && stretch.xy().norm() < 1e-12, "{stretch} {expected}");
    // Six turns: the mean of the orientations goes on at the common speed.
    let mean = UnitQuaternion::from_scaled_axis(Vector3::z() * (40.0 + 0.5 / 3.0));
    let found = b.orientation * UnitQuaternion::from_scaled_axis(twist / 3.0);
    assert!(found.angle_to(&mean) < 1e-9, "{}", found.angle_to(&mean));
    assert!(most <= 3, "{most}");
}

/// The law of a bushing ends at half a turn: a joint that comes there is reported, once and by name.
/// Sweeps find the motion of the condensed scheme.
#[test]
fn iterative_schemes_have_the_same_motion() {
    let (parts, offset) = apart();
    let law = law(&stiffness(), 0.3);
    let end = |config: MasterConfig| {
        let mut master = couple(&parts, "hub", (law.clone(), offset.clone()), config);
        for _ in 0..300 {
            master.step(5e-3).unwrap();
        }
        (["a", "b"].map(|name| state(&master, name)), master.energy())
    };
    let (exact, energy) = end(MasterConfig::default());
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        let acceleration = Acceleration::IqnIls { reuse: 8, filter: 1e-3 };
        let (impacts, tolerance) = (Impacts::PLAIN, 1e-11);
        let (found, by_sweeps) =
            end(MasterConfig { scheme, acceleration, impacts, tolerance, ..MasterConfig::default() });
        for (found, exact) in found.iter().zip(&exact) {
            assert!((found.position - exact.position).norm() < 1e-8, "{scheme:?}: {}", found.position);
            let turned = found.orientation.angle_to(&exact.orientation);
            assert!(turned < 1e-7, "{scheme:?}: {turned:e} rad");
        }
        assert!((by_sweeps.monitor_sum - energy.monitor_sum).abs() < 1e-7, "{by_sweeps:?} {energy:?}");
    }
}

#[test]
fn a_bushing_that_is_turned_too_far_is_told() {
    let ball = || RigidBody::new(1.0, Matrix3::identity()).unwrap();
    let part = |spin: f64| Part {
        body: ball(),
        start: BodyState { angular_velocity: Vector3::z() * spin, ..BodyState::default() },
        arm: Vector3::zeros(),
    };
    let warnings = |end: f64| {
        let soft = Matrix6::identity() * 1e-6;
        let (master, _) = run(&[part(1.0), part(0.0)], (law(&soft, 0.0), Vec::new()), (end, 400));
        master
            .warnings()
            .iter()
            .map(|warning| warning.text.clone())
            .filter(|text| text.contains("half a turn"))
            .collect::<Vec<_>>()
    };
    assert_eq!(warnings(2.9), Vec::<String>::new());
    let found = warnings(4.0);
    assert!(found.len() == 1 && found[0].contains("interface `joint`"), "{found:?}");
}
