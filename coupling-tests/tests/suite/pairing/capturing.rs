//! Sides that capture impacts in steps of their own, joined rigidly to each other and to those of other rules: orders, gaps, energy and bits.

use coupling_tests::Run;

use super::{CAPTURING, SECOND_ORDER};

/// Steps (s), each half of the one before.
const STEPS: [f64; 3] = [4e-3, 2e-3, 1e-3];

/// Two masses on a spring on two others; the lowest falls on a floor after 0.32 s.
pub(super) fn tower(solvers: [&str; 2], restitution: f64, step: f64, end: f64) -> String {
    let part = |name: &str, solver: &str, position: [f64; 2], mass: [f64; 2], rest: f64| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\ncoordinates = [\"x\", \"y\"]\nmass = {mass:?}\ngravity = -9.81\n\
             position = {position:?}\nsolver = {solver}\n\
             [[subsystem.spring]]\nbetween = [\"x\", \"y\"]\nstiffness = 1500.0\ndamping = 1.0\nrest = {rest}\n"
        )
    };
    format!(
        "schema = 1\ntime = {{ end = {end:e}, step = {step:e} }}\n{}\
         [[subsystem.port]]\nname = \"top\"\ncoordinates = [\"y\"]\n\
         [[subsystem.contact]]\nname = \"floor\"\nrow = {{ x = 1.0 }}\nrestitution = {restitution}\n{}\
         [[subsystem.port]]\nname = \"bottom\"\ncoordinates = [\"x\"]\n\
         [[interface]]\nname = \"joint\"\nlaw = \"rigid\"\nbetween = [\"lower.top\", \"upper.bottom\"]\n",
        part("lower", solvers[0], [0.5, 1.03], [1.0, 2.0], -0.5),
        part("upper", solvers[1], [1.03, 1.71], [1.0, 0.5], -0.7),
    )
}

/// The same in one subsystem.
pub(super) fn whole_tower(solver: &str, restitution: f64, step: f64, end: f64) -> String {
    format!(
        "schema = 1\ntime = {{ end = {end:e}, step = {step:e} }}\n[[subsystem]]\nname = \"whole\"\nkind = \"linear\"\n\
         coordinates = [\"x\", \"y\", \"z\", \"u\"]\nmass = [1.0, 2.0, 1.0, 0.5]\ngravity = -9.81\n\
         position = [0.5, 1.03, 1.03, 1.71]\nsolver = {solver}\n\
         [[subsystem.spring]]\nbetween = [\"x\", \"y\"]\nstiffness = 1500.0\ndamping = 1.0\nrest = -0.5\n\
         [[subsystem.spring]]\nbetween = [\"z\", \"u\"]\nstiffness = 1500.0\ndamping = 1.0\nrest = -0.7\n\
         [[subsystem.constraint]]\nname = \"joint\"\nrow = {{ y = 1.0, z = -1.0 }}\n\
         [[subsystem.contact]]\nname = \"floor\"\nrow = {{ x = 1.0 }}\nrestitution = {restitution}\n"
    )
}

/// A rod on a hinge, and a body that a frame or a point joins to its tip; its foot comes to a floor with friction after 0.36 s.
pub(super) fn arm(
    solvers: [&str; 2],
    coordinates: usize,
    [restitution, friction]: [f64; 2],
    times: [f64; 2],
) -> String {
    let [step, end] = times;
    format!(
        "schema = 1\ntime = {{ end = {end:e}, step = {step:e} }}\n\
         [[subsystem]]\nname = \"upper\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {}\n\
         [[subsystem.body]]\nname = \"rod\"\nmass = 1.0\ninertia = [0.02, 0.1, 0.1]\nposition = [0.5, 0, 0]\n\
         [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
         [[subsystem.port]]\nname = \"tip\"\nbody = \"rod\"\ncoordinates = {coordinates}\npoint = [0.5, 0, 0]\n\
         [[subsystem]]\nname = \"lower\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {}\n\
         [[subsystem.body]]\nname = \"rod\"\nmass = 0.7\ninertia = [0.015, 0.05, 0.06]\nposition = [1.4, 0.1, 0]\n\
         [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nradius = 0.05\n\
         first = {{ body = \"ground\", point = [0, 0, -0.9], axis = [0, 0, 1] }}\nsecond = {{ body = \"rod\", point = [0.3, 0, 0] }}\n\
         restitution = {restitution}\nfriction = {friction}\n\
         [[subsystem.port]]\nname = \"root\"\nbody = \"rod\"\ncoordinates = {coordinates}\npoint = [-0.4, -0.1, 0]\n\
         [[interface]]\nname = \"joint\"\nlaw = \"rigid\"\nbetween = [\"upper.tip\", \"lower.root\"]\n",
        solvers[0], solvers[1]
    )
}

/// Where these quantities are at the end.
pub(super) fn end_of(run: &Run, labels: &[&str]) -> Vec<f64> {
    labels.iter().map(|label| *run.column(label).last().unwrap_or(&f64::NAN)).collect()
}

pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
}

pub(super) const OF_TOWER: [&str; 4] = ["lower.x", "lower.y", "upper.x", "upper.y"];
pub(super) const OF_ARM: [&str; 5] =
    ["upper.rod.x", "upper.rod.z", "lower.rod.x", "lower.rod.y", "lower.rod.z"];

/// Whether these errors at halved steps are of order two.
fn is_of_order_two(errors: &[f64]) -> bool {
    errors.windows(2).all(|pair| pair[0] > 3.5 * pair[1])
}

/// Whether a rule is of order one.
fn is_of_order_one(solver: &str) -> bool {
    solver.contains("0.7 ") || solver.contains("dissipative")
}

#[test]
fn every_pair_keeps_its_order_and_closes_its_gap() {
    let others: Vec<&str> = SECOND_ORDER.iter().chain(&CAPTURING).copied().collect();
    let end = 0.25;
    let exact = end_of(
        &Run::completed(&Run::text(&tower(["\"theta\"", "\"theta\""], 0.5, 1e-5, end), &[])),
        &OF_TOWER,
    );
    let mut wrong = Vec::new();
    for own in CAPTURING {
        for other in others.iter().copied().filter(|other| !is_of_order_one(own) && !is_of_order_one(other)) {
            let mut errors = Vec::new();
            for step in STEPS {
                let run = Run::completed(&Run::text(&tower([own, other], 0.5, step, end), &[]));
                let gap = run.column("joint.gap").iter().fold(0.0_f64, |most, gap| most.max(gap.abs()));
                // Ends of sides that integrate alike move in the metric of the inverse masses.
                let closed = if own == other { 1e-7 } else { 1e-13 };
                if gap > closed || !run.report.warnings.is_empty() {
                    wrong.push(format!("{own}, {other}, {step}: gap {gap:e} m, {:?}", run.report.warnings));
                }
                errors.push(distance(&end_of(&run, &OF_TOWER), &exact));
            }
            if !is_of_order_two(&errors) || errors[2] > 3e-4 {
                wrong.push(format!("{own}, {other}: {errors:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A tower that is cut moves as the whole one by the same rule, through impacts as well. Rules that remember accelerations take the force of the
/// joint as momenta, and differ by as much as their orders allow; the two-step rule takes steps of Crank and Nicolson's with it.
#[test]
fn a_cut_tower_moves_as_the_whole_one() {
    let mut wrong = Vec::new();
    for rule in CAPTURING {
        let allowed = match rule {
            _ if rule.contains("moreau") => 1e-12,
            _ if rule.contains("multistep") => 2e-4,
            // Forces of the smooth motion on contacts are those without the joint, which matters in the step of an impact.
            _ if rule.contains("nonsmooth") => 1e-3,
            _ => 5e-7,
        };
        let mut differences = Vec::new();
        for step in [2e-3, 1e-3] {
            let [whole, cut] = [whole_tower(rule, 0.5, step, 1.0), tower([rule, rule], 0.5, step, 1.0)]
                .map(|text| Run::completed(&Run::text(&text, &[])));
            let exact = end_of(&whole, &["whole.x", "whole.y", "whole.z", "whole.u"]);
            differences.push(distance(&end_of(&cut, &OF_TOWER), &exact));
        }
        if differences.iter().any(|difference| !(*difference < allowed)) {
            wrong.push(format!("{rule}: {differences:?} m apart"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One body of two, a light one with the contact under a heavy one: it falls 0.2 m, bounces with e = 0.5 at 0.2 and 0.4 s, and rests from 0.6 s on.
#[test]
fn a_light_body_bounces_under_a_heavy_one() {
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
    for rule in CAPTURING {
        for (other, mass) in
            [("\"theta\"", 100.0), ("\"multistep\"", 1e4), (rule, 100.0), ("\"theta\"", 0.01)]
        {
            let run = Run::completed(&Run::text(&text(rule, other, mass), &[]));
            let gap = run.column("joint.gap").iter().fold(0.0_f64, |most, gap| most.max(gap.abs()));
            assert!(gap < 1e-11, "{rule}, {other}, {mass} kg: gap {gap:e} m");
            assert!(
                run.report.most_iterations < 10,
                "{rule}, {other}, {mass} kg: {}",
                run.report.most_iterations
            );
            for (t, expected) in [(0.1, 0.15), (0.3, 0.05), (0.45, 0.0125), (0.8, 0.0)] {
                let found = run.at("mass.z", t);
                assert!((found - expected).abs() < 6e-3, "{rule}, {other}, {mass} kg: {found} m at {t} s");
            }
            let speed = run.at("mass.v_z", 0.9).abs();
            assert!(speed < 1e-9, "{rule}, {other}, {mass} kg: {speed:e} m/s at rest");
        }
    }
}

/// Three masses of 1 kg on springs, joined in a row, of which the first comes to rest on its floor: one mass of 3 kg. The first one is held there by its contact,
/// and the second, with two joints, moves for no gap.
#[test]
fn a_row_of_three_comes_to_rest() {
    let text = |rules: [&str; 3]| {
        let mut text = "schema = 1\ntime = { end = 0.6, step = 1e-3 }\n".to_owned();
        for (k, rule) in rules.iter().enumerate() {
            text += &format!(
                "[[subsystem]]\nname = \"s{k}\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [1.0]\ngravity = -9.81\nvelocity = -1.0\n\
                 solver = {rule}\n[[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n[[subsystem.spring]]\nground = \"x\"\nstiffness = 20.0\n"
            );
            if k == 0 {
                text += "[[subsystem.contact]]\nname = \"c\"\nrow = { x = 1.0 }\noffset = -0.2\nrestitution = 0\n";
            }
        }
        for k in 0..2 {
            let joint =
                format!("name = \"j{k}\"\nlaw = \"rigid\"\nbetween = [\"s{k}.p\", \"s{}.p\"]\n", k + 1);
            text += &format!("[[interface]]\n{joint}");
        }
        text
    };
    for first in CAPTURING {
        for others in [
            ["\"theta\""; 2],
            ["\"multistep\"", "\"generalized-alpha\""],
            [CAPTURING[6], CAPTURING[0]],
            ["\"theta\"", first],
        ] {
            let run = Run::completed(&Run::text(&text([first, others[0], others[1]]), &[]));
            for body in ["s0", "s1", "s2"] {
                let x = *run.column(&format!("{body}.x")).last().unwrap_or(&f64::NAN);
                assert!((x + 0.2).abs() < 3e-3, "{first}, {others:?}: {body} at {x} m");
            }
            assert!(run.report.warnings.is_empty(), "{first}, {others:?}: {:?}", run.report.warnings);
        }
    }
}

/// Bodies in space on a hinge, joined at a point or rigidly: of order two before the foot comes to the floor, and no energy is made at the
/// impacts with friction that follow, whoever has the contact.
#[test]
fn arms_keep_their_order_and_make_no_energy() {
    let rules = [CAPTURING[0], CAPTURING[5], CAPTURING[6], CAPTURING[7], "\"theta\"", "\"multistep\""];
    let mut wrong = Vec::new();
    for coordinates in [3, 6] {
        let solve =
            |solvers, law, step, end| Run::of(&Run::text(&arm(solvers, coordinates, law, [step, end]), &[]));
        let theta = ["\"theta\""; 2];
        let law = [0.5, 0.3];
        let [early, late] = [0.3, 1.0].map(|end| end_of(&solve(theta, law, 2e-4, end), &OF_ARM));
        for first in rules {
            for second in
                rules.iter().copied().filter(|second| first.contains("scheme") || second.contains("scheme"))
            {
                let errors = STEPS
                    .map(|step| distance(&end_of(&solve([first, second], law, step, 0.3), &OF_ARM), &early));
                if !(errors[0] > 3.3 * errors[1] && errors[1] > 3.3 * errors[2] && errors[2] < 5e-6) {
                    wrong.push(format!("{coordinates}: {first}, {second}: {errors:?}"));
                }
                let run = solve([first, second], law, 1e-3, 1.0);
                let error = distance(&end_of(&run, &OF_ARM), &late);
                let is_told = run.report.warnings.iter().any(|warning| warning.text.contains("created"));
                if !(error < 5e-3) || is_told {
                    let warnings = &run.report.warnings;
                    wrong.push(format!(
                        "{coordinates}: {first}, {second}: {error:e} m, {:?} {warnings:?}",
                        run.report.outcome
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Three spheres in a row, joined at points of their surfaces by these rules, that fall to a floor under the first; without a floor they fly.
fn spheres(rules: [&str; 3], has_floor: bool, step: f64) -> String {
    let mut text = format!("schema = 1\ntime = {{ end = 0.4, step = {step:e} }}\n");
    for (k, rule) in rules.iter().enumerate() {
        let (mass, x) = ([1.0, 0.3, 1.0][k], 0.3 * k as f64);
        text += &format!(
            "[[subsystem]]\nname = \"s{k}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {rule}\n[[subsystem.body]]\nname = \"b\"\n\
             mass = {mass}\ninertia = [0.01, 0.01, 0.01]\nposition = [{x}, 0, 0]\nvelocity = [0.3, 0, -1]\n"
        );
        for (name, side) in [("l", -0.15), ("r", 0.15)] {
            text += &format!(
                "[[subsystem.port]]\nname = \"{name}\"\nbody = \"b\"\ncoordinates = 3\npoint = [{side}, 0, 0]\n"
            );
        }
        if k == 0 && has_floor {
            text += "[[subsystem.contact]]\nname = \"f\"\ntype = \"sphere-plane\"\nfirst = { body = \"ground\", point = [0, 0, -0.2], axis = [0, 0, 1] }\n\
                 second = { body = \"b\" }\nradius = 0.05\nrestitution = 0.5\nfriction = 0.2\n";
        }
    }
    for k in 0..2 {
        text += &format!(
            "[[interface]]\nname = \"j{k}\"\nlaw = \"rigid\"\nbetween = [\"s{k}.r\", \"s{}.l\"]\n",
            k + 1
        );
    }
    text
}

/// Joints of sides that integrate alike stand beside others, and a body slides while moves close its gap: no gap feeds on itself.
#[test]
fn gaps_in_a_row_of_spheres_stay_closed() {
    let rows = [
        ["\"theta\""; 3],
        ["\"theta\"", "\"multistep\"", "\"multistep\""],
        ["\"multistep\"", "\"theta\"", "\"theta\""],
        [CAPTURING[0], "\"theta\"", "\"theta\""],
        [CAPTURING[0], "\"multistep\"", "\"generalized-alpha\""],
        [CAPTURING[3], "\"theta\"", CAPTURING[6]],
        [CAPTURING[6], "\"theta\"", "\"theta\""],
        [CAPTURING[4], CAPTURING[0], CAPTURING[5]],
        [CAPTURING[0]; 3],
        [CAPTURING[6]; 3],
    ];
    for rules in rows {
        for has_floor in [false, true] {
            for step in [4e-3, 2e-3, 1e-3] {
                let run = Run::completed(&Run::text(&spheres(rules, has_floor, step), &[]));
                for column in (0..2).flat_map(|j| (0..3).map(move |k| format!("j{j}.gap_{k}"))) {
                    let gap = run.column(&column).iter().fold(0.0_f64, |most, gap| most.max(gap.abs()));
                    // Impacts put the bodies of projected schemes back by what they move in a step.
                    let allowed = if has_floor { 2.0 * step } else { 1e-12 };
                    assert!(gap < allowed, "{rules:?}, {has_floor}, {step} s: {column} {gap:e} m");
                }
            }
        }
    }
}

/// A rod that begins level hardly moves along itself: a gap there is no reason to turn it.
#[test]
fn a_gap_that_no_move_closes_turns_no_body() {
    let rod = |name: &str, rule: &str, x: f64, ports: &[(&str, f64)]| {
        let mut text = format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {rule}\n[[subsystem.body]]\nname = \"rod\"\nmass = 1.0\n\
             inertia = [0.02, 0.1, 0.1]\nposition = [{x}, 0, 0]\n"
        );
        for (port, at) in ports {
            text += &format!(
                "[[subsystem.port]]\nname = \"{port}\"\nbody = \"rod\"\ncoordinates = 3\npoint = [{at}, 0, 0]\n"
            );
        }
        text
    };
    for rule in CAPTURING.iter().copied().chain(["\"multistep\"", "\"generalized-alpha\""]) {
        for step in [1e-3, 5e-4, 2.5e-4, 2e-4, 1e-4] {
            let text = format!(
                "schema = 1\ntime = {{ end = {:e}, step = {step:e} }}\n{}[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
                 bodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n{}[[subsystem]]\nname = \"c\"\nkind = \"node\"\ngravity = [0, 0, -9.81]\n\
                 mass = 0.3\nposition = [1.7, 0, 0]\n[[interface]]\nname = \"j0\"\nlaw = \"rigid\"\nbetween = [\"a.tip\", \"b.root\"]\n\
                 [[interface]]\nname = \"j1\"\nlaw = \"rigid\"\nbetween = [\"b.end\", \"c.centre\"]\n",
                20.0 * step,
                rod("a", rule, 0.5, &[("tip", 0.5)]),
                rod("b", "\"theta\"", 1.4, &[("root", -0.4), ("end", 0.3)])
            );
            let run = Run::completed(&Run::text(&text, &[]));
            for k in 0..3 {
                let gaps = run.column(&format!("j0.gap_{k}"));
                let gap = gaps.iter().fold(0.0_f64, |most, gap| most.max(gap.abs()));
                assert!(gap < 0.1 * step * step + 1e-12, "{rule}, {step} s: gap_{k} {gap:e} m");
            }
        }
    }
}

/// A mass lies on its floor under PVA, and a spring on the joined mass pulls it off: the step of the release has a solution whatever the joint pulls.
#[test]
fn a_contact_is_released_through_a_joint() {
    for rule in CAPTURING {
        let text = format!(
            "schema = 1\ntime = {{ end = 0.3, step = 1e-3 }}\n[[subsystem]]\nname = \"a\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [1.0]\ngravity = -9.81\n\
             position = 0.4\nsolver = {rule}\n[[subsystem.contact]]\nname = \"c\"\nrow = {{ x = 1.0 }}\noffset = 0.3\nrestitution = 0\n\
             [[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n[[subsystem]]\nname = \"b\"\nkind = \"linear\"\ncoordinates = [\"x\", \"y\"]\n\
             mass = [1.0, 1.0]\ngravity = -9.81\nposition = [1.0, 1.4]\nsolver = \"theta\"\n[[subsystem.spring]]\nbetween = [\"x\", \"y\"]\n\
             stiffness = 2000.0\nrest = -0.4\n[[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n\
             [[interface]]\nname = \"j\"\nlaw = \"rigid\"\noffset = -0.6\nbetween = [\"a.p\", \"b.p\"]\n"
        );
        let run = Run::completed(&Run::text(&text, &[]));
        let late = *run.column("a.x").last().unwrap_or(&f64::NAN);
        assert!(late > 0.3 && run.report.failed_steps < 5, "{rule}: {late} m, {}", run.report.failed_steps);
    }
}

#[test]
fn iterations_between_the_sides_end_where_the_condensed_scheme_does() {
    for rule in CAPTURING {
        let run = |master: &str| {
            let text = tower([rule, "\"multistep\""], 0.5, 1e-3, 0.6);
            Run::completed(&Run::text(
                &text.replacen("[[subsystem]]", &format!("[master]\n{master}\n[[subsystem]]"), 1),
                &[],
            ))
        };
        let condensed = end_of(&run(""), &OF_TOWER);
        for master in [
            "scheme = \"gauss-seidel\"",
            "scheme = \"jacobi\"",
            "scheme = \"gauss-seidel\"\nacceleration = { method = \"iqn-ils\" }",
            "tangent = \"frozen\"",
            "tangent = \"exact\"",
        ] {
            let difference = distance(&end_of(&run(master), &OF_TOWER), &condensed);
            assert!(difference < 1e-8, "{rule}, {master}: {difference:e} m apart");
        }
    }
}

#[test]
fn what_is_saved_goes_on_with_the_same_bits_in_threads_too() {
    for rule in [CAPTURING[0], CAPTURING[4], CAPTURING[5], CAPTURING[6]] {
        let mut model = Run::text(&arm([rule, CAPTURING[6]], 6, [0.5, 0.3], [2e-3, 0.5]), &[]);
        let whole = Run::of(&model);
        assert!(Run::interrupted(&model, &[1, 100, 180, 181, 230]).has_bits_of(&whole), "{rule}");
        model.placement.execution = cosimo::model::Execution::Threads;
        assert!(Run::of(&model).has_bits_of(&whole), "{rule} in threads");
    }
}

#[test]
fn schemes_that_take_no_loads_are_refused_by_name() {
    let refused = |rule: &str| {
        let text = tower([rule, "\"theta\""], 0.0, 1e-3, 0.1);
        cosimo::model::read_model("model.toml", &text, &[]).map(|_| ()).map_err(|error| error.to_string())
    };
    let full = "{ scheme = \"nonsmooth-generalized-alpha\", correction = \"full\" }";
    let error = refused(full).expect_err("refused");
    assert!(error.contains("set `correction` to `decoupled`"), "{error}");
    for rule in ["{ scheme = \"half-implicit-euler\", distance = 0.1 }", "{ scheme = \"schatzman-paoli\" }"] {
        assert!(refused(rule).is_ok(), "{rule}");
    }
}

/// A ball that slides on its floor carries another body on an arm, a joint of three coordinates to another rule.
fn ball_with_arm() -> String {
    let body = |name: &str, place: f64, point: f64, more: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n{more}\n[[subsystem.body]]\nname = \"body\"\nmass = 1.0\n\
             inertia = [0.004, 0.004, 0.004]\nposition = [{place}, 0, 0.1]\nvelocity = [1, 0, 0]\n\
             [[subsystem.port]]\nname = \"p\"\nbody = \"body\"\npoint = [{point}, 0, 0]\ncoordinates = 3\n"
        )
    };
    let ball = body("a", 0.0, 0.3, "solver = { scheme = \"half-implicit-euler\", distance = 0.01 }");
    let arm = body("b", 0.6, -0.3, "solver = \"theta\"");
    format!(
        "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n{ball}\
         [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
         second = {{ body = \"body\" }}\nradius = 0.1\nrestitution = 0.0\nfriction = 0.3\n{arm}\
         [[interface]]\nname = \"j\"\nlaw = \"rigid\"\nbetween = [\"a.p\", \"b.p\"]\n"
    )
}

/// A body that slides stays on its floor where a joint to another rule moves it, and iterations find what the condensed scheme finds.
#[test]
fn moves_of_a_joint_leave_closed_contacts_closed() {
    let common = ["master.impacts=plain", "master.tolerance=1e-12"];
    let condensed = Run::completed(&Run::text(&ball_with_arm(), &common));
    for scheme in ["master.scheme=gauss-seidel", "master.scheme=jacobi"] {
        let settings = [common.as_slice(), &[scheme, "master.acceleration=iqn-ils"]].concat();
        let found = Run::completed(&Run::text(&ball_with_arm(), &settings));
        let highest = found.column("a.body.z").iter().fold(0.0_f64, |most, z| most.max((z - 0.1).abs()));
        assert!(highest < 1e-10, "{scheme}: {highest:e} m");
        for column in ["a.body.x", "b.body.x", "b.body.z", "a.body.vx", "a.body.wy", "b.body.wy"] {
            let pairs = found.column(column).into_iter().zip(condensed.column(column));
            let apart = pairs.fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
            assert!(apart < 1e-6, "{scheme}, {column}: {apart:e}");
        }
    }
}
