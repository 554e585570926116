//! Every formulation and every rule of the model file against a motion that none of them has made.

use cosimo_master::NoObserver;
use cosimo_model::ModelSpec;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::model;

/// Length (m), gravity (m/s²) and angle at the start, from the downward vertical (rad).
const LENGTH: f64 = 0.5;
const GRAVITY: f64 = 9.81;
const START: f64 = 2.0;
const END: f64 = 2.0;

/// A rod of 2 kg that swings on a hinge, with these settings.
fn pendulum(step: f64, settings: &str) -> ModelSpec {
    model(&format!(
        "schema = 1\ntime = {{ end = {END}, step = {step} }}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -{GRAVITY}]\n{settings}\n[[subsystem.body]]\nname = \"rod\"\nmass = 2.0\n\
         inertia = [0.01, 0.1, 0.1]\ncentre_of_mass = [0, 0, -{LENGTH}]\n\
         orientation = {{ axis = [0, -1, 0], angle = {START} }}\n\
         [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\n\
         axis = [0, -1, 0]\n[[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\nbodies = [\"ground\", \"rod\"]\n\
         at = [0, 0, 0]\naxis = [0, -1, 0]\n"
    ))
}

/// Values at the end of a run by their names.
fn end_of(model: &ModelSpec) -> impl Fn(&str) -> f64 + use<> {
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    move |name: &str| {
        let at = labels.iter().position(|label| label.name == name);
        values[at.unwrap_or_else(|| panic!("no {name}"))]
    }
}

/// Way of the angle from the start and its rate, `(I + m l²) φ̈ = −m g l sin φ` by the classical Runge-Kutta rule.
fn exact() -> [f64; 2] {
    let slope = |[angle, rate]: [f64; 2]| {
        [rate, -2.0 * GRAVITY * LENGTH * angle.sin() / (0.1 + 2.0 * LENGTH * LENGTH)]
    };
    let (mut state, h) = ([START, 0.0], 1e-4);
    for _ in 0..(END / h).round() as usize {
        let moved = |rate: [f64; 2], share: f64| [0, 1].map(|k| state[k] + share * h * rate[k]);
        let a = slope(state);
        let b = slope(moved(a, 0.5));
        let c = slope(moved(b, 0.5));
        let d = slope(moved(c, 1.0));
        state = [0, 1].map(|k| state[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
    }
    [state[0] - START, state[1]]
}

/// Errors of angle and rate at the end, and the residual.
fn errors(step: f64, settings: &str) -> [f64; 3] {
    let value = end_of(&pendulum(step, settings));
    let [angle, rate] = exact();
    [(value("turn.angle") - angle).abs(), (value("turn.rate") - rate).abs(), value("residual")]
}

const FORMULATIONS: [(&str, bool); 6] = [
    ("\"index-3\"", true),
    ("\"index-2\"", false),
    ("\"index-1\"", false),
    ("{ method = \"baumgarte\", alpha = 20, beta = 20 }", false),
    ("\"stabilised-index-2\"", true),
    ("\"stabilised-index-1\"", true),
];

/// The drift of formulations without positions is seen, and falls with the step as the rule says; that of others is not there.
#[test]
fn every_formulation_is_of_the_order_of_its_rule() {
    for (formulation, keeps) in FORMULATIONS {
        for (solver, order) in [
            ("\"generalized-alpha\"", 2.0),
            ("\"multistep\"", 2.0),
            ("\"bdf\"", 2.0),
            ("{ method = \"bdf\", order = 3 }", 3.0),
        ] {
            let settings = format!("solver = {solver}\nformulation = {formulation}");
            let [coarse, fine] = [2e-3, 1e-3].map(|step| errors(step, &settings));
            for k in 0..2 {
                let found = (coarse[k] / fine[k]).log2();
                assert!((found - order).abs() < 0.35, "{settings}: {coarse:?} to {fine:?}");
            }
            if keeps {
                assert!(fine[2] < 1e-12, "{settings}: {:e}", fine[2]);
            } else {
                let found = (coarse[2] / fine[2]).log2();
                assert!(fine[2] > 1e-12 && found > order - 0.7, "{settings}: {coarse:?} to {fine:?}");
            }
        }
    }
    for formulation in ["stabilised-index-2", "index-2"] {
        let [coarse, fine] =
            [4e-3, 2e-3].map(|step| errors(step, &format!("formulation = \"{formulation}\"")));
        let found = (coarse[0] / fine[0]).log2();
        assert!((found - 2.0).abs() < 0.1, "theta, {formulation}: {coarse:?} to {fine:?}");
    }
}

#[test]
fn backward_differentiation_is_of_the_order_of_its_name() {
    for (order, steps) in [(1_u8, [1e-3, 5e-4]), (3, [4e-3, 2e-3]), (5, [8e-3, 4e-3])] {
        let settings = format!("solver = {{ method = \"bdf\", order = {order} }}");
        let [coarse, fine] = steps.map(|step| errors(step, &settings));
        let found = (coarse[0] / fine[0]).log2();
        assert!((found - f64::from(order)).abs() < 0.3, "{order}: {coarse:?} to {fine:?}");
    }
}

/// Steps that follow the error take as many between communication points as it asks for.
#[test]
fn errors_follow_their_tolerance() {
    for formulation in ["index-2", "stabilised-index-2", "stabilised-index-1"] {
        let mut last = f64::INFINITY;
        for (tolerance, allowed) in [(1e-4, 5e-2), (1e-6, 5e-4), (1e-8, 1e-5), (1e-10, 2e-7)] {
            let solver = format!("{{ method = \"adaptive-bdf\", error_tolerance = {tolerance} }}");
            let [angle, rate, _] =
                errors(0.1, &format!("solver = {solver}\nformulation = \"{formulation}\""));
            let error = angle.max(rate);
            assert!(
                error < allowed && error < 0.3 * last,
                "{formulation}, {tolerance}: {error:e} after {last:e}"
            );
            last = error;
        }
    }
}

/// However often matrices are factorised, the motion is the same; what it costs is not.
#[test]
fn newton_decides_what_is_factorised() {
    // How many times fewer factorisations frozen factors need at least, where steps are equal.
    for (solver, fewer) in [
        ("\"theta\"", 10),
        ("\"generalized-alpha\"", 10),
        ("{ method = \"bdf\", order = 3 }", 5),
        ("\"adaptive-bdf\"", 1),
    ] {
        let run = |newton: &str| {
            let model = pendulum(5e-4, &format!("solver = {solver}\nnewton = \"{newton}\""));
            let mut master = model.build().unwrap();
            master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
            let mut values = vec![0.0; master.labels().len()];
            master.observe(&mut values).unwrap();
            let statistics = master.subsystems()[0].statistics();
            (values, statistics.factorizations)
        };
        let [full, modified, frozen] = ["full", "modified", "frozen"].map(run);
        let counts = [full.1, modified.1, frozen.1];
        assert!(counts[0] > counts[1] && counts[1] > fewer * counts[2], "{solver}: {counts:?}");
        for other in [&modified.0, &frozen.0] {
            let apart = full.0.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-7, "{solver}: {apart:e}");
        }
    }
}

/// A run that is restored in its middle ends with the same bits, turns that were counted included.
#[test]
fn restored_runs_repeat_the_same_bits() {
    for solver in ["\"bdf\"", "{ method = \"bdf\", order = 5 }", "\"adaptive-bdf\"", "\"generalized-alpha\""]
    {
        for newton in ["full", "modified", "frozen"] {
            let settings = format!("solver = {solver}\nnewton = \"{newton}\"");
            let at_rest = pendulum(1e-2, &settings).to_toml();
            let spin =
                at_rest.replace("angular_velocity = [0.0, 0.0, 0.0]", "angular_velocity = [0, -30, 0]");
            let model = model(&spin);
            let step = |system: &mut dyn Subsystem, k: u32| {
                let step = MacroStep { time: 0.01 * f64::from(k), size: 0.01 };
                system.begin(step, &[]).unwrap();
                system.commit(&StepLoads::zeros(0)).unwrap();
            };
            let begin = || model.build_subsystems().unwrap().remove(0);
            let observed = |system: &dyn Subsystem| {
                let mut out = vec![0.0; system.description().quantities.len()];
                system.observe(&mut out);
                out
            };
            let mut whole = begin();
            (0..50).for_each(|k| step(whole.as_mut(), k));
            let saved = whole.save().unwrap();
            (50..100).for_each(|k| step(whole.as_mut(), k));
            let mut resumed = begin();
            resumed.restore(&saved).unwrap();
            (50..100).for_each(|k| step(resumed.as_mut(), k));
            let (whole, resumed) = (observed(whole.as_ref()), observed(resumed.as_ref()));
            assert_eq!(whole, resumed, "{settings}");
            let angle = whole[whole.len() - 2];
            assert!(angle > 20.0, "{settings}: {angle} rad");
        }
    }
}
