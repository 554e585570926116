//! Quantities over time, thinned to fit into the page.

use cosimo_results::{Column, Results, Selection, Table};

use crate::arrays::Arrays;
use crate::statistics::Statistics;

/// Characters per number of 32 bits, in base 64, if compression gains nothing, and per column, which is described.
const NUMBER: f64 = 5.4;
const COLUMN: f64 = 320.0;

/// Rows below which quantities are left out rather than rows.
const LEAST_ROWS: usize = 1000;

/// Panels of the first figure hold at most so many quantities in all.
const SHOWN: usize = 6;

/// Which rows and columns of a table are in the page.
#[derive(Debug)]
pub(crate) struct Choice {
    stride: usize,
    /// Numbers of the columns, the time first.
    columns: Vec<usize>,
    /// Names of what is plotted first.
    plotted: Vec<String>,
}

/// What the page is told of a column.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) stride: usize,
    pub(crate) rows: usize,
    pub(crate) recorded_rows: usize,
    pub(crate) left_out: usize,
    pub(crate) list: Vec<(String, String, Statistics)>,
    pub(crate) plotted: Vec<String>,
}

/// Chooses what fits into so many characters: what is plotted comes first, and of few rows all.
pub(crate) fn choose(results: &Results, room: usize) -> Choice {
    let table = &results.table;
    let plotted = plotted(results);
    let (rows, count) = (table.rows(), table.columns.len());
    let of_a_column = (room as f64 / count.max(1) as f64 - COLUMN) / NUMBER;
    let independent_rows = (of_a_column as usize).max(LEAST_ROWS).min(rows).max(1);
    let most = ((room as f64 / (COLUMN + NUMBER * independent_rows as f64)) as usize).max(2);
    let mut columns: Vec<usize> = (0..count).collect();
    if count > most {
        let is_first = |column: &usize| !(*column == 0 || plotted.contains(&table.columns[*column].name));
        columns.sort_by_key(is_first);
        columns.truncate(most);
        columns.sort_unstable();
    }
    Choice { stride: rows.div_ceil(independent_rows).max(1), columns, plotted }
}

/// Names of the quantities that the model plots, or the first ones.
fn plotted(results: &Results) -> Vec<String> {
    let quantities = results.table.quantities();
    let of_model = || {
        let text = std::fs::read_to_string(results.directory.join("model.toml")).ok()?;
        let model: toml::Table = text.parse().ok()?;
        let patterns = model.get("record")?.get("plot")?.as_array()?;
        let patterns: Vec<&str> = patterns.iter().filter_map(toml::Value::as_str).collect();
        let names: Vec<&str> = quantities.iter().map(|column| column.name.as_str()).collect();
        let found = Selection::new(patterns).indices_of(&names).ok()?;
        Some(found.into_iter().map(|index| names[index].to_owned()).collect::<Vec<_>>())
    };
    let first = || quantities.iter().take(SHOWN).map(|column| column.name.clone()).collect();
    of_model().filter(|names| !names.is_empty()).unwrap_or_else(first)
}

impl Choice {
    /// What the page is told of the columns, and their values as text.
    pub(crate) fn encode(self, table: &Table) -> (Shown, String) {
        let rows = table.rows().div_ceil(self.stride);
        let own = || self.columns.iter().map(|column| &table.columns[*column]);
        let mut arrays = Arrays::default();
        for (number, column) in own().enumerate() {
            let values = column.values.iter().step_by(self.stride).copied();
            if number == 0 {
                arrays.doubles(values);
            } else {
                arrays.singles(values.map(|x| x as f32));
            }
        }
        let described = |column: &Column| {
            (column.name.clone(), column.unit.clone(), Statistics::of(table.times(), &column.values))
        };
        let shown = Shown {
            stride: self.stride,
            rows,
            recorded_rows: table.rows(),
            left_out: table.columns.len() - self.columns.len(),
            list: own().map(described).collect(),
            plotted: self.plotted,
        };
        (shown, if shown_is_empty(table) { String::new() } else { arrays.to_text() })
    }
}

fn shown_is_empty(table: &Table) -> bool {
    table.columns.is_empty()
}
