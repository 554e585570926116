//! The feet on the floor: friction with restitution, by a cone with 16 facets and by the exact one.

use std::f64::consts::PI;

use coupling_tests::Run;

const FACETED: &str = "walker/faceted.toml";
const CONE: &str = "walker/cone.toml";
const FRICTION: f64 = 1.2;
const FACETS: f64 = 16.0;

/// Normal impulse and friction of a foot, step by step (N s).
fn impulses(run: &Run, foot: usize) -> Vec<(f64, [f64; 2])> {
    let of = |name| run.column(&format!("foot{foot}.floor.{name}"));
    let [normal, along, across] = ["impulse", "friction_0", "friction_1"].map(of);
    normal.into_iter().zip(along).zip(across).map(|((n, x), y)| (n, [x, y])).collect()
}

/// Largest excess of friction over `friction` times what presses, over all steps and feet (N s), and the steps of contact.
fn excess(run: &Run, friction: f64) -> (f64, usize) {
    let pressed: Vec<_> = (0..8).flat_map(|foot| impulses(run, foot)).filter(|(n, _)| *n > 0.0).collect();
    let most = pressed.iter().map(|(n, [x, y])| x.hypot(*y) - friction * n).fold(f64::MIN, f64::max);
    (most, pressed.len())
}

/// The polygon is drawn round the disk: its corners are further out by `1/cos(π/16)`.
#[test]
fn the_force_is_inside_the_cone_at_every_step() {
    let overrides = ["time.end=0.4", "record.every=1"];
    for (model, friction) in [(CONE, FRICTION), (FACETED, FRICTION / (PI / FACETS).cos())] {
        let (most, steps) = excess(&Run::example(model, &overrides), friction);
        assert!(most <= 1e-12 && steps > 20, "{model}: {most:e} N s in {steps} steps");
    }
}

/// Four turns of the crank: the joints stay closed to round-off from the start to the end.
#[test]
fn joints_do_not_drift_in_four_turns() {
    let run = Run::example(CONE, &["time.step=5e-3", "time.end=8.005"]);
    let residual = run.column("w.residual");
    assert!(residual.len() > 1600 && run.report.impacts > 100);
    let most = residual.iter().fold(0.0_f64, |most, x| most.max(*x));
    assert!(most < 2e-14, "{most:e} m");
}

/// Share of friction across the way in which a foot slides at the end of a step or, if that is less, in its mean, in every step through
/// which one slides without an impact, on a floor that is slippery enough.
fn across(model: &str) -> Vec<f64> {
    let slippery = (0..8).flat_map(|foot| {
        ["friction=0.2", "restitution=0"].map(|law| format!("subsystem.foot{foot}.plane.floor.{law}"))
    });
    let overrides: Vec<String> =
        slippery.chain(["time.end=0.3", "record.every=1"].map(str::to_owned)).collect();
    let run = Run::example(model, &overrides.iter().map(String::as_str).collect::<Vec<_>>());
    (0..8).flat_map(|foot| across_of(&run, foot)).collect()
}

fn across_of(run: &Run, foot: usize) -> Vec<f64> {
    let [u, v] = [0, 1].map(|k| run.column(&format!("foot{foot}.floor.slip_{k}")));
    let has_event = |k: usize| {
        let step = run.times[k.saturating_sub(1)]..=run.times[k];
        run.events.iter().any(|event| step.contains(&event.time))
    };
    let share = |[x, y]: [f64; 2], [u, v]: [f64; 2]| (x * v - y * u).abs() / (x.hypot(y) * u.hypot(v));
    let of_step = |(k, (n, friction)): (usize, (f64, [f64; 2]))| {
        let (end, mean) = ([u[k], v[k]], [&u, &v].map(|slip| 0.5 * (slip[k.max(1) - 1] + slip[k])));
        let slides = n > 0.0 && end[0].hypot(end[1]) > 1e-6 && !has_event(k);
        slides.then(|| share(friction, end).min(share(friction, mean)))
    };
    impulses(run, foot).into_iter().enumerate().filter_map(of_step).collect()
}

/// The polygon pushes towards its corners, which are up to `π/16` off the way. The exact cone has no such force.
#[test]
fn only_facets_push_across_the_way() {
    let largest = |shares: &[f64]| shares.iter().fold(0.0_f64, |most, share| most.max(*share));
    let (faceted, round) = (across(FACETED), across(CONE));
    assert!(faceted.len() > 100 && round.len() > 100);
    let corner = (PI / FACETS).sin();
    assert!(largest(&faceted) > 0.9 * corner && largest(&faceted) < 1.001 * corner, "{}", largest(&faceted));
    assert!(largest(&round) < 1e-12, "{:e}", largest(&round));
}

/// A walk on feet of this mass (kg), in steps and until a time as in these settings: it comes to its end, with few iterations.
fn assert_walks(mass: f64, times: [&str; 2]) {
    let masses: Vec<String> = (0..8).map(|foot| format!("subsystem.foot{foot}.mass={mass}")).collect();
    let overrides: Vec<&str> =
        masses.iter().map(String::as_str).chain(times).chain(["master.tangent=exact"]).collect();
    let report = Run::example(FACETED, &overrides).report;
    let iterations = report.master_iterations as f64 / report.steps as f64;
    assert_eq!(report.failed_steps, 0, "{mass} kg, {times:?}");
    assert!(report.impacts > 0 && iterations < 3.0, "{mass} kg, {times:?}: {iterations} a step");
}

/// Nodes lighter than `h²/c` bounce on their own where forces are found by passing them to and fro.
#[test]
fn light_and_heavy_feet_take_few_iterations() {
    for mass in [0.01, 0.1, 1.0, 10.0] {
        assert_walks(mass, ["time.step=1e-3", "time.end=0.12"]);
    }
    assert_walks(0.01, ["time.step=1e-4", "time.end=0.08"]);
}
