//! Calls are pure functions of the state and their arguments.

use super::Conformance;
use super::motion::moved_on;
use super::portrait::Portrait;
use super::report::{Finding, Found};
use super::run::Run;
use crate::{Call, MacroStep, StepLoads, SubsystemError};

/// [`Check::Determinism`](super::Check::Determinism)
pub(super) fn determinism(setup: &Conformance<'_>) -> Found {
    compare_runs(setup, "a second instance, driven alike", |_| Ok(()))
}

/// [`Check::Begin`](super::Check::Begin)
pub(super) fn begin(setup: &Conformance<'_>) -> Found {
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let untouched = run.portrait()?;
        let first = Portrait::of_response(&run.begin()?);
        untouched.ensure_same(&run.portrait()?, || format!("after {place} events and `begin`"))?;
        let second = Portrait::of_response(&run.begin()?);
        first.ensure_same(&second, || format!("after {place} events, `begin` a second time"))?;
        untouched.ensure_same(&run.portrait()?, || format!("after {place} events and `begin` twice"))?;
    }
    Ok(())
}

/// [`Check::Evaluate`](super::Check::Evaluate)
pub(super) fn evaluate(setup: &Conformance<'_>) -> Found {
    if Run::new(setup).load_coordinates > 0 {
        return Err(Finding::NotApplicable("load ports take motion instead of impulses"));
    }
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let untouched = run.portrait()?;
        let begun = run.begin()?;
        let loads = run.loads(run.next_step(), &begun);
        let kicks = setup.kicks(&begun.inverse_mass, 1.0);
        let first = response_to(&mut run, &loads.impulses)?;
        let other = response_to(&mut run, &kicks)?;
        let again = response_to(&mut run, &loads.impulses)?;
        first.ensure_same(&again, || format!("after {place} events, `evaluate` after another evaluation"))?;
        untouched.ensure_same(&run.portrait()?, || format!("after {place} events and `evaluate`"))?;
        run.begin()?;
        let after_begin = response_to(&mut run, &kicks)?;
        other
            .ensure_same(&after_begin, || format!("after {place} events, `evaluate` right after `begin`"))?;
        // The last evaluation was of other impulses than those that are committed.
        run.commit(&loads)?;

        let mut direct = Run::at(setup, place)?;
        direct.begin()?;
        direct.commit(&loads)?;
        let expected = direct.portrait()?;
        expected.ensure_same(&run.portrait()?, || {
            format!("`commit` after {place} events and other evaluations")
        })?;
    }
    Ok(())
}

/// [`Check::Discard`](super::Check::Discard)
pub(super) fn discard(setup: &Conformance<'_>) -> Found {
    if !Run::new(setup).capabilities.can_roll_back {
        return Err(Finding::NotApplicable("the subsystem cannot roll back"));
    }
    compare_runs(setup, "an instance with discarded steps", |run| {
        let share = if run.capabilities.has_variable_step { 0.5 } else { 1.0 };
        let begun = run.begin_sized(share)?;
        let step = run.next_step();
        let kicks = setup.kicks(&begun.inverse_mass, 1.0);
        let loads = run.plain_loads(kicks, MacroStep { size: share * step.size, ..step });
        run.answer(&loads)?;
        run.subsystem.discard();
        run.begin()?;
        run.subsystem.discard();
        Ok(())
    })
}

/// [`Check::Announce`](super::Check::Announce)
pub(super) fn prefetch(setup: &Conformance<'_>) -> Found {
    let (mut plain, mut announcing) = (Run::new(setup), Run::new(setup));
    for event in 0..plain.length() {
        if plain.is_before_jump() {
            announcing.advance()?;
        } else {
            announced_step(setup, &mut announcing, event)?;
        }
        plain.advance()?;
        let expected = plain.portrait()?;
        expected.ensure_same(&announcing.portrait()?, || {
            format!("event {event}, of an instance with prefetched calls")
        })?;
    }
    Ok(())
}

/// One step with prefetched calls; in turn with none, and with some that do not follow.
fn announced_step(setup: &Conformance<'_>, run: &mut Run<'_>, event: usize) -> Result<(), SubsystemError> {
    let step = run.next_step();
    let start_loads = run.loads_at(step.time);
    let can_go_astray = run.capabilities.can_roll_back && event % 2 == 1;
    if can_go_astray {
        let other = vec![0.0; run.rows];
        run.subsystem.prefetch(Call::Begin(step, &other));
        if event % 4 == 1 {
            run.subsystem.discard();
        }
    }
    run.subsystem.prefetch(Call::Begin(step, &start_loads));
    let begun = run.begin()?;
    let loads = run.loads(step, &begun);
    if can_go_astray {
        astray_calls(setup, run, (step, &begun.inverse_mass))?;
    }
    if !run.capabilities.is_affine {
        if run.load_coordinates == 0 {
            run.subsystem.prefetch(Call::Evaluate(&loads.impulses));
        } else {
            run.subsystem.prefetch(Call::Respond(&loads.motion));
        }
        run.answer(&loads)?;
    }
    if can_go_astray && event % 4 == 3 {
        run.subsystem.prefetch(Call::Begin(step, &vec![0.0; run.rows]));
    } else {
        run.subsystem.prefetch(Call::Commit(&loads));
    }
    run.commit(&loads).map(|_| ())
}

/// Calls that are prefetched after `begin` and do not follow.
fn astray_calls(
    setup: &Conformance<'_>,
    run: &mut Run<'_>,
    (step, inverse_mass): (MacroStep, &crate::RowMatrix),
) -> Result<(), SubsystemError> {
    if run.load_coordinates > 0 {
        let loads = run.plain_loads(Vec::new(), step);
        let other = moved_on(&loads.motion, run.subsystem.description());
        run.subsystem.prefetch(Call::Respond(&other));
        run.answer(&loads)?;
        run.subsystem.save()?;
        run.subsystem.prefetch(Call::Respond(&other));
        return Ok(());
    }
    let kicks = setup.kicks(inverse_mass, 1.0);
    run.subsystem.prefetch(Call::Evaluate(&kicks));
    run.subsystem.evaluate(&vec![0.0; run.rows])?;
    run.subsystem.prefetch(Call::Begin(step, &kicks));
    run.subsystem.save()?;
    run.subsystem.prefetch(Call::Evaluate(&kicks));
    Ok(())
}

/// Drives two instances alike, one with detours before its steps, and compares them after every event.
fn compare_runs(
    setup: &Conformance<'_>,
    which: &str,
    detour: impl Fn(&mut Run<'_>) -> Result<(), SubsystemError>,
) -> Found {
    let (mut plain, mut other) = (Run::new(setup), Run::new(setup));
    plain.portrait()?.ensure_same(&other.portrait()?, || format!("at the start, {which}"))?;
    for event in 0..plain.length() {
        detour(&mut other)?;
        plain.advance()?;
        other.advance()?;
        plain.portrait()?.ensure_same(&other.portrait()?, || format!("event {event}, {which}"))?;
    }
    Ok(())
}

fn response_to(run: &mut Run<'_>, impulses: &[f64]) -> Result<Portrait, SubsystemError> {
    Ok(Portrait::of_response(run.subsystem.evaluate(impulses)?))
}

/// Goes on for a few events in parallel with an instance that had no detour.
pub(super) fn expect_undisturbed(
    setup: &Conformance<'_>,
    run: &mut Run<'_>,
    place: usize,
    why: &str,
) -> Found {
    let mut plain = Run::at(setup, place)?;
    plain.portrait()?.ensure_same(&run.portrait()?, || format!("after {place} events and {why}"))?;
    for _ in 0..2 {
        run.advance()?;
        plain.advance()?;
        let expected = plain.portrait()?;
        expected.ensure_same(&run.portrait()?, || format!("a step later than {place} events and {why}"))?;
    }
    Ok(())
}

/// Loads on the rows without moments.
pub(super) fn plain_loads(impulses: Vec<f64>) -> StepLoads {
    let rows = impulses.len();
    StepLoads { impulses, ..StepLoads::zeros(rows) }
}
