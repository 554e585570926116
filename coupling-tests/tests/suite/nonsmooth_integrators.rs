//! Nonsmooth integrators chosen by one line of a model file.
//!
//! Reference: cases H1 and I; O. Brüls, V. Acary, A. Cardona, *On the Constraints Formulation in the Nonsmooth Generalized-α
//! Method*, 2018, sections 6.1 and 6.3.

use cosimo::model::{ModelSpec, read_model};
use coupling_tests::{Run, Table, root};

const PVA: &str = "{ scheme = \"nonsmooth-generalized-alpha\", spectral_radius = 0.8 }";
const SCHEMES: [&str; 9] = [
    PVA,
    "{ scheme = \"nonsmooth-generalized-alpha\", smooth = \"velocity\", spectral_radius = 0.8 }",
    "{ scheme = \"moreau-jean\", theta = 0.5 }",
    "{ scheme = \"dissipative-moreau-jean\", theta = 0.5 }",
    "{ scheme = \"projected-moreau-jean\", theta = 0.5, activation = { gamma = 0.5, restitution = \"approaching\" } }",
    "{ scheme = \"schatzman-paoli\", theta = 0.5 }",
    "{ scheme = \"multistep\", spectral_radius = 0.8 }",
    "{ scheme = \"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.1, beta = 0.3025, gamma = 0.6 } }",
    "{ scheme = \"moreau-jean\", theta = 0.52, dissipation = \"guaranteed\" }",
];

fn pendulum(solver: &str, more: &[&str]) -> ModelSpec {
    let file = root().join("coupling-tests/models/pendulum-in-space.toml");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let solver = format!("subsystem.pendulum.solver={solver}");
    Run::text(&text, &[&[solver.as_str()], more].concat())
}

fn largest(run: &Run, name: &str) -> f64 {
    run.column(name).iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Times at which the impulse of the stop begins.
fn impacts(run: &Run) -> Vec<f64> {
    let (time, impulse) = (run.times.clone(), run.column("pendulum.stop.impulse"));
    (1..time.len()).filter(|k| impulse[*k] > 0.01 && impulse[k - 1] == 0.0).map(|k| time[k]).collect()
}

/// One line chooses the rule: the first impacts of every one converge with order one, and a run that is interrupted and resumed has
/// the bits of one that is not.
#[test]
fn every_scheme_is_one_line() {
    let exact = Table::reference("H1_bouncing_pendulum/events.csv");
    for solver in SCHEMES {
        let model = pendulum(solver, &["time.end=1.2"]);
        let run = Run::completed(&model);
        let finer = Run::completed(&pendulum(solver, &["time.end=1.2", "time.step=2.5e-4"]));
        for (run, step) in [(&run, 1e-3), (&finer, 2.5e-4)] {
            let found = impacts(run);
            for (found, exact) in found.iter().zip(exact.column("t")).take(2) {
                assert!((found - exact).abs() < 5.0 * step, "{solver}: {found} for {exact} with {step}");
            }
            assert!(found.len() >= 2, "{solver}: {found:?}");
        }
        assert!(Run::interrupted(&model, &[352, 700]).has_bits_of(&run), "{solver}");
    }
}

/// Constraints hold at three levels at every step, impacts included.
#[test]
fn pva_satisfies_constraints_at_three_levels() {
    let run = Run::completed(&pendulum(PVA, &["time.end=4.5"]));
    for (level, bound) in [("position", 1e-12), ("velocity", 1e-11), ("acceleration", 1e-9)] {
        let found = largest(&run, &format!("pendulum.constraints.{level}"));
        assert!(found < bound, "{level}: {found:e}");
    }
    assert!(
        largest(&run, "pendulum.stop.gap") > 0.2
            && run.column("pendulum.stop.gap").iter().all(|gap| *gap > -1e-12)
    );
    // The stop carries the weight at the end: 10 N.
    let force = run.last()[run.labels().iter().position(|label| label == "pendulum.hinge.fx").unwrap()];
    assert!((force.abs() - 10.0).abs() < 1e-3, "{force}");
}

/// At spectral radius 1 the reactions of PVA do not oscillate between impacts.
#[test]
fn multipliers_of_pva_do_not_oscillate() {
    let solver = PVA.replace("0.8", "1.0");
    let run = Run::completed(&pendulum(&solver, &["time.end=1.2"]));
    let (force, impulse) = (run.column("pendulum.hinge.fx"), run.column("pendulum.stop.impulse"));
    for k in 1..force.len() - 1 {
        if impulse[k - 1..=k + 1].iter().all(|p| *p == 0.0) {
            let bend = force[k - 1] - 2.0 * force[k] + force[k + 1];
            assert!(bend.abs() < 1e-2, "step {k}: {bend}");
        }
    }
}

/// Smooth reactions and impulses together are the same for PVV and PVA.
#[test]
fn total_reactions_agree() {
    let total = |solver: &str| {
        let run = Run::completed(&pendulum(solver, &["time.end=0.7"]));
        let (force, impulse) = (run.column("pendulum.hinge.fy"), run.column("pendulum.hinge.py"));
        let sum: f64 = force.iter().zip(&impulse).map(|(force, impulse)| 1e-3 * force + impulse).sum();
        sum
    };
    let [pva, pvv] = [SCHEMES[0], SCHEMES[1]].map(total);
    assert!((pva - pvv).abs() < 2e-3 * pva.abs(), "{pva} and {pvv}");
}

/// The elastic bar: release, energy and force, and the iterations of PVA.
#[test]
fn elastic_bar_by_pva() {
    let solver = format!("subsystem.bar.solver={PVA}");
    let quantities = "record.quantities=[\"bar.*\"]";
    let model =
        Run::model("elastic-bar/model.toml", &[&solver, "time.step=2e-3", "record.every=1", quantities]);
    let run = Run::completed(&model);
    let (time, impulse) = (run.times.clone(), run.column("bar.wall.impulse"));
    let last = impulse.iter().rposition(|p| *p > 1e-9).unwrap();
    assert!((time[last] - 1.1691).abs() < 4e-3, "released at {}", time[last]);
    let middle: Vec<f64> =
        (0..time.len()).filter(|k| (0.7..1.0).contains(&time[*k])).map(|k| impulse[k] / 2e-3).collect();
    let force = middle.iter().sum::<f64>() / middle.len() as f64;
    assert!((force - 300.0).abs() < 3.0, "{force} N");
    let changes: f64 = run.column("bar.step.change").iter().sum();
    assert!((500.0 + changes - 498.75).abs() < 2.5, "{} J", 500.0 + changes);
    let iterations = run.column("bar.step.iterations");
    let mean = iterations.iter().sum::<f64>() / (iterations.len() - 1) as f64;
    assert!(mean <= 1.0, "{mean} iterations per step");
}

/// What is wrong with a scheme in a file, and where.
#[test]
fn mistakes_have_a_position() {
    let file = root().join("coupling-tests/models/pendulum-in-space.toml");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    for (solver, expected) in [
        ("{ scheme = \"moreau\", theta = 0.5 }", "moreau-jean"),
        ("{ scheme = \"half-implicit-euler\" }", "distance"),
        ("{ scheme = \"half-implicit-euler\", distance = 1.0, correction_speed = -0.1 }", "correction_speed"),
        (
            "{ scheme = \"half-implicit-euler\", distance = 1.0, contact_tolerance = 0.0 }",
            "contact_tolerance",
        ),
        ("{ scheme = \"hht\", alpha = 0.1 }", "alpha must be in [-1/3, 0]"),
        ("{ scheme = \"moreau-jean\", theta = 1.5 }", "theta must be in [0, 1]"),
        ("{ scheme = \"moreau-jean\", theta = 0.5, activation = { gama = 0.5 } }", "gamma"),
        ("{ scheme = \"moreau-jean\", theta = 0.9, dissipation = \"guaranteed\" }", "1/(1 + e)"),
        ("{ scheme = \"half-implicit-euler\", distance = 1.0 }", "restitution"),
    ] {
        let text = text.replace("kind = \"multibody\"", &format!("kind = \"multibody\"\nsolver = {solver}"));
        let errors = read_model("m.toml", &text, &[]).unwrap_err().to_string();
        assert!(errors.contains(expected) && errors.contains("m.toml:10"), "{solver}: {errors}");
    }
}

/// Two masses on a spring that fall on a floor, by place and distance of the second: a full mass; every scheme moves them as by their places.
#[test]
fn a_full_mass_is_the_same_system_in_other_coordinates() {
    let model = |own: &str, solver: &str| {
        let text = format!(
            "schema = 1\ntime = {{ end = 0.8, step = 1e-3 }}\n[[subsystem]]\nname = \"s\"\nkind = \"linear\"\n{own}\nsolver = {solver}\n\
             [[subsystem.contact]]\nname = \"floor\"\nrow = {{ 0 = 1.0 }}\nrestitution = 0.5\n"
        );
        Run::completed(&Run::text(&text, &[]))
    };
    let places =
        "mass = [1.0, 2.0]\nstiffness = [[1e3, -1e3], [-1e3, 1e3]]\ngravity = -9.81\nposition = [0.5, 0.5]";
    let distance = "mass = [[3.0, 2.0], [2.0, 2.0]]\nstiffness = [0.0, 1e3]\nforce = [-29.43, -19.62]\nposition = [0.5, 0.0]";
    for solver in SCHEMES {
        let [one, other] = [places, distance].map(|own| model(own, solver));
        let [first, second] = ["s.q0", "s.q1"].map(|name| one.column(name));
        let [place, beyond] = ["s.q0", "s.q1"].map(|name| other.column(name));
        assert!(one.column("s.floor.impulse").iter().any(|p| *p > 1.0), "{solver}: no impact");
        let [changes, others] = [&one, &other].map(|run| run.column("s.step.change"));
        for k in 0..first.len() {
            let apart = (first[k] - place[k]).abs().max((second[k] - place[k] - beyond[k]).abs());
            assert!(apart < 1e-8, "{solver}, step {k}: {apart:e} m");
            assert!(
                (changes[k] - others[k]).abs() < 1e-6,
                "{solver}, step {k}: {} J",
                changes[k] - others[k]
            );
        }
    }
}

/// The name `hht` is Newmark's family with its parameters.
#[test]
fn hht_has_its_name() {
    let newmark =
        "{ scheme = \"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.1, beta = 0.3025, gamma = 0.6 } }";
    let [own, same] = ["{ scheme = \"hht\", alpha = -0.1 }", newmark]
        .map(|solver| Run::completed(&pendulum(solver, &["time.end=1.2"])));
    assert_eq!(impacts(&own), impacts(&same));
    let pairs = own.column("pendulum.stop.impulse").into_iter().zip(same.column("pendulum.stop.impulse"));
    assert!(pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) < 1e-9);
}

/// A ball of radius 0.1 m on a floor, thrown and spinning, under half-implicit Euler.
fn thrown_ball(height: f64, step: f64) -> Run {
    let text = format!(
        "schema = 1\ntime = {{ end = 1.5, step = {step} }}\n[[subsystem]]\nname = \"b\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n\
         solver = {{ scheme = \"half-implicit-euler\", distance = 1e-3, contact_iterations = 1000 }}\n\
         [[subsystem.body]]\nname = \"ball\"\nmass = 0.5\ninertia = [0.002, 0.002, 0.002]\nposition = [0, 0, {height}]\n\
         velocity = [2.0, 0.5, 0.0]\nangular_velocity = [12.0, -8.0, 30.0]\n\
         [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
         second = {{ body = \"ball\" }}\nradius = 0.1\nrestitution = 0.0\nfriction = 0.25\n"
    );
    Run::completed(&Run::text(&text, &[]))
}

/// A ball that slides and spins stays on its floor and ends as the impulse and its moment say: with `v + 0.4/1.4 · slip`. One that starts
/// 5 mm inside is pushed out at the speed of correction, rises by less than `c²/2g`, and comes back.
#[test]
fn half_implicit_euler_keeps_a_ball_on_its_floor() {
    for step in [1e-3, 1e-4] {
        let run = thrown_ball(0.1, step);
        let highest = run.column("b.ball.z").iter().fold(0.0_f64, |most, z| most.max((z - 0.1).abs()));
        assert!(highest < 1e-10, "{highest:e} m at {step} s");
        // Slip (2.0 + 0.8, 0.5 + 1.2) m/s, of which friction takes out two sevenths at the centre.
        for (name, expected) in [("b.ball.vx", 2.0 - 2.8 * 2.0 / 7.0), ("b.ball.vy", 0.5 - 1.7 * 2.0 / 7.0)] {
            let found = run.column(name).last().copied().unwrap_or(f64::NAN);
            assert!((found - expected).abs() < 1e-6, "{name}: {found} for {expected} at {step} s");
        }
        let sunk = thrown_ball(0.095, step);
        let height = sunk.column("b.ball.z");
        let highest = height.iter().fold(0.0_f64, |most, z| most.max(*z));
        let bound = 0.1 + 0.1 * 0.1 / 19.62 + 0.1 * step;
        assert!(highest > 0.1 && highest < bound, "{highest} m at {step} s");
        assert!((height[height.len() - 1] - 0.1).abs() < 1e-9);
        assert!(sunk.report.warnings.is_empty(), "{:?}", sunk.report.warnings);
    }
}
