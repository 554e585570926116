//! Spheres poured into a box and stopped in their fall: packings at rest that sweeps crawl on.
//!
//! ```console
//! cargo run --release -p cosimo-complementarity --example stopped_spheres              # 300 spheres, friction 0.8
//! cargo run --release -p cosimo-complementarity --example stopped_spheres -- 300 0.3 2  # spheres, friction, seed
//! ```
//!
//! After 0.6, 0.8 … 1.6 s the velocities are taken away and gaps up to a share of the margin closed: the friction problem
//! of a step from zero impulses to 1e-6.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "an example tells what it does")]

#[path = "../tests/suite/models/spheres.rs"]
mod spheres;

use std::error::Error;
use std::time::Instant;

use cosimo_complementarity::friction::FrictionSolver;

fn main() -> Result<(), Box<dyn Error>> {
    let argument = |n: usize| std::env::args().nth(n);
    let count = argument(1).map_or(Ok(300), |text| text.parse())?;
    let friction = argument(2).map_or(Ok(0.8), |text| text.parse())?;
    let seed = argument(3).map_or(Ok(1), |text| text.parse())?;
    let mut pile = spheres::Spheres::new(count, friction, seed);
    println!("t (s)  gaps  contacts  residual  iterations  time (s)  solver");
    for step in 1..=1600 {
        pile.step();
        if step % 200 != 0 || step < 600 {
            continue;
        }
        for gaps in [0.05, 0.2, 1.0] {
            let stopped = pile.stopped(gaps);
            let mut r = vec![0.0; stopped.offset.len()];
            let (mut solver, since) = (FrictionSolver::new(1e-6)?, Instant::now());
            let outcome = solver.solve(&stopped.problem(), &mut r)?;
            println!(
                "{:5.1} {gaps:5} {:9} {:9.2e} {:11} {:9.2}  {:?}",
                f64::from(step) * spheres::STEP,
                stopped.friction.len(),
                outcome.residual,
                outcome.iterations,
                since.elapsed().as_secs_f64(),
                solver.method()
            );
        }
    }
    Ok(())
}
