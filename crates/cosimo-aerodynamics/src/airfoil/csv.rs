//! Tables as comma-separated values, in the layout of `data/naca0012.csv`.

use super::{AirfoilError, AirfoilTable, CoefficientTable};

/// Names of the coefficients in a file, in the order of the table.
const NAMES: [&str; 3] = ["cl", "cd", "cm"];

/// What has been read of one coefficient.
#[derive(Default)]
struct Block {
    machs: Vec<f64>,
    angles: Vec<f64>,
    values: Vec<f64>,
}

impl AirfoilTable {
    /// Reads a table: lines with `#` are comments, a header row `coef,alpha_deg,<Mach numbers>` begins a block, and rows
    /// `cl|cd|cm,<angle in degrees>,<values>` follow.
    ///
    /// # Errors
    /// What is wrong, by line and column.
    pub fn from_csv(text: &str) -> Result<Self, AirfoilError> {
        let mut blocks: [Block; 3] = std::array::from_fn(|_| Block::default());
        let mut machs = Vec::new();
        for (k, content) in text.lines().enumerate() {
            if content.trim().is_empty() || content.starts_with('#') {
                continue;
            }
            let line = k + 1;
            let (name, rest) = content.split_once(',').unwrap_or((content, ""));
            if name.trim() == "coef" {
                machs = header(line, rest, name.len() + 2)?;
                continue;
            }
            let block = NAMES.iter().position(|own| *own == name.trim()).map(|k| &mut blocks[k]);
            let Some(block) = block else { return Err(field(line, 1, name, "`coef`, `cl`, `cd` or `cm`")) };
            block.take(line, (rest, name.len() + 2), &machs)?;
        }
        let [lift, drag, moment] = blocks;
        Ok(Self {
            lift: lift.table(NAMES[0], text)?,
            drag: drag.table(NAMES[1], text)?,
            moment: moment.table(NAMES[2], text)?,
        })
    }
}

impl Block {
    /// Takes a row; it must fit the header before it.
    fn take(
        &mut self,
        line: usize,
        (rest, column): (&str, usize),
        machs: &[f64],
    ) -> Result<(), AirfoilError> {
        if self.machs.is_empty() {
            self.machs = machs.to_vec();
        }
        let row = numbers(line, rest, column)?;
        if self.machs != machs || row.len() != machs.len() + 1 || machs.is_empty() {
            return Err(field(line, column, rest, "an angle and one value a Mach number of the header"));
        }
        self.angles.push(row[0]);
        self.values.extend(&row[1..]);
        Ok(())
    }

    fn table(self, name: &'static str, text: &str) -> Result<CoefficientTable, AirfoilError> {
        if self.values.is_empty() {
            return Err(AirfoilError::Ended {
                line: text.lines().count(),
                missing: format!("rows of `{name}`"),
            });
        }
        CoefficientTable::new(name, &self.angles, self.machs, self.values)
    }
}

/// The Mach numbers of a header row.
fn header(line: usize, rest: &str, column: usize) -> Result<Vec<f64>, AirfoilError> {
    let (name, machs) = rest.split_once(',').unwrap_or((rest, ""));
    if name.trim() != "alpha_deg" {
        return Err(field(line, column, name, "`alpha_deg`"));
    }
    numbers(line, machs, column + name.len() + 1)
}

/// The numbers of a row, of which the first stands at this column.
fn numbers(line: usize, rest: &str, mut column: usize) -> Result<Vec<f64>, AirfoilError> {
    let mut found = Vec::new();
    for entry in rest.split(',') {
        let number = entry.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        found.push(number.ok_or_else(|| field(line, column, entry, "a number"))?);
        column += entry.len() + 1;
    }
    Ok(found)
}

fn field(line: usize, column: usize, found: &str, expected: &'static str) -> AirfoilError {
    AirfoilError::Field { line, column, found: found.to_owned(), expected }
}
