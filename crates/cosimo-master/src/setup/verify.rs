//! Claims of subsystems, verified once before the first step.

use cosimo_black_box::{DifferencedInverseMass, Refresh, Verdict};
use cosimo_subsystem::cost::CallKind;
use cosimo_subsystem::{MacroStep, Subsystem};

use crate::communication_point::jump::prepare_instant;
use crate::execution::cost::Account;
use crate::execution::coupling_mode::{CouplingMode, CouplingModes};
use crate::execution::slot::slots;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::Linearisation;
use crate::linearisation::affine_model::AffineModel;
use crate::loads::history::LoadHistory;
use crate::loads::responses::set_active_rows;
use crate::simulation::StepContext;
use crate::time::part::INSTANT;
use crate::topology::Topology;
use crate::warnings::Warnings;
use crate::{Coupling, ResidualPlace, StepError, WarningPlace};

/// Verifies the claims of all subsystems for steps of size `h` (s), once, before the first step; who claims falsely
/// is coupled as if he claimed nothing.
pub(crate) fn verify_couplings(sim: &mut StepContext, h: f64) -> Result<(), StepError> {
    if std::mem::replace(&mut sim.coupling.is_verified, true) {
        return Ok(());
    }
    let (time, topology) = (sim.clock.now, &sim.topology);
    let step = MacroStep { time, size: h };
    for i in 0..sim.subsystems.all.len() {
        let mode = sim.coupling.modes[i];
        if mode == CouplingMode::Explicit {
            warn_of_extrapolation(topology, &mut sim.warnings, time, i);
        }
        let has_claim = match mode {
            CouplingMode::Explicit | CouplingMode::QuasiNewton => false,
            CouplingMode::Differenced => sim.linearisation.models[i].is_affine,
            _ => true,
        };
        if !has_claim {
            continue;
        }
        let layout = &topology.subsystems[i];
        let start_loads = &sim.rows.start_loads[layout.rows.clone()];
        let before = sim.subsystems.costs.enter(Account::call(i, CallKind::Other));
        let verdict = cosimo_black_box::verify(sim.subsystems.all[i].as_mut(), step, start_loads)
            .map_err(|source| StepError::Subsystem { time, source })?;
        sim.subsystems.costs.enter(before);
        let is_wanted = topology.config.coupling(&layout.name) == Coupling::Exact;
        let (judged, what) = judge(mode, verdict, is_wanted, layout.rows.is_empty());
        sim.coupling.modes[i] = judged;
        let Some(what) = what else { continue };
        let text = format!("subsystem `{}`: {what}", layout.name);
        sim.warnings.warn(time, WarningPlace::Subsystem(layout.name.clone()), text);
        if judged == CouplingMode::Differenced {
            let (models, history) = (&mut sim.linearisation.models, &sim.loads.history);
            difference_instead(topology, &mut sim.subsystems, models, &mut sim.coupling, history, i);
        }
    }
    note_modes(&mut sim.linearisation, topology, &sim.coupling.modes);
    log_modes(&sim.subsystems.all, &sim.coupling.modes);
    if sim.linearisation.is_affine || !topology.joints.iter().any(|joint| joint.law.passes_impulses()) {
        return Ok(());
    }
    // Looks once for joints that hold something twice where a step does not show it: an inverse mass that is learnt is never singular, and
    // that of a step in which bodies turn is so only where they turn alike. Subsystems that cannot jump report nothing of their loops.
    let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
    let (subsystems, history, at) = (&mut sim.subsystems, &sim.loads.history, (time, INSTANT));
    let _ = prepare_instant(topology, subsystems, linearisation, condensation, &sim.contacts, at);
    let loops = condensation.redundant();
    difference_in_loops(topology, subsystems, linearisation, &mut sim.coupling, history, loops);
    condensation.warn_of_redundant_joints(linearisation.of(topology), &mut sim.warnings, time);
    condensation.note_all();
    subsystems.check_panicked(topology).map_err(|source| StepError::Subsystem { time, source })
}

/// Warns of a subsystem that is joined and coupled explicitly because it can do nothing better, not because the settings want it.
fn warn_of_extrapolation(topology: &Topology, warnings: &mut Warnings, time: f64, i: usize) {
    let (layout, config) = (&topology.subsystems[i], &topology.config);
    let Some(joint) = layout.joints.first().filter(|_| config.coupling(&layout.name) == Coupling::Auto)
    else {
        return;
    };
    let text = format!(
        "subsystem `{}` is coupled explicitly, since it neither reports its inverse mass nor can evaluate a step before it is taken: over each \
         step its motion is extrapolated, at interface `{}` too, which is unstable where the joint is stiff for the step; take smaller steps or \
         a softer joint. coupling = \"explicit\" takes it as it is",
        layout.name, topology.joints[joint.joint].name
    );
    warnings.warn(time, WarningPlace::Subsystem(layout.name.clone()), text);
}

/// An inverse mass that is learnt does not find a loop of joints again that has been found: where the choice is free, those of its subsystems
/// are differenced.
fn difference_in_loops(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    coupling: &mut CouplingModes,
    history: &LoadHistory,
    loops: &[Vec<usize>],
) {
    for (i, layout) in topology.subsystems.iter().enumerate() {
        let is_free = topology.config.coupling(&layout.name) == Coupling::Auto;
        let is_learnt = coupling.modes[i] == CouplingMode::QuasiNewton;
        if is_free && is_learnt && is_in_loop(i, topology, loops) {
            difference_instead(topology, subsystems, &mut linearisation.models, coupling, history, i);
            coupling.modes[i] = CouplingMode::Differenced;
        }
    }
    note_modes(linearisation, topology, &coupling.modes);
}

/// Whether a subsystem takes part in one of these loops of joints.
fn is_in_loop(i: usize, topology: &Topology, loops: &[Vec<usize>]) -> bool {
    let mut joints = loops.iter().flatten();
    joints.any(|&j| topology.joints[j].sides.iter().any(|side| side.subsystem == i))
}

/// Differences the answers of subsystems with joints that capture impacts, where the choice is free: friction inside a scheme gives way otherwise
/// than the inverse mass says that it tells. Says which had not been differenced yet.
pub(crate) fn difference_captured(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    coupling: &mut CouplingModes,
    history: &LoadHistory,
    error: &StepError,
) -> Vec<usize> {
    let (cluster, mut found) = (cluster_of(topology, error), Vec::new());
    for (i, layout) in topology.subsystems.iter().enumerate() {
        let is_concerned =
            cluster.is_none_or(|cluster| layout.cluster == cluster) && !layout.joints.is_empty();
        if layout.captures_impacts && is_concerned && may_be_differenced(topology, subsystems, coupling, i) {
            difference_instead(topology, subsystems, &mut linearisation.models, coupling, history, i);
            coupling.modes[i] = CouplingMode::Differenced;
            found.push(i);
        }
    }
    if !found.is_empty() {
        note_modes(linearisation, topology, &coupling.modes);
    }
    found
}

/// Whether a subsystem whose inverse mass is taken for exact may be differenced instead.
fn may_be_differenced(
    topology: &Topology,
    subsystems: &Subsystems,
    coupling: &CouplingModes,
    i: usize,
) -> bool {
    let is_exact = matches!(coupling.modes[i], CouplingMode::Exact | CouplingMode::ExactUnverified);
    let is_free = topology.config.coupling(&topology.subsystems[i].name) == Coupling::Auto;
    is_exact && is_free && subsystems.all[i].description().capabilities.can_roll_back
}

/// The cluster of the interface that an error names.
fn cluster_of(topology: &Topology, error: &StepError) -> Option<usize> {
    let StepError::NotConverged { place: ResidualPlace::Interface { name, .. }, .. } = error else {
        return None;
    };
    let joint = topology.joints.iter().find(|joint| joint.name == *name)?;
    Some(topology.subsystems[joint.sides[0].subsystem].cluster)
}

/// Tells, at a communication point (s), of a subsystem that is [differenced](difference_captured) from there on.
pub(crate) fn warn_of_captured(warnings: &mut Warnings, time: f64, name: &str) {
    let text = format!(
        "subsystem `{name}` captures impacts by a scheme, and with the inverse mass that it tells the step from {time} s does not converge, as with \
         friction; its answers are differenced from there on: coupling = \"differenced\" does so from the start"
    );
    warnings.warn(time, WarningPlace::Subsystem(name.to_owned()), text);
}

/// Takes up saved modes that fit.
pub(crate) fn restore_couplings(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    coupling: &mut CouplingModes,
    history: &LoadHistory,
    saved: &CouplingModes,
) {
    for i in 0..subsystems.all.len() {
        if saved.has_false_claim[i] && !coupling.has_false_claim[i] {
            difference_instead(topology, subsystems, &mut linearisation.models, coupling, history, i);
        }
    }
    *coupling = saved.clone();
    note_modes(linearisation, topology, &coupling.modes);
}

/// Notes what the modes mean for the affine models.
fn note_modes(linearisation: &mut Linearisation, topology: &Topology, modes: &[CouplingMode]) {
    for (model, mode) in linearisation.models.iter_mut().zip(modes) {
        let is_differenced = matches!(mode, CouplingMode::Differenced | CouplingMode::QuasiNewton);
        model.is_coarse = !model.is_affine && is_differenced;
    }
    linearisation.update_affinity(topology);
}

/// The mode after a verdict on a subsystem whose inverse mass is to be used in any case or not, and which has no rows or some; and what is
/// to be told of a claim that is false.
fn judge(
    mode: CouplingMode,
    verdict: Verdict,
    is_wanted: bool,
    is_empty: bool,
) -> (CouplingMode, Option<String>) {
    match verdict {
        Verdict::Confirmed if mode == CouplingMode::ExactUnverified => (CouplingMode::Exact, None),
        // Nothing is claimed where there are no rows.
        Verdict::NotVerifiable if mode == CouplingMode::ExactUnverified && is_empty => {
            (CouplingMode::Exact, None)
        }
        Verdict::Confirmed | Verdict::NotVerifiable => (mode, None),
        Verdict::False(claim) if is_wanted => {
            let consequence = "it is used nevertheless, because its coupling is set to \"exact\"";
            (CouplingMode::ExactContradicted, Some(format!("{claim}; {consequence}")))
        }
        Verdict::False(claim) => {
            (CouplingMode::Differenced, Some(format!("{claim}; its answers are differenced instead")))
        }
    }
}

/// Couples a subsystem whose claims are false as those that claim nothing.
fn difference_instead(
    topology: &Topology,
    subsystems: &mut Subsystems,
    models: &mut [AffineModel],
    coupling: &mut CouplingModes,
    history: &LoadHistory,
    i: usize,
) {
    let subsystem = subsystems.all.remove(i);
    let differenced = DifferencedInverseMass::new(subsystem, Refresh::Columns)
        .with_floor(0.1 * topology.config.tolerance)
        .without_affinity();
    subsystems.all.insert(i, Box::new(differenced));
    set_active_rows(topology, subsystems, (i, history));
    let model = &mut models[i];
    model.is_affine = false;
    model.revision = None;
    // It needs more storage now.
    let before = std::mem::replace(&mut subsystems.slots, slots(topology, false));
    subsystems.slots.iter_mut().zip(before).for_each(|(slot, before)| slot.ledger = before.ledger);
    coupling.has_false_claim[i] = true;
}

/// Logs the choice once: those that are not exact by name, the others by number.
fn log_modes(subsystems: &[Box<dyn Subsystem>], modes: &[CouplingMode]) {
    let mut exact = 0;
    for (subsystem, mode) in subsystems.iter().zip(modes) {
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
