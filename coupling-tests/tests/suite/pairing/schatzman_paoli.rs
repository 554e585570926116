//! Sides under the rule of Schatzman and Paoli, joined rigidly to each other and to those of other rules: order one, gaps closed, the energy of
//! the rule alone. Their ends agree on the velocities with which positions have gone on, which are late by half a step.

use coupling_tests::Run;

use super::SECOND_ORDER;
use super::capturing::{OF_ARM, OF_TOWER, arm, distance, end_of, tower, whole_tower};

const RULES: [&str; 2] =
    ["{ scheme = \"schatzman-paoli\", theta = 0.0 }", "{ scheme = \"schatzman-paoli\", theta = 0.5 }"];

/// Rules of the other side: smooth ones, whose impacts the master takes, and schemes.
const OTHERS: [&str; 7] = [
    "\"theta\"",
    SECOND_ORDER[2],
    SECOND_ORDER[5],
    "{ method = \"theta\", theta = 1.0 }",
    "{ scheme = \"moreau-jean\" }",
    "{ scheme = \"multistep\", spectral_radius = 0.8 }",
    "{ scheme = \"nonsmooth-generalized-alpha\", spectral_radius = 0.8 }",
];

/// Steps (s), each half of the one before.
const STEPS: [f64; 4] = [4e-3, 2e-3, 1e-3, 5e-4];

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Whether these errors at halved steps are of order one, from the second on.
fn is_of_order_one(errors: &[f64]) -> bool {
    errors.windows(2).skip(1).all(|pair| pair[0] > 1.6 * pair[1])
}

/// The runs of a model at halved steps.
fn runs(text: impl Fn(f64) -> String) -> Vec<Run> {
    STEPS.iter().map(|step| Run::completed(&Run::text(&text(*step), &[]))).collect()
}

/// Two masses on a spring on two others in free fall: of order one whoever is joined to whom, with a gap of round-off.
#[test]
fn every_pair_is_of_order_one_and_closes_its_gap() {
    let end = 0.25;
    let theta = tower(["\"theta\""; 2], 0.5, 1e-5, end);
    let exact = end_of(&Run::completed(&Run::text(&theta, &[])), &OF_TOWER);
    let mut wrong = Vec::new();
    for own in RULES {
        for other in OTHERS.into_iter().chain(RULES) {
            for pair in [[own, other], [other, own]] {
                let runs = runs(|step| tower(pair, 0.5, step, end));
                let gap = runs.iter().map(|run| largest(&run.column("joint.gap"))).fold(0.0, f64::max);
                let errors: Vec<f64> =
                    runs.iter().map(|run| distance(&end_of(run, &OF_TOWER), &exact)).collect();
                if !is_of_order_one(&errors) || errors[3] > 3e-3 || gap > 1e-14 {
                    wrong.push(format!("{pair:?}: {errors:?}, gap {gap:e} m"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The tower lands, and its contact rebounds in the positions: of order one through the impacts, and what the joint creates is of order
/// three in the step.
#[test]
fn impacts_are_of_order_one_at_a_joint() {
    let end = 0.5;
    for own in RULES {
        for other in ["\"theta\"", SECOND_ORDER[2], own] {
            let runs = runs(|step| tower([own, other], 0.5, step, end));
            let exact =
                end_of(&Run::completed(&Run::text(&tower(["\"theta\""; 2], 0.5, 2e-5, end), &[])), &OF_TOWER);
            let errors: Vec<f64> = runs.iter().map(|run| distance(&end_of(run, &OF_TOWER), &exact)).collect();
            let created: Vec<f64> =
                runs.iter().map(|run| run.report.interfaces[0].energy_monitor.abs()).collect();
            let is_of_order_three = created.windows(2).all(|pair| pair[0] > 6.0 * pair[1]);
            let is_closed = runs.iter().all(|run| largest(&run.column("joint.gap")) < 5e-7);
            let makes_little =
                if own == other { created.iter().all(|own| *own < 1e-8) } else { is_of_order_three };
            assert!(is_of_order_one(&errors) && errors[3] < 1e-3, "{own}, {other}: {errors:?}");
            assert!(is_closed && makes_little, "{own}, {other}: {created:?} J");
        }
    }
}

/// A tower that is cut moves as the whole one, through impacts too, and makes and takes the energy of the whole one up to order one: the
/// whole one counts it with the mean velocity of two steps.
#[test]
fn a_cut_tower_moves_as_the_whole_one_with_its_energy() {
    for rule in RULES {
        for step in STEPS {
            let [whole, cut] = [whole_tower(rule, 0.5, step, 1.0), tower([rule; 2], 0.5, step, 1.0)]
                .map(|text| Run::completed(&Run::text(&text, &[])));
            let exact = end_of(&whole, &["whole.x", "whole.y", "whole.z", "whole.u"]);
            let difference = distance(&end_of(&cut, &OF_TOWER), &exact);
            let [sum, own] = [&whole, &cut].map(|run| run.report.energy.monitor_sum);
            assert!(difference < 0.05 * step * step, "{rule}, {step} s: {difference:e} m apart");
            assert!((sum - own).abs() < 100.0 * step, "{rule}, {step} s: {sum} J and {own} J");
        }
    }
}

/// Bodies in space, joined at a point or rigidly, beside the trapezoidal rule and each other.
#[test]
fn arms_are_of_order_one() {
    for coordinates in [3, 6] {
        let text = |rules, step, end| arm(rules, coordinates, [0.5, 0.0], [step, end]);
        let [exact, late] = [0.3, 1.0]
            .map(|end| end_of(&Run::completed(&Run::text(&text(["\"theta\""; 2], 1e-4, end), &[])), &OF_ARM));
        for rule in RULES {
            for pair in [[rule, "\"theta\""], ["\"multistep\"", rule], [rule; 2]] {
                let runs = runs(|step| text(pair, step, 0.3));
                let errors: Vec<f64> =
                    runs.iter().map(|run| distance(&end_of(run, &OF_ARM), &exact)).collect();
                assert!(is_of_order_one(&errors) && errors[3] < 1e-3, "{coordinates}, {pair:?}: {errors:?}");
                // The rod on its hinge, which is the one that is moved here, cannot move along itself.
                let is_stiff = pair[1] == "\"theta\"";
                for (run, step) in runs.iter().zip(STEPS) {
                    let gaps = (0..coordinates).map(|k| largest(&run.column(&format!("joint.gap_{k}"))));
                    let gap = gaps.fold(0.0, f64::max);
                    let allowed = if is_stiff { 0.3 * step } else { 2e-7 };
                    assert!(gap < allowed, "{coordinates}, {pair:?}, {step} s: {gap:e} m");
                }
                let landed = Run::completed(&Run::text(&text(pair, 1e-3, 1.0), &[]));
                let error = distance(&end_of(&landed, &OF_ARM), &late);
                assert!(error < 5e-3, "{coordinates}, {pair:?}: {error:e} m");
            }
        }
    }
}

/// A light body with the contact under a heavy one, and the other way round: it bounces with e = 0.5 and rests.
#[test]
fn bodies_of_any_masses_bounce_and_rest() {
    let text = |rule: &str, other: &str, mass: f64| {
        let part = |name: &str, solver: &str, mass: f64| {
            format!(
                "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\ncoordinates = [\"z\"]\nmass = [{mass:e}]\ngravity = -10\n\
                 position = 0.2\nsolver = {solver}\n[[subsystem.port]]\nname = \"port\"\ncoordinates = [\"z\"]\n"
            )
        };
        format!(
            "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n{}[[subsystem.contact]]\nname = \"floor\"\nrow = {{ z = 1.0 }}\n\
             restitution = 0.5\n{}[[interface]]\nname = \"joint\"\nlaw = \"rigid\"\nbetween = [\"node.port\", \"mass.port\"]\n",
            part("node", rule, 1.0),
            part("mass", other, mass)
        )
    };
    for rule in RULES {
        for (other, mass) in
            [("\"theta\"", 100.0), ("\"multistep\"", 1e4), (rule, 100.0), ("\"theta\"", 0.01)]
        {
            let run = Run::completed(&Run::text(&text(rule, other, mass), &[]));
            let gap = largest(&run.column("joint.gap"));
            assert!(gap < 1e-12, "{rule}, {other}, {mass} kg: gap {gap:e} m");
            assert!(
                run.report.most_iterations < 10,
                "{rule}, {other}, {mass} kg: {}",
                run.report.most_iterations
            );
            for (t, expected) in [(0.1, 0.15), (0.3, 0.05), (0.45, 0.0125), (0.8, 0.0)] {
                let found = run.at("mass.z", t);
                assert!((found - expected).abs() < 1e-3, "{rule}, {other}, {mass} kg: {found} m at {t} s");
            }
            let speed = run.at("mass.v_z", 0.9).abs();
            assert!(speed < 1e-9, "{rule}, {other}, {mass} kg: {speed:e} m/s at rest");
        }
    }
}

#[test]
fn what_is_saved_goes_on_with_the_same_bits_in_threads_too() {
    let mut model = Run::text(&arm([RULES[1], "\"theta\""], 6, [0.5, 0.0], [2e-3, 0.5]), &[]);
    let whole = Run::of(&model);
    assert!(Run::interrupted(&model, &[1, 100, 180, 181, 230]).has_bits_of(&whole));
    model.placement.execution = cosimo::model::Execution::Threads;
    assert!(Run::of(&model).has_bits_of(&whole));
}
