//! The flexible pendulum that meets a wall, by an integration that goes from event to event and shares nothing with the solvers:
//! the end of the first contact and the energy for several kinds of finite elements, and the reference of case H5.
//!
//! ```text
//! cargo run --release -p coupling-tests --example flexible_pendulum               the table of elements
//! … --example flexible_pendulum -- --reference                                    the reference, as CSV
//! … --example flexible_pendulum -- --events                                       its events, as CSV
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `beam.rs` | elements, masses, forces |
//! | `motion.rs` | steps, impacts and releases |
#![expect(clippy::print_stdout, reason = "a command of the test crate")]

mod beam;
mod motion;

use beam::{Beam, Element, Mass};
use motion::Motion;

/// Until after the first contact (s).
const END: f64 = 0.36;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |key: &str| arguments.iter().any(|argument| argument == key);
    let of_cosimo = || Beam::new(4, Element::Helix, Mass::Halves, false);
    if has("--reference") {
        println!("t,gap,energy");
        Motion::new(of_cosimo())
            .run(END, 2e-7, 1e-3, |t, gap, energy| println!("{t:.3},{gap:.12e},{energy:.9}"));
    } else if has("--events") {
        println!("number,t,before,impulse,energy");
        let mut motion = Motion::new(of_cosimo());
        motion.run(END, 2e-7, END, |_, _, _| {});
        for (k, impact) in motion.impacts.iter().enumerate() {
            println!(
                "{},{:.12},{:.9},{:.12},{:.9}",
                k + 1,
                impact.time,
                impact.before,
                impact.impulse,
                impact.energy
            );
        }
    } else {
        table();
    }
}

fn table() {
    println!(
        "elements  strains    mass        shear     first impact (s)  last impact (s)  last release (s)  energy (J)"
    );
    for (count, element, mass, is_softened, step) in [
        (4, Element::Helix, Mass::Halves, false, 2e-7),
        (4, Element::Line, Mass::Consistent, false, 1e-7),
        (4, Element::Helix, Mass::Halves, true, 2e-7),
        (4, Element::Line, Mass::Consistent, true, 1e-7),
        (8, Element::Helix, Mass::Halves, false, 2e-7),
    ] {
        let mut motion = Motion::new(Beam::new(count, element, mass, is_softened));
        let mut last_energy = 0.0;
        motion.run(END, step, END, |_, _, energy| last_energy = energy);
        let time = |impact: Option<&motion::Impact>| impact.map_or(f64::NAN, |impact| impact.time);
        println!(
            "{count:8}  {:9}  {:10}  {:8}  {:16.6}  {:15.6}  {:16.6}  {last_energy:10.5}",
            format!("{element:?}"),
            format!("{mass:?}"),
            if is_softened { "softened" } else { "as it is" },
            time(motion.impacts.first()),
            time(motion.impacts.last()),
            motion.releases.last().copied().unwrap_or(f64::NAN),
        );
    }
}
