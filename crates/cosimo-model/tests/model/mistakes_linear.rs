//! Mistakes in linear subsystems: shapes, matrices, coordinates.

use super::{assert_mistake, assert_mistake_at, base_with, mistakes, warnings};

const MASS: &str = "mass = [1.0, 2.0, 3.0]";
const STIFFNESS: &str = "stiffness = [[20.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.5]]";

#[test]
fn shapes_must_fit_the_coordinates() {
    assert_mistake(MASS, "mass = [1.0, 2.0]", "mass has 2 entries, must have 3, the number of coordinates");
    assert_mistake(STIFFNESS, "stiffness = [1.0]", "stiffness has 1 entry, must have 3");
    assert_mistake(
        STIFFNESS,
        "stiffness = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]",
        "stiffness has 2 entries, must have 3",
    );
    assert_mistake(
        STIFFNESS,
        "damping = [[1.0, 0.0, 0.0], [0.0, 1.0], [0.0, 0.0, 1.0]]",
        "damping[1] has 2 entries, must have 3, the number of coordinates",
    );
    assert_mistake("position = 0.125", "position = [0.125]", "position has 1 entry, must have 3");
    assert_mistake("rows = [[0.5, 0.5, 0.0]]", "rows = [[0.5, 0.5]]", "rows[0] has 2 entries, must have 3");
    assert_mistake(MASS, "mass = { count = 2, uniform = 1.0 }", "count is 2, must be 3");
}

#[test]
fn the_number_of_coordinates_must_be_known() {
    let unknown = |mass: &str| {
        let text =
            format!("schema=1\ntime={{end=1,step=0.1}}\n[[subsystem]]\nname='a'\nkind='linear'\n{mass}\n");
        mistakes(&text).to_string()
    };
    assert!(
        unknown("mass = 1.0").contains("6:8: mass is one number, but the number of coordinates is not known")
    );
    assert!(unknown("mass = []").contains("6:8: mass is empty"));
    assert!(unknown("mass = { uniform = 1.0 }").contains("6:8: mass has no `count`"));
    assert!(unknown("mass = { count = 0, uniform = 1.0 }").contains("count is 0, must be at least 1"));
    assert!(
        unknown("mass = { count = 1000000, uniform = 1.0 }").contains("too many coordinates, at most 20000")
    );
    assert!(unknown("mass = { count = 'a', uniform = 1.0 }").contains("count is the string \"a\""));
    assert!(unknown("").contains("missing key `mass`"));
    assert!(unknown("coordinates = []\nmass = [1]").contains("coordinates is empty"));
}

#[test]
fn the_mass_must_be_symmetric_and_positive_definite() {
    assert_mistake(MASS, "mass = [1.0, 0.0, 3.0]", "mass[1] is 0.0, must be positive");
    assert_mistake(MASS, "mass = -1", "mass is -1.0 for coordinate 0, must be positive");
    assert_mistake(MASS, "mass = { uniform = 1.0, set = { x1 = -2.0 } }", "mass is -2.0 for coordinate 1");
    assert_mistake(
        MASS,
        "mass = [[1.0, 0.5, 0.0], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]]",
        "mass is not symmetric: entries (0, 1) and (1, 0) differ",
    );
    assert_mistake(
        MASS,
        "mass = [[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]",
        "mass is not positive definite",
    );
}

#[test]
fn stiffness_and_damping_must_not_be_negative() {
    assert_mistake(
        STIFFNESS,
        "stiffness = [1.0, -1.0, 0.0]",
        "stiffness[1] is -1.0, must be zero or positive",
    );
    assert_mistake(STIFFNESS, "damping = -1.0", "damping is -1.0 for coordinate 0, must be zero or positive");
    assert_mistake("stiffness = 7.0", "stiffness = -7.0", "stiffness is -7.0, must be zero or positive");
    assert_mistake_at(
        1,
        "stiffness = 7.0",
        "stiffness = 7.0\ndamping = -7.0",
        "damping is -7.0, must be zero",
    );
}

#[test]
fn an_unsymmetric_stiffness_is_a_warning() {
    let unsymmetric =
        base_with(STIFFNESS, "stiffness = [[20.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.5]]");
    let found = warnings(&unsymmetric);
    assert!(
        found.contains("model.toml:41:13: warning: stiffness is not symmetric: entries (0, 2) and (2, 0)"),
        "{found}"
    );
}

#[test]
fn coordinates_are_looked_up_by_name_and_index() {
    assert_mistake("between = [\"x0\", 1]", "between = [\"xO\", 1]", "no coordinate `xO`");
    assert_mistake("between = [\"x0\", 1]", "between = [\"x0\", 3]", "no coordinate 3, the last one is 2");
    assert_mistake("between = [\"x0\", 1]", "between = [\"x0\", 0]", "between joins a coordinate to itself");
    assert_mistake("between = [\"x0\", 1]", "between = [0]", "between has 1 entry, must have 2");
    assert_mistake("chain = [0, 2]", "chain = [2, 0]", "chain runs backwards");
    assert_mistake(
        "coordinate = \"x2\"",
        "coordinate = 1.5",
        "coordinate is the number 1.5, expected a coordinate",
    );
    assert_mistake("{ x0 = -1.0, 2 = 1.0 }", "{ y0 = -1.0, 2 = 1.0 }", "no coordinate `y0`");
    assert_mistake("{ x0 = -1.0, 2 = 1.0 }", "{ x0 = 0.0 }", "row has only zero weights");
    assert_mistake("coordinates = [2]", "coordinates = [4]", "no coordinate 4");
}

/// A load on what does not exist is reported at its line, with what is near or what there is.
#[test]
fn loads_act_on_coordinates_that_exist() {
    let load = "coordinate = \"x2\"";
    assert_mistake(load, "coordinate = \"x22\"", "help: did you mean `x2`?");
    assert_mistake(load, "coordinate = \"end\"", "help: known: `x0`, `x1`, `x2`");
    assert_mistake(load, "coordinate = 3", "no coordinate 3, the last one is 2");
    assert_mistake(load, "direction = { x0 = 1.0, x22 = 2.0 }", "no coordinate `x22`");
    assert_mistake(load, "direction = [1.0, 2.0]", "direction has 2 entries, must have 3");
    let either = "load[0] of subsystem `chain` must have exactly one of `coordinate`, `direction`";
    assert_mistake_at(-1, load, "", either);
    assert_mistake_at(-1, load, "coordinate = \"x2\"\ndirection = { x0 = 1.0 }", either);
    assert_mistake_at(1, load, "coordinate = \"x2\"\nbody = \"x2\"", "unknown key `body`");
}

#[test]
fn coordinate_names_must_differ() {
    let names = "coordinates = [\"x0\", \"x1\", \"x2\"]";
    let twice = mistakes(&base_with(names, "coordinates = [\"x0\", \"x1\", \"x1\"]")).to_string();
    assert!(twice.contains("the name `x1` is already used (line 39)"), "{twice}");
    assert_mistake(
        names,
        "coordinates = [\"x0\", \"x1\", 2]",
        "coordinates[2] is the integer 2, expected a string",
    );
    assert_mistake(names, "coordinates = [\"x0\", \"x1\", \"2\"]", "must be made of letters");
    let velocity =
        mistakes(&base_with(names, "coordinates = [\"x0\", \"x1\", \"x2\", \"v_x1\"]")).to_string();
    assert!(velocity.contains("is `v_x1`, which is the name of the velocity of `x1`"), "{velocity}");
}

#[test]
fn exactly_one_of_several_keys_must_be_given() {
    let one_of = "must have exactly one of";
    assert_mistake_at(-1, "between = [\"x0\", 1]\n", "", one_of);
    assert_mistake_at(-1, "chain = [0, 2]", "chain = [0, 2]\nground = 0", one_of);
    assert_mistake_at(-2, "rows = [[0.5, 0.5, 0.0]]", "", one_of);
    assert_mistake_at(-1, "coordinate = \"x2\"", "", one_of);
}

#[test]
fn ports_have_one_three_or_six_coordinates() {
    assert_mistake(
        "rows = [[0.5, 0.5, 0.0]]",
        "rows = [[0.5, 0.5, 0.0], [1, 0, 0]]",
        "rows has 2 entries, must have 1, 3 or 6",
    );
    assert_mistake("coordinates = [2]", "coordinates = []", "coordinates has 0 entries, must have 1, 3 or 6");
}

#[test]
fn elimination_is_checked() {
    let with = |elimination: &str| base_with("position = 0.125", &format!("position = 0.125\n{elimination}"));
    let found = mistakes(&with("elimination = { alpha = -1.0, gamma = 2 }")).to_string();
    assert!(found.contains("alpha is -1.0, must be zero or positive"), "{found}");
    assert!(found.contains("unknown key `gamma` in [elimination]"), "{found}");
    let text = with("elimination = {}").replace(
        "[[subsystem.constraint]]\nname = \"link\"\nrow = { x0 = -1.0, 2 = 1.0 }\nvalue = 0.0\n",
        "",
    );
    assert!(warnings(&text).contains("warning: elimination has no effect"));
}

#[test]
fn constraints_must_hold_at_the_start() {
    let found = mistakes(&base_with("value = 0.0", "value = 0.2")).to_string();
    let expected =
        "constraint `link` of subsystem `chain` is violated at the start, by 2.000e-1 m and 0.000e0 m/s";
    assert!(found.contains(expected) && found.contains("  [[subsystem.constraint]]\n"), "{found}");
    let moving = base_with("position = 0.125", "position = 0.125\nvelocity = [1.0, 1.0, 1.5]");
    assert!(mistakes(&moving).to_string().contains("by 0.000e0 m and 5.000e-1 m/s"));
    let tolerant =
        base_with("value = 0.0", "value = 0.2").replace("tolerance = 1e-8", "initial_tolerance = 0.3");
    assert_eq!(warnings(&tolerant), "");
    let stabilised = base_with("value = 0.0", "value = 0.2")
        .replace("position = 0.125", "position = 0.125\nelimination = {}");
    assert!(warnings(&stabilised).contains("Baumgarte's stabilisation removes this"));
}

#[test]
fn angles_are_coordinates() {
    let names = "coordinates = [\"x0\", \"x1\", \"x2\"]";
    assert_mistake_at(1, names, &format!("{names}\nangles = [3]"), "no coordinate 3");
    assert_mistake_at(1, names, &format!("{names}\nangles = \"x1\""), "expected a list of coordinates");
}
