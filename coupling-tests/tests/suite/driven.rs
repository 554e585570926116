//! Loads over time and planes that turn, from the model file, beside every solver of the smooth side.
//!
//! Reference, in this file: Runge and Kutta's method at a twentieth of the smallest step.

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, fitted_order};

const SOLVERS: [&str; 4] =
    ["theta", "multistep", "generalized-alpha", "{ method = \"multistep\", spectral_radius = 0 }"];

/// Two masses on a spring and a dashpot along a slanted line, each driven by a force over time.
const DRIVEN: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }

[[subsystem]]
name = "a"
kind = "node"
mass = 1.5

[[subsystem.load]]
direction = [1, 2, 2]
time = [0.0, 0.5, 0.75]
value = [0.0, 5.0, -3.0]

[[subsystem]]
name = "b"
kind = "linear"
coordinates = ["x", "y", "z"]
mass = [2.0, 2.0, 2.0]
port = [{ name = "centre", coordinates = ["x", "y", "z"] }]

[[subsystem.load]]
direction = { x = 0.33333333333333333, y = 0.66666666666666667, z = 0.66666666666666667 }
time = [0.25, 0.5]
value = [1.0, 4.0]

[[interface]]
name = "spring"
between = ["a.centre", "b.centre"]
law = "compliant"
stiffness = 300.0
damping = 0.5
"#;

/// A wall that turns about the axis z and pushes a mass round, which drags another one behind it on a spring.
const TURNING: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }

[[subsystem]]
name = "a"
kind = "node"
mass = 1.0
position = [1, 0, 0]
velocity = [0, 0.8, 0]

[[subsystem.plane]]
name = "wall"
normal = [0, 1, 0]
angular_velocity = [0, 0, 0.8]
restitution = 0.0

[[subsystem]]
name = "b"
kind = "linear"
coordinates = ["x", "y", "z"]
mass = [0.5, 0.5, 0.5]
position = [1.0, 0.0, 0.0]
port = [{ name = "centre", coordinates = ["x", "y", "z"] }]

[[interface]]
name = "spring"
between = ["a.centre", "b.centre"]
law = "compliant"
stiffness = 4.0
"#;

/// Runge and Kutta's method from 0 to 1 s.
fn integrate<const N: usize>(start: [f64; N], rate: impl Fn(f64, [f64; N]) -> [f64; N]) -> [f64; N] {
    let (mut x, steps) = (start, 80_000_u32);
    let h = 1.0 / f64::from(steps);
    let add = |x: [f64; N], k: [f64; N], s: f64| std::array::from_fn(|i| x[i] + s * k[i]);
    for k in 0..steps {
        let t = f64::from(k) * h;
        let k1 = rate(t, x);
        let k2 = rate(t + 0.5 * h, add(x, k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, add(x, k2, 0.5 * h));
        let k4 = rate(t + h, add(x, k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
}

/// Linear between these points, constant outside.
fn table(points: &[(f64, f64)], t: f64) -> f64 {
    let after = points.partition_point(|point| point.0 <= t);
    match after {
        0 => points[0].1,
        n if n == points.len() => points[n - 1].1,
        n => {
            let ((t0, f0), (t1, f1)) = (points[n - 1], points[n]);
            f0 + (f1 - f0) * (t - t0) / (t1 - t0)
        }
    }
}

/// Largest difference at 1 s from the exact values of these quantities, for every step size.
fn errors(text: &str, solver: &str, steps: &[f64], exact: &[(&str, f64)]) -> Vec<f64> {
    let error = |h: &f64| {
        let run = Run::completed(&Run::text(
            text,
            &[&format!("time.step={h:e}"), &format!("subsystem.b.solver={solver}")],
        ));
        exact.iter().map(|(name, value)| (run.at(name, 1.0) - value).abs()).fold(0.0, f64::max)
    };
    steps.iter().map(error).collect()
}

#[test]
fn loads_over_time_are_of_order_two_with_every_solver() {
    let force = |t: f64| table(&[(0.0, 0.0), (0.5, 5.0), (0.75, -3.0)], t);
    let other = |t: f64| table(&[(0.25, 1.0), (0.5, 4.0)], t);
    let [q, u, v, w] = integrate([0.0; 4], |t, [q, u, v, w]| {
        let spring = 300.0 * (q - u) + 0.5 * (v - w);
        [v, w, (force(t) - spring) / 1.5, (other(t) + spring) / 2.0]
    });
    assert!(q.abs() > 0.1 && u.abs() > 0.1 && v.abs() > 0.1 && w.abs() > 0.1, "{q} {u} {v} {w}");
    let exact = [
        ("a.x", q / 3.0),
        ("a.z", 2.0 * q / 3.0),
        ("b.y", 2.0 * u / 3.0),
        ("a.vx", v / 3.0),
        ("b.v_z", 2.0 * w / 3.0),
    ];
    // Whole parts of 0.25 s, where the loads have their corners.
    let steps = [5e-3, 2.5e-3, 1.25e-3, 6.25e-4];
    for solver in SOLVERS {
        let found = errors(DRIVEN, solver, &steps, &exact);
        let order = fitted_order(&steps, &found);
        assert!((1.9..2.1).contains(&order) && found[3] < 1e-4, "{solver}: order {order} of {found:?}");
    }
}

#[test]
fn a_turning_wall_pushes_a_coupled_mass_round_with_every_solver() {
    let omega = 0.8;
    let force = |t: f64, r: f64, u: [f64; 2]| {
        let (sine, cosine) = (omega * t).sin_cos();
        [4.0 * (r * cosine - u[0]), 4.0 * (r * sine - u[1])]
    };
    // Distance from the axis, the other mass, and their rates.
    let [r, x, y, dr, dx, dy] = integrate([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], |t, [r, x, y, dr, dx, dy]| {
        let f = force(t, r, [x, y]);
        let (sine, cosine) = (omega * t).sin_cos();
        let normal = 2.0 * omega * dr + cosine * f[1] - sine * f[0];
        assert!(normal >= 0.0, "the wall would pull at {t} s");
        [dr, dx, dy, omega * omega * r - (cosine * f[0] + sine * f[1]), f[0] / 0.5, f[1] / 0.5]
    });
    let (sine, cosine) = omega.sin_cos();
    let exact = [
        ("a.x", r * cosine),
        ("a.y", r * sine),
        ("a.vx", dr * cosine - omega * r * sine),
        ("b.x", x),
        ("b.y", y),
        ("b.v_x", dx),
        ("b.v_y", dy),
    ];
    let steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3];
    for solver in SOLVERS {
        let found = errors(TURNING, solver, &steps, &exact);
        let order = fitted_order(&steps, &found);
        assert!((1.9..2.1).contains(&order) && found[3] < 1e-5, "{solver}: order {order} of {found:?}");
    }
}

/// The wall meets a mass at rest on a spring: at 0.5 s with 0.8 m/s.
#[test]
fn a_turning_wall_hits_at_its_instant_with_every_solver() {
    let (sine, cosine) = 0.4_f64.sin_cos();
    let place = format!("[{cosine:?}, {sine:?}, 0.0]");
    let (a, b) = (format!("subsystem.a.position={place}"), format!("subsystem.b.position={place}"));
    for solver in SOLVERS {
        let setting = format!("subsystem.b.solver={solver}");
        for h in ["time.step=3e-3", "time.step=1.5e-3", "time.step=7.3e-4"] {
            let overrides = [
                a.as_str(),
                &b,
                &setting,
                h,
                "subsystem.a.velocity=[0, 0, 0]",
                "subsystem.a.plane.wall.restitution=0.5",
                "time.end=0.55",
            ];
            let run = Run::completed(&Run::text(TURNING, &overrides));
            let impacts = run.events_at("a.wall", ContactEventKind::Impact);
            assert_eq!(impacts.len(), 1, "{solver}, {h}: {:?}", run.events);
            let found =
                [impacts[0].time, impacts[0].velocities[0], impacts[0].velocities[1], impacts[0].impulse];
            let errors = [found[0] - 0.5, found[1] + 0.8, found[2] - 0.4, found[3] - 1.2];
            assert!(errors.iter().all(|error| error.abs() < 1e-11), "{solver}, {h}: {:?}", impacts[0]);
        }
    }
}

/// A cart on a slanted rail, driven at a speed that jumps.
const JUMPING: &str = r#"
schema = 1
time = { end = 0.5, step = 1e-3 }

[[subsystem]]
name = "a"
kind = "multibody"

[[subsystem.body]]
name = "cart"
mass = 1.5
inertia = [1, 1, 1]
position = [0, 0, 0]
velocity = [-0.33333333333333333, -0.66666666666666667, -0.66666666666666667]

[[subsystem.joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "cart"]
at = [0, 0, 0]
axis = [1, 2, 2]

[[subsystem.joint]]
name = "drive"
type = "displacement"
bodies = ["ground", "cart"]
at = [0, 0, 0]
axis = [1, 2, 2]
speed = { from = -1.0, to = 2.0, at = 0.3 }
"#;

/// `m (v₁² − v₀²)/2`, wherever in a step the jump is.
#[test]
fn speeds_that_jump_do_the_work_of_the_mean_speed() {
    let one = "{ scheme = \"moreau-jean\", theta = 1 }";
    for solver in [
        "theta",
        "generalized-alpha",
        "hht",
        "newmark",
        "implicit-euler",
        "{ scheme = \"moreau-jean\" }",
        one,
    ] {
        for at in [0.3, 0.3005, 0.300_37] {
            let settings =
                [format!("subsystem.a.solver={solver}"), format!("subsystem.a.joint.drive.speed.at={at:?}")];
            let run = Run::completed(&Run::text(JUMPING, &settings.each_ref().map(String::as_str)));
            let energy = &run.report.energy;
            let work = 0.75 * (4.0 - 1.0);
            assert!((energy.external - work).abs() < 1e-9, "{solver}, {at}: {energy:?}");
            assert!(energy.subsystems.abs() < 1e-9, "{solver}, {at}: {energy:?}");
        }
    }
}
