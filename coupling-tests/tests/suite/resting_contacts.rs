//! Contacts that come to rest, and the forces that they carry, under rules that remember accelerations.
//!
//! Reference: closed forms of statics and of Coulomb friction.

use cosimo::master::ContactEventKind;
use cosimo::model::ModelSpec;
use coupling_tests::Run;

const RULES: [&str; 6] = [
    "\"theta\"",
    "\"generalized-alpha\"",
    "\"hht\"",
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"multistep\", spectral_radius = 1.0 }",
    "{ method = \"newmark\", gamma = 0.5 }",
];

/// A link of 2 kg and 1 m, hinged at one end 1 m above the ground, over a floor at this height below its other end.
fn link(floor: f64, solver: &str, more: &[&str]) -> ModelSpec {
    let text = format!(
        "schema = 1\ntime = {{ end = 2, step = 1e-3 }}\n[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\ngravity = [0, 0, -10]\n\
         [[subsystem.body]]\nname = \"link\"\nmass = 2\ninertia = [0.01, 0.2, 0.2]\ncentre_of_mass = [0.5, 0, 0]\nposition = [0, 0, 1]\n\
         [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0, 1]\naxis = [0, 1, 0]\n\
         [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nrestitution = 0.5\n\
         first = {{ body = \"ground\", point = [0, 0, {floor}], axis = [0, 0, 1] }}\nsecond = {{ body = \"link\", point = [1, 0, 0] }}\n"
    );
    let solver = format!("subsystem.m.solver={solver}");
    Run::text(&text, &[&[solver.as_str()], more].concat())
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// A link that falls bounces until it rests: half its weight at the contact, no rate, no energy made.
#[test]
fn a_link_comes_to_rest() {
    for solver in RULES {
        for impacts in ["sub-step", "plain"] {
            let run = Run::completed(&link(0.7, solver, &[&format!("master.impacts=\"{impacts}\"")]));
            let at_end = run.times.len() - 200;
            let (force, rate) = (run.column("m.floor.force"), run.column("m.link.wy"));
            let mean = force[at_end..].iter().sum::<f64>() / 200.0;
            let wrong: Vec<f64> = force[at_end..].iter().map(|force| force - 10.0).collect();
            // What the plain problem leaves of impacts rings on where nothing is damped.
            let is_right =
                if impacts == "plain" { (mean - 10.0).abs() < 1e-3 } else { largest(&wrong) < 1e-4 };
            assert!(is_right, "{solver}, {impacts}: {} N", largest(&wrong));
            assert!(
                largest(&rate[at_end..]) < 1e-6,
                "{solver}, {impacts}: {} rad/s",
                largest(&rate[at_end..])
            );
            let made = run.report.energy.monitor_sum;
            let allowed = if impacts == "plain" { 2e-2 } else { 1e-4 };
            assert!(made.abs() < allowed, "{solver}, {impacts}: {made} J");
        }
    }
}

/// The energies before and after the first impact, found in closed form, do not depend on the rule: order two.
#[test]
fn the_first_impact_is_that_of_the_pendulum() {
    // ½ J ω² = m g Δz, J = 0.2 + 2 · 0.25; the tip falls by 0.3.
    let omega = (2.0 * 2.0 * 10.0 * 0.15_f64 / 0.7).sqrt();
    let rate = omega * (1.0 - 0.3_f64.powi(2)).sqrt();
    for solver in RULES {
        let errors = [2e-3, 1e-3].map(|h| {
            let run = Run::completed(&link(0.7, solver, &[&format!("time.step={h}"), "time.end=0.5"]));
            let first = run.events_at("m.floor", ContactEventKind::Impact)[0].clone();
            (first.velocities[0] + rate).abs().max((first.velocities[1] - 0.5 * rate).abs())
        });
        assert!(errors[1] < 5e-6 && errors[0] / errors[1] > 3.3, "{solver}: {errors:?}");
    }
}

/// A start at rest stays at rest, and the contact carries its load from the first step on.
#[test]
fn what_rests_at_the_start_stays_at_rest() {
    for solver in RULES {
        let run = Run::completed(&link(1.0, solver, &["time.end=0.3"]));
        let (force, rate) = (run.column("m.floor.force"), run.column("m.link.wy"));
        let wrong: Vec<f64> = force[1..].iter().map(|force| force - 10.0).collect();
        assert!(largest(&wrong) < 1e-6 && largest(&rate) < 1e-10, "{solver}: {} N", largest(&wrong));
    }
}

/// A ball without restitution: its weight from the step after the impact on, and all of its energy taken by the contact.
#[test]
fn the_force_of_a_linear_contact_is_the_weight() {
    let solvers = RULES.map(|solver| solver.replace("theta", "moreau-jean"));
    for solver in solvers.iter().filter(|solver| !solver.contains("hht") && !solver.contains("newmark")) {
        let text = "schema = 1\ntime = { end = 0.5, step = 1e-3 }\n[[subsystem]]\nname = \"b\"\nkind = \"linear\"\nmass = [2.0]\n\
            gravity = -9.81\nposition = [0.5]\n[[subsystem.contact]]\nname = \"f\"\nrow = { 0 = 1.0 }\nrestitution = 0.0\n";
        let run = Run::completed(&Run::text(text, &[&format!("subsystem.b.solver={solver}")]));
        let impact = run.events_at("b.f", ContactEventKind::Impact)[0].time;
        for (k, force) in run.column("b.f.force").iter().enumerate() {
            let expected = if run.times[k] > impact + 1e-3 { 19.62 } else { 0.0 };
            let is_known = run.times[k] < impact || run.times[k] > impact + 1e-3;
            assert!(!is_known || (force - expected).abs() < 1e-6, "{solver} at {}: {force}", run.times[k]);
        }
        assert!((run.report.energy.contact + 9.81).abs() < 1e-9, "{solver}: {}", run.report.energy.contact);
        assert!(run.report.energy.monitor_sum.abs() < 1e-9, "{solver}: {}", run.report.energy.monitor_sum);
    }
}

/// A block that slides to rest loses its kinetic energy to friction, whatever the rule.
#[test]
fn friction_is_booked_to_the_contact() {
    for solver in RULES {
        let text = "schema = 1\ntime = { end = 1, step = 1e-3 }\n[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\n\
            gravity = [0, 0, -10]\n[[subsystem.body]]\nname = \"block\"\nmass = 2\ninertia = [1, 1, 1]\nvelocity = [2, 0, 0]\n\
            [[subsystem.joint]]\nname = \"guide\"\ntype = \"planar\"\nbodies = [\"ground\", \"block\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
            [[subsystem.contact]]\nname = \"f\"\ntype = \"sphere-plane\"\nrestitution = 0\nfriction = 0.3\nfirst = { body = \"ground\", axis = [0, 0, 1] }\n\
            second = { body = \"block\" }\n";
        let run = Run::completed(&Run::text(text, &[&format!("subsystem.m.solver={solver}")]));
        let (displacement, lost) = (run.column("m.block.x"), run.report.energy.contact);
        assert!(
            (displacement[displacement.len() - 1] - 4.0 / 6.0).abs() < 1e-4,
            "{solver}: {}",
            displacement[displacement.len() - 1]
        );
        assert!((lost + 4.0).abs() < 1e-2, "{solver}: {lost} J");
    }
}

/// A body that a drive holds gives no way: the run ends with the contact's name, and no impact is taken.
#[test]
fn a_driven_body_meets_an_anvil() {
    for solver in &RULES[..4] {
        let drive = "[[subsystem.joint]]\nname = \"drive\"\ntype = \"angle\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0, 1]\n\
            axis = [0, 1, 0]\nspeed = 1.0\n";
        let mut model = link(0.7, solver, &["master.initial_state=\"project\""]);
        let text = model.to_toml() + drive;
        model = Run::text(&text, &[]);
        let mut master = model.build().unwrap();
        let error = master.run(1.0, 1e-3, &mut cosimo::master::NoObserver).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("`m.floor`") && message.contains("nothing gives way"),
            "{solver}: {message}"
        );
        assert_eq!(error.report.impacts, 0, "{solver}");
    }
}

/// A box that falls on four feet carries 2.5 N on each: in the mean of two steps under rules that forget no change of a force, which is told once,
/// and in every step under the others.
#[test]
fn forces_at_rest_are_right_or_told_to_swing() {
    for solver in RULES.iter().copied().chain(["{ method = \"generalized-alpha\", spectral_radius = 1.0 }"]) {
        let mut text = format!(
            "schema = 1\ntime = {{ end = 3.0, step = 1e-3 }}\n[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\ngravity = [0, 0, -10]\n\
             solver = {solver}\n[[subsystem.body]]\nname = \"box\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, 0.3]\n\
             orientation = {{ axis = [0, 1, 0], angle = 0.1 }}\n"
        );
        for (k, [x, y]) in [[-0.1, -0.1], [-0.1, 0.1], [0.1, -0.1], [0.1, 0.1]].into_iter().enumerate() {
            text += &format!(
                "[[subsystem.contact]]\nname = \"f{k}\"\ntype = \"sphere-plane\"\nrestitution = 0.3\nfriction = 0.3\n\
                 first = {{ body = \"ground\", axis = [0, 0, 1] }}\nsecond = {{ body = \"box\", point = [{x}, {y}, -0.1] }}\n"
            );
        }
        let run = Run::completed(&Run::text(&text, &[]));
        let swinging =
            run.report.warnings.iter().filter(|warning| warning.text.contains("its force swings")).count();
        let forces = run.column("m.f0.force");
        let last = &forces[forces.len() - 20..];
        let mean = last.iter().sum::<f64>() / 20.0;
        assert!((mean - 2.5).abs() < 1e-6, "{solver}: {mean} N");
        let swings = last.iter().any(|force| (force - 2.5).abs() > 1e-6);
        assert_eq!(swinging, usize::from(swings), "{solver}: {last:?}");
        let forgets_nothing = solver.contains("1.0") || solver.contains("newmark");
        assert_eq!(swings, forgets_nothing, "{solver}");
    }
}
