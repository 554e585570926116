//! What a unit will be as a subsystem.

use cosimo_fmi::Fmu;
use cosimo_fmi::unit::{FaceKind, UnitError, UnitOptions};
use serde::Serialize;

/// What a unit will be as a subsystem.
#[derive(Debug, Serialize)]
pub(crate) struct Shape {
    pub(crate) face: FaceKind,
    /// How the master can couple it, and why.
    pub(crate) coupling: String,
    pub(crate) ports: Vec<PortReport>,
    pub(crate) inputs: Vec<SignalReport>,
    pub(crate) outputs: Vec<SignalReport>,
    /// Whether a run with it can be resumed in another process.
    pub(crate) can_resume: bool,
}

/// A mechanical port.
#[derive(Debug, Serialize)]
pub(crate) struct PortReport {
    pub(crate) name: String,
    /// Whether it gives motion and takes loads, or takes motion and gives loads.
    pub(crate) gives: &'static str,
    pub(crate) coordinates: usize,
    pub(crate) is_frame: bool,
}

/// An input or output.
#[derive(Debug, Serialize)]
pub(crate) struct SignalReport {
    pub(crate) name: String,
    pub(crate) unit: String,
    /// The value of an input that nothing is connected to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<f64>,
}

impl Shape {
    /// What a unit will be with this face.
    pub(crate) fn of(fmu: &Fmu, face: Option<FaceKind>) -> Result<Self, UnitError> {
        let options = UnitOptions { face, ..UnitOptions::default() };
        let coupling = fmu.coupling_mode(&options)?.to_string();
        let (kind, face) = fmu.face(&options)?;
        let map = fmu.port_map(&options)?;
        let port = |name: &String, gives, coordinates: usize, is_frame: bool| PortReport {
            name: name.clone(),
            gives,
            coordinates: if is_frame { 6 } else { coordinates },
            is_frame,
        };
        let motion = map
            .motion_ports
            .iter()
            .map(|own| port(&own.name, "motion", own.positions.len(), own.rotation.is_some()));
        let loads = map
            .load_ports
            .iter()
            .map(|own| port(&own.name, "loads", own.loads.len(), own.rotation.is_some()));
        let signal = |name: &String, unit: &String, start| SignalReport {
            name: name.clone(),
            unit: unit.clone(),
            start,
        };
        Ok(Self {
            face: kind,
            coupling,
            ports: motion.chain(loads).collect(),
            inputs: map.inputs.iter().map(|(own, _)| signal(&own.name, &own.unit, own.default)).collect(),
            outputs: map.outputs.iter().map(|(own, _)| signal(&own.name, &own.unit, None)).collect(),
            can_resume: face.can_get_and_set_state && face.can_serialize_state,
        })
    }
}
