//! MATLAB 4 in the layout of trajectories that Dymola and OpenModelica write.
//!
//! Matrices are stored column by column: `name` and `description` have a variable in each column, `data_2` an instant in each,
//! with the time on top. Texts are UTF-8, filled up with blanks.
//!
//! References: The MathWorks, *MAT-File Format*, level 4; Dassault Systèmes, *Dymola User Manual*, section on the format of
//! result files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use cosimo_results::{Column, Results, Table};

use crate::{Format, FormatError};

/// Kinds of numbers: type code of little-endian matrices, its tens.
const DOUBLE: u32 = 0;
const INTEGER: u32 = 20;
const TEXT: u32 = 51;

/// Writes `results.mat` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let path = folder.join("results.mat");
    if results.table.columns.is_empty() {
        return Err(FormatError::encode(Format::Matlab)("the run was ended before its first step"));
    }
    write_table(&path, &results.table).map_err(FormatError::write(&path))
}

fn write_table(path: &Path, table: &Table) -> io::Result<()> {
    let mut file = Matrices { file: BufWriter::new(File::create(path)?) };
    let columns = &table.columns;
    file.texts("Aclass", &["Atrajectory", "1.1", "", "binTrans"].map(str::to_owned), Direction::Rows)?;
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    file.texts("name", &names, Direction::Columns)?;
    let descriptions: Vec<String> = columns.iter().map(description).collect();
    file.texts("description", &descriptions, Direction::Columns)?;
    file.info(columns.len())?;
    // Parameters would stand below the first and the last time.
    let times = table.times();
    let ends: Vec<f64> = times.first().into_iter().chain(times.last()).copied().collect();
    file.numbers("data_1", [1, ends.len()], ends.into_iter())?;
    let instants = (0..table.rows()).flat_map(|row| columns.iter().map(move |column| column.values[row]));
    file.numbers("data_2", [columns.len(), table.rows()], instants)?;
    file.file.into_inner().map_err(|error| error.into_error())?.sync_all()
}

/// What stands beside a name: the unit in brackets, as readers look for it.
fn description(column: &Column) -> String {
    let what = if column.name == "t" { "Time " } else { "" };
    if column.unit.is_empty() { what.to_owned() } else { format!("{what}[{}]", column.unit) }
}

/// Whether texts are the rows or the columns of their matrix.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Rows,
    Columns,
}

struct Matrices {
    file: BufWriter<File>,
}

impl Matrices {
    fn header(&mut self, name: &str, kind: u32, [rows, columns]: [usize; 2]) -> io::Result<()> {
        let size = |count: usize| {
            let fits = u32::try_from(count).ok().filter(|count| i32::try_from(*count).is_ok());
            fits.ok_or_else(|| io::Error::other(format!("{count} is too large for a matrix of this format")))
        };
        for number in [kind, size(rows)?, size(columns)?, 0, name.len() as u32 + 1] {
            self.file.write_all(&number.to_le_bytes())?;
        }
        self.file.write_all(name.as_bytes())?;
        self.file.write_all(&[0])
    }

    fn texts(&mut self, name: &str, texts: &[String], direction: Direction) -> io::Result<()> {
        let width = texts.iter().map(String::len).max().unwrap_or_default().max(1);
        let byte = |text: usize, at: usize| texts[text].as_bytes().get(at).copied().unwrap_or(b' ');
        if direction == Direction::Columns {
            self.header(name, TEXT, [width, texts.len()])?;
            let bytes = (0..texts.len()).flat_map(|text| (0..width).map(move |at| (text, at)));
            self.file.write_all(&bytes.map(|(text, at)| byte(text, at)).collect::<Vec<u8>>())
        } else {
            self.header(name, TEXT, [texts.len(), width])?;
            let bytes = (0..width).flat_map(|at| (0..texts.len()).map(move |text| (text, at)));
            self.file.write_all(&bytes.map(|(text, at)| byte(text, at)).collect::<Vec<u8>>())
        }
    }

    /// Where each variable is: the time in all blocks, the others in `data_2`; linear in between, not defined outside.
    fn info(&mut self, variables: usize) -> io::Result<()> {
        self.header("dataInfo", INTEGER, [4, variables])?;
        for variable in 0..variables {
            let block = if variable == 0 { 0 } else { 2 };
            for number in [block, variable as i32 + 1, 0, -1] {
                self.file.write_all(&number.to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn numbers(
        &mut self,
        name: &str,
        size: [usize; 2],
        numbers: impl Iterator<Item = f64>,
    ) -> io::Result<()> {
        self.header(name, DOUBLE, size)?;
        for number in numbers {
            self.file.write_all(&number.to_le_bytes())?;
        }
        Ok(())
    }
}
