//! Mistakes that concern several parts: interfaces, solvers, what the master can do, what is recorded.

use super::{BASE, assert_mistake, assert_mistake_at, base_with, mistakes, model, warnings};

#[test]
fn ports_are_looked_up() {
    assert_mistake("\"chain.mean\"", "\"chian.mean\"", "help: did you mean `chain`?");
    assert_mistake("\"chain.mean\"", "\"chain.maen\"", "no port of subsystem `chain` named `maen`");
    assert_mistake("\"chain.mean\"", "\"chain\"", "between[1] is \"chain\", must be \"subsystem.port\"");
    assert_mistake(
        "[\"ball.top\", \"chain.mean\"]",
        "[\"ball.top\"]",
        "between has 1 entry, must have 2, two ports",
    );
    assert_mistake("[\"ball.top\", \"chain.mean\"]", "\"ball.top\"", "expected two ports");
    let portless =
        base_with("port = [{ name = \"centre\" }, { name = \"top\", direction = [0, 0, 2] }]", "port = []");
    assert!(mistakes(&portless).to_string().contains("subsystem `ball` has no ports"));
}

#[test]
fn a_load_port_joined_twice_names_the_first_interface() {
    let text = load_model("[\"stone.centre\", \"air.body\"]", "load", "[\"dust.centre\", \"air.body\"]");
    let first = 1 + text.lines().position(|line| line.contains("\"stone.centre\"")).unwrap();
    let expected = format!("load port `air.body` is joined twice, first by interface `drag` (line {first})");
    assert!(mistakes(&text).to_string().contains(&expected), "{}", mistakes(&text));
}

#[test]
fn the_law_of_an_interface_fits_the_causality_of_its_ports() {
    let about = |first: &str, law: &str| {
        mistakes(&load_model(first, law, "[\"dust.centre\", \"wind.body\"]")).to_string()
    };
    let found = about("[\"stone.centre\", \"air.body\"]", "rigid");
    assert!(found.contains("is rigid, but one of its ports is a load port, which holds nothing"), "{found}");
    let found = about("[\"air.body\", \"water.body\"]", "load");
    assert!(found.contains("joins two load ports, neither of which moves"), "{found}");
    let found = about("[\"stone.centre\", \"dust.centre\"]", "load");
    assert!(found.contains("neither port is a load port"), "{found}");
}

/// Two stones and three drag laws with two interfaces, the second a load.
fn load_model(first: &str, law: &str, second: &str) -> String {
    let stone = |name: &str| format!("[[subsystem]]\nname = \"{name}\"\nkind = \"node\"\nmass = 1.0\n");
    let drag = |name: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"force-law\"\nlaw = \"quadratic-drag\"\ncoefficient = 1.0\n\
             coordinates = 3\n"
        )
    };
    let interface = |name: &str, between: &str, law: &str| {
        format!("[[interface]]\nname = \"{name}\"\nbetween = {between}\nlaw = \"{law}\"\n")
    };
    let parts = [stone("stone"), stone("dust"), drag("air"), drag("water"), drag("wind")];
    format!(
        "schema = 1\ntime = {{ end = 1.0, step = 0.1 }}\n{}{}{}",
        parts.concat(),
        interface("drag", first, law),
        interface("other", second, "load")
    )
}

#[test]
fn a_subsystem_cannot_be_joined_to_itself() {
    let other = "[\"ball.top\", \"ball.centre\"]";
    let found = mistakes(&base_with("[\"ball.top\", \"chain.mean\"]", other)).to_string();
    assert!(found.contains("subsystem `ball` is joined to itself"), "{found}");
}

#[test]
fn joined_ports_must_have_equal_size() {
    let expected = "the ports differ in size: `ball.centre` has 3 coordinates, `chain.mean` has 1 coordinate";
    assert_mistake("\"ball.top\"", "\"ball.centre\"", expected);
}

#[test]
fn each_law_has_its_parameters() {
    assert_mistake_at(-4, "stiffness = 1e3", "", "missing key `stiffness` in interface `spring`");
    assert_mistake(
        "offset = 0.125",
        "stiffness = 5.0",
        "stiffness belongs to law = \"compliant\", this one is \"rigid\"",
    );
    assert_mistake(
        "offset = 0.125",
        "constant = 5.0",
        "constant belongs to law = \"tikhonov\", this one is \"rigid\"",
    );
    assert_mistake_at(
        1,
        "law = \"rigid\"",
        "law = \"tikhonov\"\nconstant = 0.0",
        "constant is 0.0, must be positive",
    );
    let tikhonov = mistakes(&base_with("law = \"rigid\"", "law = \"tikhonov\"")).to_string();
    assert!(tikhonov.contains("missing key `constant` in interface `joint`"), "{tikhonov}");
    assert_mistake("stiffness = 1e3", "stiffness = -1e3", "must be zero or positive");
    assert_mistake("stiffness = 1e3", "stiffness = [1e3, 2e3]", "stiffness has 2 entries, must have 1");
    assert_mistake("offset = 0.125", "offset = [0.0, 0.0]", "offset has 2 entries, must have 1");
}

#[test]
fn solvers_of_multibody_systems_step_no_other_kind() {
    let line = "radius = 0.25\nsolver = \"hht\" # here";
    let found = mistakes(&base_with("radius = 0.25", line));
    assert_eq!(found.error_count(), 1, "{found}");
    let found = found.to_string();
    assert!(found.contains("subsystem `ball` cannot be stepped by the solver hht"), "{found}");
    assert!(found.contains("use \"theta\", \"multistep\" or \"generalized-alpha\""), "{found}");
    assert!(found.starts_with("model.toml:22:10: "), "{found}");
}

/// The base model with this solver of `chain` and this law of its joint with `rotor`, which has another solver.
fn joined(solver: &str, law: &str) -> String {
    base_with("{ method = \"theta\", theta = 0.75 }", solver).replace("law = \"rigid\"", law)
}

#[test]
fn interfaces_that_pass_impulses_join_any_solvers() {
    for solver in [
        "\"theta\"",
        "{ method = \"theta\", theta = 1 }",
        "\"multistep\"",
        "{ method = \"generalized-alpha\", spectral_radius = 0.2 }",
    ] {
        for law in ["law = \"rigid\"", "law = \"tikhonov\"\nconstant = 1e-9"] {
            assert_eq!(warnings(&joined(solver, law)), "", "{solver} {law}");
        }
    }
}

#[test]
fn parameters_of_solvers_have_ranges() {
    assert_mistake("{ theta = 0.75 }", "{ theta = 2 }", "theta is 2, must be in [0.5, 1]");
    let radius = mistakes(&joined("{ method = \"multistep\", spectral_radius = -0.5 }", "law = \"rigid\""))
        .to_string();
    assert!(radius.contains("spectral_radius is -0.5, must be in [0, 1]"), "{radius}");
}

#[test]
fn a_discretisation_is_no_longer_a_choice() {
    for value in ["position", "impulse"] {
        let line = format!("discretisation = \"{value}\"");
        assert_mistake("scheme = \"condensed\"", &line, "discretisation is no longer a choice");
        let found = mistakes(&base_with("scheme = \"condensed\"", &line));
        assert!(found.to_string().contains("pass momenta between any two solvers"), "{found}");
        assert_eq!(found.error_count(), 1, "{found}");
    }
    assert_mistake("scheme = \"condensed\"", "impacts = \"forecast\"", "no impacts `forecast`");
}

#[test]
fn a_tangent_belongs_to_the_condensed_scheme() {
    let expected = "tangent is \"frozen\", but there is no tangent in scheme = \"jacobi\"";
    assert_mistake_at(1, "scheme = \"condensed\"", "scheme = \"jacobi\"\ntangent = \"frozen\"", expected);
}

#[test]
fn sub_steps_need_the_condensed_scheme() {
    let piece = "scheme = \"condensed\"";
    let impacts = "impacts = \"sub-step\"";
    let expected = "impacts is \"sub-step\", which scheme = \"gauss-seidel\" cannot do";
    assert_mistake_at(1, piece, &format!("scheme = \"gauss-seidel\"\n{impacts}"), expected);
    let expected = "impacts is \"sub-step\", which scheme = \"jacobi\" cannot do";
    assert_mistake_at(1, piece, &format!("scheme = \"jacobi\"\n{impacts}"), expected);
}

#[test]
fn accelerations_need_an_iteration_and_possible_parameters() {
    let piece = "scheme = \"condensed\"";
    let wrong = |scheme: &str, acceleration: &str, expected: &str| {
        let lines = format!("scheme = \"{scheme}\"\nacceleration = {acceleration}");
        assert_mistake_at(1, piece, &lines, expected);
    };
    let expected = "acceleration is \"aitken\", but scheme = \"condensed\" has no iteration to accelerate";
    wrong("condensed", "\"aitken\"", expected);
    wrong("jacobi", "\"aitkin\"", "did you mean `aitken`?");
    wrong(
        "jacobi",
        "3",
        "acceleration is the integer 3, expected \"none\" or \"relaxation\" or \"aitken\" or \"iqn-ils\"",
    );
    wrong("jacobi", "{ method = \"iqn\" }", "no acceleration `iqn`");
    wrong("jacobi", "{ factor = 0.5 }", "missing key `method` in the acceleration");
    wrong("jacobi", "{ method = \"relaxation\", factor = 0 }", "factor is 0, must be positive");
    wrong("jacobi", "{ method = \"aitken\", first = -1 }", "first is -1, must be positive");
    wrong("jacobi", "{ method = \"iqn-ils\", filter = 1.0 }", "filter is 1.0, must be in [0, 1)");
    wrong("jacobi", "{ method = \"iqn-ils\", reuse = -2 }", "reuse is -2");
    wrong("jacobi", "{ method = \"aitken\", factor = 1 }", "unknown key `factor`");
}

#[test]
fn recorded_quantities_must_exist() {
    assert_mistake(
        "\"ball.*\", \"chain.x1\"",
        "\"ball.*\", \"chain.y1\", \"chain.x1\"",
        "no quantity `chain.y1`",
    );
    assert_mistake("\"joint.*\"", "\"joints.*\"", "no quantity `joints.*`");
    assert_mistake("plot = [\"ball.z\"", "plot = [\"ball.zz\"", "help: did you mean `ball.z`?");
    let expected = "`chain.x2` is plotted but not recorded";
    assert_mistake("plot = [\"ball.z\"", "plot = [\"chain.x2\"", expected);
}

#[test]
fn patterns_are_not_judged_while_names_are_missing() {
    let found = mistakes(&base_with("name = \"joint\"", "name = \"the joint\""));
    assert_eq!(found.error_count(), 1, "{found}");
    let found = mistakes(&base_with("mass = [1.0, 2.0, 3.0]", "mass = \"heavy\""));
    assert_eq!(found.error_count(), 1, "{found}");
    let found = mistakes(&base_with("coordinates = [\"x0\", \"x1\", \"x2\"]", "coordinates = 3"));
    assert_eq!(found.error_count(), 1, "{found}");
    let found = mistakes(&base_with("kind = \"planar\"", "kind = \"spatial\""));
    assert_eq!(found.error_count(), 1, "{found}");
}

#[test]
fn a_step_longer_than_the_time_span_is_a_warning() {
    let found = warnings(&base_with("step = 1e-3", "step = 4.0"));
    assert!(
        found.contains("model.toml:6:8: warning: step is 4.0, longer than the whole time span of 2.0 s"),
        "{found}"
    );
    assert!(warnings(BASE).is_empty());
}

#[test]
fn matrices_of_interfaces_must_be_symmetric_and_semidefinite() {
    let with = |stiffness: &str| {
        let three = "name = \"mean\"\ncoordinates = [0, 1, 2]";
        let text = base_with("name = \"mean\"\nrows = [[0.5, 0.5, 0.0]]", three);
        let text =
            text.replace("\"ball.top\"", "\"ball.centre\"").replace("\"spring.force\"", "\"spring.force_0\"");
        text.replace("stiffness = 1e3", stiffness)
    };
    let found = mistakes(&with("stiffness = [[1, 2, 0], [2, 1, 0], [0, 0, 1]]")).to_string();
    assert!(found.contains("must be positive semidefinite, but has the eigenvalue -1.000e0"), "{found}");
    let found = mistakes(&with("stiffness = 1\ndamping = [[1, 2, 0], [1, 9, 0], [0, 0, 1]]")).to_string();
    assert!(found.contains("damping is not symmetric: entries (0, 1) and (1, 0) differ"), "{found}");
    assert_eq!(warnings(&with("stiffness = [[1, -1, 0], [-1, 1, 0], [0, 0, 0]]")), "");
}

#[test]
fn a_compliant_interface_must_hold_something() {
    let expected = "interface `spring` has neither stiffness nor damping";
    assert_mistake("stiffness = 1e3", "stiffness = 0.0", expected);
    assert_eq!(warnings(&base_with("stiffness = 1e3", "stiffness = 0.0\ndamping = 2.0")), "");
}

#[test]
fn pins_must_hold_at_the_start() {
    let expected = "pin `hinge` of subsystem `rotor` is violated at the start, by 2.500e-1 m and 0.000e0 m/s";
    assert_mistake_at(2, "position = [3.75, 0.0]", "position = [4.0, 0.0]", expected);
    let spinning =
        mistakes(&base_with("inertia = 316.4", "inertia = 316.4\nangular_velocity = 2.0")).to_string();
    assert!(spinning.contains("by 0.000e0 m and 7.500e0 m/s"), "{spinning}");
}

#[test]
fn points_that_cannot_leave_the_same_plane_are_not_joined_rigidly() {
    let body = |name: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"planar\"\n[[subsystem.body]]\nname = \"rod\"\nmass = 1\n\
             inertia = 1\n[[subsystem.port]]\nname = \"tip\"\nbody = \"rod\"\n"
        )
    };
    let joint = |law: &str| {
        let time = "schema = 1\ntime = { end = 1, step = 0.1 }\n";
        let interface = format!("[[interface]]\nname = \"pin\"\nbetween = [\"a.tip\", \"b.tip\"]\n{law}");
        format!("{time}{}{}{interface}", body("a"), body("b"))
    };
    let found = mistakes(&joint("law = \"rigid\"")).to_string();
    assert!(found.contains("which cannot be held together across it"), "{found}");
    assert!(found.contains("help: give each body two ports of one `direction`"), "{found}");
    assert_eq!(warnings(&joint("law = \"tikhonov\"\nconstant = 1e-9")), "");
    assert_eq!(warnings(&joint("law = \"compliant\"\nstiffness = 1e3")), "");
}

#[test]
fn steps_cannot_be_halved_for_energy_where_none_may_be_halved() {
    let found = mistakes(&base_with("scheme = \"condensed\"", "energy_action = \"halve\""));
    assert!(
        found
            .to_string()
            .starts_with("model.toml:9:17: energy_action is \"halve\", but no step may be halved\n"),
        "{found}"
    );
    assert!(found.to_string().contains("help: set max_halvings to 1 or more"), "{found}");
    let found = mistakes(&base_with("scheme = \"condensed\"", "energy_limit = -1e-3"));
    assert!(found.to_string().contains("energy_limit is -1e-3, must be zero or positive"), "{found}");
    let found = mistakes(&base_with("scheme = \"condensed\"", "energy_action = \"half\""));
    assert!(found.to_string().contains("did you mean `halve`?"), "{found}");
}

/// Two masses that fly together, of which either takes micro steps.
#[test]
fn rigid_interfaces_join_any_solvers_with_any_micro_steps() {
    let text = |solvers: [&str; 2], counts: [u32; 2]| {
        let side = |k: usize| {
            format!(
                "[[subsystem]]\nname = \"{}\"\nkind = \"linear\"\nsolver = \"{}\"\nmicro_steps = {}\nmass = [{}]\n\
                 velocity = 1\nport = [{{ name = \"end\", coordinates = [0] }}]\n",
                ["a", "b"][k],
                solvers[k],
                counts[k],
                [1.0, 3.0][k],
            )
        };
        format!(
            "schema = 1\ntime = {{ end = 0.01, step = 1e-3 }}\n{}{}[[interface]]\nname = \"joint\"\n\
             between = [\"a.end\", \"b.end\"]\nlaw = \"rigid\"\n",
            side(0),
            side(1)
        )
    };
    let solvers = ["theta", "multistep", "generalized-alpha"];
    for pair in solvers.iter().flat_map(|a| solvers.iter().map(move |b| [*a, *b])) {
        for counts in [[1, 1], [1, 3], [4, 1], [3, 2]] {
            let model = model(&text(pair, counts));
            let mut master = model.build().unwrap();
            let run = master.run(model.time.end, model.time.step, &mut cosimo_master::NoObserver);
            assert!(run.is_ok(), "{pair:?} {counts:?}: {run:?}");
            for subsystem in master.subsystems() {
                let rows = subsystem.rows();
                assert!((rows.velocities[0] - 1.0).abs() < 1e-12, "{pair:?} {counts:?}: {rows:?}");
                assert!((rows.positions[0] - 0.01).abs() < 1e-12, "{pair:?} {counts:?}: {rows:?}");
            }
        }
    }
}
