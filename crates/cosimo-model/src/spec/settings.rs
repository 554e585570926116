//! Settings of a run: time, recording, checkpoints.

use serde::Serialize;

/// Time span and macro step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeSpec {
    /// Start of the run (s). Default: 0.
    pub start: f64,
    /// End of the run (s), after the start; need not be a multiple of the step.
    pub end: f64,
    /// Macro step (s), positive.
    pub step: f64,
}

/// What is recorded and plotted; patterns are names of quantities in which `*` stands for anything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordSpec {
    /// Every how many macro steps to record, at least 1; the first and the last are always recorded. Default: 1.
    pub every: u32,
    /// Patterns of the quantities to record; each matches at least one. Default: everything.
    pub quantities: Vec<String>,
    /// Patterns of the recorded quantities to plot. Default: the first position-like ones, or where there are none the first signals of one unit, at most 6.
    pub plot: Vec<String>,
    /// Poses and forces of contacts that are recorded per simulated second; 0 for none. Default: 60, or as many as make 500 in the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames_per_second: Option<f64>,
    /// Names of [`RESULT_FORMATS`] in which the results are written besides. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<String>,
}

/// Names of the formats of other tools in which results can be written.
pub const RESULT_FORMATS: [&str; 7] = ["parquet", "matlab", "mcap", "gltf", "paraview", "pdf", "png"];

impl Default for RecordSpec {
    fn default() -> Self {
        Self {
            every: 1,
            quantities: vec!["*".to_owned()],
            plot: Vec::new(),
            frames_per_second: None,
            formats: Vec::new(),
        }
    }
}

/// What of the model is shown where it is exported as a unit for other tools.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ExportSpec {
    /// Paths of entries that become parameters, as in overrides, `subsystem.` left out. Default: none.
    pub parameters: Vec<String>,
    /// Patterns of quantities that become outputs, besides signals and open ports. Default: none.
    pub quantities: Vec<String>,
    /// Ports that are open to the outside, `subsystem.port`. Default: all that give motion and are joined to nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ports: Option<Vec<String>>,
}

impl ExportSpec {
    /// What paths of parameters of the file, rather than of its entries, begin with.
    pub const OF_FILE: &str = "parameters.";

    /// Whether parameters of the file are among those of the unit: what they change stands in the file as it is written.
    #[must_use]
    pub fn has_file_parameters(&self) -> bool {
        self.parameters.iter().any(|path| path.starts_with(Self::OF_FILE))
    }
}

/// When the state of a run is saved, to go on from it after the process has ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CheckpointSpec {
    /// Every how many macro steps; 0 for never. Default: 0.
    pub every_steps: u32,
    /// After how much wall time (s), not negative; 0 for never. Default: 60.
    pub every_seconds: f64,
    /// How many checkpoints are kept, at least 2. Default: 2.
    pub keep: u32,
}

impl Default for CheckpointSpec {
    fn default() -> Self {
        Self { every_steps: 0, every_seconds: 60.0, keep: 2 }
    }
}

/// How many quantities are plotted by default.
pub(crate) const PLOT_LIMIT: usize = 6;
