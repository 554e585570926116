//! Builds a model: subsystems, interfaces and master from their specifications.

mod elsewhere;
mod error;
mod frame;
mod interface;

use std::process::Command;

use cosimo_master::{
    Acceleration, Assembly, Connection, Coupling, Discretisation, EnergyAction, Impacts, InitialState,
    Interface, Master, MasterConfig, Scheme, SignalLoops, StepControl, Tangent,
};
use cosimo_subsystem::Subsystem;

use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::{self, AccelerationSpec, MasterSpec};

pub use elsewhere::serve_model;
pub use error::BuildError;
pub(crate) use frame::{Frame, rotation, unit};

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
        self.join(self.build_subsystems()?)
    }

    /// The same where subsystems may run in processes: those of `command`, which call [`serve_model`](crate::serve_model).
    ///
    /// # Errors
    /// As [`build`](Self::build), and what befalls the processes.
    pub fn build_served(&self, command: &dyn Fn() -> Command) -> Result<Master, BuildError> {
        self.join(self.build_subsystems_served(command)?)
    }

    fn join(&self, subsystems: Vec<Box<dyn Subsystem>>) -> Result<Master, BuildError> {
        let (interfaces, connections) = (self.build_interfaces(), self.build_connections());
        let assembly = Assembly { subsystems, interfaces, connections };
        Ok(Master::assemble(assembly, self.build_config(), self.time.start)?)
    }

    /// The settings as the master takes them, with those of the subsystems.
    #[must_use]
    pub fn build_config(&self) -> MasterConfig {
        let coupling = |s: &SubsystemSpec| {
            let coupling = match s.coupling {
                spec::Coupling::Auto => return None,
                spec::Coupling::Exact => Coupling::Exact,
                spec::Coupling::Differenced => Coupling::Differenced,
                spec::Coupling::QuasiNewton => Coupling::QuasiNewton,
                spec::Coupling::Explicit => Coupling::Explicit,
            };
            Some((s.name.clone(), coupling))
        };
        let couplings = self.subsystems.iter().filter_map(coupling).collect();
        let micro_steps = self.subsystems.iter().filter(|s| s.micro_steps > 1);
        let micro_steps = micro_steps.map(|s| (s.name.clone(), s.micro_steps)).collect();
        MasterConfig { couplings, micro_steps, ..self.master.build_config() }
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

impl MasterSpec {
    /// The settings as the master takes them; where the subsystems run is not its business.
    #[must_use]
    pub fn build_config(&self) -> MasterConfig {
        MasterConfig {
            scheme: match self.scheme {
                spec::Scheme::Condensed => Scheme::Condensed,
                spec::Scheme::GaussSeidel => Scheme::GaussSeidel,
                spec::Scheme::Jacobi => Scheme::Jacobi,
            },
            acceleration: match self.acceleration {
                AccelerationSpec::None => Acceleration::None,
                AccelerationSpec::Relaxation { factor } => Acceleration::Relaxation { factor },
                AccelerationSpec::Aitken { first } => Acceleration::Aitken { first },
                AccelerationSpec::IqnIls { reuse, filter } => Acceleration::IqnIls { reuse, filter },
            },
            discretisation: match self.discretisation {
                spec::Discretisation::Impulse => Discretisation::Impulse,
                spec::Discretisation::Position => Discretisation::Position,
            },
            impacts: match self.impacts {
                spec::Impacts::SubStep => Impacts::SubStep,
                spec::Impacts::Plain => Impacts::Plain,
                spec::Impacts::Forecast => Impacts::Forecast,
            },
            load_tangents: self.load_tangents,
            tangent: match self.tangent {
                spec::Tangent::Exact => Tangent::Exact,
                spec::Tangent::Frozen => Tangent::Frozen,
            },
            initial_state: match self.initial_state {
                spec::InitialState::Refuse => InitialState::Refuse,
                spec::InitialState::Project => InitialState::Project,
            },
            signal_loops: match self.signal_loops {
                spec::SignalLoops::Solve => SignalLoops::Solve,
                spec::SignalLoops::Forbid => SignalLoops::Forbid,
            },
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            max_halvings: self.max_halvings,
            initial_tolerance: self.initial_tolerance,
            threads: self.threads,
            step_control: match self.step_control {
                spec::StepControl::Auto => StepControl::Auto,
                spec::StepControl::Fixed => StepControl::Fixed,
                spec::StepControl::Energy => StepControl::Energy,
                spec::StepControl::Error => StepControl::Error,
            },
            energy_tolerance: self.energy_tolerance,
            error_tolerance: self.error_tolerance,
            max_refinements: self.max_refinements,
            energy_action: match self.energy_action {
                spec::EnergyAction::None => EnergyAction::None,
                spec::EnergyAction::Warn => EnergyAction::Warn,
                spec::EnergyAction::Stop => EnergyAction::Stop,
                spec::EnergyAction::Halve => EnergyAction::Halve,
            },
            energy_limit: self.energy_limit,
            ..MasterConfig::default()
        }
    }
}
