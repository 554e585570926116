//! Columns of a CSV file over time.

use cosimo::impact::compare::FilledGraph;

/// A table of numbers with named columns.
#[derive(Debug)]
pub(crate) struct Table {
    /// What it is called in errors.
    name: String,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

/// The column of times (s).
const TIME: &str = "t";

impl Table {
    /// Reads the content of a CSV file; fields that are no numbers are not-a-number and found where a column is used.
    pub(crate) fn read(name: &str, content: &str) -> Result<Self, String> {
        let wrong = |error: csv::Error| format!("`{name}` is no table: {error}");
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(content.as_bytes());
        let names = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(wrong)?;
            rows.push(record.iter().map(|field| field.parse().unwrap_or(f64::NAN)).collect());
        }
        Ok(Self { name: name.to_owned(), names, rows })
    }

    /// The values of a column over time, joined by straight lines; two rows of one time are a jump.
    pub(crate) fn graph(&self, column: &str) -> Result<FilledGraph, String> {
        let (t, x) = (self.position(TIME)?, self.position(column)?);
        let points: Vec<(f64, f64)> = self.rows.iter().map(|row| (row[t], row[x])).collect();
        // The first line has the names.
        if let Some(row) = points.iter().position(|(t, x)| !(t.is_finite() && x.is_finite())) {
            return Err(format!("`{}`, line {}: {TIME} or {column} is no number", self.name, row + 2));
        }
        if let Some(row) = points.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            return Err(format!("`{}`, line {}: the times go back", self.name, row + 3));
        }
        Ok(FilledGraph::new(points))
    }

    /// The values of a column.
    pub(crate) fn column(&self, column: &str) -> Result<Vec<f64>, String> {
        let position = self.position(column)?;
        Ok(self.rows.iter().map(|row| row[position]).collect())
    }

    fn position(&self, column: &str) -> Result<usize, String> {
        self.names.iter().position(|name| name == column).ok_or_else(|| {
            format!("`{}` has no column `{column}`: it has {}", self.name, self.names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn two_rows_of_one_time_are_a_jump() {
        let table = Table::read("ball.csv", "t,v\n0,0\n1,-1\n1, 0.5\n2,0\n").unwrap();
        let graph = table.graph("v").unwrap();
        assert_eq!([0.5, 1.0, 1.5].map(|t| graph.value_after(t)), [-0.5, 0.5, 0.25]);
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_place() {
        let table = Table::read("x.csv", "t,v,w\n0,0,a\n2,0,1\n1,0,1\n").unwrap();
        assert_eq!(table.graph("z").unwrap_err(), "`x.csv` has no column `z`: it has t, v, w");
        assert_eq!(table.graph("w").unwrap_err(), "`x.csv`, line 2: t or w is no number");
        assert_eq!(table.graph("v").unwrap_err(), "`x.csv`, line 4: the times go back");
        assert!(Table::read("x.csv", "t,v\n1\n").unwrap_err().starts_with("`x.csv` is no table"));
    }
}
