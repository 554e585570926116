//! The rigidly coupled droop stop, linearised: a light node with a stop, rigidly joined to a heavy hinged rod.
//!
//! References: closed forms. Node and rod move as one mass `m + M` under constant acceleration, and Newton's law holds
//! for it as a whole. The iteration of the thesis multiplies its error by the ratio of the two sides' inverse masses.

use cosimo::master::Outcome;
use coupling_tests::Run;

const MODEL: &str = "droop-stop/model.toml";
/// `μ L³/3 / r²` (kg) and `μ L²/2 · g / r` (N).
const ROD: (f64, f64) = (14062.5, 8437.5);
const START: f64 = 0.003;
const RESTITUTION: f64 = 0.8;
const END: f64 = 0.25;
/// The thesis' scheme: Gauss-Seidel, a relaxed joint, the rod by the multistep rule. The rod is on a spring, as an elastic blade is, so that
/// forces change from step to step.
const THESIS: [&str; 7] = [
    "time.end=0.25",
    "master.scheme=gauss-seidel",
    "master.impacts=plain",
    "interface.joint.law=tikhonov",
    "interface.joint.constant=2e-8",
    "subsystem.rod.solver=multistep",
    "subsystem.rod.stiffness=[1e9]",
];

fn node(mass: f64) -> String {
    format!("subsystem.node.mass={mass:e}")
}

fn thesis(mass: f64, tolerance: f64) -> Run {
    let more = [node(mass), format!("master.tolerance={tolerance:e}")];
    Run::of(&Run::model(MODEL, &[THESIS.as_slice(), &[&more[0], &more[1]]].concat()))
}

/// Falling rod and node, joined: mass (kg) and acceleration (m/s²).
fn together(mass: f64) -> (f64, f64) {
    (ROD.0 + mass, (ROD.1 + 10.0 * mass) / (ROD.0 + mass))
}

/// The node where it hangs on the joint by what it weighs more than it falls.
fn opened(mass: f64, constant: f64) -> String {
    let z = START - constant * mass * (10.0 - together(mass).1);
    format!("subsystem.node.position=[0, 0, {z:?}]")
}

/// `W_a / (W_b + c/h²)` with `W_a = 1/m`, `W_b = 1/(M + b₁² k)`, `h = 1e-4`, `c = 2e-8`, `k` of the spring and `b₁` of the multistep
/// rule for ρ = 0.6.
fn contraction(mass: f64) -> f64 {
    let h = 1e-4;
    let b1 = h * (0.5 + 0.16 / (2.0 * 3.84));
    1.0 / mass / (1.0 / (ROD.0 + b1 * b1 * 1e9) + 2e-8 / (h * h))
}

fn relative(found: f64, exact: f64) -> f64 {
    (found / exact - 1.0).abs()
}

#[test]
fn impact_is_that_of_one_body_at_any_mass_ratio() {
    for mass in [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0] {
        let run = Run::example(MODEL, &[&node(mass), "time.end=0.25"]);
        let (m, a) = together(mass);
        let (mut time, mut speed, mut loss) = ((2.0 * START / a).sqrt(), (2.0 * START * a).sqrt(), 0.0);
        assert!(!run.events.is_empty());
        for event in &run.events {
            assert!(
                (event.time - time).abs() < 1e-12,
                "{mass} kg: impact at {} s, exact {time} s",
                event.time
            );
            let [before, after] = event.velocities;
            assert!(
                relative(-before, speed) < 1e-9 && relative(after, RESTITUTION * speed) < 1e-9,
                "{mass} kg: {event:?}"
            );
            assert!(relative(event.impulse, (1.0 + RESTITUTION) * m * speed) < 1e-9, "{mass} kg: {event:?}");
            loss += 0.5 * m * speed * speed * (1.0 - RESTITUTION * RESTITUTION);
            (time, speed) = (time + 2.0 * RESTITUTION * speed / a, RESTITUTION * speed);
        }
        // `time` is that of the next impact, `speed` that of the last rebound: exact velocity of both at the end.
        let last = time - 2.0 * speed / a;
        let exact = speed - a * (END - last);
        for name in ["node.vz", "rod.v_x"] {
            assert!(relative(run.at(name, END), exact) < 1e-9, "{mass} kg: {name} = {:e}", run.at(name, END));
        }
        let energy = run.report.energy;
        assert!(
            (energy.contact + loss).abs() < 1e-7 * energy.start,
            "{mass} kg: loss {} J, exact {loss} J",
            energy.contact
        );
        assert!((energy.end - energy.start + loss).abs() < 1e-7 * energy.start, "{mass} kg: {energy:?}");
    }
}

#[test]
fn every_step_takes_one_solve_and_keeps_the_joint_closed() {
    for mass in [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0] {
        let run = Run::example(MODEL, &[&node(mass)]);
        let report = &run.report;
        assert_eq!(
            (report.steps, report.interface_solves, report.failed_steps),
            (5000, 5000, 0),
            "{mass} kg"
        );
        assert_eq!((report.master_iterations, report.most_iterations), (5000, 1), "{mass} kg");
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
        assert!(gap <= 1e-12, "{mass} kg: gap {gap:e} m");
    }
}

/// The momentum of the rod changes by its weight and by what the joint passes, over the steps and at the impacts.
#[test]
fn joint_passes_the_impulses_of_impacts() {
    for mass in [1e-3, 1.0, 100.0] {
        let run = Run::example(MODEL, &[&node(mass), "time.end=0.1", "record.every=1"]);
        assert_eq!(run.impacts().len(), 1);
        let passed: f64 = run.column("joint.impulse").iter().sum();
        let exact = ROD.0 * (run.at("rod.v_x", 0.1) - run.at("rod.v_x", 0.0)) + ROD.1 * 0.1;
        assert!(
            exact > 1000.0 && relative(passed, exact) < 1e-12,
            "{mass} kg: {passed} N s, exact {exact} N s"
        );
    }
}

/// At a mass ratio of 10¹² the difference `1/m − (1/m)²/(1/m + 1/M)` has no digits left; the impulse has twelve.
#[test]
fn effective_mass_has_all_its_digits_at_any_mass_ratio() {
    for ratio in [1e-4, 1e-8, 1e-12] {
        let mass = ratio * ROD.0;
        let run = Run::example(MODEL, &[&node(mass)]);
        assert!(run.impacts().len() >= 2);
        for event in &run.events {
            let exact = (1.0 + RESTITUTION) * (ROD.0 + mass) * -event.velocities[0];
            assert!(
                relative(event.impulse, exact) < 1e-12,
                "ratio {ratio:e}: {event:?}, exact {exact:e} N s"
            );
            assert!(relative(event.velocities[1], -RESTITUTION * event.velocities[0]) < 1e-12, "{event:?}");
        }
    }
}

#[test]
fn plain_scheme_also_sees_the_effective_mass() {
    // Newton's law over a step instead of at an instant: the rebound is that of one body to the order of the step.
    for mass in [1e-3, 1.0, 100.0] {
        let run = Run::example(MODEL, &[&node(mass), "time.end=0.12", "master.impacts=plain"]);
        let speed = (2.0 * START * (ROD.1 + 10.0 * mass) / (ROD.0 + mass)).sqrt();
        assert_eq!(run.impacts().len(), 1);
        let rebound = run.events[0].velocities[1] / speed;
        assert!((rebound - RESTITUTION).abs() < 2e-3, "{mass} kg: rebounds with {rebound} of the speed");
    }
}

#[test]
fn measured_contraction_is_that_of_the_formula() {
    for mass in [100.0, 10.0, 1.0, 0.6] {
        let run = thesis(mass, 1e-6);
        assert_eq!(run.report.outcome, Outcome::Completed, "{mass} kg");
        let measured = run.report.contraction.unwrap_or(f64::NAN);
        assert!(
            relative(measured, contraction(mass)) < 1e-2,
            "{mass} kg: {measured}, formula {}",
            contraction(mass)
        );
    }
}

/// Iterations of every step after the first two, from the contraction `ρ`, the tolerance and the starting guess: the
/// forces of the last two steps, extrapolated, are wrong by `e`, the n-th correction is `(1 + ρ) ρⁿ⁻¹ e`, and it is to be
/// below the tolerance times the larger of its force and that of the step before. The forces are those of the condensed scheme.
fn predicted_iterations(mass: f64, tolerance: f64) -> Vec<u64> {
    let node = node(mass);
    let settings = [&THESIS[..1], &THESIS[2..], &[node.as_str()]].concat();
    let force =
        Run::example(MODEL, &[settings.as_slice(), &["record.every=1"]].concat()).column("joint.force");
    let rho = contraction(mass);
    let of_step = |k: usize| {
        let largest = force[k].abs().max(force[k - 1].abs());
        let wrong = (force[k] - 2.0 * force[k - 1] + force[k - 2]).abs();
        let needed = (tolerance * largest / ((1.0 + rho) * wrong)).ln() / rho.ln();
        1 + needed.max(0.0).ceil() as u64
    };
    (2..force.len()).map(of_step).collect()
}

#[test]
fn iteration_counts_follow_from_contraction_tolerance_and_first_guess() {
    for (mass, tolerance) in [100.0, 10.0, 1.0].into_iter().flat_map(|mass| [(mass, 1e-4), (mass, 1e-6)]) {
        let run = thesis(mass, tolerance);
        let found = run.report.master_iterations_per_step();
        let predicted = predicted_iterations(mass, tolerance);
        let mean = predicted.iter().sum::<u64>() as f64 / predicted.len() as f64;
        let about = format!("{mass} kg, {tolerance:e}: {found} iterations per step, predicted {mean}");
        assert!((found / mean - 1.0).abs() < 0.03, "{about}");
        let (most, predicted) = (run.report.most_iterations, predicted.iter().copied().max().unwrap());
        assert!(most.abs_diff(predicted) <= 2, "{about}, at most {most}, predicted {predicted}");
    }
}

/// The iterations per step in the example's description.
#[test]
fn described_iteration_counts_are_those_of_the_runs() {
    for (mass, at_1e4, at_1e6) in [(100.0, 1.98, 2.92), (10.0, 2.46, 3.98), (1.0, 5.45, 12.14)] {
        for (tolerance, expected) in [(1e-4, at_1e4), (1e-6, at_1e6)] {
            let found = thesis(mass, tolerance).report.master_iterations_per_step();
            assert!(relative(found, expected) < 5e-3, "{mass} kg, {tolerance:e}: {found}");
        }
    }
}

/// Where the force is constant the guess is right, and a step takes one sweep, whatever the contraction; but for the first step and the
/// impact.
#[test]
fn a_constant_force_takes_one_sweep_a_step() {
    for mass in [100.0, 1.0] {
        let node = node(mass);
        let start = opened(mass, 2e-8);
        let more = [
            node.as_str(),
            &start,
            "master.initial_tolerance=1e-4",
            "master.tolerance=1e-6",
            "record.every=1",
        ];
        let free = [&THESIS[..6], &more].concat();
        let run = Run::example(MODEL, &free);
        let more = run.column("joint.iterations").iter().filter(|n| **n > 1.0).count();
        assert!(more <= 4, "{mass} kg: {more} steps of more than one sweep");
    }
}

#[test]
fn divergence_is_told_with_its_cause() {
    let run = thesis(0.3, 1e-6);
    let warnings: String = run.report.warnings.iter().map(|warning| warning.text.as_str()).collect();
    for part in ["interface `joint`", "subsystem `rod", "from 0 s", "residual", "1.667", "condensed"] {
        assert!(warnings.contains(part), "`{part}` is missing in: {warnings}");
    }
    let measured = run.report.contraction.unwrap_or(f64::NAN);
    assert!(relative(measured, contraction(0.3)) < 1e-2, "{measured}");
    assert_eq!((run.report.solved_at_once, run.report.failed_steps), (run.report.steps, 0));
    // A light node is no matter to the condensed scheme, whatever the rows.
    let condensed = Run::model(MODEL, &[&THESIS[..1], &THESIS[2..], &["subsystem.node.mass=0.3"]].concat());
    assert_eq!(Run::of(&condensed).report.outcome, Outcome::Completed);
}

#[test]
fn gauss_seidel_at_a_rigid_joint_reaches_the_condensed_solution() {
    // A node heavier than the rod, so that the iteration contracts.
    let tolerance = 1e-6;
    // On a spring, so that the force changes.
    let common = [
        "subsystem.node.mass=1e5",
        "subsystem.rod.stiffness=[1e9]",
        "time.end=0.05",
        "time.step=1.005e-4",
        "master.tolerance=1e-6",
    ];
    let condensed = Run::example(MODEL, &[common.as_slice(), &["master.impacts=plain"]].concat());
    let iterated = Run::example(MODEL, &[common.as_slice(), &["master.scheme=gauss-seidel"]].concat());
    assert_eq!(condensed.report.interface_solves, condensed.report.steps);
    assert!(iterated.report.master_iterations > iterated.report.steps);
    assert_eq!(condensed.impacts().len(), iterated.impacts().len());
    assert!(!condensed.impacts().is_empty());
    for name in ["node.z", "node.vz", "rod.x", "rod.v_x", "joint.force"] {
        let (a, b) = (condensed.column(name), iterated.column(name));
        let size = a.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst <= 10.0 * tolerance * size, "{name} differs by {worst:e} of {size:e}");
    }
    let formula = (ROD.0 + 1e9 * 1.005e-4_f64.powi(2) / 4.0) / 1e5;
    assert!(
        relative(iterated.report.contraction.unwrap_or(f64::NAN), formula) < 1e-2,
        "{:?}",
        iterated.report.contraction
    );
}

/// Both schemes solve the same equations, through impacts too.
#[test]
fn gauss_seidel_at_a_relaxed_joint_reaches_the_condensed_solution() {
    for mass in [100.0, 10.0, 1.0] {
        let settings = [node(mass), "time.end=0.05".to_owned()];
        let settings = [&settings[0], &settings[1], "master.tolerance=1e-12"];
        let common = [&THESIS[2..], &settings].concat();
        let condensed = Run::example(MODEL, &common);
        let iterated = Run::example(MODEL, &[common.as_slice(), &["master.scheme=gauss-seidel"]].concat());
        assert_eq!(condensed.report.interface_solves, condensed.report.steps);
        assert!(iterated.report.master_iterations > iterated.report.steps);
        assert_eq!(condensed.impacts().len(), iterated.impacts().len(), "{mass} kg");
        assert!(condensed.impacts().len() > 2);
        for name in ["node.z", "node.vz", "rod.x", "rod.v_x", "joint.gap", "joint.force", "node.stop.impulse"]
        {
            let (a, b) = (condensed.column(name), iterated.column(name));
            assert_eq!(a.len(), b.len());
            let size = a.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst <= 1e-8 * size, "{mass} kg: {name} differs by {worst:e} of {size:e}");
        }
    }
}

/// A Tikhonov joint gives way to loads, `g = c λ`, and passes impacts rigidly: node and rod meet the stop as one body, whatever constant, step
/// and mass.
#[test]
fn tikhonov_joint_gives_way_to_loads_and_passes_impacts() {
    for (mass, constant, h) in [(1.0, 5e-9, 1e-4), (1.0, 5e-9, 5e-4), (1e-3, 1e-7, 1e-4), (50.0, 1e-13, 1e-4)]
    {
        let overrides = [
            node(mass),
            "time.end=0.25".to_owned(),
            "interface.joint.law=tikhonov".to_owned(),
            format!("interface.joint.constant={constant:e}"),
            opened(mass, constant),
            "master.initial_tolerance=1e-4".to_owned(),
            format!("time.step={h:e}"),
        ];
        let run = Run::example(MODEL, &overrides.each_ref().map(String::as_str));
        let (m, a) = together(mass);
        let force = mass * (10.0 - a);
        let speed = (2.0 * (START - constant * force) * a).sqrt();
        let about = format!("{mass} kg, c = {constant:e} m/N, h = {h:e} s");
        let event = &run.events[0];
        assert!(relative(event.impulse, (1.0 + RESTITUTION) * m * speed) < 1e-9, "{about}: {event:?}");
        assert!(relative(event.velocities[1], RESTITUTION * speed) < 1e-9, "{about}: {event:?}");
        for t in [0.05, 0.2] {
            assert!(
                relative(run.at("joint.gap", t).abs(), constant * force) < 1e-6,
                "{about}: {}",
                run.at("joint.gap", t)
            );
        }
        let warnings = &run.report.warnings;
        assert!(warnings.is_empty(), "{about}: {warnings:?}");
    }
}

/// At steps that lie anyhow to the impacts, over all rebounds of the rod until 0.5 s. The spring and the node swing with
/// `ω h` = 450 and 45: restitution between them would make or take energy as if the node had the mass of the spring's step, 50 kg.
#[test]
fn stiff_spring_at_a_light_node_makes_no_energy() {
    let spring = "interface.joint={ name = \"joint\", between = [\"node.top\", \"rod.arm\"], law = \"compliant\", stiffness = 2e8 }";
    for (step, lost) in [(1e-3, 0.5), (1e-4, 0.01)] {
        for (share, impacts) in [1.0, 0.9, 0.937, 0.981, 1.013, 1.059, 1.1]
            .into_iter()
            .zip(["sub-step", "plain"].into_iter().cycle())
        {
            let h = format!("time.step={:e}", step * share);
            let impacts = format!("master.impacts={impacts}");
            let set = ["subsystem.node.mass=1e-3", "record.every=1", &h, &impacts, spring];
            let run = Run::example(MODEL, &set);
            let [z, vz, x, vx] = ["node.z", "node.vz", "rod.x", "rod.v_x"].map(|name| run.column(name));
            let energy = |i: usize| {
                let node = 0.5e-3 * vz[i] * vz[i] + 1e-2 * z[i];
                node + 0.5 * ROD.0 * vx[i] * vx[i] + ROD.1 * x[i] + 1e8 * (z[i] - x[i]).powi(2)
            };
            let most = (0..z.len()).map(energy).fold(f64::NEG_INFINITY, f64::max);
            assert!((energy(0) - 25.312_53).abs() < 1e-9);
            // The limits are 0.5 and 0.01 J.
            assert!(most - energy(0) <= 1e-9, "{h}, {impacts}: gains {:e} J", most - energy(0));
            // Nearly all of it is still there: the rod rebounds on the spring, the stop takes energy from the node alone.
            let end = energy(z.len() - 1) - energy(0);
            assert!(end > -lost, "{h}, {impacts}: {end} J");
            assert!(!run.events.is_empty());
            let deepest = z.iter().fold(0.0_f64, |most, z| most.max(-z));
            assert!(deepest < 1e-9, "{h}, {impacts}: the node is {deepest:e} m deep in the stop");
        }
    }
}

/// With damping the body does not swing, and Newton's law stands: a contact at rest carries the weight, and does not ring.
#[test]
fn a_stiff_damped_joint_comes_to_rest() {
    let text = "schema = 1\ntime = { end = 2.0, step = 1e-3 }\n\
        [[subsystem]]\nname = \"node\"\nkind = \"node\"\nmass = 1e-3\ngravity = [0, 0, -9.81]\nposition = [0, 0, 0.01]\n\
        port = [{ name = \"p\", direction = [0, 0, 1] }]\n\
        [[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0\n\
        [[subsystem]]\nname = \"mass\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [1]\nforce = [-9.81]\nposition = 0.01\n\
        [[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n\
        [[interface]]\nname = \"joint\"\nbetween = [\"node.p\", \"mass.p\"]\nlaw = \"compliant\"\nstiffness = 1e5\ndamping = 158\n";
    let run = Run::completed(&Run::text(text, &[]));
    let [impulse, speed] = ["node.floor.impulse", "node.vz"].map(|name| run.column(name));
    let weight = 9.81 * 1.001 * 1e-3;
    for k in impulse.len() - 10..impulse.len() {
        assert!((impulse[k] / weight - 1.0).abs() < 1e-6 && speed[k].abs() < 1e-9, "{} N s", impulse[k]);
    }
}

/// The law of contacts too stiff for the step (`ω h` = 14) is the same in every scheme.
#[test]
fn stiff_contacts_are_the_same_in_every_scheme() {
    let stiff = [
        "interface.joint.law=compliant",
        "interface.joint.stiffness=2e8",
        "time.step=1e-3",
        "master.impacts=plain",
    ];
    let condensed = Run::example(MODEL, &stiff);
    for scheme in ["gauss-seidel", "jacobi"] {
        let scheme = format!("master.scheme={scheme}");
        let set = [&stiff[..], &[scheme.as_str(), "master.acceleration=iqn-ils", "master.tolerance=1e-11"]]
            .concat();
        let run = Run::example(MODEL, &set);
        for name in ["rod.x", "node.z"] {
            let (own, other) = (run.column(name), condensed.column(name));
            let apart = own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-11, "{scheme}, {name}: {apart:e} m");
        }
    }
}
