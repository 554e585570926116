//! Where friction has no solution, where it has hardly anything to do, and where it creates energy.
//!
//! Reference: closed forms of bodies with one degree of freedom, whose friction presses the contact the more the larger it is.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::master::{ContactEventKind, NoObserver};
use coupling_tests::Run;

/// A rod of 1 m, hinged at its end 0.55 m above the ground, that falls onto a stop at 0.2 m.
fn hinged_rod(friction: f64, law: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.4, step = 1e-3 }}\n[[subsystem]]\nname = \"s\"\nkind = \"planar\"\n\
         gravity = [0, -9.81]\n[[subsystem.body]]\nname = \"rod\"\nmass = 2.0\ninertia = 0.3\nposition = [0.5, 0.55]\n\
         [[subsystem.pin]]\nname = \"h\"\n\
         between = [{{ body = \"rod\", point = [-0.5, 0.0] }}, {{ body = \"ground\", point = [0, 0.55] }}]\n\
         [[subsystem.contact]]\nname = \"f\"\nbody = \"rod\"\npoint = [0.5, 0.0]\nplane = [0, 0.2]\nnormal = [0, 1]\n\
         restitution = 0.5\nfriction = {friction:?}\nimpact_law = \"{law}\"\n"
    )
}

/// How the run ended, with the error where it did not come to its end.
fn error_of(text: &str, end: f64) -> Option<String> {
    let mut master = Run::text(text, &[]).build().unwrap();
    master.run(end, 1e-3, &mut NoObserver).err().map(|error| error.to_string())
}

/// The tip moves along the circle only: slip is `k = s/c` times the rate of the gap, and with Newton's restitution the friction
/// after the impact presses, `P_N = (1 + e) |U_N| / (w (1 − μ k))`. From `μ k = 1` on nothing meets both laws.
#[test]
fn a_hinged_rod_has_an_impulse_or_is_told_to_have_none() {
    let (sine, inertia) = (0.35_f64, 0.3 + 2.0 * 0.25);
    let cosine = (1.0 - sine * sine).sqrt();
    let rate = cosine * (2.0 * 2.0 * 9.81 * 0.5 * sine / inertia).sqrt();
    for friction in [0.3, 1.0, 2.0] {
        let run = Run::completed(&Run::text(&hinged_rod(friction, "newton"), &[]));
        let impact = run.events_at("s.f", ContactEventKind::Impact)[0].clone();
        let pressed = friction * sine / cosine;
        let exact = 1.5 * rate / (cosine * cosine / inertia * (1.0 - pressed));
        assert!((impact.impulse / exact - 1.0).abs() < 1e-4, "μ {friction}: {} for {exact}", impact.impulse);
    }
    let error = error_of(&hinged_rod(4.0, "newton"), 0.4).unwrap();
    assert!(error.contains("contact `s.f`") && error.contains("impact_law = \"moreau\""), "{error}");
    assert_eq!(error_of(&hinged_rod(4.0, "moreau"), 0.4), None);
}

/// An arm at 45° that a belt runs against: `N = m g/2 / (1 − μ)`, and none from `μ = 1` on.
#[test]
fn an_arm_that_a_belt_jams_is_told() {
    let text = |friction: f64| {
        format!(
            "schema = 1\ntime = {{ end = 0.05, step = 1e-3 }}\n[[subsystem]]\nname = \"arm\"\nkind = \"multibody\"\n\
             gravity = [0, 0, -9.81]\n[[subsystem.body]]\nname = \"rod\"\nmass = 2.0\ninertia = [0.01, 0.2, 0.2]\n\
             position = [0.5, 0, 0.5]\norientation = {{ axis = [0, 1, 0], angle = 0.7853981633974483 }}\n\
             [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 1.0]\n\
             axis = [0, 1, 0]\n[[subsystem.port]]\nname = \"tip\"\nbody = \"rod\"\npoint = [0.7071067811865476, 0, 0]\n\
             coordinates = 3\n[[subsystem]]\nname = \"foot\"\nkind = \"node\"\nmass = 1e-3\ngravity = [0, 0, -9.81]\n\
             position = [1.0, 0, 0]\n[[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0.2\n\
             friction = {friction:?}\nimpact_law = \"moreau\"\nvelocity = [-0.5, 0, 0]\n[[interface]]\nname = \"j\"\n\
             between = [\"arm.tip\", \"foot.centre\"]\nlaw = \"rigid\"\n"
        )
    };
    for friction in [0.3, 0.8] {
        let run = Run::completed(&Run::text(&text(friction), &[]));
        let load = run.column("j.force_2").iter().last().unwrap().abs() + 1e-3 * 9.81;
        let exact = (9.81 + 1e-3 * 9.81) / (1.0 - friction);
        assert!((load / exact - 1.0).abs() < 0.01, "μ {friction}: {load} N for {exact} N");
    }
    let error = error_of(&text(1.1), 0.05).unwrap();
    assert!(error.contains("contact `foot.floor`") && error.contains("Painlevé"), "{error}");
}

/// A ladder at rest: the wall's load comes from the floor's alone, its own rate is round-off, and no impact.
#[test]
fn a_ladder_at_rest_has_no_events() {
    let text = |law: &str, restitution: f64| {
        let contact = |name: &str, x: f64, normal: &str| {
            format!(
                "[[subsystem.contact]]\nname = \"{name}\"\nbody = \"b\"\npoint = [{x:?}, 0]\nnormal = {normal}\n\
                 restitution = {restitution:?}\nfriction = 0.6\nimpact_law = \"{law}\"\n"
            )
        };
        let (sine, cosine) = 1.1_f64.sin_cos();
        format!(
            "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n[[subsystem]]\nname = \"s\"\nkind = \"planar\"\n\
             gravity = [0, -9.81]\n[[subsystem.body]]\nname = \"b\"\nmass = 1.0\ninertia = 0.08\n\
             position = [{:?}, {:?}]\nangle = -1.1\n{}{}",
            0.5 * cosine,
            0.5 * sine,
            contact("floor", 0.5, "[0, 1]"),
            contact("wall", -0.5, "[1, 0]")
        )
    };
    for law in ["newton", "moreau"] {
        for restitution in [0.0, 0.3, 0.6] {
            let run = Run::completed(&Run::text(&text(law, restitution), &[]));
            let kinds: Vec<ContactEventKind> = run.events.iter().map(|event| event.kind).collect();
            assert!(
                kinds.iter().all(|kind| *kind == ContactEventKind::Closing),
                "{law} {restitution}: {kinds:?}"
            );
            assert!(kinds.len() <= 2 && run.report.impacts == 0 && run.report.impact_gains.is_empty());
        }
    }
}

/// What Newton's law creates at an impact is reported, and stands with the contacts: the monitor is for what the numerics create.
#[test]
fn energy_of_an_impact_law_is_no_error_of_the_integration() {
    let text = "schema = 1\ntime = { end = 0.02, step = 1e-3 }\n[[subsystem]]\nname = \"s\"\nkind = \"planar\"\n\
                gravity = [0, -9.81]\n[[subsystem.body]]\nname = \"rod\"\nmass = 1.0\ninertia = 0.05\n\
                position = [0, 0.7603068467277472]\nangle = 0.8637853731992737\nvelocity = [-1.18083102425013, -2]\n\
                angular_velocity = 2.8842870342840428\n[[subsystem.contact]]\nname = \"tip\"\nbody = \"rod\"\n\
                point = [-1.0, 0]\nnormal = [0, 1]\nrestitution = 0.95\nfriction = 1.0\nimpact_law = \"newton\"\n";
    let run = Run::completed(&Run::text(text, &[]));
    let gained: f64 = run.report.impact_gains.iter().map(|gain| gain.energy).sum();
    let energy = run.report.energy;
    assert!((gained - 1.176).abs() < 1e-3, "{gained} J");
    assert!((energy.contact - gained).abs() < 1e-9, "{} J", energy.contact);
    assert!(
        (energy.end - energy.start - gained).abs() < 1e-9 && energy.subsystems.abs() < 1e-9,
        "{energy:?}"
    );
}
