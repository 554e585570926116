//! A model, the values of its runs, and what is kept of each.
//!
//! | file | subject |
//! |---|---|
//! | `source.rs` | the model of a run |
//! | `files.rs` | files that they are read from |
//! | `probe.rs` | what is checked before the first run |
//! | `row.rs` | what a run leaves |
//! | `single.rs` | one run |
//! | `runner.rs` | how runs are done |
//! | `crew.rs` | all runs, over several threads |

mod crew;
mod files;
mod probe;
mod row;
mod runner;
mod single;
mod source;

use serde::{Deserialize, Serialize};

pub use row::{Costs, Row, Status};
pub use runner::{Runner, Server};
pub use source::Source;

use crate::cases::{Axis, Cases, check_apart};
use crate::outputs::{Output, Wanted};
use crate::{MOST_NUMBERS, StudyError};

/// A sweep: everything that decides what its table has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    title: String,
    source: Source,
    cases: Cases,
    outputs: Vec<Output>,
    /// The entry over which the figure shows outputs, where it is said.
    over: Option<String>,
    /// Whether a process can hold units of one run only.
    has_single_units: bool,
}

impl Study {
    /// Checks what can be before the first run: that there is a case whose model can be read and built, and that it has what is wanted.
    /// By default the last values of what the model plots are kept.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn new(
        source: Source,
        cases: Cases,
        wanted: &[Wanted],
        server: Option<Server<'_>>,
    ) -> Result<Self, StudyError> {
        let fixed: Vec<&str> = source.set().collect();
        cases.keys().try_for_each(|key| check_apart(key, &fixed))?;
        let found = probe::probe(&source, &cases, server)?;
        let outputs = crate::outputs::choose(wanted, &found.known)?;
        let numbers = cases.len().saturating_mul(outputs.len() + cases.keys().count());
        if numbers > MOST_NUMBERS {
            return Err(StudyError::Many { numbers });
        }
        let (title, has_single_units) = (found.title, found.has_single_units);
        Ok(Self { title, source: source.in_one_text(), cases, outputs, over: None, has_single_units })
    }

    /// Chooses the entry over which the figure shows outputs.
    ///
    /// # Errors
    /// [`StudyError::Over`]: it is not varied, or not by numbers alone.
    pub fn with_figure_over(mut self, key: &str) -> Result<Self, StudyError> {
        let has_numbers = |axis: &Axis| axis.is_of_numbers(key);
        if !self.cases.axes().iter().any(has_numbers) {
            let keys: Vec<&str> = self.cases.keys().collect();
            return Err(StudyError::Over { key: key.to_owned(), keys: keys.join("`, `") });
        }
        self.over = Some(key.to_owned());
        Ok(self)
    }

    /// Says where the model file is in a way that holds in every working directory.
    #[must_use]
    pub fn with_model_at(self, name: impl Into<String>) -> Self {
        Self { source: self.source.at(name.into()), ..self }
    }

    /// Title of the model; may be empty.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its runs.
    #[must_use]
    pub fn cases(&self) -> &Cases {
        &self.cases
    }

    /// What is kept of each.
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The entry over which the figure shows outputs, where it is said.
    #[must_use]
    pub fn over(&self) -> Option<&str> {
        self.over.as_deref()
    }
}
