//! Whether the subsystem is able to do what it says, and says what it can.

use super::Conformance;
use super::purity::expect_undisturbed;
use super::rejections::{Rejection, expect_refused};
use super::report::{Found, ensure};
use super::run::Run;
use crate::{MacroStep, Snapshot, StepLoads};

/// [`Check::ImpulseCapability`](super::Check::ImpulseCapability)
pub(super) fn impulses(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    let prepared = run.subsystem.prepare_jump(setup.size).map(|_| ());
    if run.capabilities.takes_impulses {
        return Ok(prepared?);
    }
    // Between steps jumps may be possible nevertheless: then they are held to what is asked of jumps.
    if prepared.is_err() {
        let nothing = vec![0.0; run.rows];
        expect_refused("`prepare_jump`", Rejection::Unsupported, prepared)?;
        expect_refused("`jump`", Rejection::Unsupported, run.subsystem.jump(&nothing))?;
        expect_refused(
            "`project_positions`",
            Rejection::Unsupported,
            run.subsystem.project_positions(&nothing),
        )?;
    }
    let begun = run.begin()?;
    let loads = run.loads(run.next_step(), &begun);
    let with_impulses = StepLoads { has_moments: true, ..loads.clone() };
    expect_refused("`commit` with moments", Rejection::Unsupported, run.subsystem.commit(&with_impulses))?;
    if !run.capabilities.is_affine {
        run.answer(&loads)?;
    }
    run.commit(&loads)?;
    expect_undisturbed(setup, &mut run, place + 1, "refused impulses")
}

/// [`Check::StepCapability`](super::Check::StepCapability)
pub(super) fn step_sizes(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    if !run.capabilities.has_variable_step {
        let result = run.begin_sized(0.5);
        expect_refused("`begin` with half the step size", Rejection::BadStep, result)?;
        return expect_undisturbed(setup, &mut run, place, "a refused step");
    }
    for share in [0.5, 0.25, 2.0, 1.0] {
        let begun = run.begin_sized(share)?;
        let impulses = vec![0.0; run.rows];
        let step = run.next_step();
        let loads = run.plain_loads(impulses, MacroStep { size: share * step.size, ..step });
        run.answer(&loads)?;
        run.commit_sized(&loads, share)?;
        let rows = run.subsystem.rows();
        let is_finite = rows.positions.iter().chain(&rows.velocities).all(|x| x.is_finite());
        ensure(is_finite && begun.weights.end.is_finite(), || {
            format!("the rows are not finite after a step of {share} times the size")
        })?;
    }
    Ok(())
}

/// [`Check::RollBackCapability`](super::Check::RollBackCapability)
pub(super) fn roll_back(setup: &Conformance<'_>) -> Found {
    let mut run = Run::at(setup, 2)?;
    let saved = run.subsystem.save();
    if run.capabilities.can_roll_back {
        return Ok(saved.map(|_| ())?);
    }
    expect_refused("`save`", Rejection::Unsupported, saved)?;
    let snapshot = Snapshot::encode(&run.subsystem.description().name, &[])?;
    expect_refused("`restore`", Rejection::Unsupported, run.subsystem.restore(&snapshot))?;
    expect_undisturbed(setup, &mut run, 2, "refused saving")
}

/// [`Check::Statistics`](super::Check::Statistics)
pub(super) fn statistics(setup: &Conformance<'_>) -> Found {
    let mut run = Run::new(setup);
    let start = run.subsystem.statistics();
    for step in 1..=4 {
        let begun = run.begin()?;
        let loads = run.loads(run.next_step(), &begun);
        run.answer(&loads)?;
        run.commit(&loads)?;
        let now = run.subsystem.statistics();
        ensure(now.steps - start.steps == step, || format!("{} steps after {step}", now.steps))?;
        ensure(now.evaluations >= start.evaluations + 2 * step, || {
            format!("{} evaluations after {step} times `begin` and `evaluate`", now.evaluations)
        })?;
    }
    Ok(())
}
