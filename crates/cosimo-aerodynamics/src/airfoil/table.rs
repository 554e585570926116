//! Tables by angle of attack and Mach number.

use super::{Airfoil, AirfoilError, Coefficient, Coefficients};

/// How far from ±180° the first and the last angle may be (deg): writers round.
const COVERAGE: f64 = 1e-6;

/// One coefficient: linear in the angle of attack and in the Mach number; beyond the Mach numbers the values at the nearest.
#[derive(Debug, Clone, PartialEq)]
pub struct CoefficientTable {
    /// Angles of attack (rad), increasing.
    angles: Vec<f64>,
    /// Mach numbers, increasing.
    machs: Vec<f64>,
    /// Values, one row an angle.
    values: Vec<f64>,
}

/// The interval of an axis that holds a value, and where in it.
struct Place {
    lower: usize,
    fraction: f64,
    /// Derivative of the fraction with respect to the value; zero beyond the ends.
    slope: f64,
}

impl CoefficientTable {
    /// A table of `values`, one row an angle, for angles (deg) from −180° to 180° and Mach numbers, both increasing.
    ///
    /// # Errors
    /// Data that break one of these rules; `coefficient` is the name in the error.
    pub fn new(
        coefficient: &'static str,
        angles: &[f64],
        machs: Vec<f64>,
        values: Vec<f64>,
    ) -> Result<Self, AirfoilError> {
        if angles.len() * machs.len() != values.len() || values.is_empty() {
            let (angles, machs, found) = (angles.len(), machs.len(), values.len());
            return Err(AirfoilError::Size { coefficient, angles, machs, found });
        }
        for (what, numbers) in [("an angle", angles), ("a Mach number", &machs), ("a value", &values)] {
            if let Some(found) = numbers.iter().copied().find(|x| !x.is_finite()) {
                return Err(AirfoilError::BadNumber { coefficient, what, found });
            }
        }
        if machs[0] < 0.0 {
            return Err(AirfoilError::BadNumber { coefficient, what: "a Mach number", found: machs[0] });
        }
        for (axis, numbers) in [("the angle", angles), ("the Mach number", &machs)] {
            if let Some(pair) = numbers.windows(2).find(|pair| pair[1] <= pair[0]) {
                return Err(AirfoilError::NotIncreasing {
                    coefficient,
                    axis,
                    before: pair[0],
                    after: pair[1],
                });
            }
        }
        let (first, last) = (angles[0], angles[angles.len() - 1]);
        if first > -180.0 + COVERAGE || last < 180.0 - COVERAGE {
            return Err(AirfoilError::Coverage { coefficient, first, last });
        }
        Ok(Self { angles: angles.iter().map(|a| a.to_radians()).collect(), machs, values })
    }

    /// Number of angles and of Mach numbers.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.angles.len(), self.machs.len())
    }

    /// The coefficient at an angle in \[−π, π\] (rad) and a Mach number.
    #[must_use]
    pub fn at(&self, alpha: f64, mach: f64) -> Coefficient {
        let (row, column) = (place(&self.angles, alpha), place(&self.machs, mach));
        let wide = self.machs.len();
        let next = usize::from(wide > 1);
        let at = |i: usize, j: usize| self.values[(row.lower + i) * wide + column.lower + j * next];
        let along = |i: usize| (1.0 - column.fraction) * at(i, 0) + column.fraction * at(i, 1);
        let across = |j: usize| (1.0 - row.fraction) * at(0, j) + row.fraction * at(1, j);
        Coefficient {
            value: (1.0 - row.fraction) * along(0) + row.fraction * along(1),
            by_alpha: row.slope * (along(1) - along(0)),
            by_mach: column.slope * (across(1) - across(0)),
        }
    }
}

/// Where a value is on an axis.
fn place(axis: &[f64], value: f64) -> Place {
    let last = axis.len() - 1;
    if last == 0 {
        return Place { lower: 0, fraction: 0.0, slope: 0.0 };
    }
    let lower = axis.partition_point(|x| *x <= value).saturating_sub(1).min(last - 1);
    let width = axis[lower + 1] - axis[lower];
    let fraction = (value - axis[lower]) / width;
    let is_inside = (0.0..=1.0).contains(&fraction);
    Place { lower, fraction: fraction.clamp(0.0, 1.0), slope: if is_inside { 1.0 / width } else { 0.0 } }
}

/// An airfoil of three tables, each with its own axes.
#[derive(Debug, Clone, PartialEq)]
pub struct AirfoilTable {
    /// Lift.
    pub lift: CoefficientTable,
    /// Drag.
    pub drag: CoefficientTable,
    /// Moment about the quarter chord.
    pub moment: CoefficientTable,
}

impl Airfoil for AirfoilTable {
    fn coefficients(&self, alpha: f64, mach: f64) -> Coefficients {
        Coefficients {
            lift: self.lift.at(alpha, mach),
            drag: self.drag.at(alpha, mach),
            moment: self.moment.at(alpha, mach),
        }
    }

    fn largest_mach(&self) -> f64 {
        let last = |table: &CoefficientTable| table.machs[table.machs.len() - 1];
        last(&self.lift).min(last(&self.drag)).min(last(&self.moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> CoefficientTable {
        let values = vec![0.0, 1.0, 2.0, 4.0, 1.0, -1.0];
        CoefficientTable::new("cl", &[-180.0, 0.0, 180.0], vec![0.2, 0.6], values).unwrap()
    }

    #[test]
    fn interpolation_is_linear_along_both_axes() {
        let found = table().at(-0.5 * std::f64::consts::PI, 0.3);
        // Between 0 … 2 at Mach 0.2 and 1 … 4 at Mach 0.6.
        assert!((found.value - (0.75 * 1.0 + 0.25 * 2.5)).abs() < 1e-14);
        assert!((found.by_mach - 1.5 / 0.4).abs() < 1e-13);
        assert!((found.by_alpha - 2.25 / std::f64::consts::PI).abs() < 1e-14);
    }

    #[test]
    fn mach_numbers_beyond_the_table_are_its_last() {
        assert_eq!(table().at(0.1, 0.9).value, table().at(0.1, 0.6).value);
        assert_eq!(table().at(0.1, 0.9).by_mach, 0.0);
        assert_eq!(table().at(0.1, 0.0).value, table().at(0.1, 0.2).value);
    }

    #[test]
    fn both_ends_are_met() {
        let pi = std::f64::consts::PI;
        assert_eq!(table().at(-pi, 0.2).value, 0.0);
        assert_eq!(table().at(pi, 0.2).value, 1.0);
    }

    #[test]
    fn tables_that_break_a_rule_are_refused() {
        let angles = [-180.0, 0.0, 180.0];
        let make = |angles: &[f64], machs: &[f64], values: &[f64]| {
            CoefficientTable::new("cl", angles, machs.to_vec(), values.to_vec()).unwrap_err()
        };
        assert!(matches!(make(&angles, &[0.0], &[0.0; 2]), AirfoilError::Size { found: 2, .. }));
        assert!(matches!(make(&[], &[], &[]), AirfoilError::Size { .. }));
        assert!(
            matches!(make(&[-90.0, 90.0], &[0.0], &[0.0; 2]), AirfoilError::Coverage { first, .. } if first == -90.0)
        );
        assert!(matches!(make(&angles, &[0.3, 0.3], &[0.0; 6]), AirfoilError::NotIncreasing { .. }));
        assert!(matches!(make(&angles, &[-0.1], &[0.0; 3]), AirfoilError::BadNumber { .. }));
        assert!(matches!(make(&angles, &[0.0], &[0.0, f64::NAN, 0.0]), AirfoilError::BadNumber { .. }));
    }
}
