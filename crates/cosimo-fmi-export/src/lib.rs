//! Simulation units as FMUs: FMI 2.0 and 3.0, for co-simulation, without a compiler.
//!
//! An FMU holds an executable of its maker, here called the server, and a small binary, the shim, which starts the server and
//! asks it (crate `cosimo-fmi-shim`). So a maker of FMUs
//!
//! 1. implements [`ExportedUnit`] for what it simulates,
//! 2. has a command that builds the unit and gives it to [`serve_host`],
//! 3. describes the unit by a [`UnitDescription`] and calls [`write_fmu`] with the executable that has this command.
//!
//! ```text
//! modelDescription.xml
//! terminalsAndIcons/terminalsAndIcons.xml     FMI 3, where there are terminals
//! binaries/x86_64-linux/<identifier>.so       the shim (`binaries/linux64` for FMI 2)
//! resources/cosimo-fmu.txt                    what the shim starts, and the variables
//! resources/<server>                          the executable
//! resources/<payload>                         what the server reads, as a model file
//! ```
//!
//! | module | what |
//! |---|---|
//! | `description` | what is said of a unit |
//! | `check` | what a description must be |
//! | `layout` | numbers and value references of variables |
//! | `xml`, `units`, `names`, `description_xml` | the files of XML |
//! | `archive` | the FMU |
//! | `unit`, `serve` | the server |
//! | [`protocol`] | messages between shim and server |

pub mod protocol;

mod archive;
mod check;
mod description;
mod description_xml;
mod error;
mod layout;
mod names;
mod serve;
mod unit;
mod units;
mod xml;

pub use archive::write_fmu;
pub use description::{
    Capabilities, Causality, DefaultExperiment, ExportedVariable, FmiVersion, InnerImpacts, TerminalMember,
    TerminalSpec, UnitDescription, Variability,
};

pub use error::ExportError;
pub use protocol::{Change, EventOutcome, Experiment, Kind, Message, Severity, Step, StepOutcome, Value};
pub use serve::serve;
#[cfg(unix)]
pub use serve::serve_host;
pub use unit::ExportedUnit;
