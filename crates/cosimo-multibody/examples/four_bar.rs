//! A four-bar of equal bars turns through its flat positions:
//! `cargo run --release -p cosimo-multibody --example four_bar`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod figure;
#[path = "../tests/suite/mechanisms/mod.rs"]
mod mechanisms;

use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

pub(crate) fn run() -> figure::Outcome {
    let system = mechanisms::n_four_bar(1).build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    // Where all bars lie in one line the constraints depend on each other: index 3 passes.
    let settings = DaeSettings { formulation: Formulation::Position, ..DaeSettings::default() };
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let mut solver = DaeSolver::new(system, rule, settings, (0.0, q, v))?;
    let rows = solver.redundant_rows().into_iter();
    let rows = rows.map(|row| {
        format!("row {} of joint `{}` is redundant: the mechanism is plane\n", row.row, row.constraint)
    });
    let redundant: String = rows.collect();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..2500 {
        solver.step(2e-3)?;
        let state = solver.state();
        // The centres of the cranks stand half way up.
        first.push((state.time, 2.0 * state.q[1]));
        second.push((state.time, 2.0 * state.q[8]));
    }
    let apart = first.iter().zip(&second).map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
    let curves = vec![("tip of crank 0", first), ("tip of crank 1", second)];
    Ok((format!("{redundant}the cranks stay parallel to {apart:.1e} m"), curves))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, curves) = run()?;
    println!("{found}");
    let title = "Four-bar: heights of the cranks' tips";
    println!("{}", figure::write("four_bar", title, ["t (s)", "y (m)"], &curves)?.display());
    Ok(())
}
