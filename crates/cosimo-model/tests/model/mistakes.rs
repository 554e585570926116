//! Mistakes within one table: keys, types, ranges, names.

use super::{BASE, assert_mistake, assert_mistake_at, base_with, mistakes, model};

#[test]
fn a_mistake_is_shown_with_its_line_and_what_would_be_right() {
    let found = mistakes(&base_with("restitution = 0.8", "restitution = 1.3"));
    let expected = "\
model.toml:28:15: restitution is 1.3, must be in [0, 1]
  restitution = 1.3
                ^^^";
    assert_eq!(found.to_string(), expected);
}

#[test]
fn help_follows_the_source_line() {
    let found = mistakes(&base_with("restitution = 0.8", "restitutoin = 0.8"));
    let expected = "\
model.toml:25:1: missing key `restitution` in plane `floor` of subsystem `ball`
  [[subsystem.plane]]
  ^^^^^^^^^^^^^^^^^^^
  help: add `restitution = …`: in [0, 1]

model.toml:28:1: unknown key `restitutoin` in plane `floor` of subsystem `ball`
  restitutoin = 0.8
  ^^^^^^^^^^^
  help: did you mean `restitution`?";
    assert_eq!(found.to_string(), expected);
}

#[test]
fn carets_count_characters_and_keep_tabs() {
    let found = mistakes(&base_with("title = \"Everything\"", "\ttitle = \"Ä\u{fc}\"; x"));
    assert!(found.to_string().contains("  \ttitle = \"Äü\"; x\n  \t            ^"), "{found}");
}

#[test]
fn all_mistakes_are_reported_in_one_go_in_order() {
    let changes = [
        ("end = 2.0", "end = -2.0"),
        ("step = 1e-3", "step = 0"),
        ("scheme = \"condensed\"", "scheme = \"condensd\""),
        ("mass = 1.5", "mass = -1.5"),
        ("restitution = 0.8", "restitution = \"high\""),
        ("restitution = 0.5", "restitution = 1.5"),
        ("radius = 0.25", "radius = 0.25\nsolver = \"theta\""),
        ("coordinate = \"x2\"", "coordinate = \"x3\""),
        ("mass = [1.0, 2.0, 3.0]", "mass = [1.0, nan, -3.0]"),
        ("inertia = 316.4", ""),
        ("\"chain.end\"", "\"chain.mean\""),
        ("gravity = [0, 0, -10]", "gravty = [0, 0, -10]"),
        ("plot = [\"ball.z\", \"chain.x1\"]", "plot = [\"ball.z\", 4]"),
    ];
    let text = changes.iter().fold(BASE.to_owned(), |text, (from, to)| text.replacen(from, to, 1));
    let found = mistakes(&text);
    // Each with the text of its line.
    let expected = [
        ("end is -2.0, must be greater than the start, 0.0", "end = -2.0"),
        ("step is 0, must be positive", "step = 0"),
        ("no scheme `condensd`", "scheme = \"condensd\""),
        ("plot[1] is the integer 4, expected a string", "plot = [\"ball.z\", 4]"),
        ("mass is -1.5, must be positive", "mass = -1.5"),
        ("unknown key `gravty`", "gravty = [0, 0, -10]"),
        ("restitution is the string \"high\", expected a number", "restitution = \"high\""),
        ("mass[1] is nan, must be finite", "mass = [1.0, nan, -3.0]"),
        ("no coordinate `x3`", "coordinate = \"x3\""),
        ("missing key `inertia` in body `rod` of subsystem `rotor`", "[[subsystem.body]]"),
        ("restitution is 1.5, must be in [0, 1]", "restitution = 1.5"),
    ];
    let about: Vec<(&str, &str)> = found
        .iter()
        .map(|mistake| {
            let line = mistake.line().and_then(|line| text.lines().nth(line - 1));
            (mistake.message.as_str(), line.unwrap_or_default())
        })
        .collect();
    assert_eq!(about.len(), expected.len(), "{found}");
    for ((message, line), (start, source)) in about.iter().zip(expected) {
        assert!(message.starts_with(start), "{message} does not start with {start}");
        assert!(line.contains(source), "{message} is reported at `{line}`, not at `{source}`");
    }
    assert_eq!(found.error_count(), expected.len());
}

#[test]
fn mistakes_of_syntax_are_found_with_their_positions() {
    let found = mistakes("schema = 1\nend = \n[time\nstep = 1\n");
    let lines: Vec<_> = found.iter().map(|mistake| mistake.line()).collect();
    assert_eq!(lines, [Some(2), Some(3)], "{found}");
    assert!(found.to_string().starts_with("model.toml:2:"), "{found}");
}

#[test]
fn a_line_has_one_mistake_of_syntax() {
    let found = mistakes("mass = [1, 2\nstiffness = [1, 1]\n");
    assert_eq!(found.error_count(), 1, "{found}");
    assert!(found.to_string().contains("missing comma between array elements"), "{found}");
}

#[test]
fn a_key_given_twice_is_found() {
    let found = mistakes(&base_with("mass = 1.5", "mass = 1.5\nmass = 2.0"));
    assert_eq!(found.iter().next().and_then(|mistake| mistake.line()), Some(21), "{found}");
    assert!(found.to_string().contains("duplicate key"), "{found}");
}

#[test]
fn an_empty_file_lacks_everything() {
    let found = mistakes("").to_string();
    for expected in ["missing key `schema`", "missing table [time]", "the model has no subsystem"] {
        assert!(found.contains(expected), "{found}");
    }
    assert!(found.starts_with("model.toml:1:1: "), "{found}");
    let found = mistakes("schema = 1\nsubsystem = []\ntime = { end = 1, step = 1 }\n").to_string();
    assert!(found.contains("the model has no subsystem"), "{found}");
}

#[test]
fn unknown_keys_are_found_everywhere() {
    assert_mistake("title =", "titel =", "help: did you mean `title`?");
    assert_mistake("tolerance =", "tolerence =", "unknown key `tolerence` in [master]");
    assert_mistake("every =", "evry =", "did you mean `every`?");
    assert_mistake("radius =", "diameter =", "help: known: `name`, `kind`, `mass`, `radius`,");
    assert_mistake("point = [3.75, 0]", "pont = [3.75, 0]", "did you mean `point`?");
    assert_mistake("offset = 0.125", "ofset = 0.325", "unknown key `ofset` in interface `joint`");
    assert_mistake("radius =", "coupling = \"explict\"\nradius =", "did you mean `explicit`?");
    assert_mistake("{ theta = 0.75 }", "{ spectral_radius = 0.75 }", "in the solver of subsystem `rotor`");
    assert_mistake("{ body = \"ground\" }", "{ body = \"ground\", x = 0 }", "unknown key `x` in between[1]");
}

#[test]
fn missing_keys_are_found_at_the_header() {
    assert_mistake("schema = 1", "", "missing key `schema` in the model");
    assert_mistake_at(-1, "end = 2.0", "", "missing key `end` in [time]");
    assert_mistake_at(-3, "mass = 1.5", "", "missing key `mass` in subsystem `ball`");
    assert_mistake_at(-2, "kind = \"planar\"", "", "help: add `kind = …`: \"node\", \"linear\", \"planar\"");
    assert_mistake("{ name = \"centre\" }", "{ }", "missing key `name` in port[0] of subsystem `ball`");
    assert_mistake("{ body = \"ground\" }", "{ point = [0, 0] }", "missing key `body` in between[1]");
    assert_mistake_at(-2, "row = { x0 = -1.0, 2 = 1.0 }", "", "missing key `row` in constraint `link`");
    assert_mistake_at(-2, "between = [\"chain.end\", \"rotor.tip\"]", "", "missing key `between`");
}

#[test]
fn wrong_types_tell_what_was_found_and_what_is_expected() {
    assert_mistake("mass = 1.5", "mass = \"1.5\"", "mass is the string \"1.5\", expected a number");
    assert_mistake(
        "gravity = [0, 0, -10]",
        "gravity = -10",
        "gravity is the integer -10, expected a list of 3 numbers",
    );
    assert_mistake(
        "gravity = [0, 0, -10]",
        "gravity = [0, 0, true]",
        "gravity[2] is the boolean true, expected a number",
    );
    assert_mistake("title = \"Everything\"", "title = 1979-05-27", "title is a date, expected a string");
    assert_mistake("every = 2", "every = 2.5", "every is the number 2.5, expected a whole number");
    assert_mistake(
        "[[subsystem.plane]]",
        "[subsystem.plane]",
        "plane is a table, expected a list of tables: write [[",
    );
    assert_mistake(
        "row = { x0 = -1.0, 2 = 1.0 }",
        "row = 3",
        "row is the integer 3, expected a list of weights, or a table",
    );
    assert_mistake("kind = \"node\"", "kind = 1", "kind is the integer 1, expected a string");
    assert_mistake("{ theta = 0.75 }", "7", "solver is the integer 7, expected the name of a solver");
}

#[test]
fn numbers_must_be_finite() {
    assert_mistake("mass = 1.5", "mass = inf", "mass is inf, must be finite");
    assert_mistake("mass = 1.5", "mass = 1e999", "mass is 1e999, must be finite");
    assert_mistake("value = [0.0, 5.0]", "value = [nan, 5.0]", "value[0] is nan, must be finite");
}

#[test]
fn numbers_must_be_in_range() {
    assert_mistake("mass = 1.5", "mass = 0", "mass is 0, must be positive");
    assert_mistake("radius = 0.25", "radius = -0.25", "radius is -0.25, must be zero or positive");
    assert_mistake("restitution = 0.8", "restitution = -0.1", "restitution is -0.1, must be in [0, 1]");
    assert_mistake("inertia = 316.4", "inertia = -1", "inertia is -1, must be positive");
    assert_mistake("length = 1.0", "length = -1.0", "length is -1.0, must be zero or positive");
    assert_mistake(
        "stiffness = 100.0",
        "stiffness = -100.0",
        "stiffness is -100.0, must be zero or positive",
    );
    assert_mistake("every = 2", "every = 0", "every is 0, must be at least 1");
    assert_mistake("every = 2", "every = -2", "every is -2, must be a whole number from 0");
    assert_mistake("tolerance = 1e-8", "tolerance = 0.0", "tolerance is 0.0, must be positive");
    assert_mistake("tolerance = 1e-8", "max_iterations = 0", "max_iterations is 0, must be at least 1");
    assert_mistake("tolerance = 1e-8", "threads = 0", "threads is 0, must be at least 1");
    assert_mistake("step = 1e-3", "step = -1e-3", "step is -1e-3, must be positive");
    assert_mistake("end = 2.0", "end = 0", "end is 0, must be greater than the start, 0.0");
    assert_mistake("schema = 1", "schema = 2", "schema is 2, must be 1, the version this program reads");
    assert_mistake("{ theta = 0.75 }", "{ theta = 0.4 }", "theta is 0.4, must be in [0.5, 1]");
    assert_mistake(
        "solver = { theta = 0.75 }\n\n[[subsystem.body]]",
        "solver = { method = \"moreau-jean\", theta = 1.5 }\n\n[[subsystem.body]]",
        "theta is 1.5, must be in [0.5, 1]",
    );
}

#[test]
fn directions_must_not_be_zero() {
    assert_mistake(
        "normal = [0, 0, 1]",
        "normal = [0, 0, 0]",
        "normal is [0, 0, 0], must be a direction: not all zero",
    );
    assert_mistake("direction = [0, 0, 3]", "direction = [0, 0.0, -0.0]", "must be a direction");
    assert_mistake("normal = [0, 1]", "normal = [0.0, 0.0]", "must be a direction");
}

#[test]
fn vectors_must_have_the_right_length() {
    assert_mistake("gravity = [0, 0, -10]", "gravity = [0, -10]", "gravity has 2 entries, must have 3");
    assert_mistake("position = [3.75, 0.0]", "position = [3.75]", "position has 1 entry, must have 2");
}

#[test]
fn choices_are_suggested() {
    assert_mistake("scheme = \"condensed\"", "scheme = \"condenced\"", "did you mean `condensed`?");
    assert_mistake(
        "scheme = \"condensed\"",
        "execution = \"parallel\"",
        "known: `in-thread`, `threads`, `processes`",
    );
    assert_mistake("scheme = \"condensed\"", "initial_state = \"projekt\"", "did you mean `project`?");
    assert_mistake("{ theta = 0.75 }", "\"moreau\"", "no solver `moreau`");
    assert_mistake("kind = \"planar\"", "kind = \"planer\"", "did you mean `planar`?");
    assert_mistake("law = \"rigid\"", "law = \"ridig\"", "did you mean `rigid`?");
}

#[test]
fn names_must_be_usable_in_paths_and_differ() {
    assert_mistake(
        "name = \"floor\"",
        "name = \"the floor\"",
        "name is \"the floor\", must be made of letters, digits",
    );
    assert_mistake("name = \"floor\"", "name = \"7\"", "not of digits alone");
    assert_mistake("name = \"floor\"", "name = \"\"", "must be made of letters");
}

#[test]
fn the_first_of_two_equal_names_is_mentioned() {
    let line = |piece: &str| 1 + BASE.lines().position(|line| line == piece).unwrap();
    let plane = "[[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0.8\n";
    let found = mistakes(&base_with(plane, &format!("{plane}{plane}"))).to_string();
    let first = line("name = \"floor\"");
    assert!(found.contains(&format!("the name `floor` is already used (line {first})")), "{found}");
    assert!(found.starts_with(&format!("model.toml:{}:", first + 4)), "{found}");

    let found = mistakes(&base_with("name = \"rotor\"", "name = \"ball\"")).to_string();
    assert!(
        found.contains(&format!("the name `ball` is already used (line {})", line("name = \"ball\""))),
        "{found}"
    );
    let found = mistakes(&base_with("name = \"joint\"", "name = \"ball\"")).to_string();
    assert!(found.contains("the name `ball` is already used"), "{found}");
}

#[test]
fn the_name_of_the_quantities_of_all_contacts_is_taken() {
    for name in ["ball", "joint"] {
        let entry = format!("name = \"{name}\"");
        let found = mistakes(&base_with(&entry, "name = \"contacts\"")).to_string();
        let line = 1 + BASE.lines().position(|line| line == entry).unwrap();
        let told = "the name `contacts` belongs to the quantities of all contacts";
        assert!(found.contains(&format!("model.toml:{line}:8: {told}")), "{found}");
    }
}

#[test]
fn what_is_done_about_unsolved_steps_is_a_choice_of_two() {
    let stop = |value: &str| base_with("[master]", &format!("[master]\non_unsolved = \"{value}\""));
    assert!(model(&stop("stop")).to_toml().contains("on_unsolved = \"stop\""));
    let found = mistakes(&stop("ignore")).to_string();
    assert!(found.contains("on_unsolved") && found.contains("`warn`") && found.contains("`stop`"), "{found}");
}

#[test]
fn tables_over_time_must_be_increasing_and_complete() {
    assert_mistake(
        "time = [0.0, 1.0]",
        "time = [0.0, 0.0]",
        "time[1] is 0.0, must be greater than the time before, 0.0",
    );
    assert_mistake("value = [0.0, 5.0]", "value = [0.0]", "value has 1 entries, time has 2");
    assert_mistake("time = [0.0, 1.0]\nvalue = [0.0, 5.0]", "time = []\nvalue = []", "time is empty");
}

#[test]
fn bodies_are_looked_up() {
    assert_mistake("{ body = \"ground\" }", "{ body = \"grond\" }", "did you mean `ground`?");
    assert_mistake("body = \"rod\"\nnormal", "body = \"rot\"\nnormal", "no body `rot`");
    assert_mistake("body = \"rod\"\nnormal", "body = \"ground\"\nnormal", "no body `ground`");
    assert_mistake("{ body = \"ground\" }", "{ body = \"rod\" }", "between joins a body to itself");
    assert_mistake_at(
        1,
        "name = \"hinge\"",
        "name = \"hinge\"\nbody = 1",
        "unknown key `body` in pin `hinge`",
    );
}

#[test]
fn fewer_than_two_checkpoints_are_no_safety() {
    let with = |line: &str| format!("checkpoint = {{ {line} }}\ntitle = \"Everything\"");
    let mistake =
        |line: &str, expected: &str| assert_mistake("title = \"Everything\"", &with(line), expected);
    mistake("keep = 1", "keep is 1, must be at least 2, as the last one may be damaged");
    mistake("every_seconds = -1.0", "every_seconds is -1.0, must be zero or positive");
    mistake("every_step = 5", "did you mean `every_steps`?");
}

#[test]
fn steps_that_do_not_get_to_the_end_are_refused() {
    let expected = "step is 1e-300, too small to advance the time: t + step is t at t = 2.0";
    assert_mistake("step = 1e-3", "step = 1e-300", expected);
    let expected = "step is 1e-13, with which the run has 2.0e13 steps, at most 1e12 are possible\n  \
                    step = 1e-13\n         ^^^^^\n  help: give a step of 2.0e-12 s or more, or another time span";
    assert_mistake("step = 1e-3", "step = 1e-13", expected);
    let late = "start = 1e16\nend = 2.0e16";
    let found = mistakes(&base_with("end = 2.0", late).replace("step = 1e-3", "step = 1.0")).to_string();
    assert!(
        found.contains("step is 1.0, too small to advance the time: t + step is t at t = 2e16"),
        "{found}"
    );
}

/// The bound is that of memory: 4000 port coordinates, by whatever ports.
#[test]
fn more_port_coordinates_than_memory_has_room_for_are_refused() {
    let text = |ports: usize| {
        let mut text = "schema = 1\ntime = { end = 1.0, step = 0.1 }\n\
            [[subsystem]]\nname = \"a\"\nkind = \"node\"\nmass = 1.0\n"
            .to_owned();
        (0..ports).for_each(|port| text += &format!("[[subsystem.port]]\nname = \"p{port}\"\n"));
        text
    };
    let found = mistakes(&text(1334));
    let mistake = found.iter().next().unwrap();
    assert!(
        mistake
            .message
            .contains("subsystem `a` has ports of 4002 coordinates together, at most 4000 are possible"),
        "{mistake}"
    );
    // The first port beyond: two lines a port after the six of the head.
    assert_eq!((mistake.line(), found.error_count()), (Some(7 + 2 * 1333), 1), "{mistake}");
    crate::model(&text(1333));
}
