//! Impacts of a multibody system with dampers: its order through impacts is that of its rule. Contacts whose damper meets what
//! falls at once.

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

/// A rod on a hinge with a dashpot; its tip is joined to a node of 1 kg that meets a floor.
const ROD: &str = r#"
schema = 1
time = { end = 0.6, step = 1e-3 }

[[subsystem]]
name = "rod"
kind = "multibody"
gravity = [0, 0, -10]

[[subsystem.body]]
name = "rod"
mass = 3.0
inertia = [0.01, 0.25, 0.25]
centre_of_mass = [0.5, 0, 0]

[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0, 0]
axis = [0, -1, 0]

[[subsystem.force]]
name = "dashpot"
type = "torsion-spring"
bodies = ["ground", "rod"]
at = [0, 0, 0]
axis = [0, -1, 0]
stiffness = 0.0
damping = 2.0

[[subsystem.port]]
name = "tip"
body = "rod"
point = [1, 0, 0]
coordinates = 3

[[subsystem]]
name = "node"
kind = "node"
mass = 1.0
gravity = [0, 0, -10]
position = [1, 0, 0]
port = [{ name = "centre" }]

[[subsystem.plane]]
name = "floor"
point = [0, 0, -0.3]
normal = [0, 0, 1]
restitution = 0.8

[[interface]]
name = "joint"
between = ["node.centre", "rod.tip"]
law = "rigid"
"#;

const STEPS: [f64; 3] = [4e-3, 2e-3, 1e-3];

/// The angle that the rod has fallen by when it hits, and its rate then: Runge and Kutta's method.
fn hit(damping: f64) -> (f64, f64) {
    let rate = |[angle, speed]: [f64; 2]| [speed, 0.5 * (25.0 * angle.cos() - damping * speed)];
    let ahead = |x: [f64; 2], h: f64, k: [f64; 2]| [x[0] + h * k[0], x[1] + h * k[1]];
    let (mut x, h, floor) = ([0.0, 0.0], 1e-5, 0.3_f64.asin());
    loop {
        let before = x;
        let k1 = rate(x);
        let k2 = rate(ahead(x, 0.5 * h, k1));
        let k3 = rate(ahead(x, 0.5 * h, k2));
        let k4 = rate(ahead(x, h, k3));
        for i in 0..2 {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        if x[0] >= floor {
            let share = (floor - before[0]) / (x[0] - before[0]);
            return (floor, before[1] + share * (x[1] - before[1]));
        }
    }
}

#[test]
fn impulses_of_damped_mechanisms_are_of_order_two() {
    for damping in [2.0, 20.0] {
        let (angle, speed) = hit(damping);
        // Of inertia 2 kg m² about the hinge, 1.8 of the speed of the tip against the floor.
        let exact = 1.8 * speed * 2.0 / angle.cos();
        let error = |h: f64| {
            let set =
                [format!("time.step={h:?}"), format!("subsystem.rod.force.dashpot.damping={damping:?}")];
            let run = Run::completed(&Run::text(ROD, &[&set[0], &set[1]]));
            let impact = run.events_at("node.floor", ContactEventKind::Impact)[0];
            // The monitor knows as much of the energy as the rod has lost.
            let lost = 0.5 * 0.36 * 2.0 * speed * speed;
            assert!((impact.work + lost).abs() < 3e-2 * lost, "{h}: {} J of {lost}", impact.work);
            (impact.impulse / exact - 1.0).abs()
        };
        let errors = STEPS.map(error);
        assert!(errors[2] < 2e-4 && errors[0] < 20.0 * errors[2], "{errors:?}");
        assert!(errors[0] > 12.0 * errors[2] || errors[0] < 1e-6, "{damping}: {errors:?}");
    }
}

/// A ball over a floor that is a spring and a damper, held by a node of the same mass.
const BALL: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }

[[subsystem]]
name = "ball"
kind = "multibody"
solver = "theta"

[[subsystem.body]]
name = "ball"
mass = 0.5
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0]
velocity = [0, 0, -1]

[[subsystem.force]]
name = "floor"
type = "sphere-plane"
first = { body = "ground", axis = [0, 0, 1], point = [0, 0, -0.1] }
second = { body = "ball" }
radius = 0.1
law = "kelvin-voigt"
stiffness = 10000.0
damping = 100.0

[[subsystem.port]]
name = "centre"
body = "ball"
coordinates = 3

[[subsystem]]
name = "node"
kind = "node"
mass = 0.5
velocity = [0, 0, -1]
port = [{ name = "centre" }]

[[interface]]
name = "joint"
between = ["node.centre", "ball.centre"]
law = "rigid"
"#;

/// Steps that have no solution about the closing of the contact are passed in parts, without being asked for: wherever in a step
/// it closes, both come back with what the damping ratio of a half leaves.
#[test]
fn a_force_that_jumps_is_passed_in_parts() {
    let angle = std::f64::consts::FRAC_PI_6;
    let exact = (-(std::f64::consts::PI - 2.0 * angle) * angle.tan()).exp();
    let mut failed = 0;
    for phase in 0..40 {
        let floor = -0.103 - 1e-3 * f64::from(phase) / 40.0;
        let run = Run::completed(&Run::text(&BALL.replace("-0.1]", &format!("{floor:?}]")), &[]));
        let speed = run.at("node.vz", 0.1);
        assert!((speed - exact).abs() < 0.03, "phase {phase}: {speed} m/s instead of {exact}");
        assert_eq!(run.report.steps, 100);
        failed += run.report.failed_steps;
    }
    assert!(failed > 0, "no step is one of those without a solution");
}
