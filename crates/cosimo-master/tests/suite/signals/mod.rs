//! Signals between subsystems.
#![expect(clippy::unwrap_used, clippy::panic, reason = "models of tests")]

mod feedback;
mod holds;
mod loops;
mod probe;
mod setup;

use cosimo_control::{ControlLaw, ControllerBuilder, StateSpace};
use cosimo_master::{Assembly, Connection, Master, MasterConfig, SetupError};
use cosimo_subsystem::{Hold, Subsystem};
use nalgebra::DMatrix;

/// A controller with one input or several numbered ones, which are zero where they are not connected.
fn controller(name: &str, law: impl Into<ControlLaw>, hold: Hold) -> Box<dyn Subsystem> {
    let law = law.into();
    let names = match &law {
        ControlLaw::StateSpace(system) if system.d.ncols() > 1 => {
            (0..system.d.ncols()).map(|k| format!("input_{k}")).collect()
        }
        _ => vec!["input".to_owned()],
    };
    let builder = ControllerBuilder::new(name, law).with_hold(hold);
    let builder = names.into_iter().fold(builder, |builder, input| builder.with_default(input, 0.0));
    Box::new(builder.build().unwrap())
}

/// `y = d · u`.
fn gain(name: &str, d: &[f64]) -> Box<dyn Subsystem> {
    controller(name, StateSpace::gain(DMatrix::from_row_slice(1, d.len(), d)), Hold::Held)
}

fn assemble(
    subsystems: Vec<Box<dyn Subsystem>>,
    connections: &[(&str, &str)],
    config: MasterConfig,
) -> Result<Master, SetupError> {
    let connections = connections.iter().map(|(from, to)| Connection::new(from, to)).collect();
    Master::assemble(Assembly { subsystems, connections, ..Assembly::default() }, config, 0.0)
}
