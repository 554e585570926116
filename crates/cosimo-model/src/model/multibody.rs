//! A multibody subsystem of a model by itself.

use cosimo_multibody::spatial::SpatialSystem;
use nalgebra::Vector3;

use super::ModelSpec;
use crate::build_error::BuildError;
use crate::kinds::SubsystemKind;
use crate::kinds::multibody::{MultibodySpec, SteadySystem};

impl ModelSpec {
    /// The equations of motion of a multibody subsystem alone, as they are at the start of a run; inputs are zero, or hold
    /// joints where they are.
    ///
    /// # Errors
    /// [`BuildError::NoSubsystem`], [`BuildError::NotMultibody`], and those of [`build`](Self::build).
    pub fn spatial_system(&self, subsystem: &str) -> Result<SpatialSystem, BuildError> {
        self.multibody(subsystem)?.spatial_system(subsystem, self.time.start)
    }

    /// The same for an equilibrium that turns with the angular velocity `spin` (rad/s, world axes; zero: at rest) about an axis
    /// through the world's origin:
    ///
    /// - an angle prescribed between the ground and a body about the axis of the turn follows the turn; all other prescribed
    ///   motions are held where they are at the start;
    /// - loads keep what they are at the start;
    /// - in a turn, gravity and loads in world axes have no part across the axis.
    ///
    /// # Errors
    /// As [`spatial_system`](Self::spatial_system).
    pub fn steady_system(&self, subsystem: &str, spin: [f64; 3]) -> Result<SteadySystem, BuildError> {
        self.multibody(subsystem)?.steady_system(subsystem, self.time.start, (Vector3::from(spin), false))
    }

    /// The same with the air of the subsystem, if it has any, in quasi-steady flow: its inflow is that of the last
    /// [start](cosimo_dynamics::ConstrainedSystem::start), none before.
    ///
    /// # Errors
    /// As [`steady_system`](Self::steady_system).
    pub fn steady_system_in_air(&self, subsystem: &str, spin: [f64; 3]) -> Result<SteadySystem, BuildError> {
        self.multibody(subsystem)?.steady_system(subsystem, self.time.start, (Vector3::from(spin), true))
    }

    /// Whether a multibody subsystem has air of its own.
    #[must_use]
    pub fn has_air(&self, subsystem: &str) -> bool {
        self.multibody(subsystem).is_ok_and(|system| system.aerodynamics.is_some())
    }

    fn multibody(&self, subsystem: &str) -> Result<&MultibodySpec, BuildError> {
        let own = self.subsystems.iter().find(|own| own.name == subsystem);
        match own.map(|own| &own.kind) {
            Some(SubsystemKind::Multibody(system)) => Ok(system),
            Some(kind) => {
                Err(BuildError::NotMultibody { subsystem: subsystem.to_owned(), kind: kind.name() })
            }
            None => Err(BuildError::NoSubsystem { subsystem: subsystem.to_owned() }),
        }
    }
}
