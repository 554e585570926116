//! Runs random models and shows which created energy, and which said so.
//!
//! ```text
//! cargo run --release -p coupling-tests --example wild -- --seed 1 --count 300     the table, and what is to be explained
//! … --example wild -- --seed 1 --count 300 --all                                   every model
//! … --example wild -- --seed 1 --text 17                                           the model file of one of them
//! … --example wild -- --file model.toml                                            the verdict on a model file
//! … --example wild -- --events model.toml                                          its energy and its contacts, step by step
//! ```
//!
//! Warnings go to standard error.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a command of the test crate")]

use std::time::Instant;

use coupling_tests::Run;
use coupling_tests::wild::account::energies;
use coupling_tests::wild::judge::judge_text;
use coupling_tests::wild::report::{is_exception, line, table};
use coupling_tests::wild::{draw, judge_all, text};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |key: &str| {
        let at = arguments.iter().position(|argument| argument == key);
        at.and_then(|at| arguments.get(at + 1)).cloned()
    };
    let number = |key: &str, default: u64| value(key).map_or(default, |text| text.parse().unwrap());
    let seed = number("--seed", 1);
    if let Some(model) = value("--text") {
        let (draft, stiff) = draw(seed, model.parse().unwrap());
        println!("# ωh = {stiff:.3}\n{}", text(&draft));
        return;
    }
    if let Some(file) = value("--events") {
        events(&std::fs::read_to_string(file).unwrap());
        return;
    }
    if let Some(file) = value("--file") {
        println!("{:#?}", judge_text(&std::fs::read_to_string(file).unwrap()));
        return;
    }
    let start = Instant::now();
    let all = judge_all(seed, number("--count", 300), number("--threads", 2) as usize);
    let shows_all = arguments.iter().any(|argument| argument == "--all");
    for judged in all.iter().filter(|judged| shows_all || is_exception(judged)) {
        println!("{}", line(judged));
    }
    println!("\n{}\n{} models in {:.0} s", table(&all), all.len(), start.elapsed().as_secs_f64());
}

/// Energy after every step, and what happened at the contacts in it.
fn events(text: &str) {
    let model = Run::text(text, &[]);
    let run = Run::of(&model);
    let mut shown = run.events.iter().peekable();
    for (time, energy) in run.times.iter().zip(energies(&model, &run)) {
        println!("{time:.6e} s {energy:.6e} J");
        while let Some(event) = shown.next_if(|event| event.time <= *time) {
            let [before, after] = event.velocities;
            println!(
                "    {:.9e} {:?} {} {before:.3e} {after:.3e} m/s, {:.3e} N s, {:.3e} J",
                event.time, event.kind, event.contact, event.impulse, event.work
            );
        }
    }
}
