//! Cosimo for Python: the native half of the package `cosimo`.
//!
//! | where | what |
//! |---|---|
//! | `value` | values of Python as entries of a model file |
//! | `samples` | numbers that NumPy looks at without a copy |
//! | `trajectory` | what a run leaves behind |
//! | `watch` | signals and progress while a run goes on |
//! | `model`, `run` | models, and runs step by step |
//! | `sweep` | many runs of a model |
//! | `parts` | subsystems, controllers, force laws and winds in Python |
//! | `errors` | errors as exceptions |
//!
//! What is pleasant to use stands in Python, in the folder `cosimo`: this half is private to it.

mod errors;
mod model;
mod parts;
mod run;
mod samples;
mod sweep;
mod trajectory;
mod value;
mod watch;

/// The native half of the package.
#[pyo3::pymodule]
mod _cosimo {
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::parts::Part;
    #[pymodule_export]
    use crate::parts::{broken_rules, controller, force_law, subsystem, system};
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::samples::Samples;
    #[pymodule_export]
    use crate::trajectory::{Trajectory, read};
}
