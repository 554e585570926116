//! Residuals of a pendulum's constraints by formulation: `cargo run --release -p cosimo-multibody --example formulations --
//! docs/figures`. O. Brüls, V. Acary, A. Cardona, *On the Constraints Formulation in the Nonsmooth Generalized-α Method*, 2018,
//! figures 2 and 3.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod panels;
#[path = "../tests/suite/paper_pendulum/mod.rs"]
mod paper_pendulum;

use std::error::Error;

use panels::{Curve, Mark, Panel, Scale};
use paper_pendulum::{FORMULATIONS, Instant, RULE, Run, STEP, run};

/// Runs of all formulations over 2 s.
fn runs(is_disturbed: bool) -> Result<Vec<Vec<Instant>>, Box<dyn Error>> {
    let all = FORMULATIONS.into_iter();
    all.map(|(_, formulation)| run(Run { formulation, rule: RULE, is_disturbed, step: STEP, steps: 1000 }))
        .collect()
}

/// A panel of all runs whose curves `points` makes.
fn panel<'a>(
    texts: (&'a str, [&'a str; 2]),
    (across, up): (f64, Scale),
    (runs, mark): (&[Vec<Instant>], Mark),
    points: impl Fn(&[Instant]) -> Vec<(f64, f64)>,
) -> Panel<'a> {
    let curves = runs.iter().enumerate().map(|(series, run)| Curve { series, mark, points: points(run) });
    Panel { title: texts.0, axes: texts.1, across: 0.0..across, up, curves: curves.collect() }
}

/// Largest residuals of every ten steps: crossings of zero are not of interest.
fn envelope(run: &[Instant], level: usize) -> Vec<(f64, f64)> {
    let largest = |steps: &[Instant]| steps.iter().fold(1e-17, |m: f64, step| m.max(step.largest[level]));
    run.chunks(10).map(|steps| (steps[0].time, largest(steps))).collect()
}

/// A number of the first steps.
fn first_steps(run: &[Instant], number: impl Fn(&Instant) -> f64) -> Vec<(f64, f64)> {
    run.iter().take(20).map(|step| (1e3 * step.time, number(step))).collect()
}

const ACROSS: &str = "t (s)";
const FIRST: &str = "t (ms)";
const SHORT: f64 = 41.0;

/// Figure 2: from a consistent start.
fn consistent() -> Result<Vec<Panel<'static>>, Box<dyn Error>> {
    let runs = runs(false)?;
    let whole = |level, title, unit, up| {
        let up = Scale::Logarithmic(up);
        panel((title, [ACROSS, unit]), (2.0, up), (&runs, Mark::Line), |run| envelope(run, level))
    };
    let start = |level: usize, title, (unit, scale), up| {
        let limits = (SHORT, Scale::Linear(up));
        panel((title, [FIRST, unit]), limits, (&runs, Mark::DottedLine), |run| {
            first_steps(run, |step| scale * step.first[level])
        })
    };
    let mut figure = vec![
        whole(0, "Positions: largest residual", "residual (m)", 1e-17..1e-3),
        start(0, "x − L cos θ in the first steps", ("residual (µm)", 1e6), -1.0..9.0),
        whole(1, "Velocities: largest residual", "residual (m/s)", 1e-16..1e-2),
        start(1, "Rate of x − L cos θ", ("residual (mm/s)", 1e3), -0.4..0.1),
        whole(2, "Accelerations: largest residual", "residual (m/s²)", 1e-13..1e2),
        start(2, "Second rate of x − L cos θ, without index-3", ("residual (mm/s²)", 1e3), -20.0..15.0),
    ];
    // Index 3, the first of all, is far beyond the scale of the last panel.
    figure[5].curves.remove(0);
    Ok(figure)
}

/// Figure 3: from accelerations of zero, which do not fit.
fn disturbed() -> Result<Vec<Panel<'static>>, Box<dyn Error>> {
    let runs = runs(true)?;
    let reaction = |step: &Instant| step.reaction;
    let start = |title, unit, up, number: fn(&Instant) -> f64| {
        let limits = (SHORT, Scale::Linear(up));
        panel((title, [FIRST, unit]), limits, (&runs, Mark::DottedLine), |run| first_steps(run, number))
    };
    let (residual, force) = ("Accelerations: largest residual", "Force of the hinge along x");
    let logarithmic = (2.0, Scale::Logarithmic(1e-13..1e3));
    Ok(vec![
        panel((residual, [ACROSS, "residual (m/s²)"]), logarithmic, (&runs, Mark::Line), |run| {
            envelope(run, 2)
        }),
        start("Second rate of x − L cos θ in the first steps", "residual (m/s²)", -100.0..100.0, |step| {
            step.first[2]
        }),
        panel(
            (force, [ACROSS, "force (N)"]),
            (2.0, Scale::Linear(-190.0..110.0)),
            (&runs, Mark::Line),
            |run| run.iter().map(|step| (step.time, reaction(step))).collect(),
        ),
        start("The same in the first steps", "force (N)", -190.0..10.0, reaction),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<_> = FORMULATIONS.iter().map(|(name, _)| *name).enumerate().collect();
    let directory = panels::directory()?;
    panels::write(&directory.join("formulations.svg"), &names, 2, &consistent()?)?;
    panels::write(&directory.join("formulations-disturbed.svg"), &names, 2, &disturbed()?)?;
    println!("formulations.svg and formulations-disturbed.svg in {}", directory.display());
    Ok(())
}
