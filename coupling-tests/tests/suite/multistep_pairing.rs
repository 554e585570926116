//! Blade and node on the two-step rule, joined rigidly: the pairing of the thesis of Fancello, chapter 5, without its iterations.
//!
//! Reference: arcs of the two masses in closed form from impact to impact.

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, fitted_order, step_sizes};

const MODEL: &str = "droop-stop/multistep.toml";
/// Masses of the half at the arm with the node and of the outer half (kg), their weights (N), stiffness between them (N/m).
const MASSES: [f64; 2] = [7032.25, 7031.25];
const WEIGHTS: [f64; 2] = [4228.75, 4218.75];
const STIFFNESS: f64 = 3e6;
const RESTITUTION: f64 = 0.8;

/// Positions (m) and velocities (m/s) of both halves at a time (s).
#[derive(Clone, Copy)]
struct Motion {
    time: f64,
    positions: [f64; 2],
    velocities: [f64; 2],
}

impl Motion {
    /// The free motion at a later time: the centre of mass falls, the halves swing about their stretch at rest.
    fn at(&self, time: f64) -> Self {
        let (s, [a, b]) = (time - self.time, MASSES);
        let mean = |x: [f64; 2]| (a * x[0] + b * x[1]) / (a + b);
        let gravity = -(WEIGHTS[0] + WEIGHTS[1]) / (a + b);
        let centre = mean(self.positions) + s * (mean(self.velocities) + 0.5 * gravity * s);
        let speed = mean(self.velocities) + gravity * s;
        let omega = (STIFFNESS * (1.0 / a + 1.0 / b)).sqrt();
        let rest = (WEIGHTS[0] / a - WEIGHTS[1] / b) / (omega * omega);
        let stretch = self.positions[1] - self.positions[0] - rest;
        let rate = self.velocities[1] - self.velocities[0];
        let (sine, cosine) = (omega * s).sin_cos();
        let (stretch, rate) =
            (rest + stretch * cosine + rate / omega * sine, rate * cosine - omega * stretch * sine);
        let split = |mean: f64, apart: f64| [mean - apart * b / (a + b), mean + apart * a / (a + b)];
        Self { time, positions: split(centre, stretch), velocities: split(speed, rate) }
    }

    /// The motion after the first impact from here on; `None` if there is none within a second.
    fn after_impact(&self) -> Option<Self> {
        let is_below = |t: f64| self.at(t).positions[0] < 0.0;
        let times = (1..10_000).map(|k| self.time + 1e-4 * f64::from(k));
        let end = times.into_iter().find(|t| is_below(*t))?;
        let (mut low, mut high) = (end - 1e-4, end);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if is_below(middle) { high = middle } else { low = middle }
        }
        let hit = self.at(high);
        let velocities = [-RESTITUTION * hit.velocities[0], hit.velocities[1]];
        Some(Self { positions: [0.0, hit.positions[1]], velocities, ..hit })
    }
}

/// The start and the motions after the impacts.
fn arcs(count: usize) -> Vec<Motion> {
    let start = Motion { time: 0.0, positions: [0.003; 2], velocities: [0.0; 2] };
    std::iter::successors(Some(start), Motion::after_impact).take(count).collect()
}

/// Largest errors of positions (m) and velocities (m/s) in the middle of the arc that begins at impact `k`.
fn errors(h: f64, k: usize) -> [f64; 2] {
    let arcs = arcs(k + 2);
    let run = Run::example(MODEL, &[&format!("time.step={h:e}"), "time.end=0.3"]);
    let middle = 0.5 * (arcs[k].time + arcs[k + 1].time);
    let t = run.times[run.times.partition_point(|t| *t < middle)];
    let exact = arcs[k].at(t);
    let worst = |names: [&str; 3], [x, y]: [f64; 2]| {
        let exact = [x, x, y];
        names.into_iter().zip(exact).map(|(name, x)| (run.at(name, t) - x).abs()).fold(0.0, f64::max)
    };
    [
        worst(["node.z", "blade.x", "blade.y"], exact.positions),
        worst(["node.vz", "blade.v_x", "blade.v_y"], exact.velocities),
    ]
}

#[test]
fn every_step_takes_one_solve_and_keeps_the_joint_closed() {
    for mass in ["1e-3", "1", "1e3"] {
        let run = Run::example(MODEL, &[&format!("subsystem.node.mass={mass}")]);
        let report = &run.report;
        assert!(run.impacts().len() >= 3, "{:?}", run.impacts());
        assert_eq!((report.steps, report.interface_solves, report.failed_steps), (5000, 5000, 0));
        assert_eq!((report.master_iterations, report.most_iterations), (5000, 1));
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
        assert!(gap <= 1e-12, "{mass} kg: gap {gap:e} m");
    }
}

/// Before the first impact, after it, and after the second: the order of the rule, begun anew.
#[test]
fn order_is_two_between_impacts() {
    // Of many sizes, since an error depends on where the impact falls within its step.
    let steps = step_sizes(2e-3, 1e-4, 40);
    for k in 0..3 {
        let found: Vec<[f64; 2]> = steps.iter().map(|h| errors(*h, k)).collect();
        for quantity in 0..2 {
            let of_quantity: Vec<f64> = found.iter().map(|errors| errors[quantity]).collect();
            let order = fitted_order(&steps, &of_quantity);
            assert!(order >= 1.8, "arc {k}, quantity {quantity}: order {order}, {found:?}");
        }
    }
}

#[test]
fn impacts_are_those_of_the_arcs() {
    let run = Run::example(MODEL, &["time.end=0.3"]);
    let impacts = run.events_at("node.stop", ContactEventKind::Impact);
    let arcs = arcs(impacts.len() + 1);
    assert!(impacts.len() >= 2);
    for (k, (found, after)) in impacts.iter().zip(&arcs[1..]).enumerate() {
        // (ω h)²/12 of the time, and what that is of the speed.
        assert!((found.time - after.time).abs() < 1e-6, "impact {k}: {} s, {} s", found.time, after.time);
        assert!((found.velocities[1] - after.velocities[0]).abs() < 1e-5, "impact {k}: {found:?}");
    }
}

/// Between impacts the rule makes no energy. At an impact inside a step the spring does not feel the impulse `P` for the rest of the
/// step, which is worth at most `(ω h)²/2 · P²/m`.
#[test]
fn no_energy_is_made() {
    let square_frequency = STIFFNESS / MASSES[0];
    for h in [1e-4, 1e-3, 5e-3, 1e-2] {
        let settings = [&*format!("time.step={h:e}")];
        let run = Run::example(MODEL, &settings);
        let mut master = Run::model(MODEL, &settings).build().unwrap_or_else(|e| panic!("{e}"));
        let mut before = master.energy();
        for (k, &t) in run.times.iter().enumerate().skip(1) {
            master.step(t - run.times[k - 1]).unwrap_or_else(|e| panic!("{e}"));
            let now = master.energy();
            let made = now.monitor_sum - before.monitor_sum;
            let inside =
                run.events.iter().filter(|event| event.time > run.times[k - 1] - 1e-12 && event.time <= t);
            let squares: f64 = inside.map(|event| event.impulse.powi(2)).sum();
            let allowed = 0.5 * square_frequency * h * h * squares / MASSES[0];
            let about = format!("h = {h}, t = {t}: {made:e} J made, {allowed:e} J allowed");
            assert!(made <= allowed + 1e-12 * before.start, "{about}");
            assert!(now.contact <= before.contact, "{about}");
            before = now;
        }
    }
}

/// The momentum of an impact of the plain problem moves positions within its step, by the rule, and with them the spring: what that makes
/// is of order one, and does not add up.
#[test]
fn plain_impacts_make_energy_of_order_one() {
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    let excesses = steps.map(|h| {
        let settings = [format!("time.step={h:e}"), "master.impacts=plain".to_owned()];
        let settings = settings.each_ref().map(String::as_str);
        let run = Run::example(MODEL, &settings);
        let mut master = Run::model(MODEL, &settings).build().unwrap_or_else(|e| panic!("{e}"));
        let (mut lowest, mut excess) = (0.0_f64, 0.0_f64);
        for pair in run.times.windows(2) {
            master.step(pair[1] - pair[0]).unwrap_or_else(|e| panic!("{e}"));
            let made = master.energy().monitor_sum;
            lowest = lowest.min(made);
            excess = excess.max(made - lowest);
        }
        [excess, master.energy().start]
    });
    let made = excesses.map(|[excess, _]| excess);
    assert!(fitted_order(&steps, &made) > 0.8, "{made:?}");
    assert!(made[0] < 0.03 * excesses[0][1], "{made:?} J of {}", excesses[0][1]);
}
