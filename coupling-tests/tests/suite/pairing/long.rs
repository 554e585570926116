//! Long runs: 1e5 undamped smooth steps, and 1e4 impacts of the plain problem.

use coupling_tests::Run;

use super::{SECOND_ORDER, Values, largest_early_and_late};

/// 1 kg on 100 N/m, joined to the first of 2 and 3 kg with springs; 0.3 radians a step at the most.
fn smooth(rules: [&str; 2]) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 2000.0, step = 2e-2 }}
record = {{ every = 1000 }}
[[subsystem]]
name = "a"
kind = "linear"
solver = {}
coordinates = ["x"]
mass = [1.0]
stiffness = [100.0]
position = 0.02
velocity = 0.3
port = [{{ name = "p", coordinates = ["x"] }}]
[[subsystem]]
name = "b"
kind = "linear"
solver = {}
coordinates = ["x", "y"]
mass = [2.0, 3.0]
stiffness = [[400.0, -300.0], [-300.0, 500.0]]
position = [0.02, -0.01]
velocity = [0.3, 0.5]
port = [{{ name = "p", coordinates = ["x"] }}]
[[interface]]
name = "j"
between = ["a.p", "b.p"]
law = "rigid"
"#,
        rules[0], rules[1]
    )
}

fn energy(values: &Values<'_>) -> f64 {
    let [xa, va, x, vx, y, vy] =
        ["a.x", "a.v_x", "b.x", "b.v_x", "b.y", "b.v_y"].map(|label| values.get(label));
    0.5 * (va * va + 2.0 * vx * vx + 3.0 * vy * vy)
        + 0.5 * (100.0 * xa * xa + 400.0 * x * x - 600.0 * x * y + 500.0 * y * y)
}

#[test]
fn smooth_steps_create_at_most_a_millionth() {
    let start = 0.5 * (3.0 * 0.09 + 3.0 * 0.25) + 0.5 * (500.0 * 4e-4 + 600.0 * 2e-4 + 500.0 * 1e-4);
    for a in SECOND_ORDER {
        for b in SECOND_ORDER {
            let model = Run::text(&smooth([a, b]), &[]);
            let last = std::cell::Cell::new(0.0);
            let [early, late] = largest_early_and_late(&model, 100_000, &|values| {
                last.set(energy(values));
                last.get()
            });
            // The energy of rules that remember swings about its mean within a step's worth.
            let about = format!("{a} {b}: {early} J, then {late} J, {} J at the end", last.get());
            assert!(late <= early * (1.0 + 1e-6), "{about}");
            assert!(last.get() <= start * (1.0 + 1e-6), "{about}");
        }
    }
}

/// A node between two planes, e = 1, on a chain with a stiff end; an impact every 30 steps or so.
fn bouncing(rules: [&str; 2]) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 1000.0, step = 1e-3 }}
master = {{ impacts = "plain" }}
[[subsystem]]
name = "a"
kind = "node"
solver = {}
mass = 1.0
position = [0, 0, 0.01]
velocity = [0, 0, 0.5]
port = [{{ name = "p", direction = [0, 0, 1] }}]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 1.0
[[subsystem.plane]]
name = "ceiling"
point = [0, 0, 0.02]
normal = [0, 0, -1]
restitution = 1.0
[[subsystem]]
name = "b"
kind = "linear"
solver = {}
coordinates = ["x", "y"]
mass = [0.5, 2.0]
stiffness = [[1000.0, -900.0], [-900.0, 1000.0]]
position = 0.01
velocity = 0.5
port = [{{ name = "p", coordinates = ["x"] }}]
[[interface]]
name = "j"
between = ["a.p", "b.p"]
law = "rigid"
"#,
        rules[0], rules[1]
    )
}

#[test]
fn ten_thousand_plain_impacts_do_not_pile_up_energy() {
    let mean = "{ method = \"moreau-jean\", theta = 0.5 }";
    let pairs = [
        [mean, mean],
        [mean, SECOND_ORDER[2]],
        [mean, SECOND_ORDER[5]],
        [SECOND_ORDER[2], mean],
        [SECOND_ORDER[2], SECOND_ORDER[2]],
        [SECOND_ORDER[2], SECOND_ORDER[5]],
        [SECOND_ORDER[5], SECOND_ORDER[1]],
    ];
    for pair in pairs {
        let model = Run::text(&bouncing(pair), &[]);
        let impulses = std::cell::Cell::new(0);
        let energy = |values: &Values<'_>| {
            let impulse = values.get("a.floor.impulse") + values.get("a.ceiling.impulse");
            impulses.set(impulses.get() + usize::from(impulse > 0.0));
            let [v, x, vx, y, vy] = ["a.vz", "b.x", "b.v_x", "b.y", "b.v_y"].map(|label| values.get(label));
            0.5 * (v * v + 0.5 * vx * vx + 2.0 * vy * vy)
                + 0.5 * (1000.0 * x * x - 1800.0 * x * y + 1000.0 * y * y)
        };
        let [early, late] = largest_early_and_late(&model, 300_000, &energy);
        assert!(impulses.get() > 3_000, "{pair:?}: {} impacts", impulses.get());
        assert!(late <= 1.01 * early, "{pair:?}: {early} J, then {late} J");
    }
}
