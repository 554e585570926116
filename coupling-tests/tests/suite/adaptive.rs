//! Macro steps chosen by their error: accuracy for the evaluations spent, and errors that fall with the tolerance.
//!
//! References: cases E1, E2 and E5, exact modal solutions with 60-digit impact roots; runs with small fixed steps where
//! there is none.

use cosimo::master::{ContactEventKind, NoObserver, RunReport};
use coupling_tests::{Run, Table, fitted_order};

const OSCILLATOR: &str = "oscillator/model.toml";
const E1: (&str, f64) = ("E1_oscillator_k1e3", 1e3);
const E2: (&str, f64) = ("E2_oscillator_k1e4", 1e4);

/// A run of an example with steps of at most `step` (s) chosen by their error.
fn adaptive(path: &str, (step, end): (f64, f64), tolerance: f64, more: &[&str]) -> Run {
    let own = [
        format!("time.step={step:e}"),
        format!("time.end={end}"),
        "master.step_control=error".to_owned(),
        format!("master.error_tolerance={tolerance:e}"),
    ];
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    Run::example(path, &[own.as_slice(), more].concat())
}

/// The oscillator with the spring of a case; with these overrides on top.
fn oscillator((_, stiffness): (&str, f64), span: (f64, f64), tolerance: f64, more: &[&str]) -> Run {
    let spring = format!("interface.spring.stiffness={stiffness:e}");
    adaptive(OSCILLATOR, span, tolerance, &[&[spring.as_str()], more].concat())
}

/// Largest error of a position at the end (m).
fn error_at_end((folder, _): (&str, f64), run: &Run) -> f64 {
    let reference = Table::reference(&format!("{folder}/reference.csv"));
    let (k, end) = (run.times.len() - 1, run.report.end_time);
    let point = reference.column("t").partition_point(|t| *t < end - 1e-9);
    assert!((reference.column("t")[point] - end).abs() < 1e-9);
    let error = |name: &str, column: &str, offset: f64| {
        (run.value(name, k) - offset - reference.column(column)[point]).abs()
    };
    error("lower.z", "lower", 0.2).max(error("upper.z", "upper", 0.7))
}

/// Responses that the subsystems computed: begins and evaluations, those of refused steps too.
fn evaluations(report: &RunReport) -> u64 {
    report.subsystems.iter().map(|subsystem| subsystem.statistics.evaluations).sum()
}

#[test]
fn a_tenth_of_a_millimetre_costs_half_the_evaluations_of_fixed_steps() {
    for largest in [0.01, 0.016, 0.02, 0.032] {
        let run = oscillator(E1, (largest, 0.9), 3e-7, &[]);
        let (error, spent) = (error_at_end(E1, &run), evaluations(&run.report));
        assert!(error <= 1e-4 && spent <= 2000, "at most {largest} s: {error:e} m for {spent} evaluations");
        assert_eq!(run.report.impacts, 2);
    }
    // What fixed steps need, so that the demand above is one.
    for (step, at_least) in [("9e-4", 2000), ("4.5e-4", 4000)] {
        let run = Run::example(OSCILLATOR, &["time.end=0.9", &format!("time.step={step}")]);
        assert!(evaluations(&run.report) >= at_least);
        assert!(error_at_end(E1, &run) > 1e-4, "fixed steps of {step} s");
    }
}

/// A local error that goes with the third power of the step makes a global one that goes with the second.
#[test]
fn errors_fall_with_the_tolerance() {
    let tolerances = [1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9];
    let solvers = ["theta", "multistep", "generalized-alpha"];
    for case in [E1, E2] {
        for end in [0.3, 0.7, 0.9, 1.1] {
            for solver in solvers {
                let solver = format!("subsystem.upper.solver={solver}");
                let error = |tolerance: &f64| {
                    error_at_end(case, &oscillator(case, (0.016, end), *tolerance, &[&solver]))
                };
                let errors: Vec<f64> = tolerances.iter().map(error).collect();
                if end < 0.4 {
                    // Free fall is exact, whatever the tolerance.
                    assert!(errors.iter().all(|error| *error < 1e-12), "{errors:?}");
                    continue;
                }
                let order = fitted_order(&tolerances, &errors);
                assert!((0.55..0.8).contains(&order), "{case:?} {end} s {solver}: order {order}, {errors:?}");
                assert!(
                    errors.windows(2).all(|pair| pair[1] < pair[0]),
                    "{case:?} {end} {solver}: {errors:?}"
                );
            }
        }
    }
}

/// Rigid joints, several contacts, nonlinear models and obstacles that move, against small fixed steps.
#[test]
fn errors_fall_in_models_of_every_kind() {
    let cases: [(&str, f64, f64, &[&str]); 4] = [
        ("droop-stop-nonlinear/model.toml", 0.02, 1.9, &["node.z", "rod.rod.angle"]),
        ("chain/model.toml", 0.01, 0.3, &["chain.q2", "chain.q10"]),
        ("three-subsystems/model.toml", 0.01, 0.1, &["a.stop.gap", "c.stop.gap"]),
        ("vibrating-table/model.toml", 0.01, 0.5, &["ball.z"]),
    ];
    for (path, step, end, names) in cases {
        let settings = [format!("time.end={end}"), "time.step=1e-5".to_owned()];
        let exact = Run::example(path, &[&settings[0], &settings[1]]);
        let last = |run: &Run, name: &str| run.value(name, run.times.len() - 1);
        let tolerances = [1e-5, 1e-6, 1e-7, 1e-8];
        let error = |tolerance: &f64| {
            let run = adaptive(path, (step, end), *tolerance, &[]);
            names.iter().map(|name| (last(&run, name) - last(&exact, name)).abs()).fold(0.0, f64::max)
        };
        let errors: Vec<f64> = tolerances.iter().map(error).collect();
        assert!(errors[3] < 0.1 * errors[0], "{path}: {errors:?}");
    }
}

/// Chatter that accumulates, and rest after it.
#[test]
fn impacts_do_not_drive_the_step_to_zero() {
    let bounce = "subsystem.lower.plane.floor.restitution=0.5";
    let reference = ("E5_oscillator_k1e3_e05", 1e3);
    let events = Table::reference("E5_oscillator_k1e3_e05/events.csv");
    for (tolerance, most, allowed) in [(1e-5, 2500, 3e-3), (1e-6, 4500, 3e-4), (1e-7, 9000, 3e-5)] {
        let run = oscillator(reference, (0.016, 4.0), tolerance, &[bounce]);
        let (error, spent) = (error_at_end(reference, &run), evaluations(&run.report));
        assert!(error < allowed && spent < most, "{tolerance:e}: {error:e} m for {spent} evaluations");
        let sizes = run.report.step_sizes;
        assert!(sizes.smallest >= 0.016 / 1024.0 && sizes.refused < run.report.steps / 10, "{sizes:?}");
        let (impacts, exact) = (run.impacts(), events.column("t"));
        for k in 0..8 {
            assert!((impacts[k] - exact[k]).abs() < 10.0 * allowed, "impact {k} at {} s", impacts[k]);
        }
        assert_eq!(run.events_at("lower.floor", ContactEventKind::Closing).len(), 1);
    }
}

/// An impact on a mode that no step resolves is taken all the same, and reported once; those that are resolved are not.
#[test]
fn impacts_that_err_too_much_are_told() {
    let told = |stiffness: &str| {
        let spring = format!("interface.spring.stiffness={stiffness}");
        let more = [
            "time.step=0.016",
            "time.end=0.9",
            "master.step_control=error",
            &spring,
            "master.error_tolerance=1e-6",
        ];
        let mut master = Run::model(OSCILLATOR, &more).build().unwrap();
        let report = master.run(0.9, 0.016, &mut NoObserver).unwrap();
        let told =
            master.warnings().iter().filter(|warning| warning.text.contains("its impact errs by about"));
        (told.count(), report.impacts)
    };
    let ((resolved, _), (stiff, impacts)) = (told("1e3"), told("1e9"));
    assert_eq!((resolved, stiff), (0, 1));
    assert!(impacts > 1, "{impacts}");
}

/// Impacts of free masses are exact inside a step of any size: nothing is refused but to find that out.
#[test]
fn impacts_of_free_masses_do_not_make_the_step_smaller() {
    let run = adaptive("bouncing-ball/model.toml", (0.1, 3.0), 1e-9, &[]);
    let sizes = run.report.step_sizes;
    assert!(run.report.impacts >= 5 && run.report.steps < 50 && sizes.largest == 0.1, "{sizes:?}");
    let exact = Run::example("bouncing-ball/model.toml", &["time.end=3.0", "time.step=1e-3"]);
    for (found, exact) in run.impacts().iter().zip(exact.impacts()).take(5) {
        assert!((found - exact).abs() < 1e-12, "{found} and {exact}");
    }
}

/// A run of the sizes that were taken, without the others, has the same bits.
#[test]
fn refused_sizes_leave_no_trace() {
    for (path, step, end) in [
        (OSCILLATOR, 0.016, 1.2),
        ("droop-stop-nonlinear/model.toml", 0.02, 1.9),
        ("three-subsystems/model.toml", 0.01, 0.3),
        ("vibrating-table/model.toml", 0.01, 0.5),
    ] {
        let run = adaptive(path, (step, end), 1e-6, &[]);
        assert!(run.report.step_sizes.refused > 4, "{path}: {:?}", run.report.step_sizes);
        let mut master = Run::model(path, &[]).build().unwrap();
        let mut values = vec![0.0; master.labels().len()];
        for k in 1..run.times.len() {
            let refinement = (step / (run.times[k] - run.times[k - 1])).log2();
            if (refinement - refinement.round()).abs() > 1e-6 {
                // The last steps, which meet the end, are none of the ladder.
                assert!(k + 6 > run.times.len(), "{path}: step {k} of {}", run.times.len());
                break;
            }
            master.step(step * (-refinement.round()).exp2()).unwrap();
            assert_eq!(master.time().to_bits(), run.times[k].to_bits(), "{path}: step {k}");
            master.observe(&mut values).unwrap();
            // The work of refused steps is counted; their motion is forgotten.
            let motion = run.labels().iter().zip(&values).filter(|(name, _)| !name.ends_with(".iterations"));
            for (name, value) in motion {
                assert_eq!(value.to_bits(), run.value(name, k).to_bits(), "{path}: {name} after step {k}");
            }
        }
    }
}

#[test]
fn energies_balance_and_the_monitor_is_the_drift() {
    for (case, tolerance) in [(E1, 1e-5_f64), (E1, 1e-7), (E2, 1e-6)] {
        let run = oscillator(case, (0.016, 0.9), tolerance, &["interface.spring.damping=0.5"]);
        let energy = run.report.energy;
        let known = energy.contact + energy.external - energy.dissipated;
        let drift = energy.end - energy.start - known;
        assert!((drift - energy.monitor_sum).abs() < 1e-12 * energy.start, "{energy:?}");
        // A spring between two rules θ = ½ makes no energy in steps of any size; impacts inside steps do, of second
        // order.
        assert!(energy.interfaces.abs() < 1e-10, "{energy:?}");
        assert!(energy.monitor_sum.abs() < 0.5 * tolerance.powf(2.0 / 3.0) * energy.start, "{energy:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for (path, step, end) in [(OSCILLATOR, 0.016, 1.2), ("droop-stop-nonlinear/model.toml", 0.02, 1.9)] {
        let run = |more: &str| adaptive(path, (step, end), 1e-6, &[more]);
        let one = run("master.threads=1");
        for other in ["master.threads=2", "master.execution=threads"] {
            let run = run(other);
            assert!(run.has_bits_of(&one), "{path}: {other}");
            assert_eq!(run.report.step_sizes, one.report.step_sizes);
        }
    }
}

/// Sizes met before cost no factorisation.
#[test]
fn factorisations_are_used_again() {
    let run = oscillator(E1, (0.016, 0.9), 3e-7, &[]);
    let changes = run.times.windows(3).filter(|t| ((t[2] - t[1]) / (t[1] - t[0]) - 1.0).abs() > 0.1).count();
    for subsystem in &run.report.subsystems {
        let found = subsystem.statistics.factorizations;
        assert!(2 * found <= changes as u64, "{found} factorisations, the size changes {changes} times");
    }
}

/// Iterative schemes and plain impacts are controlled alike.
#[test]
fn iterative_schemes_take_the_same_steps() {
    let run = |scheme: &str| {
        oscillator(E1, (0.016, 0.9), 1e-6, &["master.impacts=plain", &format!("master.scheme={scheme}")])
    };
    let condensed = run("condensed");
    for scheme in ["gauss-seidel", "jacobi"] {
        let run = run(scheme);
        assert_eq!(run.report.step_sizes, condensed.report.step_sizes, "{scheme}");
        for name in ["lower.z", "upper.z"] {
            let (k, value) = (run.times.len() - 1, |run: &Run, k| run.value(name, k));
            assert!((value(&run, k) - value(&condensed, k)).abs() < 1e-6, "{scheme}: {name}");
        }
    }
}

/// The smallest step is taken whatever its error, with a warning.
#[test]
fn the_smallest_step_is_taken_with_a_warning() {
    let settings =
        ["time.step=1e-3", "time.end=0.9", "master.step_control=error", "master.max_refinements=1"];
    let more = ["master.error_tolerance=1e-12"];
    let model = Run::model(OSCILLATOR, &[settings.as_slice(), &more].concat());
    let mut master = model.build().unwrap();
    let report = master.run(0.9, 1e-3, &mut NoObserver).unwrap();
    assert_eq!(report.step_sizes.smallest, 5e-4);
    let found = master
        .warnings()
        .iter()
        .filter(|warning| warning.text.contains("the step is the smallest allowed"))
        .count();
    assert_eq!(found, 1, "{:?}", master.warnings());
}

/// A model in which 1 N s, or 1 N m s, within 0.5 ms pushes what is free to move, by steps of at most 0.1 s; what is pushed
/// ends with the table that says when.
fn pushed(pushed: &str, tolerance: f64) -> Run {
    let text = format!(
        "schema = 1\n[time]\nend = 1.0\nstep = 0.1\n[master]\nstep_control = \"error\"\n\
         error_tolerance = {tolerance:e}\nmax_refinements = 30\nenergy_action = \"ignore\"\n{pushed}\n\
         time = [0.5, 0.50025, 0.5005]\nvalue = [0.0, 4000.0, 0.0]\n"
    );
    Run::completed(&Run::text(&text, &[]))
}

/// Behind a pulse the steps grow by two at a time; what it leaves in the accelerations of a rule must not.
#[test]
fn generalized_alpha_keeps_the_impulse_of_a_pulse() {
    let body = "[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\n\
                solver = { method = \"generalized-alpha\", spectral_radius = RHO }\n\
                [[subsystem.body]]\nname = \"A\"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n";
    let free = format!("{body}[[subsystem.load]]\nbody = \"A\"\ndirection = [1, 0, 0]");
    let hinged = format!(
        "{body}[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"A\"]\nat = [0, 0, 0]\n\
         axis = [0, 0, 1]\n[[subsystem.load]]\nbody = \"A\"\nmoment_axis = [0, 0, 1]"
    );
    let linear = "[[subsystem]]\nname = \"m\"\nkind = \"linear\"\n\
                  solver = { method = \"generalized-alpha\", spectral_radius = RHO }\ncoordinates = [\"x\"]\n\
                  mass = [1.0]\n[[subsystem.load]]\ncoordinate = 0";
    for (text, name) in [(free.as_str(), "m.A.vx"), (&hinged, "m.A.wz"), (linear, "m.v_x")] {
        for rho in ["0.0", "0.5", "0.8", "0.95"] {
            // The pulse takes five steps of 0.1 ms at the widest tolerance, which is 1 m/s in one of them.
            for (tolerance, allowed) in [(1e-4, 0.5), (1e-6, 0.05), (1e-10, 1e-3)] {
                let run = pushed(&text.replace("RHO", rho), tolerance);
                let error = (run.value(name, run.times.len() - 1) - 1.0).abs();
                assert!(error < allowed, "{name}, ρ = {rho}, {tolerance:e} m: wrong by {error:e}");
            }
        }
    }
}

/// Rules that weigh the ends of a step unevenly see the pulse as well: it is resolved by what each of them misses.
#[test]
fn every_rule_finds_the_impulse_of_a_pulse() {
    for solver in ["theta", "multistep", "hht", "newmark", "bdf", "implicit-euler"] {
        let text = format!(
            "[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\nsolver = \"{solver}\"\n[[subsystem.body]]\nname = \"A\"\n\
             mass = 1.0\ninertia = [1.0, 1.0, 1.0]\n[[subsystem.load]]\nbody = \"A\"\ndirection = [1, 0, 0]"
        );
        let run = pushed(&text, 1e-10);
        let error = (run.value("m.A.vx", run.times.len() - 1) - 1.0).abs();
        assert!(error < 1e-3, "{solver}: wrong by {error:e}");
    }
}
