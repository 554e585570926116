//! Vectors, rows and matrices over the coordinates of a subsystem or an interface.

use nalgebra::DMatrix;

use super::matrix::{MatrixSpec, RowSpec};
use crate::toml::{Log, Span, Value, every, find};

/// The coordinates that vectors and matrices refer to; not known if a mistake hides how many there are.
///
/// Reading methods return `None` if a mistake was recorded or the number is not known; the numbers themselves are
/// checked in both cases.
pub(crate) struct Coordinates {
    names: Option<Vec<String>>,
}

impl Coordinates {
    /// Coordinates with names.
    pub(crate) fn named(names: Option<Vec<String>>) -> Self {
        Self { names }
    }

    /// Coordinates `q0`, `q1`, … .
    pub(crate) fn indexed(count: Option<usize>) -> Self {
        Self { names: count.map(|count| (0..count).map(|index| format!("q{index}")).collect()) }
    }

    /// How many, if known.
    pub(crate) fn count(&self) -> Option<usize> {
        self.names.as_ref().map(Vec::len)
    }

    /// The names, none if they are not known.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names.unwrap_or_default()
    }

    /// The coordinate a value names or counts.
    pub(crate) fn index(&self, value: &Value<'_>) -> Option<usize> {
        if value.is_integer() {
            return self.index_of(value.log, &value.span(), &value.count()?.to_string());
        }
        match value.as_text() {
            Some(text) => self.index_of(value.log, &value.span(), text),
            None => value.mismatch("a coordinate: an index or a name"),
        }
    }

    /// `N` coordinates, as a list.
    pub(crate) fn indices<const N: usize>(&self, value: &Value<'_>) -> Option<[usize; N]> {
        let items = value.items("a list of coordinates")?;
        if items.len() != N {
            value.wrong_length(items.len(), N, "");
            return None;
        }
        every(items.iter().map(|item| self.index(item)))?.try_into().ok()
    }

    /// One number for all, or a list of one number per coordinate.
    pub(crate) fn vector(&self, value: &Value<'_>) -> Option<Vec<f64>> {
        if value.is_number() {
            let number = value.number()?;
            return Some(vec![number; self.count()?]);
        }
        if value.as_list().is_none() {
            return value.mismatch("a number for all coordinates, or a list of one per coordinate");
        }
        let list = value.numbers();
        self.check_length(value)?;
        list
    }

    /// Weights as a list of one per coordinate, or as a table by coordinate; not all zero.
    pub(crate) fn row(&self, value: &Value<'_>) -> Option<RowSpec> {
        let row = if value.as_list().is_some() {
            let weights = value.numbers();
            self.check_length(value)?;
            RowSpec::new(weights?.into_iter().enumerate())
        } else {
            let pairs = value.pairs("a list of weights, or a table of weights by coordinate")?;
            let found = pairs.iter().map(|(key, span, weight)| {
                let weight = weight.number();
                Some((self.index_of(value.log, span, key)?, weight?))
            });
            RowSpec::new(every(found)?)
        };
        if row.entries.is_empty() {
            value.error("has only zero weights");
            return None;
        }
        Some(row)
    }

    /// A matrix: one number (on the whole diagonal), a list (the diagonal), a list of rows, or a table
    /// `{ uniform, set }` (a diagonal with exceptions).
    pub(crate) fn matrix(&self, value: &Value<'_>) -> Option<MatrixSpec> {
        if value.as_table().is_some() {
            return self.diagonal_with_exceptions(value);
        }
        let has_rows = value.as_list().is_some_and(|list| list.iter().any(|item| item.get_ref().is_array()));
        if has_rows {
            self.rows(value).map(MatrixSpec::Full)
        } else {
            self.vector(value).map(MatrixSpec::Diagonal)
        }
    }

    /// A matrix at whose entries `check` looks, also where their number is wrong or not known.
    pub(crate) fn checked_matrix(
        &self,
        value: &Value<'_>,
        check: impl Fn(&Value<'_>, &MatrixSpec),
    ) -> Option<MatrixSpec> {
        match written_size(value) {
            Some(size) if self.count().is_none_or(|count| value.as_list().is_some() && count != size) => {
                self.check_length(value);
                check(value, &Self::indexed(Some(size)).matrix(value)?);
                None
            }
            _ => {
                let matrix = self.matrix(value)?;
                check(value, &matrix);
                Some(matrix)
            }
        }
    }

    fn rows(&self, value: &Value<'_>) -> Option<DMatrix<f64>> {
        let items = value.items("a list of rows")?;
        let has_right_count = self.check_length(value).is_some();
        let rows = every(items.iter().map(|item| {
            let row = item.numbers();
            if has_right_count {
                self.check_length(item)?;
            }
            row
        }));
        let count = self.count().filter(|_| has_right_count)?;
        Some(DMatrix::from_row_iterator(count, count, rows?.into_iter().flatten()))
    }

    fn diagonal_with_exceptions(&self, value: &Value<'_>) -> Option<MatrixSpec> {
        let reader = value.reader(format!("the table of {}", value.label))?;
        let uniform = reader.number("uniform").required();
        let count = reader.count("count").at_least_one().optional();
        let set = reader.value("set").and_then(|set| set.pairs("a table of numbers by coordinate"));
        reader.finish();
        let exceptions = every(set.unwrap_or_default().iter().map(|(key, span, number)| {
            let number = number.number();
            Some((self.index_of(value.log, span, key)?, number?))
        }));
        let expected = self.count()?;
        if let Some(found) = count
            && found as usize != expected
        {
            let message = format!("count is {found}, must be {expected}, the number of coordinates");
            value.log.error(&reader.span("count"), message);
        }
        let mut diagonal = vec![uniform; expected];
        for (index, number) in exceptions? {
            diagonal[index] = number;
        }
        Some(MatrixSpec::Diagonal(diagonal))
    }

    /// Records a mistake unless the list has one entry per coordinate; the number of coordinates.
    fn check_length(&self, value: &Value<'_>) -> Option<usize> {
        let expected = self.count()?;
        let found = value.as_list()?.len();
        if found != expected {
            value.wrong_length(found, expected, ", the number of coordinates");
            return None;
        }
        Some(expected)
    }

    /// A coordinate by name or by index as text.
    fn index_of(&self, log: &Log<'_>, span: &Span, text: &str) -> Option<usize> {
        let names = self.names.as_ref()?;
        match text.parse::<usize>() {
            Ok(index) if index < names.len() => Some(index),
            Ok(index) => {
                let last = names.len().saturating_sub(1);
                log.error(span, format!("no coordinate {index}, the last one is {last}"));
                None
            }
            Err(_) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                find(log, span, "coordinate", text, &names)
            }
        }
    }
}

/// For how many coordinates a matrix is written; none where the value does not determine it, or is no square.
fn written_size(value: &Value<'_>) -> Option<usize> {
    if value.is_number() {
        return Some(1);
    }
    let list = value.as_list()?;
    let row_lengths: Vec<usize> =
        list.iter().filter_map(|item| item.get_ref().as_array()).map(|row| row.len()).collect();
    let is_square = row_lengths.len() == list.len() && row_lengths.iter().all(|length| *length == list.len());
    (row_lengths.is_empty() || is_square).then_some(list.len())
}

/// Share of the largest entry of a matrix that counts as rounding.
const ROUND_OFF: f64 = 1e-12;

/// Records a mistake for every negative entry of a diagonal and a warning if a full matrix is not symmetric.
pub(crate) fn check_not_negative(value: &Value<'_>, matrix: &MatrixSpec) {
    if let MatrixSpec::Diagonal(diagonal) = matrix {
        check_diagonal(value, diagonal, "zero or positive", |entry| entry >= 0.0);
    }
    if let Some((i, j)) = asymmetry(matrix) {
        let message = format!("{} is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ", value.label);
        let help = "a symmetric matrix has a potential; ignore this if the difference is meant";
        value.log.warning(&value.span(), message, help);
    }
}

/// Records a mistake unless a matrix is symmetric and positive semidefinite.
pub(crate) fn check_semidefinite(value: &Value<'_>, matrix: &MatrixSpec) {
    match (matrix, asymmetry(matrix)) {
        (MatrixSpec::Diagonal(diagonal), _) => {
            check_diagonal(value, diagonal, "zero or positive", |entry| entry >= 0.0);
        }
        (MatrixSpec::Full(_), Some((i, j))) => {
            value.error(format_args!("is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ"));
        }
        (MatrixSpec::Full(full), None) => {
            let smallest = full.symmetric_eigenvalues().min();
            if smallest < -ROUND_OFF * full.amax() {
                value.error(format_args!(
                    "must be positive semidefinite, but has the eigenvalue {smallest:.3e}"
                ));
            }
        }
    }
}

/// Records a mistake unless a mass matrix is symmetric and positive definite.
pub(crate) fn check_mass(value: &Value<'_>, matrix: &MatrixSpec) {
    match (matrix, asymmetry(matrix)) {
        (MatrixSpec::Diagonal(diagonal), _) => check_diagonal(value, diagonal, "positive", |mass| mass > 0.0),
        (MatrixSpec::Full(_), Some((i, j))) => {
            value.error(format_args!("is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ"));
        }
        (MatrixSpec::Full(full), None) if full.clone().cholesky().is_none() => {
            value.error("is not positive definite");
        }
        (MatrixSpec::Full(_), None) => {}
    }
}

/// Records a mistake for every entry of a list that is not right, or one for a value that stands for many.
fn check_diagonal(value: &Value<'_>, diagonal: &[f64], must_be: &str, is_right: impl Fn(f64) -> bool) {
    let items = value.as_list().and_then(|_| value.items("a list"));
    let wrong = diagonal.iter().enumerate().filter(|(_, entry)| !is_right(**entry));
    for (index, entry) in wrong {
        if let Some(item) = items.as_ref().and_then(|items| items.get(index)) {
            item.error(format_args!("is {entry:?}, must be {must_be}"));
        } else {
            value.error(format_args!("is {entry:?} for coordinate {index}, must be {must_be}"));
            return;
        }
    }
}

/// The first pair of entries that differ by more than rounding.
fn asymmetry(matrix: &MatrixSpec) -> Option<(usize, usize)> {
    let MatrixSpec::Full(full) = matrix else {
        return None;
    };
    let tolerance = ROUND_OFF * full.amax();
    let pairs = (0..full.nrows()).flat_map(|i| (i + 1..full.ncols()).map(move |j| (i, j)));
    pairs.into_iter().find(|(i, j)| (full[(*i, *j)] - full[(*j, *i)]).abs() > tolerance)
}
