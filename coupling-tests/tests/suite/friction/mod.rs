//! Coulomb friction in coupled models: closed forms, cuts that change nothing, energy step by step.
//!
//! Reference: cases B2, B3, L1 to L5 and L8; closed forms.

mod curves;
mod cuts;
mod impacts;
mod oscillators;
mod slides;

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, Table};

fn stick_times(run: &Run, contact: &str) -> Vec<f64> {
    run.events_at(contact, ContactEventKind::Stick).iter().map(|event| event.time).collect()
}

/// Compares columns of a run with those of a table at its times up to `end`.
fn assert_path(run: &Run, (table, end): (&Table, f64), columns: &[(&str, &str)], tolerance: f64) {
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= end) {
        for (found, exact) in columns {
            let error = run.at(found, t) - table.column(exact)[k];
            assert!(error.abs() < tolerance, "{found} at {t} s is off by {error:e}");
        }
    }
}

/// Whether the slip of a contact stops in a step or turns by more than a right angle.
fn turns(run: &Run, contact: &str, k: usize) -> bool {
    let slip = |k: usize| ["slip_0", "slip_1"].map(|slip| run.value(&format!("{contact}.{slip}"), k));
    let (before, after) = (slip(k - 1), slip(k));
    let speed = before[0].hypot(before[1]);
    speed > 1e-9 && before[0] * after[0] + before[1] * after[1] <= 1e-12 * speed * speed
}

const BALL: &str = "tilted-plane-friction/model.toml";
