//! Force laws in Python.

use cosimo::author::{ForceElement, ForceLaw, LawDerivatives, LawInstant};
use cosimo::nalgebra::DMatrix;
use cosimo::subsystem::PortSpec;
use pyo3::prelude::*;

use super::Part;
use super::callback::{Callback, Stash};

/// Difference of positions and velocities that derivatives are taken by, relative to them or to one.
const DIFFERENCE: f64 = 1e-6;

/// A law whose loads are Python's.
struct PythonLaw {
    port: PortSpec,
    load: Callback,
    energy: Option<Callback>,
}

impl PythonLaw {
    /// Column `k` of the derivative by positions or by velocities.
    fn column(&self, at: &LawInstant<'_>, (by_position, k): (bool, usize), out: &mut DMatrix<f64>) {
        let d = self.port.size;
        let changed = if by_position { at.positions } else { at.velocities };
        let step = DIFFERENCE * changed[k].abs().max(1.0);
        let mut sides = [vec![0.0; d], vec![0.0; d]];
        for (loads, sign) in sides.iter_mut().zip([1.0, -1.0]) {
            let mut moved = changed.to_vec();
            moved[k] += sign * step;
            let (positions, velocities) =
                if by_position { (&moved[..], at.velocities) } else { (at.positions, &moved[..]) };
            self.loads(&LawInstant { positions, velocities, ..*at }, loads);
        }
        for row in 0..d {
            out[(row, k)] = (sides[0][row] - sides[1][row]) / (2.0 * step);
        }
    }
}

impl ForceLaw for PythonLaw {
    fn ports(&self) -> Vec<PortSpec> {
        vec![self.port.clone()]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        // Loads that are none end the run, with the exception that the stash holds.
        if self.load.call(at.time, &[at.positions, at.velocities], out).is_err() {
            out.fill(f64::NAN);
        }
    }

    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives) {
        for k in 0..self.port.size {
            self.column(at, (true, k), &mut out.load_position);
            self.column(at, (false, k), &mut out.load_velocity);
        }
    }

    fn energy(&self, at: &LawInstant<'_>) -> f64 {
        let mut energy = [0.0];
        let told =
            self.energy.as_ref().map(|own| own.call(at.time, &[at.positions, at.velocities], &mut energy));
        if told.is_some_and(|told| told.is_err()) { f64::NAN } else { energy[0] }
    }
}

/// A force law of Python as a part: `load(t, z, v)`, and `energy(t, z, v)` if it stores any.
#[pyfunction]
#[pyo3(signature = (name, port, size, load, energy))]
pub(crate) fn force_law(
    name: &str,
    port: &str,
    size: usize,
    load: Py<PyAny>,
    energy: Option<Py<PyAny>>,
) -> Part {
    let stash = Stash::new(name);
    let law = PythonLaw {
        port: PortSpec::new(port, size),
        load: Callback::new("load", load, &stash),
        energy: energy.map(|own| Callback::new("energy", own, &stash)),
    };
    Part::new(ForceElement::new(name, Box::new(law)), stash)
}
