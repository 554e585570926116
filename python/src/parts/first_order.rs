//! Systems `ẋ = f(t, x, u)`, `y = g(t, x, u)` in Python.

use cosimo::first_order::{
    FirstOrderSubsystem, FirstOrderSystem, LoadPort, MotionPort, Point, PortMap, SystemError, SystemSize,
};
use cosimo::prelude::Hold;
use cosimo::subsystem::{Quantity, SignalInput, SignalOutput};
use pyo3::prelude::*;

use super::callback::{Callback, Stash};
use super::{Part, rule};
use crate::errors;

/// Name, positions and velocities, loads: by places among outputs and inputs, or the other way about.
type PortRow = (String, Vec<usize>, Vec<usize>, Vec<usize>);
/// Name, unit, `held`, `linear` or `smooth`, default, place.
pub(super) type InputRow = (String, String, String, Option<f64>, usize);
/// Name, unit, inputs that feed through, place.
pub(super) type OutputRow = (String, String, Vec<usize>, usize);

/// A system whose functions are Python's.
struct PythonSystem {
    size: SystemSize,
    nominals: Vec<f64>,
    rates: Callback,
    outputs: Callback,
}

fn failed(reason: String) -> SystemError {
    SystemError::Failed { reason }
}

impl FirstOrderSystem for PythonSystem {
    fn size(&self) -> SystemSize {
        self.size
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        self.rates.call(at.time, &[at.states, at.inputs], rates).map_err(failed)
    }

    fn outputs(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        self.outputs.call(at.time, &[at.states, at.inputs], outputs).map_err(failed)
    }

    fn nominals(&self) -> &[f64] {
        &self.nominals
    }
}

/// What a system consists of; a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SystemRow {
    name: String,
    time: f64,
    states: Vec<f64>,
    nominals: Vec<f64>,
    inputs: Vec<f64>,
    outputs: usize,
    rule: String,
    parameter: Option<f64>,
    motion_ports: Vec<PortRow>,
    load_ports: Vec<PortRow>,
    signals_in: Vec<InputRow>,
    signals_out: Vec<OutputRow>,
    quantities: Vec<(String, String, usize)>,
    energy: (Option<usize>, Option<usize>),
}

impl SystemRow {
    fn map(&self, py: Python<'_>) -> PyResult<PortMap> {
        let motion = |(name, positions, velocities, loads): &PortRow| MotionPort {
            name: name.clone(),
            positions: positions.clone(),
            velocities: velocities.clone(),
            loads: loads.clone(),
            rotation: None,
        };
        let load = |(name, positions, velocities, loads): &PortRow| LoadPort {
            name: name.clone(),
            positions: positions.clone(),
            velocities: velocities.clone(),
            loads: loads.clone(),
            rotation: None,
        };
        Ok(PortMap {
            motion_ports: self.motion_ports.iter().map(motion).collect(),
            load_ports: self.load_ports.iter().map(load).collect(),
            inputs: self.signals_in.iter().map(|own| input(py, own)).collect::<PyResult<_>>()?,
            outputs: self.signals_out.iter().map(output).collect(),
            quantities: self.quantities.iter().map(quantity).collect(),
            energy: [self.energy.0, self.energy.1],
            ..PortMap::default()
        })
    }
}

/// An input, and its place.
pub(super) fn input(py: Python<'_>, row: &InputRow) -> PyResult<(SignalInput, usize)> {
    let (name, unit, hold, default, place) = row.clone();
    let hold = match hold.as_str() {
        "held" => Hold::Held,
        "linear" => Hold::Linear,
        "smooth" => Hold::Smooth,
        _ => {
            let text = format!("input `{name}` is `{hold}`; must be `held`, `linear` or `smooth`");
            return Err(errors::exception(py, "ModelError", (text, Vec::new())));
        }
    };
    Ok((SignalInput { name, unit, hold, default }, place))
}

/// An output, and its place.
pub(super) fn output((name, unit, feed_through, place): &OutputRow) -> (SignalOutput, usize) {
    let (name, unit, feed_through) = (name.clone(), unit.clone(), feed_through.clone());
    (SignalOutput { name, unit, feed_through }, *place)
}

fn quantity((name, unit, place): &(String, String, usize)) -> (Quantity, usize) {
    (Quantity { name: name.clone(), unit: unit.clone() }, *place)
}

/// A system of Python as a part: `rates(t, x, u)` and `outputs(t, x, u)` with the rest of the dictionary.
#[pyfunction]
pub(crate) fn system(py: Python<'_>, row: SystemRow, rates: Py<PyAny>, outputs: Py<PyAny>) -> PyResult<Part> {
    let stash = Stash::new(&row.name);
    let size = SystemSize {
        states: row.states.len(),
        inputs: row.inputs.len(),
        outputs: row.outputs,
        indicators: 0,
    };
    let own = PythonSystem {
        size,
        nominals: row.nominals.clone(),
        rates: Callback::new("rates", rates, &stash),
        outputs: Callback::new("outputs", outputs, &stash),
    };
    let start = Point { time: row.time, states: &row.states, inputs: &row.inputs };
    let rule = rule::rule(py, &row.rule, row.parameter)?;
    let made = FirstOrderSubsystem::new(&row.name, own, rule, row.map(py)?, start);
    match made {
        Ok(subsystem) => Ok(Part::new(subsystem, stash)),
        Err(error) => Err(stash
            .take(py)
            .unwrap_or_else(|| errors::exception(py, "ModelError", (error.to_string(), Vec::new())))),
    }
}
