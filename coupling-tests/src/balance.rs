//! The energy balance of a run: as a whole, and step by step.

use cosimo::master::EnergyAction;
use cosimo::model::ModelSpec;

use crate::energy::energy;
use crate::{Measured, Run};

/// Runs a model and compares the monitor's sum with the drift measured: equal to one per cent wherever the drift exceeds
/// 1e-9 of the initial energy, else as small as that. Contact losses and works of obstacles are compared too.
///
/// # Panics
/// They differ, or the run fails.
#[must_use]
pub fn assert_monitored_run(what: &str, model: &ModelSpec) -> (Run, Measured) {
    // What is created is looked at here, however much it is.
    let mut accepted = model.clone();
    accepted.master.energy_action = EnergyAction::Ignore;
    let run = Run::completed(&accepted);
    let measured = Measured::of(model, &run);
    let (energy, drift) = (run.report.energy, measured.drift());
    // A model that starts with no energy has what moves in it.
    let scale = if energy.start == 0.0 { measured.scale } else { energy.start.abs() };
    let about = format!("{what}: monitor {:e} J, measured {drift:e} J of {scale} J", energy.monitor_sum);
    if drift.abs() > 1e-9 * scale {
        assert!((energy.monitor_sum / drift - 1.0).abs() < 1e-2, "{about}");
    } else {
        assert!(energy.monitor_sum.abs() < 2e-9 * scale, "{about}");
    }
    let parts = [energy.contact - measured.contact, energy.external - measured.external];
    assert!(
        parts.iter().all(|part| part.abs() < 1e-11 * scale),
        "{what}: contact and external differ by {parts:?}"
    );
    let closed = energy.interfaces + energy.subsystems - energy.monitor_sum;
    assert!(closed.abs() <= 1e-12 * energy.monitor_sum.abs().max(1e-9 * scale));
    let change = energy.end - energy.start - measured.change;
    assert!(
        change.abs() < 1e-10 * scale,
        "{what}: the energy changes by {change:e} J more than the states say"
    );
    (run, measured)
}

/// The integration creates no more than this share of the energy that is about in any step, and contacts put nothing in.
///
/// # Panics
/// See [`assert_balanced_within`].
pub fn assert_balanced(model: &ModelSpec, tolerance: f64) {
    assert_balanced_within(model, tolerance, &|_, _| 0.0);
}

/// Steps a model to its end and checks the energy balance of every step:
///
/// - the energy is that which the states have by the formulas of mechanics;
/// - its change is the work of contacts and loads, less what dampers take, and what the step is said to have created;
/// - what is created is at most `created` (J; of the run, and the communication point at which the step ends) and the share
///   `tolerance` of the energy that is about;
/// - contacts put nothing in.
///
/// # Panics
/// One of these is not so, or the run fails.
pub fn assert_balanced_within(model: &ModelSpec, tolerance: f64, created: &dyn Fn(&Run, usize) -> f64) {
    let run = Run::completed(model);
    let mut master = model.build().unwrap_or_else(|e| panic!("{e}"));
    let of_states = |k: usize| {
        let (kinetic, potential) = energy(model, &run, k);
        kinetic + potential
    };
    let start = of_states(0);
    let mut before = master.energy();
    let mut scale = 1.0_f64;
    for k in 1..run.times.len() {
        master.step(model.time.step).unwrap_or_else(|e| panic!("{e}"));
        let after = master.energy();
        scale = scale.max(after.end.abs()).max(after.contact.abs()).max(after.external.abs());
        let change = (after.end - after.start) - (of_states(k) - start);
        assert!(change.abs() <= 1e-12 * scale, "step {k}: {change:e} J are not in the states");
        let made = after.monitor_sum - before.monitor_sum;
        let left =
            (after.end - before.end) - (after.contact - before.contact) - (after.external - before.external)
                + (after.dissipated - before.dissipated)
                - made;
        assert!(left.abs() <= 1e-12 * scale, "step {k}: {left:e} J unaccounted for");
        let allowed = tolerance * scale + created(&run, k);
        assert!(made.abs() <= allowed, "step {k}: {made:e} J created, {allowed:e} J allowed");
        assert!(after.contact <= before.contact, "step {k}");
        before = after;
    }
    assert!(
        master.warnings().iter().all(|warning| !warning.text.contains("created")),
        "{:?}",
        master.warnings()
    );
}
