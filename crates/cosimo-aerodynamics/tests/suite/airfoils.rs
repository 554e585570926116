//! Airfoils: the table, the formula, and files of the C81 format, good and bad.

use std::f64::consts::PI;
use std::fmt::Write as _;

use cosimo_aerodynamics::airfoil::{Airfoil, AirfoilError, AirfoilTable, FormulaAirfoil, ThinAirfoil};

/// The three tables as `(Mach numbers, rows of angle and values)`, read from the file of the crate by other means than its reader.
type Tables = Vec<(Vec<f64>, Vec<Vec<f64>>)>;

fn tables() -> Tables {
    let text = include_str!("../../data/naca0012.csv");
    let mut tables: Tables = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, rest) = line.split_once(',').unwrap();
        if name == "coef" {
            tables.push((rest.split(',').skip(1).map(|x| x.parse().unwrap()).collect(), Vec::new()));
        } else {
            tables.last_mut().unwrap().1.push(rest.split(',').map(|x| x.parse().unwrap()).collect());
        }
    }
    tables
}

/// A number in seven columns.
fn number(x: f64) -> String {
    format!("{:>7}", format!("{x}"))
}

/// The tables in fixed columns.
fn fixed(tables: &Tables) -> String {
    let mut text = format!("{:<30}", "NACA 0012");
    for (machs, rows) in tables {
        write!(text, "{:>2}{:>2}", machs.len(), rows.len()).unwrap();
    }
    let lines = |values: &[f64]| {
        let lines: Vec<String> =
            values.chunks(9).map(|chunk| chunk.iter().map(|x| number(*x)).collect()).collect();
        lines.join("\n       ")
    };
    for (machs, rows) in tables {
        write!(text, "\n       {}", lines(machs)).unwrap();
        for row in rows {
            write!(text, "\n{}{}", number(row[0]), lines(&row[1..])).unwrap();
        }
    }
    text.push('\n');
    text
}

/// The tables in free format.
fn free(tables: &Tables) -> String {
    let mut text = "# FREE FORMAT\nNACA 0012 of some maker;".to_owned();
    for (machs, rows) in tables {
        write!(text, " {} {}", machs.len(), rows.len()).unwrap();
    }
    for (machs, rows) in tables {
        for row in std::iter::once(machs).chain(rows) {
            text.push('\n');
            row.iter().for_each(|x| write!(text, "{x} ").unwrap());
        }
    }
    text
}

#[test]
fn the_table_is_read_as_it_is_written() {
    let table = AirfoilTable::naca0012().unwrap();
    assert_eq!([table.lift.shape(), table.drag.shape(), table.moment.shape()], [(39, 11), (65, 11), (47, 9)]);
    for (k, (machs, rows)) in tables().iter().enumerate() {
        for row in rows {
            for (mach, value) in machs.iter().zip(&row[1..]) {
                let found = table.coefficients(row[0].to_radians(), *mach);
                let found = [found.lift, found.drag, found.moment][k].value;
                assert!((found - value).abs() < 1e-12, "{k} {} {mach}: {found} {value}", row[0]);
            }
        }
    }
    // Lift slope at low Mach numbers: 6.045 1/rad.
    assert!((table.coefficients(0.01, 0.1).lift.by_alpha - 6.045).abs() < 1e-3);
    assert_eq!(table.largest_mach(), 0.9);
}

#[test]
fn slopes_of_airfoils_are_those_of_central_differences() {
    let table = AirfoilTable::naca0012().unwrap();
    let thin = ThinAirfoil {
        zero_lift: 0.03,
        drag: 0.01,
        drag_by_square: 1.2,
        moment: -0.02,
        ..ThinAirfoil::lifting(5.7)
    };
    let airfoils: [&dyn Airfoil; 3] = [&table, &FormulaAirfoil, &thin];
    let d = 1e-7;
    for (which, airfoil) in airfoils.into_iter().enumerate() {
        for k in 0..200 {
            // Angles and Mach numbers that no table has.
            let (alpha, mach) = (-3.1 + 0.0311 * f64::from(k), 0.0133 + 0.004_71 * f64::from(k));
            let all = |alpha: f64, mach: f64| {
                let c = airfoil.coefficients(alpha, mach);
                [c.lift, c.drag, c.moment]
            };
            let here = all(alpha, mach);
            for c in 0..3 {
                let by_alpha = (all(alpha + d, mach)[c].value - all(alpha - d, mach)[c].value) / (2.0 * d);
                let by_mach = (all(alpha, mach + d)[c].value - all(alpha, mach - d)[c].value) / (2.0 * d);
                let close = |a: f64, b: f64| (a - b).abs() < 1e-5 * (1.0 + b.abs());
                assert!(
                    close(here[c].by_alpha, by_alpha),
                    "{which} {alpha} {mach} {c}: {} {by_alpha}",
                    here[c].by_alpha
                );
                assert!(close(here[c].by_mach, by_mach), "{which} {alpha} {mach} {c}");
            }
        }
    }
}

/// Mean errors (rms) of lift, drag and moment over angles within `bound` degrees, at Mach 0.2; largest error of the lift.
fn formula_errors(bound: i32) -> ([f64; 3], f64) {
    let table = AirfoilTable::naca0012().unwrap();
    let (mut sums, mut worst) = ([0.0; 3], 0.0_f64);
    for degrees in -bound..=bound {
        let alpha = f64::from(degrees).to_radians();
        let (a, b) = (FormulaAirfoil.coefficients(alpha, 0.2), table.coefficients(alpha, 0.2));
        let errors =
            [a.lift.value - b.lift.value, a.drag.value - b.drag.value, a.moment.value - b.moment.value];
        worst = worst.max(errors[0].abs());
        sums.iter_mut().zip(errors).for_each(|(sum, error)| *sum += error * error);
    }
    (sums.map(|sum| (sum / f64::from(2 * bound + 1)).sqrt()), worst)
}

#[test]
fn the_formula_is_near_the_table() {
    let ([lift, drag, moment], _) = formula_errors(180);
    assert!(lift < 0.095 && drag < 0.125 && moment < 0.065, "{lift} {drag} {moment}");
    let (_, worst) = formula_errors(12);
    assert!(worst < 0.06, "{worst}");
    let table = AirfoilTable::naca0012().unwrap();
    for k in 0..=20 {
        let mach = 0.05 * f64::from(k);
        let [a, b] =
            [FormulaAirfoil.coefficients(0.0, mach), table.coefficients(0.0, mach)].map(|c| c.drag.value);
        assert!((a - b).abs() < 0.011, "{mach}: {a} {b}");
    }
}

#[test]
fn the_formula_is_symmetric() {
    for k in 0..=360 {
        let alpha = f64::from(k) * PI / 360.0 + 1e-6;
        let (up, down) = (FormulaAirfoil.coefficients(alpha, 0.4), FormulaAirfoil.coefficients(-alpha, 0.4));
        assert_eq!(up.lift.value, -down.lift.value);
        assert_eq!(up.drag.value, down.drag.value);
        assert_eq!(up.moment.value, -down.moment.value);
        assert_eq!(up.lift.by_alpha, down.lift.by_alpha);
    }
}

#[test]
fn both_layouts_of_c81_give_the_table() {
    let (table, tables) = (AirfoilTable::naca0012().unwrap(), tables());
    let text = fixed(&tables);
    assert_eq!(text.lines().next().unwrap(), "NACA 0012                     11391165 947");
    assert_eq!(AirfoilTable::from_c81(&text).unwrap(), table);
    assert_eq!(AirfoilTable::from_c81(&text.replace('\n', "\r\n")).unwrap(), table);
    assert_eq!(AirfoilTable::from_c81(&free(&tables)).unwrap(), table);
}

/// A small table: one Mach number, three angles each.
const SMALL: &str = "\
SMALL                          1 3 1 3 1 3
          0.
  -180.     0.
    -1.-1.1611
   180.    .5
          .2
  -180.   0.02
     0.   0.01
   180.   0.02
          0.
  -180.     0.
     0.     0.
   180.     0.
";

#[test]
fn fields_touch_and_may_be_short() {
    let table = AirfoilTable::from_c81(SMALL).unwrap();
    assert!((table.coefficients((-1.0_f64).to_radians(), 0.3).lift.value + 1.1611).abs() < 1e-14);
    assert!((table.coefficients(PI, 0.3).lift.value - 0.5).abs() < 1e-14);
}

fn refused(text: &str) -> AirfoilError {
    AirfoilTable::from_c81(text).unwrap_err()
}

#[test]
fn mistakes_in_c81_files_are_told_by_line_and_column() {
    let field = |text: &str, at: (usize, usize)| match refused(text) {
        AirfoilError::Field { line, column, .. } => assert_eq!((line, column), at, "{text}"),
        other => panic!("{other} for\n{text}"),
    };
    // The count of angles of the drag; a count that is blank.
    field(&SMALL.replacen("1 3 1 3 1 3", "1 3 1 x 1 3", 1), (1, 37));
    field(&SMALL.replacen("1 3 1 3 1 3", "1 3 1 3 1  ", 1), (1, 41));
    field(&SMALL.replacen("1 3 1 3 1 3", "0 3 1 3 1 3", 1), (1, 31));
    // A letter in a value, a blank value, a row of Mach numbers that is none.
    field(&SMALL.replacen("-1.1611", "-1.l611", 1), (4, 8));
    field(&SMALL.replacen("     0.   0.01", "     0.", 1), (8, 8));
    field(&SMALL.replacen("          .2", "    1.    .2", 1), (6, 1));
    field(&SMALL.replacen("   180.    .5", "   180.    NaN", 1), (5, 8));
    // A count that is too large takes the next row of Mach numbers for a row of the table.
    field(&SMALL.replacen("1 3 1 3 1 3", "1 4 1 3 1 3", 1), (6, 1));
    field(&free(&tables()).replacen("1.161", "1,161", 1), (17, 5));
    assert_eq!(refused(""), AirfoilError::Ended { line: 0, missing: "the header".to_owned() });
    let cut = SMALL.trim_end().rsplit_once('\n').unwrap().0;
    assert!(matches!(refused(cut), AirfoilError::Ended { line: 12, .. }), "{}", refused(cut));
    assert!(matches!(refused(&format!("{SMALL}   190.    0.\n")), AirfoilError::Surplus { line: 14 }));
    assert!(matches!(refused(&format!("{} 1.0", free(&tables()))), AirfoilError::Surplus { .. }));
}

#[test]
fn axes_of_c81_files_are_checked() {
    let order = refused(&SMALL.replacen("    -1.", "  -181.", 1));
    assert!(matches!(order, AirfoilError::NotIncreasing { coefficient: "lift", .. }), "{order}");
    let cover = refused(&SMALL.replacen("  -180.   0.02", "  -170.   0.02", 1));
    assert_eq!(cover, AirfoilError::Coverage { coefficient: "drag", first: -170.0, last: 180.0 });
    assert!(cover.to_string().contains("must cover −180° to 180°"));
}

#[test]
fn long_rows_go_on_with_a_blank_field() {
    let text = fixed(&tables());
    let line = text.lines().position(|line| line.starts_with("       ")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[line + 1].replace_range(0..7, "     1.");
    match refused(&lines.join("\n")) {
        AirfoilError::Field { line: found, column: 1, .. } => assert_eq!(found, line + 2),
        other => panic!("{other}"),
    }
}

#[test]
fn mistakes_in_csv_files_are_told_by_line_and_column() {
    let text = include_str!("../../data/naca0012.csv");
    let refused = |text: &str| AirfoilTable::from_csv(text).unwrap_err();
    let at = |text: &str, at: (usize, usize)| match refused(text) {
        AirfoilError::Field { line, column, .. } => assert_eq!((line, column), at),
        other => panic!("{other}"),
    };
    at(&text.replacen("cl,-172.5,0.78", "cl,-172.5,0,78x", 1), (6, 13));
    at(&text.replacen("cl,-172.5,0.78,", "cl,-172.5,", 1), (6, 4));
    at(&text.replacen("cl,-172.5", "cz,-172.5", 1), (6, 1));
    at(&text.replacen("coef,alpha_deg", "coef,alpha", 1), (4, 6));
    let without: String =
        text.lines().filter(|line| !line.starts_with("cm")).map(|line| format!("{line}\n")).collect();
    assert!(matches!(refused(&without), AirfoilError::Ended { .. }));
}
