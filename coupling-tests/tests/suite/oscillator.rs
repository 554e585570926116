//! The two-mass oscillator of the thesis, split as there: accuracy, order, impacts, rest, and other solvers above.
//!
//! References: cases E1, E2 and E5, exact modal solutions with 60-digit impact roots.

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, Table, fitted_order, step_sizes};

const MODEL: &str = "oscillator/model.toml";
const E1: Case = Case { folder: "E1_oscillator_k1e3", stiffness: 1e3 };
const E2: Case = Case { folder: "E2_oscillator_k1e4", stiffness: 1e4 };
/// Each the one entry that gives the upper mass another solver.
const OTHER_SOLVERS: [&str; 3] = [
    "subsystem.upper.solver=multistep",
    "subsystem.upper.solver={ method = \"multistep\", spectral_radius = 0.82 }",
    "subsystem.upper.solver=generalized-alpha",
];

#[derive(Clone, Copy)]
struct Case {
    folder: &'static str,
    stiffness: f64,
}

impl Case {
    fn run(self, h: f64, end: f64, overrides: &[&str]) -> Run {
        let settings = [
            format!("time.step={h:e}"),
            format!("time.end={end}"),
            format!("interface.spring.stiffness={:e}", self.stiffness),
        ];
        let all: Vec<&str> = settings.iter().map(String::as_str).chain(overrides.iter().copied()).collect();
        Run::example(MODEL, &all)
    }

    fn reference(self) -> Table {
        Table::reference(&format!("{}/reference.csv", self.folder))
    }

    /// Largest error of both positions at all points of the reference up to 0.9 s.
    fn error(self, h: f64, overrides: &[&str]) -> f64 {
        largest_error(&self.run(h, 0.9, overrides), &self.reference(), 0.9)
    }

    fn assert_accuracy_and_order(self, overrides: &[&str], allowed: f64) {
        let [coarse, middle, fine] = [1e-3, 1e-4, 5e-5].map(|h| self.error(h, overrides));
        assert!(middle <= allowed, "{} {overrides:?}: {middle:e} m at h = 1e-4", self.folder);
        let order = (coarse / fine).ln() / 20f64.ln();
        assert!(order >= 1.8, "{} {overrides:?}: order {order:.3}, {coarse:e} to {fine:e} m", self.folder);
    }

    /// Order over 24 step sizes at every phase of impact and grid, against a run with steps of 5 µs.
    fn order_against_fine_run(self, overrides: &[&str]) -> f64 {
        let positions = |h: f64| {
            let run = self.run(h, 0.9, overrides);
            let at = |i: u32| ["lower.z", "upper.z"].map(|name| run.at(name, 0.1 * f64::from(i)));
            (1..=9).flat_map(at).collect::<Vec<f64>>()
        };
        let fine = positions(5e-6);
        // Whole numbers of steps in 0.1 s, where positions are compared.
        let steps: Vec<f64> = step_sizes(1e-3, 5e-5, 24).iter().map(|h| 0.1 / (0.1 / h).round()).collect();
        let error = |h: &f64| {
            let found = positions(*h);
            found.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let errors: Vec<f64> = steps.iter().map(error).collect();
        fitted_order(&steps, &errors)
    }
}

fn largest_error(run: &Run, reference: &Table, end: f64) -> f64 {
    let (lower, upper) = (reference.column("lower"), reference.column("upper"));
    let mut largest = 0.0_f64;
    for (k, &t) in reference.column("t").iter().enumerate().take_while(|(_, t)| **t <= end + 1e-9) {
        let errors = [run.at("lower.z", t) - 0.2 - lower[k], run.at("upper.z", t) - 0.7 - upper[k]];
        largest = largest.max(errors[0].abs()).max(errors[1].abs());
    }
    largest
}

#[test]
fn soft_spring_is_accurate_and_of_order_two() {
    E1.assert_accuracy_and_order(&[], 2e-5);
}

#[test]
fn stiff_spring_is_accurate_and_of_order_two() {
    E2.assert_accuracy_and_order(&[], 2e-4);
}

/// Largest errors (m) at h = 1e-4 s and orders of the table in the example's description.
#[test]
fn figures_of_other_solvers_are_those_described() {
    let table = [
        (E1, "subsystem.upper.solver=theta", 7.71e-6, 2.44),
        (E1, OTHER_SOLVERS[0], 7.72e-6, 2.44),
        (E1, OTHER_SOLVERS[2], 7.77e-6, 2.44),
        (E2, "subsystem.upper.solver=theta", 8.44e-5, 2.41),
        (E2, OTHER_SOLVERS[0], 8.44e-5, 2.41),
        (E2, OTHER_SOLVERS[2], 8.45e-5, 2.41),
    ];
    for (case, solver, error, order) in table {
        let [coarse, middle, fine] = [1e-3, 1e-4, 5e-5].map(|h| case.error(h, &[solver]));
        let found = (coarse / fine).ln() / 20f64.ln();
        assert!(
            (middle / error - 1.0).abs() < 0.002 && (found - order).abs() < 0.01,
            "{} {solver}: {middle:e} m, order {found}",
            case.folder
        );
    }
}

#[test]
fn upper_mass_may_have_another_solver() {
    for solver in OTHER_SOLVERS {
        E1.assert_accuracy_and_order(&[solver], 2e-5);
        E2.assert_accuracy_and_order(&[solver], 2e-4);
    }
}

#[test]
fn order_two_holds_with_a_dashpot_in_the_interface() {
    for solver in ["subsystem.upper.solver=theta"].iter().chain(&OTHER_SOLVERS) {
        for case in [E1, E2] {
            let order = case.order_against_fine_run(&["interface.spring.damping=2", solver]);
            assert!(order >= 1.8, "{} {solver}: fitted order {order:.3}", case.folder);
        }
    }
}

/// A compliant interface passes forces, no impulses: at an impact the sphere turns round, and the velocity of the upper
/// mass goes on with what its weight, the spring and the dashpot give it over the step.
#[test]
fn no_impulse_passes_the_spring() {
    for (case, dashpot) in [(E1, 0.0), (E2, 0.0), (E1, 2.0)] {
        for solver in ["subsystem.upper.solver=theta"].iter().chain(&OTHER_SOLVERS) {
            for h in [1e-3, 1e-4] {
                let run = case.run(h, 1.5, &[&format!("interface.spring.damping={dashpot:?}"), solver]);
                let [z, vz, u, vu] =
                    ["lower.z", "lower.vz", "upper.z", "upper.v_z"].map(|name| run.column(name));
                let force =
                    |k: usize| case.stiffness * (u[k] - z[k] - 0.5).abs() + dashpot * (vu[k] - vz[k]).abs();
                assert!(run.impacts().len() >= 5);
                for event in run.events.iter().filter(|e| e.kind == ContactEventKind::Impact) {
                    let k = run.times.partition_point(|t| *t < event.time);
                    let jump = event.velocities[1] - event.velocities[0];
                    // The mass that jumps is that of the sphere alone, but for the stiffness of a step.
                    let stiff = 0.25 * case.stiffness * h * h + 0.5 * dashpot * h;
                    assert!(
                        (event.impulse / jump - 1.0).abs() <= 1.1 * stiff + 1e-9,
                        "{solver}, h = {h:e}: {event:?}"
                    );
                    let (upper, largest) = ((vu[k] - vu[k - 1]).abs(), 10.0 + force(k).max(force(k - 1)));
                    assert!(
                        upper <= 1.1 * h * largest,
                        "{solver}, h = {h:e}: {upper} m/s of {jump} m/s pass"
                    );
                }
            }
        }
    }
}

#[test]
fn plain_scheme_is_of_order_one() {
    // What the impacts' own instants are for: without them the tests above must fail.
    let plain = ["master.impacts=plain"];
    assert!(E1.error(1e-4, &plain) > 1e-4);
    let order = E1.order_against_fine_run(&plain);
    assert!((0.7..1.4).contains(&order), "fitted order {order:.3}");
}

#[test]
fn number_of_impacts_is_exact() {
    for case in [E1, E2] {
        let events = Table::reference(&format!("{}/events.csv", case.folder));
        let exact: Vec<f64> = events.column("t").iter().copied().filter(|t| *t < 1.5).collect();
        assert_eq!(exact.len(), 5);
        for h in [1e-3, 5e-4, 2e-4, 1e-4, 5e-5] {
            for solver in ["subsystem.upper.solver=theta"].iter().chain(&OTHER_SOLVERS) {
                let run = case.run(h, 1.5, &[solver]);
                assert_eq!(run.impacts().len(), exact.len(), "{} {solver} at h = {h:e}", case.folder);
                assert_eq!(run.report.impacts, exact.len() as u64);
            }
        }
        // The second flight amplifies an error of the first impacts about a hundred times.
        let found = case.run(5e-5, 1.5, &[]).impacts();
        let worst = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 5e-5, "{}: impact times are off by {worst:e} s", case.folder);
    }
}

/// What the example's description says of large steps.
#[test]
fn third_impact_is_late_with_steps_of_a_millisecond() {
    let exact = Table::reference("E1_oscillator_k1e3/events.csv").column("t")[2];
    let late = E1.run(1e-3, 1.2, &[]).impacts()[2] - exact;
    assert!((late - 0.9e-3).abs() < 0.05e-3, "{late} s");
}

#[test]
fn energy_follows_the_exact_solution() {
    for (case, allowed) in [(E1, 5e-5), (E2, 5e-4)] {
        let run = case.run(1e-4, 0.9, &[]);
        let (exact, energy) = (case.reference(), run.report.energy);
        let exact = exact.column("energy")[900] - exact.column("energy")[0];
        let error = energy.end - energy.start - exact;
        assert!(error.abs() < allowed, "{}: {error:e} J", case.folder);
        // One solve per step, and a spring between two rules θ = ½ makes no energy.
        assert_eq!(run.report.interface_solves, run.report.steps);
        assert!(energy.interfaces.abs() < 1e-10, "{energy:?}");
    }
}

#[test]
fn chatter_ends_in_lasting_contact() {
    let case = Case { folder: "E5_oscillator_k1e3_e05", stiffness: 1e3 };
    let run = case.run(1e-4, 4.0, &["subsystem.lower.plane.floor.restitution=0.5"]);
    let events = Table::reference(&format!("{}/events.csv", case.folder));
    let (impacts, exact) = (run.impacts(), events.column("t"));
    assert!(impacts.len() >= 8 && exact.len() >= 8, "{impacts:?}");
    for k in 0..8 {
        assert!((impacts[k] - exact[k]).abs() < 3e-5, "impact {k} at {} s, exact {} s", impacts[k], exact[k]);
    }
    let error = largest_error(&run, &case.reference(), 4.0);
    assert!(error < 5e-5, "positions are off by {error:e} m");

    // It comes to rest where the impacts accumulate, 1.3236160 s, and never opens again.
    let closings = run.events_at("lower.floor", ContactEventKind::Closing);
    assert_eq!(closings.len(), 1);
    assert!((closings[0].time - 1.323_616).abs() < 1e-3, "closing at {} s", closings[0].time);
    assert!(run.events_at("lower.floor", ContactEventKind::Release).is_empty());
    let (gap, speed) = (run.at("lower.floor.gap", 4.0), run.at("lower.vz", 4.0));
    assert!(gap.abs() < 1e-8 && speed.abs() < 1e-12, "gap {gap:e} m, speed {speed:e} m/s");
    let loss = run.report.energy.start - run.report.energy.end;
    assert!((loss - 16.059_142_339_777_81).abs() < 1e-4, "loses {loss} J");
}
