//! A steel ball on a floor by the penalty laws: `cargo run --release -p cosimo-multibody --example penalty_laws --
//! docs/figures`. M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody Problems*,
//! Politecnico di Milano 2012, figures 2.2 to 2.4.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod panels;
#[path = "../tests/suite/steel_ball/mod.rs"]
mod steel_ball;

use std::error::Error;
use std::path::Path;

use panels::{Curve, Mark, Panel, Scale};
use steel_ball::{bounces, first_impact, laws, speed};

/// The first two and every 15th of the points, the last included, in mm and kN.
fn thin(path: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let kept = path.iter().enumerate().filter(|(k, _)| *k < 2 || k % 15 == 0 || k + 1 == path.len());
    kept.map(|(_, (depth, force))| (1e3 * depth, 1e-3 * force)).collect()
}

/// Points at least 4 ms apart, and the lowest ones.
fn thin_bounces(path: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for window in path.windows(3) {
        let (time, height) = window[1];
        let is_lowest = height < window[0].1 && height <= window[2].1 && height < steel_ball::RADIUS;
        if is_lowest || kept.last().is_none_or(|last| time - last.0 > 4e-3) {
            kept.push((time, height));
        }
    }
    kept
}

/// Height over time and the loop of force and depth in the first impact, for a restitution.
fn loops(path: &Path, restitution: f64) -> Result<(), Box<dyn Error>> {
    let (mut heights, mut loops) = (Vec::new(), Vec::new());
    for (series, (name, law)) in laws(restitution).into_iter().enumerate() {
        let impact = first_impact(law)?;
        let kept = impact.rebound / speed();
        println!("{restitution}, {name}: {kept:.4} kept, {:.3} J lost", impact.loss());
        let mark = Mark::Line;
        heights.push(Curve { series, mark, points: thin_bounces(&bounces(law, 2.0)?) });
        loops.push(Curve { series, mark, points: thin(&impact.path) });
    }
    let top = 1.05 * loops.iter().flat_map(|curve| &curve.points).fold(0.0, |m: f64, point| m.max(point.1));
    let titles = ["Height of the centre", "Force and depth in the first impact"];
    let [height, force] = titles.map(|title| format!("{title}, e = {restitution}"));
    let figure = [
        Panel {
            title: &height,
            axes: ["t (s)", "height (m)"],
            across: 0.0..2.0,
            up: Scale::Linear(0.0..1.05),
            curves: heights,
        },
        Panel {
            title: &force,
            axes: ["depth (mm)", "force (kN)"],
            across: 0.0..0.26,
            up: Scale::Linear(0.0..top),
            curves: loops,
        },
    ];
    let names: Vec<_> = laws(restitution).map(|(name, _)| name).into_iter().enumerate().collect();
    panels::write(path, &names, 2, &figure)
}

/// Effective restitution of the three laws of impact against the nominal one: runs as dots, closed forms as lines.
fn restitution(path: &Path) -> Result<(), Box<dyn Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference/restitution.csv");
    let rows: Vec<Vec<f64>> = csv::Reader::from_path(file)?.deserialize().collect::<Result<_, _>>()?;
    let mut curves = vec![Curve { series: 5, mark: Mark::Line, points: vec![(0.0, 0.0), (1.0, 1.0)] }];
    for (series, column) in [(2, 1), (3, 5), (4, 9)] {
        let points = rows.iter().map(|row| (row[0], row[column])).collect();
        curves.push(Curve { series, mark: Mark::Line, points });
        let found = (1..20).map(|k| {
            let nominal = 0.05 * f64::from(k);
            Ok((nominal, first_impact(laws(nominal)[series].1)?.rebound / speed()))
        });
        curves.push(Curve {
            series,
            mark: Mark::Dots,
            points: found.collect::<Result<_, Box<dyn Error>>>()?,
        });
    }
    let figure = [Panel {
        title: "Closed forms (lines), runs (dots), equal (diagonal)",
        axes: ["nominal restitution (–)", "effective restitution (–)"],
        across: 0.0..1.0,
        up: Scale::Linear(0.0..1.04),
        curves,
    }];
    let names = [(2, "Hunt-Crossley"), (3, "Lankarani-Nikravesh"), (4, "Flores")];
    panels::write(path, &names, 1, &figure)
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = panels::directory()?;
    loops(&directory.join("impact-e08.svg"), 0.8)?;
    loops(&directory.join("impact-e02.svg"), 0.2)?;
    restitution(&directory.join("restitution.svg"))?;
    println!("impact-e08.svg, impact-e02.svg and restitution.svg in {}", directory.display());
    Ok(())
}
