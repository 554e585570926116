//! Numbers that NumPy looks at without a copy.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Numbers of a series. An array that NumPy makes of it looks at the same memory, cannot be written to, and keeps it alive.
#[pyclass(frozen, module = "cosimo._cosimo")]
pub(crate) struct Samples(pub(crate) cosimo::Samples);

#[pymethods]
impl Samples {
    /// What NumPy asks for: address, shape and type of the numbers, which are never written to.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.0.len(),))?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f8" } else { ">f8" })?;
        interface.set_item("data", (self.0.as_ptr().expose_provenance(), true))?;
        Ok(interface)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}
