//! Mistakes in the data of a rotor and its blades.

use super::mistakes;

const AIR: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }
[[subsystem]]
name = "air"
kind = "rotor-aerodynamics"
blades = 4
radius = 7.49
nominal_speed = 28.0
wind = { kind = "uniform", velocity = [10, 0, 0] }
[subsystem.blade]
stations = [0.43, 7.49]
span = [2.08, 7.49]
chord = [[2.08, 7.49, 0.537, 0.537]]
airfoils = [{ from = 2.08, to = 7.49, airfoil = { kind = "naca0012" } }]
"#;

const BLADE: &str = include_str!("../../../../examples/puma-drop/model.toml");

/// Asserts that a replacement gives one mistake, on the line of this text.
#[track_caller]
fn assert_one(text: &str, (piece, replacement): (&str, &str), line: &str, expected: &str) {
    assert!(text.contains(piece), "`{piece}`");
    let text = text.replacen(piece, replacement, 1);
    let found = mistakes(&text);
    let [mistake] = found.iter().collect::<Vec<_>>()[..] else { panic!("not one mistake:\n{found}") };
    let number = mistake.line().unwrap();
    assert!(text.lines().nth(number - 1).unwrap().starts_with(line), "{mistake}");
    assert!(mistake.to_string().contains(expected), "`{expected}` is not in\n{mistake}");
}

#[test]
fn tables_of_blades_with_a_gap_are_told_with_their_line() {
    let gap = ("0.73,0.754,16.175,16.175\n", "");
    assert_one(BLADE, gap, "mass = ", "follows one that ends at 0.73 m; segments must follow each other");
}

#[test]
fn airfoils_that_leave_out_angles_are_told_at_the_blade() {
    let block = |name: &str| format!("coef,alpha_deg,0,1\n{name},-90,0,0\n{name},90,0,0\n");
    let table = ["cl", "cd", "cm"].map(block).concat();
    let airfoil = format!("{{ kind = \"csv\", text = {table:?} }}");
    let change = ("{ kind = \"naca0012\" }", &*airfoil);
    assert_one(AIR, change, "[subsystem.blade]", "180");
}

#[test]
fn a_wind_that_is_not_finite_is_told_where_it_stands() {
    for number in ["inf", "nan"] {
        let wind = format!("velocity = [{number}, 0, 0]");
        assert_one(AIR, ("velocity = [10, 0, 0]", &wind), "wind = ", "finite");
    }
}
