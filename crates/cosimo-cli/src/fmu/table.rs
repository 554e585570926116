//! Columns of text.

/// Where the texts of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// At its left.
    Left,
    /// At its right, as numbers do.
    Right,
}

/// A table with as much space as its texts need; columns without any text are left out.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With these headings; without any there is no line of them.
    pub(super) fn new(columns: &[(&str, Align)]) -> Self {
        let columns = columns.iter().map(|(name, align)| ((*name).to_owned(), *align)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().map(|text| on_one_line(&text)).collect());
    }

    /// The table, indented by two.
    pub(super) fn text(&self) -> String {
        let headings: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let has_headings = headings.iter().any(|name| !name.is_empty());
        let lines = has_headings.then_some(&headings).into_iter().chain(&self.rows);
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..headings.len())
            .map(|column| match width(column) {
                0 => 0,
                width => width.max(headings[column].chars().count()),
            })
            .collect();
        lines.map(|line| self.line(line, &widths)).collect()
    }

    fn line(&self, texts: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((text, width), (_, align)) in texts.iter().zip(widths).zip(&self.columns) {
            match align {
                _ if *width == 0 => {}
                Align::Left => line += &format!("  {text:<width$}"),
                Align::Right => line += &format!("  {text:>width$}"),
            }
        }
        format!("{}\n", line.trim_end())
    }
}

/// A text with its line breaks and tabs as spaces, and nothing that a terminal would obey.
fn on_one_line(text: &str) -> String {
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(visible).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text of more than `longest` characters.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

/// A number of six digits.
pub(super) fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let decimals = (5.0 - size.log10().floor()).clamp(0.0, 9.0) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{x:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Table, number, shortened};

    #[test]
    fn columns_are_as_wide_as_their_texts_and_left_out_where_empty() {
        let mut table = Table::new(&[("a", Align::Left), ("empty", Align::Left), ("n", Align::Right)]);
        table.push(["long name", "", "1"].map(str::to_owned));
        table.push(["b\nc\u{1b}", "", "10"].map(str::to_owned));
        assert_eq!(table.text(), "  a           n\n  long name   1\n  b c        10\n");
    }

    #[test]
    fn numbers_have_six_digits() {
        let numbers = [0.0, 1.0, -9.81, 123456.0, 0.001, 1e-9, 1e120, 1.0 / 3.0].map(number);
        let expected = ["0", "1", "-9.81", "123456", "0.001", "1.00000e-9", "1.00000e120", "0.333333"];
        assert_eq!(numbers, expected);
        assert_eq!(shortened("abcdef", 4), "abc…");
    }
}
