//! Winds in Python.

use cosimo::aerodynamics::RotorAerodynamics;
use cosimo::aerodynamics::spec::RotorSpec;
use cosimo::aerodynamics::wind::Wind;
use cosimo::nalgebra::Vector3;
use pyo3::prelude::*;

use super::Part;
use super::callback::{Callback, Stash};
use crate::errors;

/// A wind whose velocity is Python's.
#[derive(Debug)]
struct PythonWind(Callback);

impl Wind for PythonWind {
    fn velocity(&self, position: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let mut velocity = Vector3::zeros();
        // A velocity that is none ends the run, with the exception that the stash holds.
        match self.0.call(time, &[position.as_slice()], velocity.as_mut_slice()) {
            Ok(()) => velocity,
            Err(_) => Vector3::repeat(f64::NAN),
        }
    }
}

/// A rotor in a wind of Python as a part: `wind(t, position)` gives the velocity (m/s) in the axes of space.
pub(crate) fn wind_of(py: Python<'_>, name: &str, spec: &RotorSpec, wind: Py<PyAny>) -> PyResult<Part> {
    let stash = Stash::new(name);
    let wind = PythonWind(Callback::new("wind", wind, &stash));
    let made = spec
        .build_in(Box::new(wind))
        .and_then(|rotor| RotorAerodynamics::of(name, rotor, spec.records_sections));
    match made {
        Ok(rotor) => Ok(Part::new(rotor, stash)),
        Err(error) => Err(errors::exception(py, "ModelError", (error.to_string(), Vec::new()))),
    }
}
