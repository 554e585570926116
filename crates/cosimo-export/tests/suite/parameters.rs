//! Parameters that follow others by formulas.

use cosimo_fmi_export::ExportedUnit;

use super::{Driven, MODEL, exact};

/// The mass with a stiffness that follows from a parameter of the file by two formulas.
fn derived() -> String {
    let model = MODEL.replace("stiffness = [500.0]", "stiffness = [\"= twice + 100\"]");
    let own = "[\"mass.stiffness\", \"mass.position\", \"control.proportional\"]";
    model.replace(own, "[\"parameters.k\", \"parameters.twice\", \"mass.stiffness\"]")
        + "[parameters]\nk = 200.0\ntwice = \"= 2*k\"\n"
}

fn numbers(driven: &mut Driven) -> [f64; 3] {
    ["k", "twice", "mass.stiffness"].map(|name| driven.get(name))
}

#[test]
fn what_the_host_has_not_set_follows_its_formula() {
    let mut driven = Driven::new(&derived());
    assert_eq!(numbers(&mut driven), [200.0, 400.0, 500.0]);
    driven.set("k", 300.0);
    driven.steps(2e-3, 200);
    assert_eq!(numbers(&mut driven), [300.0, 600.0, 700.0]);
    let first = exact(700.0, 0.0, [0.05, 0.0], 0.4);
    let error = driven.get("mass.tip.position") - first[0];
    assert!(error.abs() < 1e-5, "{error}");
    let state = driven.unit.save().unwrap();

    // What it has set stays.
    driven.set("twice", 500.0);
    driven.set("k", 100.0);
    driven.steps(2e-3, 100);
    assert_eq!(numbers(&mut driven), [100.0, 500.0, 600.0]);
    let second = exact(600.0, 0.0, first, 0.2);
    let error = driven.get("mass.tip.position") - second[0];
    assert!(error.abs() < 2e-5, "{error}");

    // A state knows what was set.
    driven.unit.restore(&state).unwrap();
    driven.time = 0.4;
    driven.set("k", 250.0);
    driven.steps(2e-3, 1);
    assert_eq!(numbers(&mut driven), [250.0, 500.0, 600.0]);
}
