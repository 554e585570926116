//! Acceptance tests of Cosimo against closed-form and event-driven reference solutions.
//!
//! The tests run the models of `examples/` through public API and compare them with the tables of
//! `coupling-tests/reference/`, whose provenance is stated there. This library is their harness: [`Run`] runs a model
//! file with overrides and keeps every quantity and event, [`Table`] reads a reference.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test harness fails by panicking")]

mod balance;
mod bounces;
mod energy;
pub mod matrix;
mod nest;
mod run;
mod table;
pub mod wild;

pub use balance::{assert_balanced, assert_balanced_within, assert_monitored_run};
pub use bounces::{Bounces, orders_in_bands};
pub use energy::Measured;
pub use nest::{NEST, nested, nested_parts};
pub use run::{Event, Run};
pub use table::{Table, fitted_order, root, step_sizes};

/// The example of the project's front page, compiled and run.
#[doc = include_str!("../../README.md")]
#[cfg(doctest)]
pub struct Readme;

/// Models of the examples whose steps are many or expensive, which need an FMU that is built first or become one of a system, or a program that is started first; they have tests of their own.
pub const LARGE_MODELS: &[&str] = &[
    "flexible-pendulum/model.toml",
    "flexible-pendulum/pvv.toml",
    "fmu-controller/model.toml",
    "hail/model.toml",
    "puma-drop/friction.toml",
    "puma-drop/inside.toml",
    "puma-drop/lever.toml",
    "puma-drop/penalty.toml",
    "puma-engagement/engagement.toml",
    "puma-engagement/inside.toml",
    "puma-engagement/penalty.toml",
    "puma-gust/gust.toml",
    "puma-hover/inside.toml",
    "puma-hover/model.toml",
    "python-controller/model.toml",
    "ssp-wagons/coupling.toml",
    "ssp-wagons/wagon.toml",
];

/// The other model files of the examples, as `example/model.toml`.
#[must_use]
pub fn models() -> Vec<String> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root().join("examples")).unwrap() {
        let folder = folder.unwrap();
        if !folder.path().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            let name = format!("{}/{file}", folder.file_name().to_str().unwrap());
            if file.ends_with(".toml") && file != "Cargo.toml" && !LARGE_MODELS.contains(&name.as_str()) {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}
