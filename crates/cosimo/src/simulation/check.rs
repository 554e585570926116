//! What is wrong with a model.

use super::model::Model;
use super::start::Start;
use super::{Finding, Findings, ModelError};

impl Model {
    /// Reads, builds and couples everything, and tells what is wrong or odd: all mistakes of the file with their positions, or else the first
    /// that building finds; and all warnings up to the start.
    ///
    /// ```
    /// let model = cosimo::Model::parse("schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = -2.0\n");
    /// let findings = model?.check();
    /// let mistake = findings.mistakes().next().unwrap();
    /// assert_eq!(mistake.position(), Some((6, 8)));
    /// assert_eq!(mistake.message, "mass is -2.0, must be positive");
    /// # Ok::<(), cosimo::ModelError>(())
    /// ```
    #[must_use]
    pub fn check(&self) -> Findings {
        match self.prepare(None) {
            Ok(Start { master, file }) => {
                let mut found = file.map(|(_, found)| found).unwrap_or_default();
                found.extend(master.warnings().iter().map(Finding::from));
                Findings::new(found, None)
            }
            Err(error) => Findings::new(mistakes(&error), Some(error)),
        }
    }
}

fn mistakes(error: &ModelError) -> Vec<Finding> {
    match error {
        ModelError::Mistakes { diagnostics } => diagnostics.iter().map(Finding::from).collect(),
        other => vec![Finding::mistake(other)],
    }
}
