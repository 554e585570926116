//! What is wrong or odd with a model.

use std::fmt;

use cosimo_master::Warning;
use cosimo_model::{Diagnostic, Place, Severity};

use super::ModelError;

/// A mistake or a warning. It displays as the command shows it, the piece of the file included.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Mistake or warning.
    pub severity: Severity,
    /// Where in the file, or in what was set; none of what is found when the model is built.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What to change, where that is not obvious from the message.
    pub help: Option<String>,
    text: String,
}

impl Finding {
    /// Whether the model cannot be used.
    #[must_use]
    pub fn is_mistake(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Line and column in the file, counted from 1.
    #[must_use]
    pub fn position(&self) -> Option<(usize, usize)> {
        match self.place {
            Some(Place::File { line, column, .. }) => Some((line, column)),
            _ => None,
        }
    }

    /// A mistake that only building finds.
    pub(super) fn mistake(error: &ModelError) -> Self {
        let message = format!("{error:?}");
        Self {
            severity: Severity::Error,
            place: None,
            help: None,
            text: format!("error: {message}"),
            message,
        }
    }
}

impl From<&Diagnostic> for Finding {
    fn from(own: &Diagnostic) -> Self {
        Self {
            severity: own.severity,
            place: Some(own.place.clone()),
            message: own.message.clone(),
            help: own.help.clone(),
            text: own.to_string(),
        }
    }
}

impl From<&Warning> for Finding {
    fn from(own: &Warning) -> Self {
        let text = format!("warning: {own}");
        Self { severity: Severity::Warning, place: None, message: own.text.clone(), help: None, text }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Everything that a check has found, in the order of the file; what is found when the model is built comes last.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    error: Option<ModelError>,
}

impl Findings {
    pub(super) fn new(list: Vec<Finding>, error: Option<ModelError>) -> Self {
        Self { list, error }
    }

    /// Whether the model can run: there are no mistakes, whatever warnings there are.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.error.is_none()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// The mistakes.
    pub fn mistakes(&self) -> impl Iterator<Item = &Finding> {
        self.iter().filter(|own| own.is_mistake())
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Finding> {
        self.iter().filter(|own| !own.is_mistake())
    }

    /// The mistakes as the error of a run; warnings, where there are no others.
    ///
    /// # Errors
    /// There are mistakes.
    pub fn into_result(self) -> Result<Vec<Finding>, ModelError> {
        self.error.map_or(Ok(self.list), Err)
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One after the other, with an empty line between them.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.iter().enumerate() {
            write!(f, "{}{finding}", if index > 0 { "\n\n" } else { "" })?;
        }
        Ok(())
    }
}
