//! Claims of subsystems, verified once before the first step.

use cosimo_black_box::{DifferencedInverseMass, Refresh, Verdict};
use cosimo_subsystem::MacroStep;
use cosimo_subsystem::cost::CallKind;

use super::coupling_mode::{CouplingMode, CouplingModes};
use crate::execution::cost::Account;
use crate::execution::slot::slots;
use crate::setup::responses::limit_response;
use crate::simulation::Simulation;
use crate::step::instant::{INSTANT, prepare_instant};
use crate::step::warnings::warn_of_redundant_joints;
use crate::topology::Topology;
use crate::{Coupling, ResidualPlace, StepError, WarningPlace};

/// Verifies the claims of all subsystems for steps of size `h` (s), once, before the first step; who claims falsely
/// is coupled as if he claimed nothing.
pub(crate) fn verify_couplings(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    if std::mem::replace(&mut sim.state.coupling.is_verified, true) {
        return Ok(());
    }
    let time = sim.state.clock.now;
    let step = MacroStep { time, size: h };
    for i in 0..sim.subsystems.all.len() {
        let mode = sim.state.coupling.modes[i];
        let has_claim = match mode {
            CouplingMode::Explicit | CouplingMode::QuasiNewton => false,
            CouplingMode::Differenced => sim.storage.linearisation.models[i].is_affine,
            _ => true,
        };
        if has_claim {
            let start_loads = &sim.storage.rows.start_loads[sim.topology.subsystems[i].rows.clone()];
            let before = sim.subsystems.costs.enter(Account::call(i, CallKind::Other));
            let verdict = cosimo_black_box::verify(sim.subsystems.all[i].as_mut(), step, start_loads)
                .map_err(|source| StepError::Subsystem { time, source })?;
            sim.subsystems.costs.enter(before);
            sim.state.coupling.modes[i] = judge(sim, i, mode, verdict);
        }
    }
    note_modes(sim);
    log_modes(sim);
    find_redundant_joints(sim)
}

/// Looks once for joints that hold something twice where a step does not show it: an inverse mass that is learnt is never
/// singular, and that of a step in which bodies turn is so only where they turn alike.
fn find_redundant_joints(sim: &mut Simulation<'_>) -> Result<(), StepError> {
    if sim.storage.linearisation.is_affine
        || !sim.topology.joints.iter().any(|joint| joint.law.passes_impulses())
    {
        return Ok(());
    }
    // Subsystems that cannot jump report nothing of their loops.
    let _ = prepare_instant(sim, INSTANT);
    difference_in_loops(sim);
    warn_of_redundant_joints(sim);
    sim.storage.condensation.note_all();
    let time = sim.time();
    sim.subsystems.check_panicked(sim.topology).map_err(|source| StepError::Subsystem { time, source })
}

/// An inverse mass that is learnt does not find a loop again that has been found: where the choice is free, those of its subsystems
/// are differenced.
fn difference_in_loops(sim: &mut Simulation<'_>) {
    let in_loop = |i: usize, topology: &Topology, loops: &[Vec<usize>]| {
        let mut joints = loops.iter().flatten();
        joints.any(|&j| topology.joints[j].sides.iter().any(|side| side.subsystem == i))
    };
    for i in 0..sim.subsystems.all.len() {
        let is_free = sim.topology.config.coupling(&sim.topology.subsystems[i].name) == Coupling::Auto;
        let is_learnt = sim.state.coupling.modes[i] == CouplingMode::QuasiNewton;
        if is_free && is_learnt && in_loop(i, sim.topology, sim.storage.condensation.redundant()) {
            difference_instead(sim, i);
            sim.state.coupling.modes[i] = CouplingMode::Differenced;
        }
    }
    note_modes(sim);
}

/// Differences the answers of subsystems with joints that capture impacts, where the choice is free: friction inside a scheme gives way otherwise
/// than the inverse mass says that it tells. Says whether there was one that had not been differenced yet.
pub(crate) fn difference_captured(sim: &mut Simulation<'_>, error: &StepError) -> bool {
    let cluster = match error {
        StepError::NotConverged { place: ResidualPlace::Interface { name, .. }, .. } => {
            let joint = sim.topology.joints.iter().find(|joint| joint.name == *name);
            joint.map(|joint| sim.topology.subsystems[joint.sides[0].subsystem].cluster)
        }
        _ => None,
    };
    let mut is_any = false;
    for i in 0..sim.subsystems.all.len() {
        let layout = &sim.topology.subsystems[i];
        let is_exact =
            matches!(sim.state.coupling.modes[i], CouplingMode::Exact | CouplingMode::ExactUnverified);
        let is_free = sim.topology.config.coupling(&layout.name) == Coupling::Auto;
        let is_concerned =
            cluster.is_none_or(|cluster| layout.cluster == cluster) && !layout.joints.is_empty();
        let can_roll_back = sim.subsystems.all[i].description().capabilities.can_roll_back;
        if !(layout.captures_impacts && is_concerned && is_exact && is_free && can_roll_back) {
            continue;
        }
        let (name, time) = (layout.name.clone(), sim.time());
        difference_instead(sim, i);
        sim.state.coupling.modes[i] = CouplingMode::Differenced;
        let text = format!(
            "subsystem `{name}` captures impacts by a scheme, and with the inverse mass that it tells the step from {time} s does not converge, as with \
             friction; its answers are differenced from there on: coupling = \"differenced\" does so from the start"
        );
        sim.warn(WarningPlace::Subsystem(name), text);
        is_any = true;
    }
    if is_any {
        note_modes(sim);
        sim.storage.condensation.note_all();
    }
    is_any
}

/// Takes up saved modes that fit.
pub(crate) fn restore_couplings(sim: &mut Simulation<'_>, saved: &CouplingModes) {
    for i in 0..sim.subsystems.all.len() {
        if saved.has_false_claim[i] && !sim.state.coupling.has_false_claim[i] {
            difference_instead(sim, i);
        }
    }
    sim.state.coupling = saved.clone();
    note_modes(sim);
}

/// Notes what the modes mean for the affine models.
fn note_modes(sim: &mut Simulation<'_>) {
    let linearisation = &mut sim.storage.linearisation;
    for (model, mode) in linearisation.models.iter_mut().zip(&sim.state.coupling.modes) {
        let is_differenced = matches!(mode, CouplingMode::Differenced | CouplingMode::QuasiNewton);
        model.is_coarse = !model.is_affine && is_differenced;
    }
    linearisation.update_affinity(sim.topology);
}

/// The mode after a verdict.
fn judge(sim: &mut Simulation<'_>, i: usize, mode: CouplingMode, verdict: Verdict) -> CouplingMode {
    let claim = match verdict {
        Verdict::Confirmed if mode == CouplingMode::ExactUnverified => return CouplingMode::Exact,
        // Nothing is claimed where there are no rows.
        Verdict::NotVerifiable
            if mode == CouplingMode::ExactUnverified && sim.topology.subsystems[i].rows.is_empty() =>
        {
            return CouplingMode::Exact;
        }
        Verdict::Confirmed | Verdict::NotVerifiable => return mode,
        Verdict::False(claim) => claim,
    };
    let name = sim.subsystems.all[i].description().name.clone();
    if sim.topology.config.coupling(&name) == Coupling::Exact {
        let consequence = "it is used nevertheless, because its coupling is set to \"exact\"";
        let text = format!("subsystem `{name}`: {claim}; {consequence}");
        sim.warn(WarningPlace::Subsystem(name), text);
        return CouplingMode::ExactContradicted;
    }
    let text = format!("subsystem `{name}`: {claim}; its answers are differenced instead");
    sim.warn(WarningPlace::Subsystem(name), text);
    difference_instead(sim, i);
    CouplingMode::Differenced
}

/// Couples a subsystem whose claims are false as those that claim nothing.
fn difference_instead(sim: &mut Simulation<'_>, i: usize) {
    let subsystem = sim.subsystems.all.remove(i);
    let differenced = DifferencedInverseMass::new(subsystem, Refresh::Columns)
        .with_floor(0.1 * sim.topology.config.tolerance)
        .without_affinity();
    sim.subsystems.all.insert(i, Box::new(differenced));
    limit_response(sim.topology, sim.subsystems, (i, &sim.state.loads));
    let model = &mut sim.storage.linearisation.models[i];
    model.is_affine = false;
    model.revision = None;
    // It needs more storage now.
    let before = std::mem::replace(&mut sim.subsystems.slots, slots(sim.topology, false));
    sim.subsystems.slots.iter_mut().zip(before).for_each(|(slot, before)| slot.ledger = before.ledger);
    sim.state.coupling.has_false_claim[i] = true;
}

/// Logs the choice once: those that are not exact by name, the others by number.
fn log_modes(sim: &Simulation<'_>) {
    let mut exact = 0;
    for (subsystem, mode) in sim.subsystems.all.iter().zip(&sim.state.coupling.modes) {
        match mode {
            CouplingMode::Exact => exact += 1,
            _ => tracing::info!(
                subsystem = subsystem.description().name,
                coupling = mode.name(),
                "coupled otherwise than by a verified inverse mass"
            ),
        }
    }
    tracing::info!(subsystems = exact, "coupled by their own inverse masses, verified");
}
