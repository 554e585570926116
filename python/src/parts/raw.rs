//! Subsystems in Python that take their steps themselves.

use cosimo::mechanics::{Energy, StepEnergy};
use cosimo::nalgebra::DMatrix;
use cosimo::subsystem::{
    Capabilities, Description, InverseMass, LoadWeights, MacroStep, PortSpec, Quantity, RowMatrix, RowState,
    Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};
use pyo3::prelude::*;

use super::Part;
use super::callback::{Callback, Stash};
use crate::errors;

/// What a step answers with besides its rows and matrices: the four weights of loads.
const WEIGHTS: usize = 4;
/// Port work, external work, dissipated, numerical.
const BOOKS: usize = 4;

/// The functions of a subsystem. All take the time (s) first and give flat lists of numbers.
struct Calls {
    /// Positions and velocities of the rows, kinetic and potential energy.
    state: Callback,
    begin: Callback,
    evaluate: Callback,
    commit: Callback,
    prepare_jump: Callback,
    jump: Callback,
    shift: Callback,
    observe: Callback,
    save: Callback,
    restore: Callback,
}

/// A subsystem whose steps are Python's.
struct Raw {
    description: Description,
    calls: Calls,
    time: f64,
    rows: RowState,
    energy: Energy,
    response: StepResponse,
    prepared: RowMatrix,
    begun: Option<MacroStep>,
    saved: usize,
    statistics: Statistics,
}

impl Raw {
    fn count(&self) -> usize {
        self.rows.positions.len()
    }

    fn failed(&self, size: f64, reason: String) -> SubsystemError {
        let subsystem = self.description.name.clone();
        SubsystemError::BadStep { subsystem, time: self.time, size, reason: reason.into() }
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    /// Reads rows and energy of the present state.
    fn read(&mut self) -> Result<(), SubsystemError> {
        let r = self.count();
        let mut numbers = vec![0.0; 2 * r + 2];
        self.calls.state.call(self.time, &[], &mut numbers).map_err(|text| self.failed(0.0, text))?;
        self.rows.positions.copy_from_slice(&numbers[..r]);
        self.rows.velocities.copy_from_slice(&numbers[r..2 * r]);
        self.energy = Energy { kinetic: numbers[2 * r], potential: numbers[2 * r + 1] };
        Ok(())
    }

    /// Takes over what a step answers: positions, velocities, inverse mass, damped inverse mass, weights.
    fn answer(&mut self, numbers: &[f64]) -> &StepResponse {
        let r = self.count();
        let (rows, rest) = numbers.split_at(2 * r);
        let (matrices, weights) = rest.split_at(2 * r * r);
        let response = &mut self.response;
        response.positions.copy_from_slice(&rows[..r]);
        response.velocities.copy_from_slice(&rows[r..]);
        let matrix = |numbers: &[f64]| DMatrix::from_row_slice(r, r, numbers);
        response.inverse_mass.dense_mut().copy_from(&matrix(&matrices[..r * r]));
        response.damped_inverse_mass.dense_mut().copy_from(&matrix(&matrices[r * r..]));
        let [end, start, position, damping] = [0, 1, 2, 3].map(|k| weights[k]);
        response.weights = LoadWeights { end, start, position, damping };
        response.revision += 1;
        self.statistics.evaluations += 1;
        &self.response
    }

    fn answer_length(&self) -> usize {
        let r = self.count();
        2 * r + 2 * r * r + WEIGHTS
    }
}

impl Subsystem for Raw {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.time)?;
        let mut numbers = vec![0.0; self.answer_length()];
        let begun = self.calls.begin.call(self.time, &[&[step.size], start_loads], &mut numbers);
        begun.map_err(|text| self.failed(step.size, text))?;
        self.begun = Some(step);
        Ok(self.answer(&numbers))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let step = self.step_begun("evaluate")?;
        self.description.check_loads(impulses)?;
        let mut numbers = vec![0.0; self.answer_length()];
        let done = self.calls.evaluate.call(self.time, &[&[step.size], impulses], &mut numbers);
        done.map_err(|text| self.failed(step.size, text))?;
        Ok(self.answer(&numbers))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let step = self.step_begun("commit")?;
        self.description.check_step_loads(loads)?;
        if loads.has_moments {
            let subsystem = self.description.name.clone();
            let action = "take impulses inside a step".into();
            return Err(SubsystemError::Unsupported { subsystem, action });
        }
        let mut books = [0.0; BOOKS];
        let done = self.calls.commit.call(self.time, &[&[step.size], &loads.impulses], &mut books);
        done.map_err(|text| self.failed(step.size, text))?;
        self.time = step.time + step.size;
        self.begun = None;
        self.read()?;
        self.statistics.steps += 1;
        let [port_work, external_work, dissipated, numerical] = books;
        Ok(StepEnergy {
            energy: self.energy,
            port_work,
            external_work,
            dissipated,
            numerical,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.description.check_step(MacroStep { time: self.time, size }, self.time)?;
        let r = self.count();
        let mut numbers = vec![0.0; r * r];
        let done = self.calls.prepare_jump.call(self.time, &[&[size]], &mut numbers);
        done.map_err(|text| self.failed(size, text))?;
        self.discard();
        self.prepared.dense_mut().copy_from(&DMatrix::from_row_slice(r, r, &numbers));
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(impulses)?;
        self.calls.jump.call(self.time, &[impulses], &mut []).map_err(|text| self.failed(0.0, text))?;
        self.read()
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)?;
        self.calls.shift.call(self.time, &[weights], &mut []).map_err(|text| self.failed(0.0, text))?;
        self.read()
    }

    fn observe(&self, out: &mut [f64]) {
        // Numbers that are none: the exception is in the stash, and ends the run with the next call.
        if self.calls.observe.call(self.time, &[], out).is_err() {
            out.fill(f64::NAN);
        }
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut numbers = vec![0.0; 1 + self.saved];
        let (time, states) = numbers.split_at_mut(1);
        time[0] = self.time;
        self.calls.save.call(self.time, &[], states).map_err(|text| self.failed(0.0, text))?;
        Snapshot::encode(&self.description.name, &numbers)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        if values.len() != 1 + self.saved {
            let reason = format!("{} numbers instead of {}", values.len(), 1 + self.saved);
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        }
        self.calls
            .restore
            .call(values[0], &[&values[1..]], &mut [])
            .map_err(|text| self.failed(0.0, text))?;
        self.time = values[0];
        self.begun = None;
        self.statistics.rollbacks += 1;
        self.read()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// What a subsystem consists of; a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SubsystemRow {
    name: String,
    time: f64,
    ports: Vec<(String, usize)>,
    quantities: Vec<(String, String)>,
    saved: usize,
    affine: bool,
    jumps: bool,
}

/// A subsystem of Python as a part; `object` has the functions under their names, with `_` before each.
#[pyfunction]
pub(crate) fn subsystem(py: Python<'_>, row: SubsystemRow, object: &Bound<'_, PyAny>) -> PyResult<Part> {
    let stash = Stash::new(&row.name);
    let call = |name: &'static str| {
        object.getattr(format!("_{name}")).map(|own| Callback::new(name, own.unbind(), &stash))
    };
    let description = Description {
        ports: row.ports.into_iter().map(|(name, size)| PortSpec::new(name, size)).collect(),
        quantities: row.quantities.into_iter().map(|(name, unit)| Quantity { name, unit }).collect(),
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: row.affine,
            can_roll_back: true,
            takes_jumps: row.jumps,
            has_variable_step: true,
            ..Capabilities::default()
        },
        ..Description::new(row.name)
    };
    let refuse = |text: String| errors::exception(py, "ModelError", (text, Vec::new()));
    description.validate().map_err(|error| refuse(error.to_string()))?;
    let r = description.rows();
    let mut raw = Raw {
        calls: Calls {
            state: call("state")?,
            begin: call("begin")?,
            evaluate: call("evaluate")?,
            commit: call("commit")?,
            prepare_jump: call("prepare_jump")?,
            jump: call("jump")?,
            shift: call("project_positions")?,
            observe: call("observe")?,
            save: call("save")?,
            restore: call("restore")?,
        },
        time: row.time,
        rows: RowState { positions: vec![0.0; r], velocities: vec![0.0; r], ..RowState::default() },
        energy: Energy::default(),
        response: StepResponse { damped_inverse_mass: RowMatrix::zeros(r), ..StepResponse::zeros(r) },
        prepared: RowMatrix::zeros(r),
        begun: None,
        saved: row.saved,
        statistics: Statistics::default(),
        description,
    };
    let read = raw.read();
    read.map_err(|error| stash.take(py).unwrap_or_else(|| refuse(error.to_string())))?;
    Ok(Part::new(raw, stash))
}
