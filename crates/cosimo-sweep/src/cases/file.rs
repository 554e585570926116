//! Rows of a CSV file.

use csv::{ReaderBuilder, Trim};

use super::axis::Axis;
use super::error::CasesError;

impl Axis {
    /// The rows of a CSV file, whose first line has the paths of the entries. An empty field leaves its entry as the model has it.
    ///
    /// # Errors
    /// [`CasesError::File`], with the line.
    pub fn table(name: &str, content: &str) -> Result<Self, CasesError> {
        let wrong = |line, mistake: &str| CasesError::File {
            name: name.to_owned(),
            line,
            mistake: mistake.to_owned(),
        };
        let unreadable = |error: csv::Error| {
            let line = error.position().map(csv::Position::line);
            match error.into_kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    wrong(line, &format!("{len} fields in place of {expected_len}"))
                }
                other => wrong(line, &format!("{other:?}")),
            }
        };
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(content.as_bytes());
        let keys: Vec<String> = reader.headers().map_err(unreadable)?.iter().map(str::to_owned).collect();
        if keys.iter().any(String::is_empty) {
            return Err(wrong(None, "a column has no name; each is the path of an entry"));
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            rows.push(
                record.iter().map(|field| Some(field.to_owned()).filter(|own| !own.is_empty())).collect(),
            );
        }
        if rows.is_empty() {
            return Err(wrong(None, "it has no rows"));
        }
        Ok(Self::Table { keys, rows })
    }
}
