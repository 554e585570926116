//! A model, the values of its runs, and what is kept of each.
//!
//! | file | subject |
//! |---|---|
//! | `source.rs` | the model of a run |
//! | `probe.rs` | what is checked before the first run |
//! | `row.rs` | what a run leaves |
//! | `single.rs` | one run |
//! | `runner.rs` | how runs are done |
//! | `crew.rs` | all runs, over several threads |

mod crew;
mod probe;
mod row;
mod runner;
mod single;
mod source;

use serde::{Deserialize, Serialize};

pub use row::{Costs, Row, Status};
pub use runner::{Runner, Server};
pub use source::Source;

use crate::cases::Cases;
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
        let found = probe::probe(&source, &cases, server)?;
        let outputs = crate::outputs::choose(wanted, &found.known)?;
        let numbers = cases.len().saturating_mul(outputs.len() + cases.keys().count());
        if numbers > MOST_NUMBERS {
            return Err(StudyError::Many { numbers });
        }
        Ok(Self { title: found.title, source, cases, outputs, over: None })
    }

    /// Chooses the entry over which the figure shows outputs.
    ///
    /// # Errors
    /// [`StudyError::Over`]: it is not varied, or has values that are no numbers.
    pub fn with_figure_over(mut self, key: &str) -> Result<Self, StudyError> {
        let place = self.cases.keys().position(|own| own == key);
        let is_number = |text: &String| text.parse::<f64>().is_ok();
        let has_numbers = |place: usize| {
            (0..self.cases.len()).any(|run| self.cases.values(run)[place].as_ref().is_some_and(is_number))
        };
        if !place.is_some_and(has_numbers) {
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
