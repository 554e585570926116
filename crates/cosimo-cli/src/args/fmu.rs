//! Arguments of `cosimo fmu`.

use std::path::PathBuf;

use cosimo_fmi::unit::FaceKind;

use crate::numbers::{finite, positive};

/// Arguments of `cosimo fmu`.
#[derive(Debug, clap::Args)]
pub(crate) struct FmuArgs {
    /// The unit: a file, or a folder into which one was unpacked
    #[arg(value_name = "FILE.fmu")]
    pub(crate) path: PathBuf,
    /// The face that it is asked for [default: model exchange where it has that]
    #[arg(long, value_enum)]
    pub(crate) face: Option<FaceName>,
    /// Lists all variables
    #[arg(long)]
    pub(crate) all: bool,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Only tells what is in it, and loads nothing of it
    #[arg(long, conflicts_with_all = ["end", "step", "deadline", "out"])]
    pub(crate) no_run: bool,
    /// End of the dry run (s) [default: that of its default experiment]
    #[arg(long, value_name = "TIME", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) end: Option<f64>,
    /// Step of the dry run (s) [default: that of its default experiment]
    #[arg(long, value_name = "H", value_parser = positive)]
    pub(crate) step: Option<f64>,
    /// Time (s) after which a call counts as one that hangs
    #[arg(long, value_name = "SECONDS", value_parser = positive, default_value_t = 60.0)]
    pub(crate) deadline: f64,
    /// Directory for results.csv and plot.svg of the dry run
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces the results of an earlier run
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// Faces as written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FaceName {
    /// It brings its own solver
    CoSimulation,
    /// Our rules integrate it
    ModelExchange,
}

impl From<FaceName> for FaceKind {
    fn from(name: FaceName) -> Self {
        match name {
            FaceName::CoSimulation => Self::CoSimulation,
            FaceName::ModelExchange => Self::ModelExchange,
        }
    }
}
