//! Spheres that are poured into a box and come to rest: many frictional contacts in one problem a step.
//!
//! ```console
//! cargo run --release -p cosimo-nonsmooth --example box_of_spheres           # 200 spheres
//! cargo run --release -p cosimo-nonsmooth --example box_of_spheres -- 1000      # another number of them
//! cargo run --release -p cosimo-nonsmooth --example box_of_spheres -- 200 500   # and of steps
//! ```
//!
//! Step 1 ms, friction 0.3, no restitution, residual 1e-4. Tells the contacts and the time of a step every tenth of a
//! second, and writes `out/box_of_spheres.svg` in the end.
#![expect(clippy::print_stdout, reason = "an example tells what it does")]

mod picture;
#[path = "../../crates/cosimo-nonsmooth/tests/suite/spheres/pile.rs"]
mod pile;

use std::error::Error;
use std::fs;
use std::time::Instant;

use pile::{Pile, RADIUS};

const STEP: f64 = 1e-3;
const STEPS: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let argument = |n: usize, otherwise| std::env::args().nth(n).map_or(Ok(otherwise), |text| text.parse());
    let picture = run(argument(1, 200)?, argument(2, STEPS)?)?.1;
    fs::create_dir_all("out")?;
    fs::write("out/box_of_spheres.svg", picture)?;
    println!("picture in out/box_of_spheres.svg");
    Ok(())
}

/// Pours so many spheres for so many steps; gives them and their picture.
pub(crate) fn run(count: usize, steps: usize) -> Result<(Pile, String), Box<dyn Error>> {
    // As wide as six layers are high.
    let side = 2.2 * RADIUS * (count as f64 / 6.0).sqrt().ceil();
    let mut pile = Pile::above_the_floor(count, side)?;
    println!(
        "{:>6} {:>9} {:>11} {:>10} {:>13} {:>12}",
        "t (s)", "contacts", "iterations", "ms a step", "height (m)", "speed (m/s)"
    );
    let (mut since, mut contacts, mut iterations, mut unsolved) = (Instant::now(), 0, 0, 0);
    for step in 1..=steps {
        let (found, outcome) = pile.step(STEP)?;
        contacts += found;
        if let Some(outcome) = outcome {
            iterations += outcome.iterations;
            unsolved += usize::from(!outcome.is_solved());
        }
        if step % 100 == 0 {
            let height = pile.centres.iter().map(|c| c.z).sum::<f64>() / count as f64;
            let speed = pile.velocities.iter().map(|v| v.fixed_rows::<3>(0).norm()).fold(0.0, f64::max);
            let (time, mean) = (step as f64 * STEP, 1e3 * since.elapsed().as_secs_f64() / 100.0);
            println!(
                "{time:6.1} {:9} {:11} {mean:10.2} {height:13.4} {speed:12.2e}",
                contacts / 100,
                iterations / 100
            );
            (since, contacts, iterations) = (Instant::now(), 0, 0);
        }
    }
    println!("{unsolved} of {steps} steps short of the residual");
    let caption = format!("{count} spheres after {} s", steps as f64 * STEP);
    let picture = picture::draw(&pile, &caption);
    Ok((pile, picture))
}
