//! What must be refused, with which error, and without a trace.

use super::Conformance;
use super::purity::expect_undisturbed;
use super::report::{Finding, Found};
use super::run::Run;
use cosimo_mechanics::ImpulseMoments;

use crate::{MacroStep, StepLoads, SubsystemError};

/// The error that a call must return.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rejection {
    /// [`SubsystemError::LoadLength`] with this many loads found.
    LoadLength(usize),
    /// [`SubsystemError::LoadNotFinite`] at this row.
    LoadNotFinite(usize),
    /// [`SubsystemError::BadStep`].
    BadStep,
    /// [`SubsystemError::NotBegun`].
    NotBegun,
    /// [`SubsystemError::Unsupported`].
    Unsupported,
    /// [`SubsystemError::MotionShape`].
    MotionShape,
    /// [`SubsystemError::MotionNotFinite`].
    MotionNotFinite,
    /// [`SubsystemError::BadSnapshot`].
    BadSnapshot,
}

/// The rule is broken when `result` is not this rejection.
pub(super) fn expect_refused<T>(
    call: &str,
    rejection: Rejection,
    result: Result<T, SubsystemError>,
) -> Found {
    let found = match (result, rejection) {
        (Ok(_), _) => "was accepted".to_owned(),
        (Err(SubsystemError::LoadLength { found, .. }), Rejection::LoadLength(n)) if found == n => {
            return Ok(());
        }
        (Err(SubsystemError::LoadNotFinite { row, .. }), Rejection::LoadNotFinite(r)) if row == r => {
            return Ok(());
        }
        (Err(SubsystemError::BadStep { .. }), Rejection::BadStep)
        | (Err(SubsystemError::NotBegun { .. }), Rejection::NotBegun)
        | (Err(SubsystemError::Unsupported { .. }), Rejection::Unsupported)
        | (Err(SubsystemError::MotionShape { .. }), Rejection::MotionShape)
        | (Err(SubsystemError::MotionNotFinite { .. }), Rejection::MotionNotFinite)
        | (Err(SubsystemError::BadSnapshot { .. }), Rejection::BadSnapshot) => return Ok(()),
        (Err(error), _) => format!("gave another error: {error}"),
    };
    Err(Finding::Broken(format!("{call}: must be refused as {rejection:?} and {found}")))
}

/// [`Check::CallOrder`](super::Check::CallOrder)
pub(super) fn call_order(setup: &Conformance<'_>) -> Found {
    let mut run = Run::new(setup);
    let nothing = run.plain_loads(vec![0.0; run.rows], run.next_step());
    for place in 0..3 {
        let when = if place == 0 { "before any `begin`" } else { "after `commit`" };
        expect_not_begun(&mut run, &nothing, when)?;
        if run.capabilities.can_roll_back {
            run.subsystem.discard();
            run.begin()?;
            run.subsystem.discard();
            expect_not_begun(&mut run, &nothing, "after `discard`")?;
        }
        run.step()?;
    }
    expect_undisturbed(setup, &mut run, 3, "calls out of order")
}

fn expect_not_begun(run: &mut Run<'_>, loads: &StepLoads, when: &str) -> Found {
    let result = run.answer(loads);
    expect_refused(&format!("the answer {when}"), Rejection::NotBegun, result)?;
    expect_refused(&format!("`commit` {when}"), Rejection::NotBegun, run.subsystem.commit(loads))
}

/// [`Check::Loads`](super::Check::Loads)
pub(super) fn loads(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    let bad = bad_loads(run.rows);
    for (text, values, rejection) in &bad {
        let result = run.subsystem.begin(run.next_step(), values).map(|_| ());
        expect_refused(&format!("`begin` with {text}"), *rejection, result)?;
        if run.capabilities.takes_impulses {
            run.subsystem.prepare_jump(setup.size)?;
            expect_refused(&format!("`jump` with {text}"), *rejection, run.subsystem.jump(values))?;
            expect_refused(
                &format!("`project_positions` with {text}"),
                *rejection,
                run.subsystem.project_positions(values),
            )?;
        }
    }
    let begun = run.begin()?;
    let good = run.loads(run.next_step(), &begun);
    for (text, values, rejection) in &bad {
        if run.load_coordinates == 0 {
            let result = run.subsystem.evaluate(values).map(|_| ());
            expect_refused(&format!("`evaluate` with {text}"), *rejection, result)?;
        }
        let loads = StepLoads { impulses: values.clone(), ..good.clone() };
        expect_refused(&format!("`commit` with {text}"), *rejection, run.subsystem.commit(&loads))?;
        // Momenta may be left out.
        if !values.is_empty() {
            let loads = StepLoads { momenta: values.clone(), ..good.clone() };
            let result = run.subsystem.commit(&loads);
            expect_refused(&format!("`commit` with {text} in the momenta"), *rejection, result)?;
        }
        if run.capabilities.takes_moves {
            let loads = StepLoads { moves: values.clone(), has_moves: true, ..good.clone() };
            let result = run.subsystem.commit(&loads);
            expect_refused(&format!("`commit` with {text} in the moves"), *rejection, result)?;
        }
        if run.capabilities.takes_impulses {
            bad_moments(&mut run, &good, (text, values, *rejection))?;
        }
    }
    // The step begun is still there.
    if !run.capabilities.is_affine {
        run.answer(&good)?;
    }
    run.commit(&good)?;
    expect_undisturbed(setup, &mut run, place + 1, "refused loads")
}

fn bad_moments(
    run: &mut Run<'_>,
    good: &StepLoads,
    (text, bad, rejection): (&str, &[f64], Rejection),
) -> Found {
    let choose: [fn(&mut ImpulseMoments) -> &mut Vec<f64>; 4] = [
        |moments| &mut moments.velocity,
        |moments| &mut moments.velocity_damped,
        |moments| &mut moments.position,
        |moments| &mut moments.position_damped,
    ];
    for part in choose {
        let mut loads = StepLoads { has_moments: true, ..good.clone() };
        *part(&mut loads.moments) = bad.to_vec();
        expect_refused(
            &format!("`commit` with {text} in the moments"),
            rejection,
            run.subsystem.commit(&loads),
        )?;
    }
    Ok(())
}

/// Loads that must be refused.
fn bad_loads(rows: usize) -> Vec<(String, Vec<f64>, Rejection)> {
    let mut bad =
        vec![("one load too many".to_owned(), vec![0.0; rows + 1], Rejection::LoadLength(rows + 1))];
    if rows > 0 {
        bad.push(("one load too few".to_owned(), vec![0.0; rows - 1], Rejection::LoadLength(rows - 1)));
    }
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for row in 0..rows {
            let mut loads = vec![0.0; rows];
            loads[row] = value;
            bad.push((format!("{value} on row {row}"), loads, Rejection::LoadNotFinite(row)));
        }
    }
    bad
}

/// [`Check::StepSize`](super::Check::StepSize)
pub(super) fn step_size(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    let good = run.next_step();
    let start_loads = run.loads_at(good.time);
    for size in [0.0, -0.0, -good.size, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let result = run.subsystem.begin(MacroStep { size, ..good }, &start_loads).map(|_| ());
        expect_refused(&format!("`begin` with a step of {size} s"), Rejection::BadStep, result)?;
        if run.capabilities.takes_impulses {
            let result = run.subsystem.prepare_jump(size).map(|_| ());
            expect_refused(&format!("`prepare_jump` for steps of {size} s"), Rejection::BadStep, result)?;
        }
    }
    for time in [f64::NAN, f64::INFINITY] {
        let result = run.subsystem.begin(MacroStep { time, ..good }, &start_loads).map(|_| ());
        expect_refused(&format!("`begin` at {time} s"), Rejection::BadStep, result)?;
    }
    expect_undisturbed(setup, &mut run, place, "refused steps")
}
