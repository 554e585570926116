//! What a server has for masters.

use cosimo_subsystem::{Subsystem, SubsystemError};

/// What a server makes of the assignments of masters. A function that makes subsystems takes every assignment.
pub trait Offering {
    /// Whether a master with this assignment gets a subsystem: asked before it takes the place of another.
    ///
    /// # Errors
    /// What the master is told. Default: none is refused.
    fn check(&self, _assignment: &[u8]) -> Result<(), SubsystemError> {
        Ok(())
    }

    /// Makes a subsystem.
    ///
    /// # Errors
    /// What the master is told.
    fn make(&self, assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>;
}

impl<F: Fn(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>> Offering for F {
    fn make(&self, assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
        self(assignment)
    }
}
