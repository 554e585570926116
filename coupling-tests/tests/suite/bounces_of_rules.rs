//! Bodies that bounce by every rule: their energy never grows, and no run says that it does.

use coupling_tests::Run;
use coupling_tests::matrix::axes::{Kind, Rule};
use coupling_tests::wild::account::Account;

/// Fails where a model creates energy, or warns although it does not.
fn assert_silent(text: &str, name: &str) {
    let model = Run::text(text, &[]);
    let run = Run::completed(&model);
    let account = Account::of(&model, &run);
    assert!(account.share < 0.01, "{name}: {account:?}");
    assert!(run.report.warnings.is_empty(), "{name}: {:?}", run.report.warnings);
}

const RULES: [Rule; 9] = [
    Rule::Theta(0.5),
    Rule::Multistep(0.0),
    Rule::Multistep(1.0),
    Rule::GeneralizedAlpha(0.0),
    Rule::GeneralizedAlpha(1.0),
    Rule::Hht(-0.3),
    Rule::Newmark(0.5),
    Rule::Newmark(1.0),
    Rule::Bdf,
];

fn ball(name: &str, solver: &str, contact: &str) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\nsolver = {solver}\n[[subsystem.body]]\nname = \"m\"\nmass = 2.0\n\
         inertia = [0.01, 0.01, 0.01]\nposition = [0.0, 0.0, 0.1505]\nvelocity = [0.3, 0.0, -1.0]\n[[subsystem.port]]\nname = \"p\"\n\
         body = \"m\"\ndirection = [0.0, 0.0, 1.0]\n{contact}"
    )
}

const FLOOR: &str = "[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = { body = \"ground\", axis = [0.0, 0.0, 1.0] }\n\
    second = { body = \"m\" }\nradius = 0.1\nrestitution = 0.5\nfriction = 0.2\n";

/// The work of an impact is that of its mean rates, whatever way the rule takes in its step.
#[test]
fn what_a_rule_takes_out_of_an_impact_is_not_created_there() {
    for rule in RULES {
        for impacts in ["plain", "sub-step"] {
            let solver = rule.solver(Kind::Multibody, true);
            let text = format!(
                "schema = 1\ntime = {{ end = 0.2, step = 1e-3 }}\nmaster = {{ impacts = \"{impacts}\" }}\n{}",
                ball("a", &solver, FLOOR)
            );
            assert_silent(&text, &format!("{rule}, {impacts}"));
        }
    }
}

/// The same where a rigid joint passes the impact to another rule.
#[test]
fn what_a_joint_passes_of_an_impact_is_not_created_there() {
    let planar = |theta: f64| {
        format!(
            "[[subsystem]]\nname = \"b\"\nkind = \"planar\"\nsolver = {{ method = \"theta\", theta = {theta} }}\n[[subsystem.body]]\n\
             name = \"m\"\nmass = 3.0\ninertia = 0.02\nposition = [0.0, 0.1505]\nvelocity = [0.0, -1.0]\n[[subsystem.port]]\nname = \"p\"\n\
             body = \"m\"\ndirection = [0.0, 1.0]\n"
        )
    };
    let others = [Rule::Bdf, Rule::Newmark(1.0), Rule::Theta(0.5), Rule::Multistep(0.5)];
    let others = others.map(|rule| ball("b", &rule.solver(Kind::Multibody, true), ""));
    for rule in RULES {
        for other in others.iter().chain(&[0.5, 0.75, 1.0].map(planar)) {
            let text = format!(
                "schema = 1\ntime = {{ end = 0.2, step = 1e-3 }}\nmaster = {{ impacts = \"plain\" }}\n{}{other}[[interface]]\n\
                 name = \"joint\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"rigid\"\n",
                ball("a", &rule.solver(Kind::Multibody, true), FLOOR)
            );
            assert_silent(&text, &format!("{rule} and {other}"));
        }
    }
}

/// A light ball between a heavy one and the floor is hit more often than a step can take; what it passes on of those impacts is no
/// force that a rule may remember.
#[test]
fn a_light_ball_under_a_heavy_one_makes_no_energy() {
    for rule in &RULES[..5] {
        for heavy in [2.0, 10.0, 50.0, 500.0, 5e3, 5e5] {
            for step in ["1e-4", "1e-3"] {
                let text = format!(
                    "schema = 1\ntime = {{ end = 0.04, step = {step} }}\n[[subsystem]]\nname = \"s\"\nkind = \"linear\"\nsolver = {}\n\
                     mass = [0.2, {heavy:e}]\nposition = [0.51, 1.0]\nvelocity = [2.0, -1.5]\n[[subsystem.contact]]\nname = \"floor\"\n\
                     row = {{ 0 = 1.0 }}\noffset = 0.5\nrestitution = 0.5\n[[subsystem.contact]]\nname = \"gap\"\n\
                     row = {{ 0 = -1.0, 1 = 1.0 }}\noffset = 0.48\nrestitution = 1.0\n",
                    rule.solver(Kind::Linear, true)
                );
                assert_silent(&text, &format!("{rule}, {heavy} kg, {step} s"));
            }
        }
    }
}
