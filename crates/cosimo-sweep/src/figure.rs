//! Outputs over an input.

use cosimo_results::{Chart, ChartCurve, ChartPanel, Quantity, ResultsError};

use crate::cases::Axis;
use crate::study::Study;
use crate::table::{ColumnRole, ColumnValues, SweepColumn, SweepTable};

/// Outputs that are shown.
const PANELS: usize = 6;
/// Curves that can be told apart.
const CURVES: usize = 14;
/// Points of a curve, or dots, that are drawn at most.
const POINTS: usize = 2000;

/// The first outputs over an input, as the content of an SVG file: a curve over values of a list, with one curve per combination of the other
/// lists, at most fourteen of them; dots over draws and rows of a file. The input is that of [`Study::with_figure_over`]; otherwise what is
/// drawn, or the list with most values; its scale is logarithmic where the values go by factors.
///
/// # Errors
/// [`ResultsError::Draw`].
pub fn figure(study: &Study, table: &SweepTable) -> Result<String, ResultsError> {
    let abscissa = Abscissa::of(study, table);
    let groups = groups(study, table, &abscissa);
    let outputs = table.columns().iter().filter(|own| own.role == ColumnRole::Output).take(PANELS);
    let panels: Vec<(&SweepColumn, Vec<ChartCurve>)> =
        outputs.map(|own| (own, curves(own, &abscissa, &groups))).collect();
    let title = study.title().to_owned();
    let number = |own: &SweepColumn| own.name.rsplit(':').next().unwrap_or_default().to_owned();
    let y = |own: &SweepColumn| Quantity { name: number(own), unit: own.unit.clone() };
    let panel = |(own, curves): (&SweepColumn, Vec<ChartCurve>)| {
        let first = curves.iter().flat_map(|own| &own.points).next().map_or(0.0, |point| point[1]);
        let (heading, guides) = (own.name.clone(), Vec::new());
        ChartPanel { heading, y: y(own), least_range: [first; 2], curves, guides }
    };
    // Of an entry of a model file the unit is that of the file.
    let unit = if abscissa.axis.is_some() { "SI" } else { "" };
    let x = Quantity { name: abscissa.name, unit: unit.to_owned() };
    let panels = panels.into_iter().map(panel).collect();
    Chart { title, x, is_x_logarithmic: abscissa.is_logarithmic, panels }.to_svg()
}

/// What runs to the right.
struct Abscissa {
    name: String,
    values: Vec<f64>,
    /// Place of its axis.
    axis: Option<usize>,
    is_scattered: bool,
    is_logarithmic: bool,
}

impl Abscissa {
    fn of(study: &Study, table: &SweepTable) -> Self {
        let Some((axis, key, values)) = chosen(study, table) else {
            let values = (1..=table.rows()).map(|run| run as f64).collect();
            return Self {
                name: "run".to_owned(),
                values,
                axis: None,
                is_scattered: true,
                is_logarithmic: false,
            };
        };
        let axes = study.cases().axes();
        let is_line = matches!(axes[axis], Axis::List { .. });
        Self {
            name: key.to_owned(),
            is_logarithmic: is_logarithmic(&axes[axis], key),
            values,
            axis: Some(axis),
            is_scattered: !is_line || axes.iter().any(|own| matches!(own, Axis::Random { .. })),
        }
    }
}

/// The input over which outputs are shown: place of its axis, its path, its values.
fn chosen<'s>(study: &'s Study, table: &SweepTable) -> Option<(usize, &'s str, Vec<f64>)> {
    let axes = study.cases().axes().iter().enumerate();
    let all = axes.flat_map(|(place, axis)| axis.keys().map(move |key| (place, axis, key)));
    let numbers = |key: &str| {
        let column = table.columns().iter().find(|own| own.role == ColumnRole::Input && own.name == key)?;
        match &column.values {
            ColumnValues::Numbers(numbers) => Some(numbers.clone()),
            _ => None,
        }
    };
    let of_numbers = all.filter_map(|(place, axis, key)| Some((place, axis, key, numbers(key)?)));
    let rank = |axis: &Axis, key: &str| {
        let is_said = study.over() == Some(key);
        (is_said, matches!(axis, Axis::Random { .. }), matches!(axis, Axis::List { .. }), axis.len())
    };
    let best = of_numbers.reduce(|a, b| if rank(b.1, b.2) > rank(a.1, a.2) { b } else { a });
    best.map(|(place, _, key, values)| (place, key, values))
}

/// Whether values go by factors.
fn is_logarithmic(axis: &Axis, key: &str) -> bool {
    match axis {
        Axis::Random { entries, .. } => {
            entries.iter().any(|(own, drawn)| own == key && drawn.is_logarithmic())
        }
        Axis::List { values, .. } => {
            let numbers: Vec<f64> = values.iter().filter_map(|value| value.parse().ok()).collect();
            let factors: Vec<f64> = numbers.windows(2).map(|pair| pair[1] / pair[0]).collect();
            let first = factors.first().copied().unwrap_or(1.0);
            let is_like = |factor: &f64| (factor / first - 1.0).abs() < 1e-6;
            numbers.len() > 2
                && numbers.iter().all(|x| *x > 0.0)
                && first != 1.0
                && factors.iter().all(is_like)
        }
        Axis::Table { .. } => false,
    }
}

/// Rows that belong together, with the values that they share.
struct Group {
    name: String,
    rows: Vec<usize>,
}

/// The rows by the values of the axes that neither run to the right nor are drawn; evenly chosen ones where there are too many.
fn groups(study: &Study, table: &SweepTable, abscissa: &Abscissa) -> Vec<Group> {
    let axes = study.cases().axes().iter().enumerate();
    let shared: Vec<&str> = axes
        .filter(|(place, axis)| {
            abscissa.axis.is_some_and(|own| own != *place) && !matches!(axis, Axis::Random { .. })
        })
        .flat_map(|(_, axis)| axis.keys())
        .collect();
    let columns: Vec<&SweepColumn> = table
        .columns()
        .iter()
        .filter(|own| own.role == ColumnRole::Input && shared.contains(&own.name.as_str()))
        .collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for row in 0..table.rows() {
        let name = columns.iter().map(|own| label(own, row)).collect::<Vec<_>>().join(", ");
        let place = *places.entry(name.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group { name, rows: Vec::new() });
        }
        groups[place].rows.push(row);
    }
    thinned(groups, CURVES)
}

/// `mass.stiffness = 100`: the end of the path, and the value.
fn label(column: &SweepColumn, row: usize) -> String {
    let mut parts: Vec<&str> = column.name.rsplit('.').take(2).collect();
    parts.reverse();
    let value = match &column.values {
        ColumnValues::Numbers(numbers) if numbers[row].is_nan() => "–".to_owned(),
        ColumnValues::Numbers(numbers) => crate::values::text_of(numbers[row]),
        ColumnValues::Texts(texts) => texts[row].clone(),
        ColumnValues::Counts(counts) => counts[row].to_string(),
    };
    format!("{} = {value}", parts.join("."))
}

fn curves(output: &SweepColumn, abscissa: &Abscissa, groups: &[Group]) -> Vec<ChartCurve> {
    let ColumnValues::Numbers(numbers) = &output.values else { return Vec::new() };
    let points = |rows: &[usize]| {
        let all = rows.iter().map(|row| [abscissa.values[*row], numbers[*row]]);
        let mut points: Vec<[f64; 2]> = all.filter(|point| point.iter().all(|x| x.is_finite())).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        thinned(points, POINTS / groups.len().max(1))
    };
    let curve = |(style, group): (usize, &Group)| ChartCurve {
        name: group.name.clone(),
        style,
        points: points(&group.rows),
        is_scattered: abscissa.is_scattered,
    };
    groups.iter().enumerate().map(curve).collect()
}

/// As many, evenly chosen, the first and the last among them.
fn thinned<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if count <= most {
        return all;
    }
    let is_chosen = |place: usize| place * (most - 1) % (count - 1) < most - 1;
    let chosen = all.into_iter().enumerate().filter(|(place, _)| is_chosen(*place));
    chosen.map(|(_, own)| own).collect()
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn what_is_left_is_even_and_has_both_ends() {
        for (count, most) in [(15, 14), (100, 14), (1000, 3), (5, 5)] {
            let left = thinned((0..count).collect::<Vec<usize>>(), most);
            assert_eq!((left.len(), left[0], left[most - 1]), (most.min(count), 0, count - 1), "{left:?}");
        }
    }
}
