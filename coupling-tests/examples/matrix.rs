//! Tries all combinations of rules, kinds, laws, schemes and impacts, and writes the tables to `docs/benchmarks/matrix.md`.
//!
//! ```text
//! cargo run --release -p coupling-tests --example matrix              everything
//! … --example matrix -- --write FILE                                  everything, to this file
//! … --example matrix -- --every 50                                    every 50th, without writing
//! … --example matrix -- --pairwise                                    the sample of the test suite, without writing
//! … --example matrix -- --equal                                       equal rules, without writing
//! … --example matrix -- --only TEXT                                   whose description contains TEXT, with the levels
//! … --example matrix -- --store-equal                                 the table of the motion with equal rules
//! … --example matrix -- --motions                                     the events of the right motions
//! … --example matrix -- --text TEXT                                   the first model file whose description contains TEXT
//! ```
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the test crate"
)]

use std::time::Instant;

use coupling_tests::matrix::axes::{Combination, Law, Rule, Scheme};
use coupling_tests::matrix::report::{describe, lists, reason, refused_share, tables};
use coupling_tests::matrix::{Model, Verdict, cover, equal, judge_all, models};
use coupling_tests::root;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |key: &str| {
        let at = arguments.iter().position(|argument| argument == key);
        at.and_then(|at| arguments.get(at + 1)).cloned()
    };
    let has = |key: &str| arguments.iter().any(|argument| argument == key);
    let models = models();
    if has("--motions") {
        motions(&models, &cover::whole(&models));
        return;
    }
    if has("--store-equal") {
        let folder = root().join("coupling-tests/reference/equal_rules");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("values.csv"), equal::table(&models)).unwrap();
        return;
    }
    let mut combinations = if has("--pairwise") { cover::pairwise(&models) } else { cover::whole(&models) };
    if has("--equal") {
        combinations.retain(|c| c.rules[0] == c.rules[1] || c.law == Law::Compliant);
    }
    for key in ["--only", "--text", "--and"] {
        if let Some(text) = value(key) {
            combinations.retain(|c| describe(&models, c).contains(&text));
        }
    }
    if let Some(every) = value("--every") {
        combinations = combinations.into_iter().step_by(every.parse().unwrap()).collect();
    }
    if has("--text") {
        println!("{}", models[combinations[0].model].setup(&combinations[0]).text);
        return;
    }
    let threads = value("--threads").map_or(2, |text| text.parse().unwrap());
    let (start, count) = (Instant::now(), combinations.len());
    eprintln!("{count} combinations on {} models", models.len());
    let progress = |index: usize| {
        if (index + 1).is_multiple_of(5000) {
            eprintln!("{} of {count} in {:.0} s", index + 1, start.elapsed().as_secs_f64());
        }
    };
    let results = judge_all(&models, &combinations, threads, &progress);
    let seconds = start.elapsed().as_secs_f64();
    if has("--only") {
        results.iter().for_each(|(combination, verdict)| show(&models, combination, verdict));
    }
    let (tables, lists) = (tables(&models, &results), lists(&models, &results, 500));
    println!("{tables}\n{lists}");
    println!("refused of condensed: {:.1} %", 100.0 * refused_share(&results, Scheme::Condensed));
    println!("{count} combinations in {seconds:.0} s");
    let page = arguments.is_empty().then(|| root().join("docs/benchmarks/matrix.md"));
    if let Some(page) = page.or(value("--write").map(Into::into)) {
        std::fs::write(page, document(count, &tables, &lists)).unwrap();
    }
}

fn show(models: &[Box<dyn Model>], combination: &Combination, verdict: &Verdict) {
    println!("{}\n    {}", describe(models, combination), reason(verdict));
    let (Verdict::Right(levels) | Verdict::Wrong { levels, .. }) = verdict else { return };
    for (step, errors) in levels.steps.iter().zip(&levels.errors) {
        println!("    h {step:.2e}: {}", errors.map(|error| format!("{error:.2e}")).join(" "));
    }
}

/// Events of each model with each law.
fn motions(models: &[Box<dyn Model>], combinations: &[Combination]) {
    for (i, model) in models.iter().enumerate() {
        for law in Law::ALL {
            let Some(one) = combinations.iter().find(|c| c.model == i && c.law == law) else { continue };
            let setup = model.setup(one);
            let events: Vec<String> = setup.truth.events().iter().map(|t| format!("{t:.5}")).collect();
            println!("{}, {law}: to {} s, events {}", model.name(), setup.end, events.join(" "));
        }
    }
}

fn document(count: usize, tables: &str, lists: &str) -> String {
    let rules = Rule::ALL.len();
    format!(
        "# Every rule with every rule\n\n\
         Written by `cargo run --release -p coupling-tests --example matrix`: {count} combinations of {rules} rules on both sides, kinds,\n\
         laws, schemes and impacts, each on one of the models by turns. What is tried, and when a combination counts as right:\n\
         `coupling-tests/src/matrix`. In short: at steps of two or three sizes, a factor of three apart, the errors of positions,\n\
         velocities and loads against the exact motion, and the energy above that at the start, fall at the order of the rules: 2\n\
         where both have it, 1 where one has 1, where the plain problem takes impacts, and where friction begins to hold or to slide.\n\
         An order may lack 0.3, and errors below round-off and the tolerance of the iteration have none.\n\n{tables}\n{lists}"
    )
}
