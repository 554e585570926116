//! `kind = "multibody"`: rigid bodies in space with joints and forces.

mod build;
mod contacts;
mod geometry;
mod quantities;
mod read;
mod spec;
mod start;
mod write;

pub(crate) use read::read;
pub use spec::{
    BodyFrameSpec, CourseSpec, ForceLaw, ForceSpec, FormulationSpec, JointFreedom, JointSpec, MeasureSpec,
    MotionSpec, MultibodySpec, PlaceSpec, SensorSpec, SpatialBodySpec, SpatialLoadSpec, SpatialPortSpec,
};

use cosimo_subsystem::Subsystem;

use super::{Finding, Kind, Start};
use crate::build::{BuildError, Frame};
use crate::spec::{PortShape, QuantityName, SolverSpec};
use crate::write::Writer;

/// Name of the kind in the file.
pub(crate) const NAME: &str = "multibody";

impl Kind for MultibodySpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.ports.iter().map(|port| port.shape.named(&port.name)).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn refuses(&self, solver: &SolverSpec) -> Option<&'static str> {
        match *solver {
            SolverSpec::Theta { theta } if theta != 0.5 => Some(
                "of \"theta\", multibody systems have theta = 0.5, the midpoint rule; \"implicit-euler\" is theta = 1",
            ),
            SolverSpec::Theta { .. } if self.formulation != FormulationSpec::StabilisedIndex2 => Some(
                "the midpoint rule goes with formulation = \"stabilised-index-2\"; others with \"generalized-alpha\", \
                 \"multistep\", \"hht\", \"newmark\" or \"implicit-euler\"",
            ),
            SolverSpec::MoreauJean { .. } => Some(
                "a multibody system steps by \"theta\", \"generalized-alpha\", \"multistep\", \"hht\", \"newmark\" or \
                 \"implicit-euler\"; give the contacts to a node that is joined to it",
            ),
            _ => None,
        }
    }

    fn quantities(&self) -> Vec<QuantityName> {
        quantities::quantities(self)
    }

    fn findings(&self, start: &Start) -> Vec<Finding> {
        start::findings(self, start)
    }

    fn write(&self, writer: &mut Writer) {
        write::write(self, writer);
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Ok(Box::new(build::build(self, frame)?))
    }
}
