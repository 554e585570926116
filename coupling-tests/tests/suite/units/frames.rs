//! Ports of units that are frames: bodies that tumble, joined rigidly and by bushings, against native ones.

use cosimo::master::CouplingMode;
use coupling_tests::{Run, fitted_order};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::{VERSIONS, file};

/// A body with three different inertias and a frame on it.
struct Body {
    name: &'static str,
    mass: f64,
    inertia: [f64; 3],
    arm: [f64; 3],
    position: [f64; 3],
    orientation: [f64; 4],
    velocity: [f64; 3],
    spin: [f64; 3],
}

const GRAVITY: [f64; 3] = [0.5, 0.0, -9.81];
const SPIN: [f64; 3] = [4.0, 7.0, -5.0];

/// Two bodies whose frames are at the origin, one of them turned by a third of a turn; they turn as one.
fn bodies() -> [Body; 2] {
    let velocity = |position: [f64; 3]| {
        let [x, y, z] = position;
        [SPIN[1] * z - SPIN[2] * y, SPIN[2] * x - SPIN[0] * z, SPIN[0] * y - SPIN[1] * x]
    };
    let (first, second) = ([0.2, -0.1, 0.15], [-0.3, 0.1, 0.2]);
    // Turned about (1, 1, 1): x to y, y to z, z to x.
    let turned = |[x, y, z]: [f64; 3]| [z, x, y];
    let back = |arm: [f64; 3]| arm.map(|x| -x);
    [
        Body {
            name: "a",
            mass: 1.5,
            inertia: [0.02, 0.035, 0.045],
            arm: first,
            position: back(first),
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: velocity(back(first)),
            spin: SPIN,
        },
        Body {
            name: "b",
            mass: 1.0,
            inertia: [0.03, 0.015, 0.025],
            arm: second,
            position: back(turned(second)),
            orientation: [0.5, 0.5, 0.5, 0.5],
            velocity: velocity(back(turned(second))),
            spin: SPIN,
        },
    ]
}

impl Body {
    fn native(&self) -> String {
        let Self { name, mass, inertia, arm, position, orientation, velocity, spin } = self;
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"rigid-body\"\nmass = {mass}\ninertia = {inertia:?}\ngravity = {GRAVITY:?}\n\
             position = {position:?}\norientation = {orientation:?}\nvelocity = {velocity:?}\nangular_velocity = {spin:?}\n\
             [[subsystem.port]]\nname = \"tip\"\npoint = {arm:?}\n"
        )
    }

    fn unit(&self, file: &str, keys: &str) -> String {
        let values = [
            ("J", &self.inertia[..]),
            ("r", &self.arm),
            ("g", &GRAVITY),
            ("x0", &self.position),
            ("v0", &self.velocity),
            ("q0", &self.orientation),
            ("w0", &self.spin),
        ];
        let entries = values.iter().flat_map(|(name, values)| {
            values.iter().enumerate().map(move |(k, x)| format!("\"{name}[{}]\" = {x}", k + 1))
        });
        let entries: Vec<String> = entries.chain([format!("m = {}", self.mass)]).collect();
        format!(
            "[[subsystem]]\nname = \"{}\"\nkind = \"fmu\"\nfile = \"{file}\"\n{keys}\nparameters = {{ {} }}\n\
             [[subsystem.port]]\nname = \"tip\"\n",
            self.name,
            entries.join(", ")
        )
    }
}

/// Frame a seen from frame b at rest: a third of a turn back.
const REST: f64 = -1.209_199_576_156_145_2;

fn rigid() -> String {
    format!("law = \"rigid\"\noffset = [0, 0, 0, {REST}, {REST}, {REST}]\n")
}

/// A bushing at rest some tenths away from where it starts.
fn bushing() -> String {
    format!(
        "law = \"compliant\"\nstiffness = [900, 700, 500, 6, 8, 5]\ndamping = [3, 2, 1, 0.02, 0.03, 0.01]\n\
         offset = [0.02, 0.01, -0.03, {}, {}, {}]\n",
        REST + 0.3,
        REST - 0.2,
        REST + 0.1
    )
}

const END: f64 = 2.0;

/// The run of two bodies joined at their frames.
fn run(step: f64, bodies: [&str; 2], joint: &str) -> Run {
    let text = format!(
        "schema = 1\ntime = {{ end = {END}, step = {step} }}\n[master]\ntolerance = 1e-11\n[record]\nquantities = [\"*\"]\n{}{}\
         [[interface]]\nname = \"j\"\nbetween = [\"a.tip\", \"b.tip\"]\n{joint}",
        bodies[0], bodies[1]
    );
    Run::completed(&Run::text(&text, &[]))
}

/// Place, velocity and angular velocity of the first body at the end; of a unit by its variables.
fn state(run: &Run) -> Vec<f64> {
    let native = ["x", "y", "z", "vx", "vy", "vz"];
    let unit = ["x[1]", "x[2]", "x[3]", "v[1]", "v[2]", "v[3]"];
    let is_native = run.labels().iter().any(|label| label == "a.x");
    let names = if is_native { native } else { unit };
    names.iter().map(|name| run.at(&format!("a.{name}"), END)).collect()
}

fn largest_gap(run: &Run) -> f64 {
    let columns = (0..6).map(|k| run.column(&format!("j.gap_{k}")));
    columns.flatten().fold(0.0_f64, |most, gap| most.max(gap.abs()))
}

/// Largest error of the state at the end against this one.
fn error(run: &Run, exact: &[f64]) -> f64 {
    state(run).iter().zip(exact).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
}

/// Whether all subsystems answer as they claim.
fn is_exact(run: &Run) -> bool {
    run.report.subsystems.iter().all(|subsystem| subsystem.coupling == CouplingMode::Exact)
}

const STEPS: [f64; 2] = [4e-3, 2e-3];

#[test]
fn bodies_joined_at_frames_turn_as_native_ones_with_order_two() {
    let bodies = bodies();
    let native = bodies.each_ref().map(Body::native);
    let faces = [
        "face = \"model-exchange\"",
        "face = \"model-exchange\"\nsolver = \"multistep\"",
        "face = \"model-exchange\"\nsolver = \"generalized-alpha\"",
        "face = \"co-simulation\"",
        "face = \"co-simulation\"\ncoupling = \"quasi-newton\"",
    ];
    for joint in [rigid(), bushing()] {
        let exact = state(&run(1e-4, [&native[0], &native[1]], &joint));
        for version in VERSIONS {
            let Some(file) = file("rigid_body", version, &[]) else { return };
            for keys in faces {
                let units = bodies.each_ref().map(|body| body.unit(&file, keys));
                for pair in [[&native[0], &units[1]], [&units[0], &native[1]], [&units[0], &units[1]]] {
                    let runs = STEPS.map(|step| run(step, pair.map(String::as_str), &joint));
                    let errors = runs.each_ref().map(|run| error(run, &exact));
                    let order = fitted_order(&STEPS, &errors);
                    let told = format!("{version:?}, {keys}, {joint}: order {order}, errors {errors:?}");
                    assert!((order - 2.0).abs() < 0.1 && errors[1] < 3e-3, "{told}");
                    assert!(keys.starts_with("face = \"co") || is_exact(&runs[1]), "{told}");
                    if joint == rigid() {
                        let gap = largest_gap(&runs[1]);
                        // Nothing closes what is left open between two units, but that is of order two.
                        let allowed = if pair.contains(&&native[0]) || pair.contains(&&native[1]) {
                            1e-8
                        } else {
                            2e-3
                        };
                        assert!(gap < allowed, "{told}, gap {gap:e}");
                    }
                }
            }
        }
    }
}

/// Stiffness (N/m), damping (N s/m), and those of the rotation (N m, N m s) of the tether.
const TETHER: [f64; 4] = [120.0, 0.8, 3.0, 0.01];

/// The first body held by the tether at its frame: rates of place, velocity, orientation and angular velocity in space.
fn rates(body: &Body, state: &[f64; 13]) -> [f64; 13] {
    let vector = |k: usize| Vector3::new(state[k], state[k + 1], state[k + 2]);
    let (x, v, w) = (vector(0), vector(3), vector(10));
    let q = Quaternion::new(state[6], state[7], state[8], state[9]);
    let turned = UnitQuaternion::from_quaternion(q);
    let arm = turned * Vector3::from(body.arm);
    let [k, c, kappa, gamma] = TETHER;
    let force = -(x + arm) * k - (v + w.cross(&arm)) * c;
    let axis = turned.scaled_axis();
    let moment = -axis * (kappa * axis.norm().sin() / axis.norm().max(1e-12)) - w * gamma;
    let r = turned.to_rotation_matrix();
    let inertia = r * Matrix3::from_diagonal(&Vector3::from(body.inertia)) * r.inverse();
    let turning = moment + arm.cross(&force) - w.cross(&(inertia * w));
    let w_rate = inertia.try_inverse().unwrap_or_default() * turning;
    let v_rate = force / body.mass + Vector3::from(GRAVITY);
    let q_rate = Quaternion::from_parts(0.0, w) * q * 0.5;
    let mut rates = [0.0; 13];
    for (place, part) in [(0, v), (3, v_rate), (7, q_rate.imag()), (10, w_rate)] {
        rates[place..place + 3].copy_from_slice(part.as_slice());
    }
    rates[6] = q_rate.w;
    rates
}

/// Place and velocity of the body at the end, by the classical scheme of Runge and Kutta.
fn held(body: &Body) -> Vec<f64> {
    let mut state = [0.0; 13];
    state[..3].copy_from_slice(&body.position);
    state[3..6].copy_from_slice(&body.velocity);
    state[6..10].copy_from_slice(&body.orientation);
    state[10..].copy_from_slice(&body.spin);
    let h = 1e-4;
    for _ in 0..20_000 {
        let from = |k: &[f64; 13], share: f64| std::array::from_fn(|i| state[i] + share * h * k[i]);
        let a = rates(body, &state);
        let b = rates(body, &from(&a, 0.5));
        let c = rates(body, &from(&b, 0.5));
        let d = rates(body, &from(&c, 1.0));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    state[..6].to_vec()
}

#[test]
fn a_load_port_that_is_a_frame_holds_a_body_that_tumbles() {
    let [body, _] = bodies();
    let exact = held(&body);
    for version in VERSIONS {
        let [Some(tether), Some(own)] = ["tether", "rigid_body"].map(|unit| file(unit, version, &[])) else {
            return;
        };
        let [k, c, kappa, gamma] = TETHER;
        for face in ["model-exchange", "co-simulation"] {
            let keys = format!("face = \"{face}\"");
            let held = format!(
                "[[subsystem]]\nname = \"b\"\nkind = \"fmu\"\nfile = \"{tether}\"\n{keys}\n\
                 parameters = {{ k = {k}, c = {c}, kappa = {kappa}, gamma = {gamma} }}\n[[subsystem.port]]\nname = \"tip\"\n"
            );
            for body in [body.native(), body.unit(&own, &keys)] {
                let joint = "law = \"load\"\n";
                let runs = STEPS.map(|step| run(step, [&body, &held], joint));
                let errors = runs.each_ref().map(|run| error(run, &exact));
                let order = fitted_order(&STEPS, &errors);
                assert!(
                    face == "co-simulation" || is_exact(&runs[1]),
                    "{version:?}: {:?}",
                    runs[1].report.warnings
                );
                assert!(
                    (order - 2.0).abs() < 0.1 && errors[1] < 3e-3,
                    "{version:?}, {face}: order {order}, errors {errors:?}"
                );
            }
        }
    }
}
