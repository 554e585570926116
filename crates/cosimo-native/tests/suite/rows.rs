//! ConstrainedRows of coordinates that there are not are errors of `build`.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, SystemError};
use cosimo_native::{MechanismBuilder, MechanismError};
use nalgebra::DMatrix;

fn system() -> LinearSystem {
    LinearSystem::new(DMatrix::from_diagonal_element(1, 1, 2.0)).unwrap()
}

fn builder(system: LinearSystem) -> MechanismBuilder {
    MechanismBuilder::new("mass", system).with_initial_state(vec![0.0], vec![0.0])
}

fn rows(row: LinearRow) -> LinearRows {
    LinearRows(vec![row])
}

#[track_caller]
fn assert_refused(builder: MechanismBuilder, expected: &str) {
    let error = builder.build().map(|_| ()).unwrap_err();
    assert!(matches!(error, MechanismError::System { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("subsystem `mass`: {expected}"));
}

#[test]
fn rows_of_other_coordinates_are_refused() {
    let seventh = || LinearRow::coordinate(7);
    let expected = |row: &str| format!("a {row} observes coordinate 7, counted from 0, of a system of 1");
    assert_refused(builder(system()).with_ports(&[("end", 1)], rows(seventh())), &expected("port"));
    assert_refused(builder(system()).with_contacts(&[("stop", 0.5)], rows(seventh())), &expected("contact"));
    assert_refused(builder(system().with_constraint(seventh())), &expected("constraint"));
    let fits = builder(system()).with_ports(&[("end", 1)], rows(LinearRow::coordinate(0)));
    fits.build().unwrap();
}

#[test]
fn rows_that_are_not_finite_are_refused() {
    let infinite = LinearRow { weights: vec![(0, f64::INFINITY)], offset: 0.0 };
    let none = LinearRow { weights: vec![(0, 1.0)], offset: f64::NAN };
    for row in [infinite, none] {
        assert_refused(
            builder(system()).with_ports(&[("end", 1)], rows(row)),
            &SystemError::NotFinite { quantity: "port" }.to_string(),
        );
    }
}
