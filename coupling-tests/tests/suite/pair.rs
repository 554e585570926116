//! Two masses with a rigid link, a spring and a stop: co-simulated, constrained, and with the link eliminated.
//!
//! Reference: case D1; harmonic arcs in closed form.

use coupling_tests::{Measured, Run, Table, fitted_order, step_sizes};

use cosimo::master::ContactEventKind;

/// A formulation of the same pair of masses: its model file, the stop, and where the lower mass is found.
struct Formulation {
    model: &'static str,
    stop: &'static str,
    upper: &'static str,
    lower: &'static str,
}

const COSIMULATED: Formulation =
    Formulation { model: "rigid-pair/model.toml", stop: "lower.stop", upper: "upper.x1", lower: "upper.x2" };
const CUT_AT_LINK: Formulation = Formulation {
    model: "rigid-pair/cut-at-link.toml",
    stop: "lower.stop",
    upper: "upper.x1",
    lower: "lower.z",
};
const WHOLE: Formulation =
    Formulation { model: "rigid-pair/whole.toml", stop: "pair.stop", upper: "pair.x1", lower: "pair.x2" };
const ELIMINATED: Formulation = Formulation {
    model: "rigid-pair/eliminated.toml",
    stop: "pair.stop",
    upper: "pair.x1",
    lower: "pair.x2",
};
const ALL: [&Formulation; 4] = [&COSIMULATED, &CUT_AT_LINK, &WHOLE, &ELIMINATED];

const LINK: f64 = 0.2;

impl Formulation {
    fn run(&self, overrides: &[&str]) -> Run {
        Run::example(self.model, overrides)
    }

    /// Length of the link (m) at every communication point.
    fn link(&self, run: &Run) -> Vec<f64> {
        let sign = if self.lower.ends_with('z') { -1.0 } else { 1.0 };
        run.column(self.lower)
            .iter()
            .zip(run.column(self.upper))
            .map(|(lower, upper)| sign * lower - upper)
            .collect()
    }
}

fn exact(column: &str) -> Vec<f64> {
    Table::reference("D1_dae_pair_rest_in_contact/events.csv").column(column).to_vec()
}

/// Largest errors among the first five impacts: of times (s), approach speeds (m/s) and impulses (N s).
fn errors(formulation: &Formulation, step: f64) -> [f64; 3] {
    let run = formulation.run(&["time.end=4.2", &format!("time.step={step:e}")]);
    let impacts = run.events_at(formulation.stop, ContactEventKind::Impact);
    assert_eq!(impacts.len(), 5, "{} at {step} s", formulation.model);
    let worst = |exact: Vec<f64>, found: &dyn Fn(usize) -> f64| {
        (0..5).map(|k| (found(k) - exact[k]).abs()).fold(0.0, f64::max)
    };
    [
        worst(exact("t"), &|k| impacts[k].time),
        worst(exact("v_minus"), &|k| -impacts[k].velocities[0]),
        worst(exact("p_contact"), &|k| impacts[k].impulse),
    ]
}

#[test]
fn impacts_converge_with_order_two_in_every_formulation() {
    let steps = step_sizes(1e-2, 5e-4, 30);
    for formulation in ALL {
        let errors: Vec<_> = steps.iter().map(|h| self::errors(formulation, *h)).collect();
        for (k, quantity) in ["time", "speed", "impulse"].iter().enumerate() {
            let order = fitted_order(&steps, &errors.iter().map(|e| e[k]).collect::<Vec<_>>());
            assert!((1.8..2.4).contains(&order), "{}: {quantity} has order {order}", formulation.model);
        }
        let [time, speed, impulse] = self::errors(formulation, 1e-3);
        assert!(
            time < 5e-6 && speed < 2e-5 && impulse < 4e-5,
            "{}: {time} {speed} {impulse}",
            formulation.model
        );
    }
}

#[test]
fn cosimulated_pair_moves_like_the_whole_one() {
    let whole = WHOLE.run(&["time.end=8"]);
    for formulation in [&COSIMULATED, &CUT_AT_LINK, &ELIMINATED] {
        let run = formulation.run(&["time.end=8"]);
        assert_eq!(run.times.len(), whole.times.len());
        assert_eq!(run.report.interface_solves, run.report.steps, "{}", formulation.model);
        let difference = run.column(formulation.upper).into_iter().zip(whole.column(WHOLE.upper));
        let difference = difference.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{}: {difference:e} m", formulation.model);
    }
}

#[test]
fn link_keeps_its_length() {
    for formulation in ALL {
        let run = formulation.run(&[]);
        let stretch = formulation.link(&run).iter().map(|length| (length - LINK).abs()).fold(0.0, f64::max);
        assert!(stretch < 1e-12, "{}: {stretch} m", formulation.model);
    }
    let run = COSIMULATED.run(&[]);
    let joint = run.column("lower.z").into_iter().zip(run.column("upper.x2")).map(|(z, x2)| (z + x2).abs());
    let joint = joint.fold(0.0, f64::max);
    assert!(joint < 1e-12, "{joint} m");
}

/// Half of every impulse of the stop goes through the link, the rest stays in the lower mass: the momentum of the upper
/// mass over the step of an impact, less that of spring, weight and tension.
#[test]
fn link_transmits_half_of_the_impulse() {
    let h = 1e-3;
    for formulation in ALL {
        let run = formulation.run(&["time.end=6"]);
        let (x1, v1) = (run.column(formulation.upper), run.column(&formulation.upper.replace('x', "v_x")));
        let impacts = run.events_at(formulation.stop, ContactEventKind::Impact);
        assert_eq!(impacts.len(), 7, "{}", formulation.model);
        let exact = exact("p_link");
        assert!(exact.len() >= impacts.len());
        for (found, exact) in impacts.iter().zip(exact) {
            let k = run.times.partition_point(|t| *t < found.time);
            let mean = 0.5 * (x1[k] + x1[k - 1]);
            let (spring, weight, tension) = (10.0 * mean, 0.5 * 9.81, 5.0 * mean);
            let impulse = -0.5 * (v1[k] - v1[k - 1]) - h * (spring - weight - tension);
            assert!((impulse - exact).abs() < 2e-5, "at {} s: {impulse} N s, not {exact}", found.time);
            assert!((impulse - 0.5 * found.impulse).abs() < 1e-5, "at {} s: {impulse} N s", found.time);
        }
    }
}

/// Cut at the link, the force of the interface is the tension of the link, `m2 (g − a) = 5 x1`.
#[test]
fn link_force_is_the_tension() {
    let run = CUT_AT_LINK.run(&["time.end=6"]);
    let (force, x1) = (run.column("link.force"), run.column("upper.x1"));
    for k in (1..run.times.len()).filter(|&k| run.times[k] < 0.47) {
        let exact = 2.5 * (x1[k] + x1[k - 1]);
        assert!((force[k] - exact).abs() < 1e-9, "{} N, not {exact}", force[k]);
    }
}

#[test]
fn energy_is_lost_at_impacts_only() {
    let lost = exact("energy_loss");
    for formulation in [&COSIMULATED, &CUT_AT_LINK, &WHOLE] {
        let run = formulation.run(&["time.end=8"]);
        let (energy, measured) =
            (run.report.energy, Measured::of(&Run::model(formulation.model, &["time.end=8"]), &run));
        let after_ten: f64 = -0.981 - lost[..10].iter().sum::<f64>();
        assert!((energy.start + 0.981).abs() < 1e-12, "{}: {} J", formulation.model, energy.start);
        assert!(
            (energy.end - after_ten).abs() < 1e-4,
            "{}: {} J, not {after_ten}",
            formulation.model,
            energy.end
        );
        // Measured from the states and the impacts, not from the balance of the run.
        assert!((measured.change - (after_ten + 0.981)).abs() < 1e-4, "{}: {measured:?}", formulation.model);
        assert!(measured.drift().abs() < 1e-4, "{}: {measured:?}", formulation.model);
        assert!(energy.monitor_sum.abs() < 1e-4, "{}: {} J", formulation.model, energy.monitor_sum);
    }
}

/// Infinitely many impacts end at 11.324 489 s.
#[test]
fn pair_comes_to_rest_on_the_stop() {
    for formulation in ALL {
        let run = formulation.run(&[]);
        let last = run.times[run.times.len() - 1];
        let force = run.at(&format!("{}.impulse", formulation.stop), last) / 1e-3;
        assert!((force - 0.81).abs() < 1e-4, "{}: {force} N", formulation.model);
        assert!(run.at(&format!("{}.gap", formulation.stop), last).abs() < 1e-6, "{}", formulation.model);
        assert!((run.at(formulation.upper, last) - 0.9).abs() < 1e-6, "{}", formulation.model);
        let speeds = run.column(&formulation.upper.replace('x', "v_x"));
        let start = run.times.partition_point(|t| *t < 11.34);
        assert!(run.impacts().iter().all(|t| *t < 11.325), "{}", formulation.model);
        assert!(speeds[start..].iter().all(|v| v.abs() < 1e-10), "{}", formulation.model);
        if formulation.model == CUT_AT_LINK.model {
            assert!((run.at("link.force", last) - 4.095).abs() < 1e-5, "{} N", run.at("link.force", last));
        }
    }
}

#[test]
fn path_follows_the_closed_form() {
    let table = Table::reference("D1_dae_pair_rest_in_contact/reference.csv");
    let run = COSIMULATED.run(&["time.end=8"]);
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= 7.8) {
        let (x1, x2) = (run.at("upper.x1", t), run.at("upper.x2", t));
        assert!((x1 - table.column("x1")[k]).abs() < 3e-5, "{x1} m at {t} s");
        assert!((x2 - table.column("x2")[k]).abs() < 3e-5, "{x2} m at {t} s");
    }
}

/// Without its projection an impulse turns round the lower mass alone: the upper one runs into it and through.
#[test]
fn masses_pass_through_each_other_without_the_projection() {
    let run = ELIMINATED.run(&["subsystem.pair.elimination.project_impulses=false", "time.end=1"]);
    let link = ELIMINATED.link(&run);
    let shortest = link.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(shortest < -0.05, "{shortest} m");
    // Until the first impact nothing is wrong.
    let first = run.times.partition_point(|t| *t < 0.47);
    assert!(link[..first].iter().all(|length| (length - LINK).abs() < 1e-12));
}

/// A link that is 1 cm too long at the start: its violation obeys `φ̈ + 2α φ̇ + β² φ = 0`.
#[test]
fn baumgartes_parameters_take_a_violation_out() {
    let violation = |alpha: f64, beta: f64| {
        let run = ELIMINATED.run(&[
            "subsystem.pair.position=[0.0, 0.21]",
            "time.end=0.4",
            &format!("subsystem.pair.elimination.alpha={alpha:?}"),
            &format!("subsystem.pair.elimination.beta={beta:?}"),
        ]);
        let link = ELIMINATED.link(&run);
        run.times.iter().zip(link).map(|(t, length)| (*t, length - LINK)).collect::<Vec<_>>()
    };
    for (t, found) in violation(5.0, 5.0) {
        let critical = 0.01 * (1.0 + 5.0 * t) * (-5.0 * t).exp();
        assert!((found - critical).abs() < 1e-7, "{found} m at {t} s, not {critical}");
    }
    for (t, found) in violation(0.0, 20.0) {
        let undamped = 0.01 * (20.0 * t).cos();
        assert!((found - undamped).abs() < 1e-5, "{found} m at {t} s, not {undamped}");
    }
    assert!(violation(0.0, 0.0).iter().all(|(_, found)| (found - 0.01).abs() < 1e-12));
}
