//! Connections that cannot be made.

use cosimo_control::{ControllerBuilder, Pid};
use cosimo_master::{MasterConfig, SetupError, SignalError};
use cosimo_subsystem::{Hold, Subsystem};

use super::probe::probe;
use super::{assemble, gain};

fn pid() -> Box<dyn Subsystem> {
    let built = ControllerBuilder::new("pid", Pid::new(1.0, 0.0)).with_units(["m"], ["N"]);
    Box::new(built.with_default("setpoint", 0.0).build().unwrap())
}

fn rejection(connections: &[(&str, &str)]) -> SignalError {
    let source = probe("source", Hold::Held, |t| t).0;
    let subsystems = vec![source, pid(), gain("gain", &[1.0])];
    match assemble(subsystems, connections, MasterConfig::default()) {
        Err(SetupError::Signals(error)) => error,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn what_cannot_be_connected_is_named_with_the_way_out() {
    let fine = ("source.y", "pid.measurement");
    let error = rejection(&[("source.z", "pid.measurement")]);
    assert!(matches!(error, SignalError::Unknown { what: "output", .. }), "{error}");
    assert!(error.to_string().contains("source.y, pid.output, gain.output"), "{error}");
    let error = rejection(&[fine, ("source.y", "pid.nothing")]);
    assert!(matches!(error, SignalError::Unknown { what: "input", .. }), "{error}");
    assert!(error.to_string().contains("pid.setpoint, pid.measurement"), "{error}");
    let error = rejection(&[fine, ("pid.output", "pid.setpoint")]);
    assert!(matches!(error, SignalError::Units { .. }), "{error}");
    assert!(error.to_string().contains("in `N`") && error.to_string().contains("takes `m`"), "{error}");
    let error = rejection(&[fine, ("source.y", "pid.measurement")]);
    assert!(matches!(error, SignalError::ConnectedTwice { .. }), "{error}");
    let error = rejection(&[("source.y", "pid.setpoint")]);
    assert!(matches!(error, SignalError::NotConnected { .. }), "{error}");
    assert!(
        error.to_string().contains("pid.measurement") && error.to_string().contains("source.y"),
        "{error}"
    );
}
