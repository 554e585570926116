//! Andrews' squeezing mechanism: `cargo run --release -p cosimo-multibody --example andrews`.
#![expect(clippy::print_stdout, reason = "an example tells what it found")]

mod figure;
#[path = "../tests/suite/mechanisms/mod.rs"]
mod mechanisms;

use cosimo_smooth::dae::{DaeSettings, DaeSolver, ErrorControl, Method};

/// Bodies shown: all but the crank, which turns too far.
const SHOWN: [&str; 5] = ["K3", "K4", "K5", "K6", "K7"];

pub(crate) fn run() -> figure::Outcome {
    let system = mechanisms::andrews::model().build()?;
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let settings = DaeSettings { tolerance: 1e-12, ..DaeSettings::default() };
    let rule = Method::AdaptiveBdf { largest_order: 5 };
    let mut solver = DaeSolver::new(system, rule, settings, (0.0, q, v))?;
    let mut control = ErrorControl::new(1e-9)?;
    let mut angles = vec![Vec::new(); SHOWN.len()];
    let mut steps = 0;
    for k in 1..=600 {
        steps += solver.advance_within(5e-5 * f64::from(k), &mut control)?;
        let state = solver.state();
        for (curve, q) in angles.iter_mut().zip(state.q.chunks_exact(7).skip(2)) {
            curve.push((1e3 * state.time, 2.0 * q[6].atan2(q[3])));
        }
    }
    let error = mechanisms::andrews::error_at_the_end(&solver.state().q);
    let found = format!("{steps} steps, {} refused, error {error:.1e} rad", control.refused());
    Ok((found, SHOWN.into_iter().zip(angles).collect()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, curves) = run()?;
    println!("{found}");
    let title = "Andrews' mechanism: angles of the bodies";
    println!("{}", figure::write("andrews", title, ["t (ms)", "angle (rad)"], &curves)?.display());
    Ok(())
}
