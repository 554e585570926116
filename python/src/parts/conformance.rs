//! Parts of Python put through the rules of the contract.

use std::cell::RefCell;

use cosimo::mechanics::StepEnergy;
use cosimo::subsystem::conformance::{CheckOutcome, Conformance};
use cosimo::subsystem::{Description, StepLoads, Subsystem, SubsystemError};
use pyo3::prelude::*;

use super::Part;

/// What stands for a part that could not be built: the exception counts, not what is found of it.
struct Absent(Description);

impl Subsystem for Absent {
    fn description(&self) -> &Description {
        &self.0
    }

    fn commit(&mut self, _loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        Ok(StepEnergy::default())
    }
}

/// The rules that parts break which `build()` makes, each with what was found, in steps of this size (s).
#[pyfunction]
pub(crate) fn broken_rules(
    py: Python<'_>,
    build: Py<PyAny>,
    step: f64,
    steps: usize,
    ledger_tolerance: f64,
) -> PyResult<Vec<String>> {
    let raised = RefCell::new(None);
    let make = || {
        let part = build.call0(py).and_then(|part| part.extract::<Py<Part>>(py).map_err(PyErr::from));
        part.and_then(|part| part.get().take(py)).unwrap_or_else(|error| {
            raised.borrow_mut().get_or_insert(error);
            Box::new(Absent(Description::new("absent")))
        })
    };
    let suite = Conformance::new(make).step(step).steps(steps.max(4)).ledger_tolerance(ledger_tolerance);
    let report = suite.check();
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let broken = report.outcomes().iter().filter_map(|(check, outcome)| match outcome {
        CheckOutcome::Failed(found) => Some(format!("{}: {found}", check.rule())),
        _ => None,
    });
    Ok(broken.collect())
}
