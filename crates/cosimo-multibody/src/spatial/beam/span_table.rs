//! Piecewise linear tables over the span.

use super::error::SectionTableError;

/// Unit of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnUnit {
    /// `_m`: metres.
    Metre,
    /// `_over_chord`: a fraction of the chord.
    Chord,
    /// `_N`: newtons.
    Newton,
    /// `_N_m2`: newton square metres.
    NewtonSquareMetre,
    /// `_kg_per_m`: kilograms per metre.
    KilogramPerMetre,
    /// `_kg_m`: kilogram metres.
    KilogramMetre,
    /// `_deg`: degrees.
    Degree,
    /// `_rad`: radians.
    Radian,
}

/// Endings of column names with what they mean, those that end in others first, and the names of units.
const UNITS: [(&str, ColumnUnit, &str); 8] = [
    ("_kg_per_m", ColumnUnit::KilogramPerMetre, "kg/m"),
    ("_kg_m", ColumnUnit::KilogramMetre, "kg m"),
    ("_N_m2", ColumnUnit::NewtonSquareMetre, "N m²"),
    ("_over_chord", ColumnUnit::Chord, "chords"),
    ("_deg", ColumnUnit::Degree, "deg"),
    ("_rad", ColumnUnit::Radian, "rad"),
    ("_N", ColumnUnit::Newton, "N"),
    ("_m", ColumnUnit::Metre, "m"),
];

/// What endings there are.
const KNOWN: &str = "_m, _over_chord, _N, _N_m2, _kg_per_m, _kg_m, _deg, _rad";

impl ColumnUnit {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        UNITS.iter().find(|(_, unit, _)| *unit == self).map_or("", |(_, _, name)| name)
    }
}

/// One segment: from where to where (m), and the values of every column at both ends.
#[derive(Debug, Clone, PartialEq)]
struct Segment {
    from: f64,
    to: f64,
    values: Vec<[f64; 2]>,
}

/// Quantities over the span: linear in every segment, with jumps between segments.
///
/// ```
/// use cosimo_multibody::spatial::SpanTable;
/// let text = "# a taper\nr0_m,r1_m,EA_N_at_r0,EA_N_at_r1\n0,1,4e6,4e6\n1,3,3e6,1e6\n";
/// let table = SpanTable::read("EA.csv", text)?;
/// assert_eq!(table.value(0, 2.0), 2e6);
/// # Ok::<(), cosimo_multibody::spatial::SectionTableError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SpanTable {
    name: String,
    columns: Vec<(String, ColumnUnit)>,
    segments: Vec<Segment>,
}

impl SpanTable {
    /// Reads rows `r0, r1, values at r0, values at r1` of numbers separated by commas, under a header that names them with
    /// their units. Lines that begin with `#` and empty lines count as nothing.
    ///
    /// # Errors
    /// The first mistake, with its line and field.
    pub fn read(name: &str, text: &str) -> Result<Self, SectionTableError> {
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let empty = || SectionTableError::Empty { table: name.to_owned() };
        let (line, header) = lines.next().ok_or_else(empty)?;
        let columns = read_header(name, line + 1, header)?;
        let mut segments: Vec<Segment> = Vec::new();
        for (line, text) in lines {
            let segment = read_segment((name, line + 1), text, columns.len())?;
            let before = segments.last().map_or(segment.from, |last| last.to);
            let is_next = (segment.from - before).abs() <= 1e-9 * (1.0 + before.abs());
            if !is_next || !(segment.to > segment.from) {
                let (table, (from, to)) = (name.to_owned(), (segment.from, segment.to));
                return Err(SectionTableError::Segments { table, line: line + 1, from, to, before });
            }
            segments.push(segment);
        }
        if segments.is_empty() {
            return Err(empty());
        }
        Ok(Self { name: name.to_owned(), columns, segments })
    }

    /// Number and unit of a column by its name without unit; the only column there is where the name is empty.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn column(&self, name: &str) -> Result<(usize, ColumnUnit), SectionTableError> {
        let is_meant = |own: &str| own == name || name.is_empty() && self.columns.len() == 1;
        let found = self.columns.iter().position(|(own, _)| is_meant(own));
        let Some(column) = found else {
            let known: Vec<&str> = self.columns.iter().map(|(own, _)| own.as_str()).collect();
            let (table, column, known) = (self.name.clone(), name.to_owned(), known.join(", "));
            return Err(SectionTableError::Column { table, column, known });
        };
        Ok((column, self.columns[column].1))
    }

    /// Name of the table.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of a column at a station (m); zero outside the table, the first segment's where two meet.
    #[must_use]
    pub fn value(&self, column: usize, station: f64) -> f64 {
        let is_in = |segment: &&Segment| segment.from <= station && station <= segment.to;
        let Some(segment) = self.segments.iter().find(is_in) else { return 0.0 };
        let [first, last] = segment.values[column];
        let share = (station - segment.from) / (segment.to - segment.from);
        first + (last - first) * share
    }

    /// First and last station (m).
    #[must_use]
    pub fn span(&self) -> [f64; 2] {
        [self.segments[0].from, self.segments[self.segments.len() - 1].to]
    }

    /// Ends of the segments (m).
    pub fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        self.segments.iter().flat_map(|segment| [segment.from, segment.to])
    }
}

fn read_header(
    table: &str,
    line: usize,
    header: &str,
) -> Result<Vec<(String, ColumnUnit)>, SectionTableError> {
    let refuse = || SectionTableError::Header { table: table.to_owned(), line, found: header.to_owned() };
    let fields: Vec<&str> = header.split(',').map(str::trim).collect();
    let [first, second, values @ ..] = fields.as_slice() else { return Err(refuse()) };
    let (at_begin, at_end) = values.split_at(values.len() / 2);
    if (*first, *second) != ("r0_m", "r1_m") || values.is_empty() || at_begin.len() != at_end.len() {
        return Err(refuse());
    }
    let mut columns = Vec::with_capacity(at_begin.len());
    for (begin, end) in at_begin.iter().zip(at_end) {
        let name = begin.strip_suffix("_at_r0").filter(|name| end.strip_suffix("_at_r1") == Some(name));
        let name = name.ok_or_else(refuse)?;
        columns.push(column_of(table, name)?);
    }
    Ok(columns)
}

/// Name and unit of a column.
fn column_of(table: &str, name: &str) -> Result<(String, ColumnUnit), SectionTableError> {
    let unit = UNITS.iter().find_map(|(ending, unit, _)| Some((name.strip_suffix(ending)?, *unit)));
    let (plain, unit) = unit.ok_or_else(|| SectionTableError::Unit {
        table: table.to_owned(),
        column: name.to_owned(),
        known: KNOWN,
    })?;
    Ok((plain.to_owned(), unit))
}

fn read_segment(
    (table, line): (&str, usize),
    text: &str,
    columns: usize,
) -> Result<Segment, SectionTableError> {
    let number = |(field, text): (usize, &str)| {
        let found = text.trim().parse().ok().filter(|x: &f64| x.is_finite());
        found.ok_or_else(|| {
            let (table, found) = (table.to_owned(), text.trim().to_owned());
            SectionTableError::Number { table, line, field: field + 1, found }
        })
    };
    let numbers = text.split(',').enumerate().map(number).collect::<Result<Vec<f64>, _>>()?;
    let expected = 2 + 2 * columns;
    if numbers.len() != expected {
        return Err(SectionTableError::Fields {
            table: table.to_owned(),
            line,
            found: numbers.len(),
            expected,
        });
    }
    let values = (0..columns).map(|k| [numbers[2 + k], numbers[2 + columns + k]]).collect();
    Ok(Segment { from: numbers[0], to: numbers[1], values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_linear_and_jump_between_segments() {
        let text = "r0_m,r1_m,a_N_at_r0,b_kg_m_at_r0,a_N_at_r1,b_kg_m_at_r1\n0,1,1,10,2,20\n1,2,5,50,5,60\n";
        let table = SpanTable::read("t", text).unwrap();
        assert_eq!(table.column("b").unwrap(), (1, ColumnUnit::KilogramMetre));
        assert_eq!([table.value(0, 0.5), table.value(1, 0.5), table.value(1, 1.5)], [1.5, 15.0, 55.0]);
        assert_eq!([table.value(0, 1.0 + 1e-12), table.value(0, 3.0)], [5.0, 0.0]);
        assert_eq!(table.span(), [0.0, 2.0]);
    }

    #[test]
    fn mistakes_are_reported_with_line_and_field() {
        let header = "r0_m,r1_m,a_N_at_r0,a_N_at_r1\n";
        let refuse = |text: &str| SpanTable::read("t.csv", text).unwrap_err().to_string();
        assert!(refuse("r0_m,a\n1,2\n").contains("line 1"));
        assert!(refuse("r0_m,r1_m,a_lb_at_r0,a_lb_at_r1\n").contains("`a_lb` ends in no unit"));
        assert!(refuse(&format!("{header}0,1,x,2\n")).contains("line 2, field 3: `x`"));
        assert!(refuse(&format!("{header}0,1,2\n")).contains("has 3 fields, must have 4"));
        assert!(refuse(&format!("{header}0,1,2,2\n1.5,2,1,1\n")).contains("ends at 1 m"));
        assert!(refuse(header).contains("no segments"));
    }
}
