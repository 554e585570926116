//! Builds a model: subsystems, interfaces and master from their specifications.

mod assignment;
mod interface;
mod nested;
mod network;
mod place;

use std::process::Command;

use cosimo_master::{Assembly, Connection, Coupling, Interface, Master, MasterConfig};
use cosimo_subsystem::Subsystem;

use crate::build_error::BuildError;
use crate::model::ModelSpec;

pub use assignment::{Offered, build_assigned, serve_model};
pub use place::Elsewhere;

impl ModelSpec {
    /// Builds the model at its start, ready for the first step.
    ///
    /// ```
    /// let text = r#"
    /// schema = 1
    /// time = { end = 0.1, step = 1e-3 }
    /// [[subsystem]]
    /// name = "stone"
    /// kind = "node"
    /// mass = 2.0
    /// gravity = [0, 0, -10]
    /// "#;
    /// let (model, _) = cosimo_model::read_model("stone.toml", text, &[])?;
    /// let mut master = model.build()?;
    /// master.run(model.time.end, model.time.step, &mut cosimo_master::NoObserver)?;
    /// assert!((master.subsystems()[0].rows().positions[2] + 0.05).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What cannot be found by reading: constraints that contradict each other, an initial state that violates an
    /// interface or a contact, a thread that cannot be started. [`BuildError::NoServer`]: the model wants processes.
    pub fn build(&self) -> Result<Master, BuildError> {
        self.assemble(self.build_subsystems()?)
    }

    /// The same where subsystems may run in processes: those of `command`, which call [`serve_model`](crate::serve_model).
    ///
    /// # Errors
    /// As [`build`](Self::build), and what befalls the processes.
    pub fn build_served(&self, command: &dyn Fn() -> Command) -> Result<Master, BuildError> {
        self.assemble(self.build_subsystems_served(command)?)
    }

    /// A master of the subsystems of this model, in its order, wherever they were built.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn assemble(&self, subsystems: Vec<Box<dyn Subsystem>>) -> Result<Master, BuildError> {
        let (interfaces, connections) = (self.build_interfaces(), self.build_connections());
        let assembly = Assembly { subsystems, interfaces, connections, ..Assembly::default() };
        Ok(Master::assemble(assembly, self.build_config(), self.time.start)?)
    }

    /// The settings as the master takes them, with those of the subsystems.
    #[must_use]
    pub fn build_config(&self) -> MasterConfig {
        let given = self.subsystems.iter().filter(|s| s.coupling != Coupling::Auto);
        let couplings = given.map(|s| (s.name.clone(), s.coupling)).collect();
        let micro_steps = self.subsystems.iter().filter(|s| s.micro_steps > 1);
        let micro_steps = micro_steps.map(|s| (s.name.clone(), s.micro_steps)).collect();
        MasterConfig { couplings, micro_steps, ..self.master.clone() }
    }

    /// The interfaces as the master takes them.
    #[must_use]
    pub fn build_interfaces(&self) -> Vec<Interface> {
        self.interfaces.iter().map(|interface| interface::build(self, interface)).collect()
    }

    /// The connections as the master takes them.
    #[must_use]
    pub fn build_connections(&self) -> Vec<Connection> {
        self.connections.iter().map(|connection| Connection::new(&connection.from, &connection.to)).collect()
    }
}
