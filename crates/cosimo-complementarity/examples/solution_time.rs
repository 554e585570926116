//! Processor time of the solution of a friction-contact problem from a text, for the comparison in `benches/siconos.py`.
//!
//! ```console
//! cargo run --release -p cosimo-complementarity --example solution_time -- FILE TOLERANCE
//! ```
//!
//! Tells the least of the runs, each from zero impulses with a solver of its own (ms), the residual, and how it was solved.
#![expect(clippy::print_stdout, reason = "an example tells what it does")]

use std::error::Error;
use std::io::Read;
use std::time::{Duration, Instant};
use std::{fs, thread};

use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, FrictionSolver, FrictionText};

/// Runs at least, and time after which no other begins.
const RUNS: usize = 5;
const ENOUGH: Duration = Duration::from_millis(500);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(tolerance)) = (arguments.next(), arguments.next()) else {
        return Err("a file and a tolerance, please".into());
    };
    let text = FrictionText::parse(&read(&path)?)?;
    let matrix = BlockMatrix::<3>::from_triplets(text.friction.len(), text.entries)?;
    let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction)?;
    let tolerance = tolerance.parse()?;
    let (started, mut runs, mut least) = (Instant::now(), 0, f64::INFINITY);
    while runs < RUNS || started.elapsed() < ENOUGH {
        let mut r = vec![0.0; text.offset.len()];
        let before = processor_time()?;
        let mut solver = FrictionSolver::new(tolerance)?;
        let outcome = solver.solve(&problem, &mut r)?;
        least = least.min(processor_time()? - before);
        runs += 1;
        if runs == 1 {
            println!("residual {:e}", outcome.residual);
            println!("solved {} {:?} {}", outcome.is_solved(), solver.method(), outcome.iterations);
        }
    }
    println!("time {least}");
    Ok(())
}

fn read(path: &str) -> Result<String, Box<dyn Error>> {
    let file = fs::File::open(path)?;
    let mut text = String::new();
    if path.ends_with(".gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        std::io::BufReader::new(file).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Time that this thread has had a processor (ms), as Linux counts it.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    // Brings the count up to date.
    thread::yield_now();
    let counts = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = counts.split_whitespace().next().unwrap_or_default().parse::<f64>()?;
    Ok(1e-6 * nanoseconds)
}
