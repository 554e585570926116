//! What loads over time, dampers and dashpots do to the energy where impacts are inside steps: against closed forms, an
//! event-driven solution and ways that are measured from the outside.

use coupling_tests::{Run, fitted_order};

/// A node and a linear mass that bounce under a load over time that is constant, with and without a damper.
const LOADED: &str = r#"
schema = 1
[time]
end = 2.0
step = 0.005
[[subsystem]]
name = "ball"
kind = "node"
mass = 1.0
position = [0, 0, 1.003]
port = []
[[subsystem.load]]
direction = [0, 0, 1]
time = [0.0, 5.0]
value = [-10.0, -10.0]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.8
[[subsystem]]
name = "mass"
kind = "linear"
mass = [1.5]
position = 1.1
[[subsystem.load]]
coordinate = 0
time = [0.0, 5.0]
value = [-14.0, -14.0]
[[subsystem.contact]]
name = "floor"
row = [1.0]
restitution = 0.9
"#;

#[test]
fn a_constant_load_works_on_the_way_whatever_bounces() {
    for step in ["0.02", "0.005", "0.001"] {
        let run = Run::completed(&Run::text(LOADED, &[&format!("time.step={step}")]));
        assert!(run.report.impacts >= 5, "{:?}", run.report);
        let last = run.times.len() - 1;
        let height = |mass: usize, k| run.value(["ball.z", "mass.q0"][mass], k);
        let work = -10.0 * (height(0, last) - height(0, 0)) - 14.0 * (height(1, last) - height(1, 0));
        let energy = run.report.energy;
        assert!((energy.external - work).abs() < 1e-12 * work.abs(), "{step} s: {energy:?}, {work} J");
        // Free masses fall on parabolas: the scheme is exact, and there is nothing to monitor.
        assert!(energy.monitor_sum.abs() < 1e-11 * work.abs(), "{step} s: {energy:?}");
    }
}

#[test]
fn a_constant_load_works_on_the_way_under_every_rule() {
    let model = r#"
schema = 1
[time]
end = 2.0
step = 0.005
[[subsystem]]
name = "mass"
kind = "linear"
mass = [1.5]
stiffness = [20.0]
damping = [0.3]
position = 1.1
[[subsystem.load]]
coordinate = 0
time = [0.0, 5.0]
value = [-14.0, -14.0]
"#;
    for solver in ["moreau-jean", "multistep", "generalized-alpha"] {
        let run = Run::completed(&Run::text(model, &[&format!("subsystem.mass.solver={solver}")]));
        let work = -14.0 * (run.value("mass.q0", run.times.len() - 1) - 1.1);
        let told = run.report.energy.external;
        assert!((told / work - 1.0).abs() < 1e-12, "{solver}: {told} J of {work}");
    }
}

/// A ball of 1 kg dropped from 0.2 m, 10 m/s², damped with 2 N s/m, restitution 0.8.
const DAMPED: &str = r#"
schema = 1
[time]
end = 0.6
step = 1e-3
[[subsystem]]
name = "ball"
kind = "linear"
coordinates = ["z"]
mass = [1.0]
damping = [2.0]
gravity = -10.0
position = 0.2
[[subsystem.contact]]
name = "floor"
row = [1.0]
restitution = 0.8
"#;

/// Height and speed of that ball after the time `t`, in flight: `v = (v₀ + 5) e⁻²ᵗ − 5`.
fn flight((z, v): (f64, f64), t: f64) -> (f64, f64) {
    let decay = (-2.0 * t).exp();
    (z + (v + 5.0) * (1.0 - decay) / 2.0 - 5.0 * t, (v + 5.0) * decay - 5.0)
}

/// What its damper takes out until 0.6 s, from impact to impact: energy is lost there, and to the damper.
fn dissipated_exactly() -> f64 {
    let energy = |(z, v): (f64, f64)| 10.0 * z + 0.5 * v * v;
    let (mut state, mut left, mut at_impacts) = ((0.2, 0.0), 0.6, 0.0);
    while flight(state, left).0 < 0.0 {
        let (mut above, mut below) = (1e-6, left);
        for _ in 0..200 {
            let middle = 0.5 * (above + below);
            if flight(state, middle).0 > 0.0 { above = middle } else { below = middle }
        }
        let speed = flight(state, above).1;
        at_impacts += 0.5 * (1.0 - 0.64) * speed * speed;
        (state, left) = ((0.0, -0.8 * speed), left - above);
    }
    2.0 - energy(flight(state, left)) - at_impacts
}

#[test]
fn a_damper_of_a_bouncing_ball_converges_with_order_two() {
    let exact = dissipated_exactly();
    let steps = [6e-3, 4e-3, 3e-3, 2e-3, 1.5e-3, 1e-3, 7.5e-4, 5e-4];
    let energies =
        steps.map(|h| Run::completed(&Run::text(DAMPED, &[&format!("time.step={h}")])).report.energy);
    let errors = energies.map(|energy| (energy.dissipated - exact).abs());
    let order = fitted_order(&steps, &errors);
    assert!(order > 1.7, "order {order}, {errors:?}");
    for (k, h) in steps.iter().enumerate() {
        assert!(errors[k] < 10.0 * h * h, "{h} s: {:e} J of {exact}", errors[k]);
        assert!(energies[k].monitor_sum.abs() < 10.0 * h * h, "{h} s: {:?}", energies[k]);
    }
}

/// A node that falls to the floor beside a mass of 2 kg, on a dashpot.
const DASHPOT: &str = r#"
schema = 1
[time]
end = 1.0
step = 0.01
[[subsystem]]
name = "a"
kind = "node"
mass = 1.0
position = [0, 0, 1.003]
gravity = [0, 0, -10]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.8
[[subsystem.port]]
name = "p"
direction = [0, 0, 1]
[[subsystem]]
name = "b"
kind = "linear"
mass = [2.0]
position = 1.003
gravity = -10
[[subsystem.port]]
name = "p"
coordinates = [0]
[[interface]]
name = "joint"
between = ["a.p", "b.p"]
law = "compliant"
stiffness = 0
damping = 20
"#;

/// Before the first impact the masses fall side by side and the scheme is exact. In the step of the impact the joint's rate
/// jumps from zero to that of the node and decays with `d (1/m_a + 1/m_b)` = 30/s, of which the dashpot takes
/// `½ μ ġ² (1 − e⁻⁶⁰ˢ)`: what is left of the balance has been made by the scheme, and the monitor says so.
#[test]
fn the_monitor_tells_what_an_impact_on_a_dashpot_makes() {
    let impact = (2.0 * 1.003_f64 / 10.0).sqrt();
    for step in [4e-4, 2e-4, 1e-4] {
        let end = step * (impact / step).ceil();
        let settings = [format!("time.step={step}"), format!("time.end={end}")];
        let run = Run::completed(&Run::text(DASHPOT, &settings.each_ref().map(String::as_str)));
        let [hit] = run.events.as_slice() else { panic!("{:?}", run.events) };
        let jump = hit.velocities[1] - hit.velocities[0];
        let dissipated = 0.5 * (2.0 / 3.0) * jump * jump * (1.0 - (-60.0 * (end - hit.time)).exp());
        let work = 0.5 * hit.impulse * (hit.velocities[0] + hit.velocities[1]);
        let last = run.times.len() - 1;
        let energy = |k| {
            let value = |name: &str| run.value(name, k);
            let (a, b) = ((value("a.z"), value("a.vz")), (value("b.q0"), value("b.v_q0")));
            10.0 * (a.0 + 2.0 * b.0) + 0.5 * (a.1 * a.1 + 2.0 * b.1 * b.1)
        };
        let (drift, told) = (energy(last) - energy(0) - work + dissipated, run.report.energy);
        let about = format!("{step} s, {:.2e} s left: {drift:e} J, {told:?}", end - hit.time);
        assert!(drift.abs() > 1e-7 * 30.09, "{about}: nothing to tell");
        assert!((told.monitor_sum / drift - 1.0).abs() < 1e-2, "{about}");
        assert!((told.dissipated / dissipated - 1.0).abs() < 1e-3, "{about}");
        assert!(
            (run.report.interfaces[0].energy_dissipated / told.dissipated - 1.0).abs() < 1e-12,
            "{about}"
        );
    }
}

/// A ball of 1 kg with 10 m/s between two plates 1 cm apart that give everything back, damped with 0.5 N s/m: its speed
/// decays as if it flew freely, `½ v₀² (1 − e⁻ᵗ)` is dissipated.
const RATTLE: &str = r#"
schema = 1
[time]
end = 0.2
step = 2.3e-3
[[subsystem]]
name = "ball"
kind = "linear"
coordinates = ["z"]
mass = [1.0]
damping = [0.5]
position = 0.004
velocity = 10.0
[[subsystem.contact]]
name = "floor"
row = [1.0]
restitution = 1.0
[[subsystem.contact]]
name = "ceiling"
row = [-1.0]
offset = -0.01
restitution = 1.0
"#;

#[test]
fn dampers_see_every_impact_of_a_step() {
    let run = Run::completed(&Run::text(RATTLE, &[]));
    let exact = 50.0 * (1.0 - (-0.2_f64).exp());
    assert!(run.report.impacts as f64 > 1.9 * run.report.steps as f64, "{:?}", run.report);
    let energy = run.report.energy;
    assert!((energy.dissipated / exact - 1.0).abs() < 2e-3, "{exact} J, {energy:?}");
    assert!(energy.monitor_sum.abs() < 2e-3 * exact, "{exact} J, {energy:?}");
}
