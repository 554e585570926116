//! `kind = "multibody"`: rigid bodies in space with joints and forces.

mod beam;
mod build;
mod contacts;
mod geometry;
mod inputs;
mod quantities;
pub(crate) mod read;
mod spec;
mod start;
mod steady;
mod turns;

pub use spec::{
    AerodynamicsSpec, BeamSpec, BodyFrameSpec, CamSpec, CarriedFrameSpec, ContactShapeSpec, EquilibriumSpec,
    FilmSpec, ForceLaw, ForceSpec, GearLaw, GearSpec, JointFreedom, JointSpec, LoadActionSpec, LoadAxes,
    LoadSizeSpec, MatchedBodies, MeasureSpec, MotionSpec, MultibodySpec, PlaceSpec, PortPlaceSpec,
    RopePointSpec, RopeSpec, RotorFramesSpec, SectionSpec, SectionTablesSpec, SectionsSpec, SensorSpec, Side,
    SignalSpec, SpatialBodySpec, SpatialContactSpec, SpatialLoadSpec, SpatialPortSpec, TimeFunctionSpec,
};

pub use steady::{SteadyChange, SteadySystem};

use cosimo_mechanics::{ContactLaw, TimeFunction};
use cosimo_smooth::dae::Formulation;
use cosimo_subsystem::Subsystem;
use toml::{Table, Value};

use super::contact_law::nonsmooth_quantities;
use super::{Diagnostic, Kind, NamedTable, Rejection, Start};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, SignalShape, SolverSpec};
use crate::toml::References;

/// Name of the kind in the file.
pub(crate) const NAME: &str = "multibody";

impl Kind for MultibodySpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.ports.iter().map(|port| port.shape(&self.sensors)).collect()
    }

    fn has_contacts(&self) -> bool {
        !self.contacts.is_empty()
    }

    fn refuses(&self, solver: &SolverSpec) -> Option<Rejection> {
        let (key, help) = match *solver {
            SolverSpec::Theta { theta } if theta != 0.5 => (
                "solver",
                "of \"theta\", multibody systems have theta = 0.5, the midpoint rule; \"implicit-euler\" is theta = 1",
            ),
            SolverSpec::Theta { .. } if !imposes_velocities(self.formulation) => (
                "formulation",
                "the reactions of the midpoint rule are means over a step, which impose velocities: it goes with formulation = \
                 \"stabilised-index-2\" or \"index-2\"; use one of these, or solver = \"generalized-alpha\", \"multistep\", \
                 \"bdf\" or another that goes with all formulations",
            ),
            SolverSpec::Bdf { order: 2.. } if self.takes_loads() => (
                "solver",
                "at joints, \"bdf\" of order 2 to 5 has no past that it could begin with: its points before the start know nothing of the loads of \
                 joints and contacts, and an impact leaves it none; \"multistep\" with spectral_radius = 0 is backward differentiation of \
                 order 2 that starts by itself, and may be joined, as \"bdf\" of order 1 may; or remove the ports and contacts",
            ),
            SolverSpec::AdaptiveBdf { .. } if self.formulation == Formulation::Position => (
                "formulation",
                "its steps change, which makes reactions and velocities of \"index-3\" jump, so that the error stays above the \
                 tolerance; use \"stabilised-index-1\" or \"stabilised-index-2\"",
            ),
            SolverSpec::AdaptiveBdf { .. } if self.takes_loads() => (
                "solver",
                "it chooses its own steps between communication points, whose answer to the loads of ports and contacts is not known; use \
                 \"generalized-alpha\" or \"multistep\" with step_control in [master], or remove the ports and contacts",
            ),
            _ => return None,
        };
        Some(Rejection { key, help })
    }

    fn inputs(&self) -> Vec<SignalShape> {
        inputs::inputs(self)
    }

    fn outputs(&self) -> Vec<SignalShape> {
        quantities::of_sensors(self).map(|shown| SignalShape::output(shown.name, shown.unit)).collect()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        quantities::quantities(self)
    }

    fn contact_laws(&self) -> Vec<ContactLaw> {
        self.contacts.iter().map(|contact| contact.law).collect()
    }

    fn nonsmooth_quantities(&self) -> Vec<QuantityName> {
        let mut all = quantities::of_joint_impulses(self);
        all.extend(nonsmooth_quantities(self.contacts.iter().map(|contact| contact.name.as_str())));
        all
    }

    fn tables(&self) -> Vec<NamedTable<'_>> {
        let loads = self.loads.iter().enumerate();
        let loads = loads.filter_map(|(index, load)| Some(NamedTable::of_load((index, load.table()?))));
        loads
            .chain(self.joints.iter().enumerate().filter_map(|(index, joint)| of_motion(index, joint)))
            .collect()
    }

    fn findings(&self, start: &Start) -> Vec<Diagnostic> {
        start::findings(self, start)
    }

    /// The nodes of beams are bodies that a file does not have, and nothing slides at a stop of a sensor.
    fn complete(&self, table: &mut Table) {
        let bodies = self.bodies.iter().map(|body| body.name.as_str()).collect();
        References { keys: &["body", "bodies", "hub", "frames"], names: bodies }.put_into(table);
        let sensors = self.sensors.iter().map(|sensor| sensor.name.as_str()).collect();
        References { keys: &["sensor", "sensors", "held"], names: sensors }.put_into(table);
        if let Some(Value::Array(bodies)) = table.get_mut("body") {
            bodies.truncate(self.single_bodies().len());
        }
        let contacts = table.get_mut("contact").and_then(Value::as_array_mut).into_iter().flatten();
        let stops = self.contacts.iter().zip(contacts.filter_map(Value::as_table_mut));
        for (_, stop) in stops.filter(|(contact, _)| matches!(contact.shape, ContactShapeSpec::Stop { .. })) {
            stop.remove("friction");
        }
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        match frame.solver {
            SolverSpec::Nonsmooth(scheme) => Ok(Box::new(build::build_nonsmooth(self, frame, scheme)?)),
            _ => Ok(Box::new(build::build(self, frame)?)),
        }
    }
}

impl MultibodySpec {
    /// Whether loads from outside act on it: of ports or contacts.
    fn takes_loads(&self) -> bool {
        !(self.ports.is_empty() && self.contacts.is_empty())
    }
}

/// The table of a joint that prescribes one.
fn of_motion(index: usize, joint: &JointSpec) -> Option<NamedTable<'_>> {
    let TimeFunction::Curve(curve) = joint.freedom.motion()?.function()? else { return None };
    Some(NamedTable { key: "joint", index, name: format!("`{}`", joint.name), table: curve.table() })
}

/// Whether the constraints stand in the balance of forces as those of velocities, which the midpoint rule asks for.
fn imposes_velocities(formulation: Formulation) -> bool {
    matches!(formulation, Formulation::Velocity | Formulation::PositionVelocity)
}
