//! Tables in the C81 format.
//!
//! Fixed columns, as FORTRAN reads them:
//!
//! ```text
//!   line 1       A30,6I2           title, then NML NAL NMD NAD NMM NAM: Mach numbers and angles of lift, drag, moment
//!   three times  7X,9F7.0          Mach numbers, on as many lines as they need
//!                10F7.0 / 7X,9F7.0 for each angle: the angle and its values, continued with the first field blank
//! ```
//!
//! Fields touch each other, so that a line is cut by columns. A first line `# FREE FORMAT` prefetches the other layout: a line
//! `title; NML NAL NMD NAD NMM NAM`, then the numbers of the three tables, separated by blanks or ends of lines.

use super::{AirfoilError, AirfoilTable, CoefficientTable};

/// First line of a file in free format.
const FREE: &str = "# FREE FORMAT";
/// Columns of a number.
const WIDTH: usize = 7;
/// Numbers on a line, beside the first field.
const PER_LINE: usize = 9;
/// Where the counts stand in the header, and the columns of each.
const COUNTS: (usize, usize) = (30, 2);
/// Names of the coefficients.
const NAMES: [&str; 3] = ["lift", "drag", "moment"];

impl AirfoilTable {
    /// Reads a file of the C81 format, fixed or free. Angles are in degrees and must cover −180° to 180°.
    ///
    /// # Errors
    /// What is wrong, by line and column: blank fields, text that is no number, counts that do not fit.
    pub fn from_c81(text: &str) -> Result<Self, AirfoilError> {
        let is_free = text.get(..FREE.len()).is_some_and(|start| start.eq_ignore_ascii_case(FREE));
        if is_free { read(&mut FreeText::new(text)?) } else { read(&mut FixedText::new(text)?) }
    }
}

/// A layout of the same content.
trait Layout {
    /// Mach numbers and angles of each coefficient.
    fn counts(&self) -> [(usize, usize); 3];

    /// The next Mach numbers.
    fn machs(&mut self, count: usize) -> Result<Vec<f64>, AirfoilError>;

    /// The next angle and its values.
    fn row(&mut self, values: usize) -> Result<(f64, Vec<f64>), AirfoilError>;

    /// Refuses what stands after the tables.
    fn finish(&mut self) -> Result<(), AirfoilError>;
}

fn read(layout: &mut impl Layout) -> Result<AirfoilTable, AirfoilError> {
    let counts = layout.counts();
    let mut next = |k: usize| {
        let machs = layout.machs(counts[k].0)?;
        let (mut angles, mut values) = (Vec::new(), Vec::new());
        for _ in 0..counts[k].1 {
            let (angle, row) = layout.row(counts[k].0)?;
            angles.push(angle);
            values.extend(row);
        }
        CoefficientTable::new(NAMES[k], &angles, machs, values)
    };
    let table = AirfoilTable { lift: next(0)?, drag: next(1)?, moment: next(2)? };
    layout.finish()?;
    Ok(table)
}

/// Text in fixed columns.
struct FixedText<'a> {
    lines: Vec<&'a str>,
    /// Index of the next line.
    next: usize,
    counts: [usize; 6],
}

impl<'a> FixedText<'a> {
    fn new(text: &'a str) -> Result<Self, AirfoilError> {
        let mut fixed = Self { lines: text.lines().collect(), next: 0, counts: [0; 6] };
        let header = fixed.line("the header")?;
        let (first, width) = COUNTS;
        for (k, count) in fixed.counts.iter_mut().enumerate() {
            let start = first + width * k;
            let found = columns(header, start, width);
            let number = found.trim().parse::<usize>().ok().filter(|n| *n > 0);
            *count =
                number.ok_or_else(|| field(1, start + 1, found, "a count of two columns, at least 1"))?;
        }
        Ok(fixed)
    }

    fn line(&mut self, missing: &str) -> Result<&'a str, AirfoilError> {
        let line = self.lines.get(self.next).copied();
        self.next += 1;
        line.ok_or_else(|| AirfoilError::Ended { line: self.lines.len(), missing: missing.to_owned() })
    }

    /// The number in field `k` of a line; the line was the last that was read.
    fn number(&self, line: &str, k: usize) -> Result<f64, AirfoilError> {
        let found = columns(line, WIDTH * k, WIDTH);
        let number = found.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| field(self.next, WIDTH * k + 1, found, "a number of seven columns"))
    }

    /// `count` numbers after the first field of each line, the first of which has been read.
    fn numbers(&mut self, mut line: &'a str, count: usize) -> Result<Vec<f64>, AirfoilError> {
        let mut found = Vec::with_capacity(count);
        for k in 0..count {
            if k > 0 && k % PER_LINE == 0 {
                line = self.line("the continuation of a row")?;
                let first = columns(line, 0, WIDTH);
                if !first.trim().is_empty() {
                    return Err(field(self.next, 1, first, "the blank first field of a continuation"));
                }
            }
            found.push(self.number(line, 1 + k % PER_LINE)?);
        }
        Ok(found)
    }
}

impl Layout for FixedText<'_> {
    fn counts(&self) -> [(usize, usize); 3] {
        pairs(self.counts)
    }

    fn machs(&mut self, count: usize) -> Result<Vec<f64>, AirfoilError> {
        let line = self.line("a row of Mach numbers")?;
        let first = columns(line, 0, WIDTH);
        if !first.trim().is_empty() {
            return Err(field(self.next, 1, first, "the blank first field of a row of Mach numbers"));
        }
        self.numbers(line, count)
    }

    fn row(&mut self, values: usize) -> Result<(f64, Vec<f64>), AirfoilError> {
        let line = self.line("a row of a table")?;
        Ok((self.number(line, 0)?, self.numbers(line, values)?))
    }

    fn finish(&mut self) -> Result<(), AirfoilError> {
        let surplus = self.lines.iter().skip(self.next).position(|line| !line.trim().is_empty());
        surplus.map_or(Ok(()), |k| Err(AirfoilError::Surplus { line: self.next + k + 1 }))
    }
}

/// Text whose numbers are separated by blanks.
struct FreeText<'a> {
    /// The words with their lines and columns.
    words: Vec<(usize, usize, &'a str)>,
    next: usize,
    counts: [usize; 6],
    lines: usize,
}

impl<'a> FreeText<'a> {
    fn new(text: &'a str) -> Result<Self, AirfoilError> {
        let lines = text.lines().count();
        let ended = |missing: &str| AirfoilError::Ended { line: lines, missing: missing.to_owned() };
        let header = text.lines().nth(1).ok_or_else(|| ended("the header"))?;
        let (title, numbers) = header
            .split_once(';')
            .ok_or_else(|| field(2, 1, header, "a title, a semicolon and six counts"))?;
        let mut counts = [0; 6];
        let mut given = words(numbers);
        for count in &mut counts {
            let (column, word) = given.next().ok_or_else(|| ended("six counts in the header"))?;
            let number = word.parse::<usize>().ok().filter(|n| *n > 0);
            *count = number.ok_or_else(|| field(2, title.len() + 1 + column, word, "a count, at least 1"))?;
        }
        let rest = text.lines().enumerate().skip(2);
        let words = rest.flat_map(|(k, line)| words(line).map(move |(c, word)| (k + 1, c, word))).collect();
        Ok(Self { words, next: 0, counts, lines })
    }

    fn number(&mut self) -> Result<f64, AirfoilError> {
        let Some((line, column, word)) = self.words.get(self.next).copied() else {
            return Err(AirfoilError::Ended { line: self.lines, missing: "the last number".to_owned() });
        };
        self.next += 1;
        let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| field(line, column, word, "a number"))
    }
}

impl Layout for FreeText<'_> {
    fn counts(&self) -> [(usize, usize); 3] {
        pairs(self.counts)
    }

    fn machs(&mut self, count: usize) -> Result<Vec<f64>, AirfoilError> {
        (0..count).map(|_| self.number()).collect()
    }

    fn row(&mut self, values: usize) -> Result<(f64, Vec<f64>), AirfoilError> {
        Ok((self.number()?, self.machs(values)?))
    }

    fn finish(&mut self) -> Result<(), AirfoilError> {
        self.words.get(self.next).map_or(Ok(()), |(line, _, _)| Err(AirfoilError::Surplus { line: *line }))
    }
}

/// Mach numbers and angles of each coefficient.
fn pairs(counts: [usize; 6]) -> [(usize, usize); 3] {
    let [ml, al, md, ad, mm, am] = counts;
    [(ml, al), (md, ad), (mm, am)]
}

/// Columns of a line; those beyond its end, or that cut a letter of several bytes, are blank.
fn columns(line: &str, start: usize, width: usize) -> &str {
    let end = (start + width).min(line.len());
    line.get(start.min(end)..end).unwrap_or_default()
}

/// The words of a line, each with its column, counted from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let column = move |word: &str| word.as_ptr() as usize - line.as_ptr() as usize + 1;
    line.split_whitespace().map(move |word| (column(word), word))
}

fn field(line: usize, column: usize, found: &str, expected: &'static str) -> AirfoilError {
    AirfoilError::Field { line, column, found: found.to_owned(), expected }
}
