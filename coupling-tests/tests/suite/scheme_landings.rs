//! Landings under nonsmooth integrators: friction on hinges, sets that cycle, contacts that nothing gives way to, projected starts.

use coupling_tests::Run;

const PVA: &str = "{ scheme = \"nonsmooth-generalized-alpha\", spectral_radius = 0.8 }";
const PVV: &str =
    "{ scheme = \"nonsmooth-generalized-alpha\", smooth = \"velocity\", spectral_radius = 0.8 }";
const MOREAU: &str = "{ scheme = \"moreau-jean\", theta = 0.5 }";

/// A link of 1 m and 2 kg on a hinge 1 m above the floor, which it meets when it has turned by 0.3 rad; `more` goes before the bodies.
fn link(solver: &str, [restitution, friction]: [f64; 2], step: f64, more: &str) -> String {
    format!(
        "schema = 1\n[time]\nend = 2.5\nstep = {step:?}\n{more}\n[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -10]\nsolver = {solver}\n[[subsystem.body]]\nname = \"link\"\nmass = 2.0\ninertia = [0.01, 0.2, 0.2]\n\
         centre_of_mass = [0.5, 0, 0]\nposition = [0, 0, 1]\n[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
         bodies = [\"ground\", \"link\"]\nat = [0, 0, 1]\naxis = [0, 1, 0]\n[[subsystem.contact]]\nname = \"floor\"\n\
         type = \"sphere-plane\"\nfirst = {{ body = \"ground\", point = [0, 0, {:?}], axis = [0, 0, 1] }}\n\
         second = {{ body = \"link\", point = [1, 0, 0] }}\nrestitution = {restitution:?}\nfriction = {friction:?}\n",
        1.0 - 0.3_f64.sin()
    )
}

/// A chain of links of 0.1 m and 0.1 kg that falls on the floor from 0.2 m, tilted by 0.1 rad and moving along it.
fn chain(links: usize, solver: &str, [restitution, friction]: [f64; 2]) -> String {
    let (sin, cos) = 0.1_f64.sin_cos();
    let mut text = format!(
        "schema = 1\n[time]\nend = 1.0\nstep = 0.001\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -9.81]\nsolver = {solver}\n"
    );
    let place = |x: f64| format!("[{:?}, 0, {:?}]", x * cos, 0.2 + x * sin);
    for k in 0..links {
        text += &format!(
            "[[subsystem.body]]\nname = \"l{k}\"\nmass = 0.1\ninertia = [1e-5, 8.333333333333336e-05, 8.333333333333336e-05]\n\
             position = {}\norientation = {{ axis = [0, -1, 0], angle = 0.1 }}\nvelocity = [0.5, 0, 0]\n",
            place(0.1 * (k as f64 + 0.5))
        );
    }
    for k in 1..links {
        text += &format!(
            "[[subsystem.joint]]\nname = \"j{k}\"\ntype = \"revolute\"\naxis = [0, 1, 0]\nbodies = [\"l{}\", \"l{k}\"]\nat = {}\n",
            k - 1,
            place(0.1 * k as f64)
        );
    }
    let ends = (0..links).map(|k| (k, 'a', -0.05)).chain([(links - 1, 'b', 0.05)]);
    for (k, end, x) in ends {
        text += &format!(
            "[[subsystem.contact]]\nname = \"c{k}{end}\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
             second = {{ body = \"l{k}\", point = [{x:?}, 0, 0] }}\nradius = 0.01\nrestitution = {restitution:?}\n\
             friction = {friction:?}\n"
        );
    }
    text
}

fn completed(text: &str) -> Run {
    Run::completed(&Run::text(text, &[]))
}

fn last(run: &Run, name: &str) -> f64 {
    run.column(name).last().copied().unwrap_or(f64::NAN)
}

/// A hinged link lands with friction, whose share of the impulse is not unique at rest, and comes to rest on the floor.
#[test]
fn a_hinged_link_lands_with_friction() {
    for solver in [PVA, PVV] {
        for (law, step) in [([0.0, 0.1], 1e-3), ([0.0, 0.6], 1e-3), ([0.5, 0.3], 1e-3), ([0.0, 0.3], 1e-4)] {
            let run = completed(&link(solver, law, step, ""));
            let (rate, gap) = (last(&run, "m.link.wy"), last(&run, "m.floor.gap"));
            assert!(rate.abs() < 1e-2 && gap.abs() < 1e-4, "{solver} {law:?} {step}: {rate} {gap}");
        }
        let _ = completed(&link(solver, [0.8, 0.6], 1e-3, ""));
    }
}

/// Chains whose active sets have cycles: they land with and without friction.
#[test]
fn chains_land_where_sets_cycle() {
    let full = PVA.replace(" }", ", correction = \"full\" }");
    for (links, solver, law) in [
        (3, PVA, [0.7, 0.0]),
        (6, PVA, [0.7, 0.0]),
        (8, PVA, [0.3, 0.0]),
        (8, PVA, [0.7, 0.0]),
        (8, full.as_str(), [0.5, 0.0]),
        (2, PVA, [0.5, 0.3]),
        (2, PVV, [0.3, 0.3]),
        (3, PVA, [0.3, 0.3]),
    ] {
        let run = completed(&chain(links, solver, law));
        let start = 0.1 * links as f64 * (0.5 * 0.25 + 9.81 * (0.2 + 0.05 * links as f64 * 0.1_f64.sin()));
        let impacts: f64 = run.column("s.step.impact").iter().sum();
        assert!(impacts < 0.0 && impacts > -start, "{links} {solver} {law:?}: {impacts} J of {start} J");
        for k in 0..links {
            let gap =
                run.column(&format!("s.c{k}a.gap")).iter().fold(f64::INFINITY, |least, gap| gap.min(least));
            assert!(gap > -1e-4, "{links} {solver} {law:?}: contact {k} is {gap} m deep");
        }
    }
}

/// The error of a run that has to end with one.
fn error(text: &str) -> String {
    format!("{:?}", Run::of(&Run::text(text, &[])).report.outcome)
}

/// A drive presses the link through the floor: no rule accepts the step, and the message names the contact.
#[test]
fn a_driven_link_pressed_through_a_floor_is_refused_by_name() {
    let drive = "[[subsystem.joint]]\nname = \"drive\"\ntype = \"angle\"\nbodies = [\"ground\", \"link\"]\nat = [0, 0, 1]\n\
                 axis = [0, 1, 0]\nspeed = 1.0\n";
    let full = PVA.replace(" }", ", correction = \"full\" }");
    let others = [
        "{ scheme = \"schatzman-paoli\", theta = 0.5 }",
        "{ scheme = \"projected-moreau-jean\", theta = 0.5 }",
        "{ scheme = \"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5 } }",
    ];
    for solver in [PVA, PVV, full.as_str(), MOREAU].into_iter().chain(others) {
        let moving = "position = [0, 0, 1]\nangular_velocity = [0, 1, 0]";
        let text = link(solver, [0.5, 0.0], 1e-3, "").replace("position = [0, 0, 1]", moving) + drive;
        let found = error(&text);
        assert!(found.contains("`floor`") && found.contains("nothing there gives way"), "{solver}: {found}");
    }
}

/// A start off the hinge, with a velocity that opens it, and inside the floor is moved to the next one that fits.
#[test]
fn a_start_is_projected() {
    for solver in [PVA, MOREAU] {
        let text = link(solver, [0.5, 0.0], 1e-3, "[master]\ninitial_state = \"project\"")
            .replace("position = [0, 0, 1]", "position = [0, 0, 0.99]\nvelocity = [0, 0, 1]")
            .replace("point = [0, 0, 0.7044797933386604]", "point = [0, 0, 1.01]");
        let run = completed(&text);
        for name in ["m.constraints.position", "m.constraints.velocity"] {
            assert!(run.column(name)[0] < 1e-10, "{solver} {name}: {}", run.column(name)[0]);
        }
        assert!(run.column("m.floor.gap")[0] > -1e-10, "{solver}: {}", run.column("m.floor.gap")[0]);
    }
}

/// The impact is in the impulse, the force is that of the end of the step.
#[test]
fn an_impact_is_no_force() {
    for solver in [PVA, PVV, MOREAU] {
        let run = completed(&link(solver, [0.5, 0.0], 1e-3, ""));
        let (force, impulse) = (run.column("m.floor.force"), run.column("m.floor.impulse"));
        let status = run.column("m.floor.status");
        let first = impulse.iter().position(|impulse| *impulse > 0.1).unwrap_or(0);
        assert!(first > 0 && force[first] == 0.0 && status[first] == 0.0, "{solver}: {}", force[first]);
        // The weight of 20 N at half the length.
        assert!(
            (last(&run, "m.floor.force") - 10.0).abs() < 1e-2,
            "{solver}: {}",
            last(&run, "m.floor.force")
        );
        assert!(force.iter().all(|force| *force < 30.0), "{solver}");
    }
}

/// What friction takes out of a sliding block is work of contacts in the balance of the run.
#[test]
fn contact_work_is_no_creation() {
    for solver in [PVA, PVV, MOREAU] {
        let text = format!(
            "schema = 1\n[time]\nend = 1.0\nstep = 0.001\n[[subsystem]]\nname = \"m\"\nkind = \"multibody\"\n\
             gravity = [0, 0, -9.81]\nsolver = {solver}\n[[subsystem.body]]\nname = \"b\"\nmass = 2.0\ninertia = [1, 1, 1]\n\
             velocity = [2, 0, 0]\n[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\n\
             first = {{ body = \"ground\", axis = [0, 0, 1] }}\nsecond = {{ body = \"b\" }}\nrestitution = 0.0\nfriction = 0.3\n"
        );
        let energy = completed(&text).report.energy;
        assert!((energy.contact + 4.0).abs() < 0.05, "{solver}: {energy:?}");
        assert!(energy.subsystems.abs() < 0.05, "{solver}: {energy:?}");
    }
}
