//! Contact laws and friction under schemes that capture impacts: every law under every scheme, and friction under joints.

use cosimo::master::Outcome;
use coupling_tests::Run;

/// A box that slides along a floor against a spring until it sticks, with a contact law of its own; along a line where friction of rest is to
/// hold it, since a slip that turns in the plane never vanishes.
fn slider(solver: &str, master: &str, (law, restitution): (&str, f64)) -> String {
    let aside = if law.contains("static") { 0.0 } else { 0.4 };
    format!(
        "schema = 1\ntime = {{ end = 3.0, step = 1e-3 }}\n[master]\n{master}\n[[subsystem]]\nname = \"box\"\nkind = \"linear\"\n\
         coordinates = [\"x\", \"y\", \"z\"]\nmass = [1.0, 1.0, 1.0]\nforce = [0.0, -10.0, 0.0]\nposition = [0.3, 0.05, 0.1]\nvelocity = [1.0, 0.0, {aside:?}]\n\
         solver = {solver}\n[[subsystem.spring]]\nground = \"x\"\nstiffness = 40.0\n\
         [[subsystem.contact]]\nname = \"floor\"\nrow = {{ y = 1.0 }}\ntangents = [{{ x = 1.0 }}, {{ z = 1.0 }}]\nrestitution = {restitution:?}\nfriction = 0.12\n{law}\n"
    )
}

const LAWS: [&str; 5] = [
    "impact_law = \"moreau\"",
    "tangential_restitution = 0.3",
    "static_friction = 0.35",
    "static_friction = 0.35\nstribeck_speed = 0.05",
    "facets = 4",
];

fn apart(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()))
}

/// The contact problem of a scheme is that of the master with the same rule and these settings, whatever the law.
#[test]
fn schemes_solve_every_contact_law_as_the_master_does() {
    let rules = [
        ("{ scheme = \"moreau-jean\" }", "\"theta\""),
        ("{ scheme = \"moreau-jean\", theta = 0.6 }", "{ theta = 0.6 }"),
    ];
    for law in LAWS {
        for (scheme, rule) in rules {
            let captured = Run::completed(&Run::text(&slider(scheme, "", (law, 0.4)), &[]));
            let settings = "impacts = { method = \"plain\", gamma = 0.5 }";
            let by_settings = Run::completed(&Run::text(&slider(rule, settings, (law, 0.4)), &[]));
            for column in ["box.x", "box.y", "box.v_x", "box.floor.gap"] {
                let apart = apart(&captured.column(column), &by_settings.column(column));
                assert!(apart < 1e-11, "{law}, {scheme}: {column} by {apart:e}");
            }
        }
    }
}

/// Largest difference of a run with this many steps a millisecond from a fine one.
fn error_of(scheme: &str, law: (&str, f64), steps: usize, fine: &[Vec<f64>; 2]) -> f64 {
    let step = format!("time.step={:e}", 1e-3 / steps as f64);
    let run = Run::completed(&Run::text(&slider(scheme, "", law), &[&step]));
    let of = |(column, fine): (&str, &Vec<f64>)| {
        let own: Vec<f64> = run.column(column).into_iter().step_by(steps).collect();
        assert_eq!(own.len(), fine.len());
        apart(&own, fine)
    };
    ["box.x", "box.z"].into_iter().zip(fine).map(of).fold(0.0, f64::max)
}

/// Every scheme with ports, the half-implicit Euler rule at the end.
const SCHEMES: [&str; 9] = [
    "{ scheme = \"moreau-jean\" }",
    "{ scheme = \"dissipative-moreau-jean\" }",
    "{ scheme = \"projected-moreau-jean\" }",
    "{ scheme = \"multistep\" }",
    "{ scheme = \"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5 } }",
    "{ scheme = \"hht\", alpha = -0.01 }",
    "{ scheme = \"nonsmooth-generalized-alpha\" }",
    "{ scheme = \"nonsmooth-generalized-alpha\", smooth = \"velocity\" }",
    "{ scheme = \"half-implicit-euler\", distance = 0.01 }",
];

/// Every scheme comes to the same motion under every law: its error is of order one, as that of impacts and of sticking at the ends of steps.
#[test]
fn every_scheme_takes_every_contact_law() {
    let mut ends = Vec::new();
    for law in LAWS {
        for restitution in [0.4, 0.0] {
            let law = (law, restitution);
            let text = slider("\"theta\"", "", law);
            let run = Run::completed(&Run::text(&text, &["time.step=1e-4"]));
            let fine = ["box.x", "box.z"].map(|column| run.column(column).into_iter().step_by(10).collect());
            ends.push(run.column("box.x").last().copied().unwrap_or(f64::NAN));
            for scheme in SCHEMES {
                let is_inelastic = scheme.contains("half-implicit");
                let is_elastic = restitution > 0.0 || law.0.contains("tangential");
                if is_inelastic && is_elastic || !is_inelastic && restitution == 0.0 {
                    continue;
                }
                let [coarse, quarter] = [1, 4].map(|steps| error_of(scheme, law, steps, &fine));
                assert!(
                    coarse < 3e-3 && quarter < 1e-3,
                    "{law:?}, {scheme}: {coarse:.2e} and {quarter:.2e} m"
                );
            }
        }
    }
    // Friction of rest holds the box where that of sliding does not.
    assert!((ends[0] - ends[4]).abs() > 0.01, "{ends:?}");
}

/// A mass of 1 kg with friction under a scheme, that falls and slides, joined in two rows to one of `ratio` kg.
fn light_slider(ratio: f64, (scheme, coupling): (&str, &str)) -> String {
    let body = |name: &str, mass: f64, more: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\ncoordinates = [\"x\", \"z\"]\nmass = [{mass:e}, {mass:e}]\n\
             force = [0.0, {:e}]\nposition = [0.0, 0.3]\nvelocity = [2.0, 0.0]\n{more}\n\
             [[subsystem.port]]\nname = \"px\"\ncoordinates = [\"x\"]\n[[subsystem.port]]\nname = \"pz\"\ncoordinates = [\"z\"]\n",
            -9.81 * mass
        )
    };
    let contact = "[[subsystem.contact]]\nname = \"c\"\nrow = { z = 1.0 }\nrestitution = 0.0\nfriction = 0.3\ntangents = [{ x = 1.0 }]";
    let light = body("a", 1.0, &format!("solver = {scheme}\ncoupling = \"{coupling}\"\n{contact}"));
    let joint = |k: &str| {
        format!("[[interface]]\nname = \"j{k}\"\nlaw = \"rigid\"\nbetween = [\"a.p{k}\", \"b.p{k}\"]\n")
    };
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\n{light}{}{}{}",
        body("b", ratio, "solver = \"theta\""),
        joint("x"),
        joint("z")
    )
}

/// Both slide as one body: its momentum along the floor falls by `μ` times that which gravity gives, `v = v₀ − μ g t`. The master sees the friction of
/// Moreau and Jean's rule and of the two-step rule; under other schemes answers are differenced where the inverse mass does not lead there.
#[test]
fn friction_slows_a_heavy_body_on_a_light_side() {
    for ratio in [1.0, 1e3, 1e5] {
        for scheme in SCHEMES {
            assert_slides(&Run::completed(&Run::text(&light_slider(ratio, (scheme, "auto")), &[])));
        }
        for coupling in ["differenced", "quasi-newton"] {
            assert_slides(&Run::completed(&Run::text(&light_slider(ratio, (SCHEMES[1], coupling)), &[])));
        }
    }
    let refused = Run::of(&Run::text(&light_slider(1e5, (SCHEMES[1], "exact")), &[]));
    assert!(matches!(&refused.report.outcome, Outcome::Failed(text) if text.contains("differenced")));
}

/// Two bodies as one, by a joint of six coordinates, that land with friction under one of them or under both; the other one has another rule or the same.
fn landing([one, other]: [&str; 2], has_both: bool) -> String {
    let body = |name: &str, [place, point]: [f64; 2], solver: &str, has_contact: bool| {
        let contact = "[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = { body = \"ground\", axis = [0, 0, 1] }\n\
            second = { body = \"body\" }\nradius = 0.1\nrestitution = 0.0\nfriction = 0.3\n";
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {solver}\n[[subsystem.body]]\nname = \"body\"\n\
             mass = 1.0\ninertia = [0.004, 0.004, 0.004]\nposition = [{place}, 0, 0.12]\nvelocity = [1, 0, 0]\n{}\
             [[subsystem.port]]\nname = \"p\"\nbody = \"body\"\npoint = [{point}, 0, 0]\ncoordinates = 6\n",
            if has_contact { contact } else { "" }
        )
    };
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\n{}{}[[interface]]\nname = \"j\"\nlaw = \"rigid\"\nbetween = [\"a.p\", \"b.p\"]\n",
        body("a", [0.0, 0.3], one, true),
        body("b", [0.6, -0.3], other, has_both)
    )
}

#[test]
fn bodies_land_with_friction_at_a_joint_of_six_coordinates() {
    for has_both in [false, true] {
        let reference = Run::completed(&Run::text(&landing(["\"theta\""; 2], has_both), &[]));
        for scheme in SCHEMES {
            for other in ["\"theta\"", scheme] {
                let run = Run::completed(&Run::text(&landing([scheme, other], has_both), &[]));
                for column in ["a.body.x", "a.body.z", "b.body.z"] {
                    let apart = apart(&run.column(column), &reference.column(column));
                    assert!(apart < 2e-3, "{scheme} and {other}, {has_both}: {column} by {apart:.2e} m");
                }
            }
        }
    }
}

/// A mass that leaves its floor, out of it still by some of the way, is hit from above, in a subsystem with a port and friction, whose contacts are the
/// master's: nothing is created, whatever the masses are.
#[test]
fn contacts_that_open_are_reversed_at_most_by_the_master_too() {
    for (scheme, ratio) in ["moreau-jean", "multistep"]
        .into_iter()
        .flat_map(|scheme| [1e-4, 1.0, 30.0, 1e4].map(|ratio| (scheme, ratio)))
    {
        let text = format!(
            "schema = 1\ntime = {{ end = 1e-4, step = 1e-4 }}\n[master]\ninitial_tolerance = 1.0\n[[subsystem]]\nname = \"s\"\nkind = \"linear\"\n\
             coordinates = [\"a\", \"b\", \"c\"]\nmass = [1.0, {ratio:e}, 1.0]\nposition = [-1e-3, -1e-3, 0.0]\nvelocity = [1.0, -2.0, 0.0]\n\
             solver = {{ scheme = \"{scheme}\" }}\n[[subsystem.contact]]\nname = \"floor\"\nrow = {{ a = 1.0 }}\ntangents = [{{ c = 1.0 }}]\nrestitution = 1.0\nfriction = 1e-6\n\
             [[subsystem.contact]]\nname = \"between\"\nrow = {{ a = -1.0, b = 1.0 }}\nrestitution = 1.0\n\
             [[subsystem.port]]\nname = \"p\"\ncoordinates = [\"c\"]\n\
             [[subsystem]]\nname = \"o\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [1.0]\nposition = [0.0]\nvelocity = [0.0]\n\
             [[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n[[interface]]\nname = \"j\"\nlaw = \"rigid\"\nbetween = [\"s.p\", \"o.p\"]\n"
        );
        let run = Run::completed(&Run::text(&text, &[]));
        let energy = |step: usize| {
            0.5 * (run.column("s.v_a")[step].powi(2) + ratio * run.column("s.v_b")[step].powi(2))
        };
        assert!(
            energy(1) <= energy(0) * (1.0 + 1e-10),
            "{scheme}, {ratio}: {} of {} J",
            energy(1),
            energy(0)
        );
        assert!(run.column("s.v_b")[1] > -2.0, "{scheme}, {ratio}");
    }
}

/// The light body lands at 0.2475 s, where its side is differenced from then on: saved before and after, and in threads.
#[test]
fn a_side_that_is_differenced_on_the_way_goes_on_with_the_same_bits() {
    for scheme in [SCHEMES[1], SCHEMES[2], SCHEMES[6], SCHEMES[8]] {
        let mut model = Run::text(&light_slider(1e3, (scheme, "auto")), &[]);
        let whole = Run::completed(&model);
        assert!(whole.report.warnings.iter().any(|warning| warning.text.contains("differenced")), "{scheme}");
        assert!(Run::interrupted(&model, &[1, 247, 248, 249, 300]).has_bits_of(&whole), "{scheme}");
        model.placement.execution = cosimo::model::Execution::Threads;
        assert!(Run::of(&model).has_bits_of(&whole), "{scheme} in threads");
    }
}

fn assert_slides(run: &Run) {
    for body in ["a.v_x", "b.v_x"] {
        let found = run.column(body).last().copied().unwrap_or(f64::NAN);
        assert!((found - (2.0 - 0.3 * 9.81 * 0.5)).abs() < 1e-6, "{body}: {found}");
    }
}
