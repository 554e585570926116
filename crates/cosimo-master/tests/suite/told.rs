//! Warnings and errors as a program sees them that has set up nothing to see them with.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::error::Error;
use std::process::Command;

use cosimo_master::{InitialState, Master, MasterConfig, WarningPlace};
use tracing::subscriber::{NoSubscriber, set_global_default};

use crate::models::bouncing_mass;

/// Says to this program that it is a program of its own, and whether it has a subscriber.
const PROGRAM: &str = "COSIMO_TEST_PROGRAM";

fn projected() -> Master {
    let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
    Master::new(vec![bouncing_mass("ball", 2.0, -0.25)], vec![], config, 0.0).unwrap()
}

#[test]
fn a_warning_goes_to_standard_error_where_nobody_subscribes() {
    if let Ok(subscriber) = std::env::var(PROGRAM) {
        if subscriber == "none-wanted" {
            set_global_default(NoSubscriber::new()).unwrap();
        }
        let _ = projected();
        return;
    }
    let told = |subscriber: &str| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "told::a_warning_goes_to_standard_error_where_nobody_subscribes"]);
        let output = program.env(PROGRAM, subscriber).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let warning = "warning: the initial state violates contact `ball.floor` by a penetration";
    assert!(told("none").contains(warning), "{}", told("none"));
    assert!(!told("none-wanted").contains("warning"), "{}", told("none-wanted"));
}

#[test]
fn a_warning_has_a_time_a_place_and_a_text() {
    let master = projected();
    let [warning] = master.warnings() else { panic!("{:?}", master.warnings()) };
    assert_eq!((warning.time, &warning.place), (0.0, &WarningPlace::Model));
    assert_eq!(warning.to_string(), warning.text);
}

#[test]
fn an_error_that_main_returns_reads_as_a_paragraph() {
    let refused = Master::new(vec![bouncing_mass("ball", 2.0, -0.25)], vec![], MasterConfig::default(), 0.0);
    let error: Box<dyn Error> = refused.unwrap_err().into();
    let shown = format!("Error: {error:?}");
    assert!(shown.starts_with("Error: the initial state violates contact `ball.floor`"), "{shown}");
    assert_eq!(shown, format!("Error: {error}"));
    let unset = Master::new(vec![], vec![], MasterConfig { tolerance: -1.0, ..MasterConfig::default() }, 0.0);
    assert_eq!(format!("{:?}", unset.unwrap_err()), "`tolerance` is -1, must be positive and finite");
}
