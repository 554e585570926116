//! Loads and motions from tables that are shorter than a step: steps that follow the error find them, others are warned of.

use cosimo_master::{Master, NoObserver, RunReport};

use crate::{model, warnings};

/// A run to 1 s with steps of at most 0.1 s that follow the error.
fn follow(subsystems: &str, more: &str) -> (RunReport, impl Fn(&str) -> f64 + use<>) {
    let model = model(&format!(
        "schema = 1\ntime = {{ end = 1.0, step = 0.1 }}\n\
         [master]\nstep_control = \"error\"\nerror_tolerance = 1e-8\nenergy_action = \"ignore\"\n{more}\n{subsystems}\n"
    ));
    let mut master = model.build().unwrap();
    let report = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    (report, reader(&master))
}

/// The quantities of the present state by name.
fn reader(master: &Master) -> impl Fn(&str) -> f64 + use<> {
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    move |name: &str| {
        let at = labels.iter().position(|label| format!("{}.{}", label.owner, label.name) == name);
        values[at.unwrap_or_else(|| panic!("no {name}"))]
    }
}

/// The table of a triangle from `start` (s), 20 ms long and `top` high.
fn triangle(start: f64, top: f64) -> String {
    format!("time = [{start}, {}, {}]\nvalue = [0, {top}, 0]", start + 0.01, start + 0.02)
}

const STARTS: [f64; 5] = [0.0021, 0.41, 0.5021, 0.5121, 0.56];

/// A pulse of 1 N s on 2 kg: 0.5 m/s from its middle on. A step may err by 1e-8 m, and that across a kink by as much in the
/// velocity as moves so far within it, 0.1 ms: 1e-4 m/s; three times as much where the rule is generalized-α.
#[track_caller]
fn assert_pushed(start: f64, velocity: f64, way: f64) {
    let exact = 0.5 * (1.0 - start - 0.01);
    assert!((velocity - 0.5).abs() < 3e-4, "from {start} s: {velocity} m/s");
    assert!((way - exact).abs() < 3e-4, "from {start} s: {way} m instead of {exact} m");
}

#[test]
fn pulses_shorter_than_a_step_push_linear_systems_and_nodes() {
    for start in STARTS {
        let load = triangle(start, 100.0);
        let linear = "[[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [2.0]\n[[subsystem.load]]\ncoordinate = 0\n";
        let node = "[[subsystem]]\nname = \"n\"\nkind = \"node\"\nmass = 2.0\n[[subsystem.load]]\ndirection = [2, 0, 0]\n";
        // Alone: the pulses must be found in the subsystem that has them.
        for (text, [velocity, way]) in [(linear, ["a.v_q0", "a.q0"]), (node, ["n.vx", "n.x"])] {
            let (_, value) = follow(&format!("{text}{load}"), "");
            assert_pushed(start, value(velocity), value(way));
        }
    }
}

/// A body of 2 kg and 0.5 kg m² with this text after it.
fn body(solver: &str, text: &str) -> String {
    format!(
        "[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\nsolver = {solver}\n\
         [[subsystem.body]]\nname = \"bob\"\nmass = 2.0\ninertia = [0.5, 0.5, 0.5]\n{text}\n"
    )
}

#[test]
fn pulses_shorter_than_a_step_push_bodies() {
    let solvers = [
        "\"theta\"",
        "\"generalized-alpha\"",
        "\"multistep\"",
        "{ method = \"adaptive-bdf\", error_tolerance = 1e-8 }",
    ];
    for solver in solvers {
        for start in STARTS {
            let force = format!(
                "[[subsystem.load]]\nbody = \"bob\"\ndirection = [0, 1, 0]\n{}",
                triangle(start, 100.0)
            );
            let (_, value) = follow(&body(solver, &force), "");
            assert_pushed(start, value("s.bob.vy"), value("s.bob.y"));
        }
        let moment = format!(
            "[[subsystem.load]]\nbody = \"bob\"\nmoment_axis = [0, 1, 0]\n{}",
            triangle(0.5021, 25.0)
        );
        let (_, value) = follow(&body(solver, &moment), "");
        assert!((value("s.bob.wy") - 0.5).abs() < 3e-4, "{solver}: {} rad/s", value("s.bob.wy"));
    }
}

#[test]
fn motions_shorter_than_a_step_move_what_hangs_on_them() {
    // A mass of 1 kg on 100 N/m, whose other end goes 10 mm up and down within 2 d = 20 ms along cubic pieces of slope zero
    // at their ends: x = ω u d sin ω(t − t_m), for ω d ≪ 1.
    let driven = |solver: &str, motion: &str| {
        // What shows at a port is controlled.
        let port = "[[subsystem.port]]\nname = \"mass\"\nbody = \"mass\"\ndirection = [1, 0, 0]\n";
        let port = if solver.contains("bdf") { "" } else { port };
        let text = format!(
            "[[subsystem.body]]\nname = \"mass\"\nmass = 1.0\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n\
             [[subsystem.joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n\
             [[subsystem.joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"mass\"]\nat = [1, 0, 0]\naxis = [1, 0, 0]\n\
             [[subsystem.joint]]\nname = \"drive\"\ntype = \"displacement\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n{motion}\n\
             {port}[[subsystem.force]]\nname = \"spring\"\ntype = \"spring\"\nbodies = [\"bob\", \"mass\"]\nat = [[0, 0, 0], [1, 0, 0]]\nstiffness = 100.0"
        );
        let (_, value) = follow(&body(solver, &text), "");
        value("s.mass.x") - 1.0
    };
    for solver in ["\"theta\"", "\"generalized-alpha\"", "\"adaptive-bdf\""] {
        let motion = "motion = { time = [0.5021, 0.5121, 0.5221], value = [0, 0.01, 0] }";
        let (found, exact) = (driven(solver, motion), 10.0 * 0.01 * 0.01 * (10.0_f64 * (1.0 - 0.5121)).sin());
        assert!((found / exact - 1.0).abs() < 0.02, "{solver}: {found:e} m instead of {exact:e} m");
        // The same, up and down again by its speed: a triangle of cubic pieces up to 1 m/s and down to −1 m/s.
        let speed = "speed = { time = [0.5021, 0.5071, 0.5121, 0.5171, 0.5221], value = [0, 1, 0, -1, 0] }";
        assert!(driven(solver, speed).abs() > 0.2 * exact.abs(), "{solver}: {:e} m", driven(solver, speed));
    }
}

#[test]
fn threads_and_micro_steps_find_pulses_too() {
    let load = triangle(0.5021, 100.0);
    let free = format!(
        "[[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmicro_steps = 4\nmass = [2.0]\n[[subsystem.load]]\ncoordinate = 0\n{load}"
    );
    let (report, value) = follow(&free, "execution = \"threads\"");
    assert_pushed(0.5021, value("a.v_q0"), value("a.q0"));
    // Micro steps see what the macro step alone does not.
    let (single, _) = follow(&free.replace("micro_steps = 4\n", ""), "");
    assert!(report.steps < single.steps, "{} and {} steps", report.steps, single.steps);
}

#[test]
fn entries_that_do_not_matter_cost_no_steps() {
    // 10,001 entries of ±1e-7 N, 0.1 ms apart, the smallest step.
    let times: Vec<String> = (0..=10_000).map(|k| format!("{:e}", f64::from(k) * 1e-4)).collect();
    let values: Vec<&str> = (0..=10_000).map(|k| if k % 3 == 0 { "1e-7" } else { "-1e-7" }).collect();
    let linear =
        "[[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [2.0]\n[[subsystem.load]]\ncoordinate = 0\n";
    let table = format!("time = [{}]\nvalue = [{}]", times.join(", "), values.join(", "));
    let (report, _) = follow(&format!("{linear}{table}"), "");
    assert!(report.steps < 100, "{} steps", report.steps);
}

/// The warnings about a load of these times (s) and values with steps of 10 ms.
fn warned(time: &str, value: &str, subsystem: &str, master: &str) -> String {
    warnings(&format!(
        "schema = 1\ntime = {{ end = 1.0, step = 1e-2 }}\n{master}\n[[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [1.0]\n\
         {subsystem}\n[[subsystem.load]]\ncoordinate = 0\ntime = {time}\nvalue = {value}\n"
    ))
}

#[test]
fn tables_that_steps_do_not_see_are_warned_of_at_their_line() {
    let (pulse, value) = ("[0.5021, 0.5022, 0.5023]", "[0.0, 1e4, 0.0]");
    let text = warned(pulse, value, "", "");
    assert!(text.starts_with("model.toml:9:1: warning: the table of load 0 of subsystem `a`"), "{text}");
    assert!(text.contains("between 0.5021 s and 0.5023 s, within one step of 0.01 s"), "{text}");
    assert!(text.contains("step_control = \"error\""), "{text}");
    // Where the smallest step sees it nothing is reported; where it does not, how it would.
    let control =
        |refinements: u32| format!("[master]\nstep_control = \"error\"\nmax_refinements = {refinements}");
    assert_eq!(warned(pulse, value, "", &control(10)), "");
    assert!(warned(pulse, value, "", &control(3)).contains("max_refinements"));
    assert!(warned(pulse, value, "micro_steps = 40", "").contains("within one step of 0.00025 s"));
    assert_eq!(warned(pulse, value, "micro_steps = 80", ""), "");
    // Down and up, with a top that is flat, and beside what is large.
    assert_ne!(warned("[0.1, 0.102, 0.105, 0.109]", "[5, 3, 3, 5]", "", ""), "");
    assert_ne!(warned("[0.1, 0.2, 0.202, 0.204, 0.5]", "[0, 50, 55, 50, 100]", "", ""), "");
}

#[test]
fn tables_that_steps_see_are_not_warned_of() {
    for (time, value) in [
        // Jumps, written as steep ramps: steps see them, up to one.
        ("[0.1, 0.1000001, 0.3, 0.3000001]", "[0, 5, 5, 0]"),
        // Entries as far apart as the steps are.
        ("[0.1, 0.11, 0.12, 0.13]", "[0, 5, -5, 0]"),
        // Entries closer than the steps along a smooth curve; noise.
        ("[0.1, 0.101, 0.102, 0.103, 0.104, 0.2]", "[0, 1, 2, 3, 4, 9]"),
        ("[0.1, 0.101, 0.102, 0.3]", "[0, 0.05, 0, 9]"),
        // Outside the run.
        ("[2.0, 2.001, 2.002]", "[0, 5, 0]"),
        ("[0.5]", "[1]"),
    ] {
        assert_eq!(warned(time, value, "", ""), "", "{time} {value}");
    }
}

#[test]
fn motions_and_loads_of_bodies_are_warned_of() {
    let text = |solver: &str| {
        let guide = "[[subsystem.joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]";
        let drive = guide.replace("guide", "drive").replace("prismatic", "displacement");
        let table = "{ time = [0.5, 0.501, 0.502], value = [0, 0.01, 0] }";
        let load = "[[subsystem.load]]\nbody = \"bob\"\ndirection = [1, 0, 0]\ntime = [0.5, 0.501, 0.502]\nvalue = [0, 1, 0]";
        let system = body(solver, &format!("{guide}\n{drive}\nmotion = {table}\n{load}"));
        warnings(&format!("schema = 1\ntime = {{ end = 1.0, step = 1e-2 }}\n{system}"))
    };
    let found = text("\"theta\"");
    assert!(found.contains("table of joint `drive`") && found.contains("table of load 0"), "{found}");
    assert_eq!(text("\"adaptive-bdf\""), "");
}
