//! Impulses inside a step and at communication points.

use super::Conformance;
use super::absent::stays;
use super::inverse_mass::{expect_sum, tolerance, why_not_affine};
use super::moved::positions_since;
use super::purity::plain_loads;
use super::report::{Finding, Found, ensure};
use super::run::Run;
use crate::{RowState, StepLoads, SubsystemError};

const TAKES_NONE: Finding = Finding::NotApplicable("the subsystem takes no impulses");

/// [`Check::InsideImpulses`](super::Check::InsideImpulses)
pub(super) fn inside_impulses(setup: &Conformance<'_>) -> Found {
    if !Run::new(setup).capabilities.takes_impulses {
        return Err(TAKES_NONE);
    }
    if let Some(reason) = why_not_affine(setup) {
        return Err(Finding::NotApplicable(reason));
    }
    for place in setup.places() {
        let mut with = Run::at(setup, place)?;
        let begun = with.begin()?;
        let impulses = with.loads(with.next_step(), &begun).impulses;
        let moments = with.moments(&begun, 1.0);
        with.commit(&StepLoads {
            moments: moments.clone(),
            has_moments: true,
            ..plain_loads(impulses.clone())
        })?;

        let mut without = Run::at(setup, place)?;
        without.begin()?;
        without.commit(&plain_loads(impulses))?;

        let change = |direct: &[f64], damped: &[f64]| -> Vec<f64> {
            let direct = begun.inverse_mass.product(direct);
            if begun.damped_inverse_mass.is_empty() {
                return direct;
            }
            let damped = begun.damped_inverse_mass.product(damped);
            direct.iter().zip(&damped).map(|(a, b)| a + b).collect()
        };
        let velocity = change(&moments.velocity, &moments.velocity_damped);
        let position = change(&moments.position, &moments.position_damped);
        let (before, after) = (without.subsystem.rows(), with.subsystem.rows());
        for (name, sums) in [
            ("row velocity", [&before.velocities[..], &velocity, &after.velocities]),
            ("row position", [&before.positions[..], &position, &after.positions]),
        ] {
            expect_sum(setup.affine_tolerance, name, sums)?;
        }
    }
    Ok(())
}

/// [`Check::Jump`](super::Check::Jump)
pub(super) fn jump(setup: &Conformance<'_>) -> Found {
    at_rest_changes(setup, "jump", |run, kicks| {
        let before = run.subsystem.rows().clone();
        run.subsystem.jump(kicks)?;
        let after = run.subsystem.rows();
        let stays = stays(run.subsystem.description(), &before, after);
        let mut moved = before.positions.iter().zip(&after.positions).zip(&stays);
        let stay = moved.all(|((before, after), stays)| !stays || before == after)
            && before.orientations == after.orientations;
        ensure(stay, || format!("`jump` moves the rows from {before:?} to {after:?}"))
    })
}

/// [`Check::Shift`](super::Check::Shift)
pub(super) fn project_positions(setup: &Conformance<'_>) -> Found {
    at_rest_changes(setup, "project_positions", |run, kicks| Ok(run.subsystem.project_positions(kicks)?))
}

/// Prepares a jump, applies `change` and compares the rows with what was prepared: exactly for affine subsystems, by
/// central differences for others.
fn at_rest_changes(
    setup: &Conformance<'_>,
    call: &'static str,
    change: impl Fn(&mut Run<'_>, &[f64]) -> Found,
) -> Found {
    let mut first = Run::new(setup);
    if !first.capabilities.takes_impulses && first.subsystem.prepare_jump(setup.size).is_err() {
        return Err(TAKES_NONE);
    }
    let seen = |run: &Run<'_>, before: &RowState| match call {
        "jump" => run.subsystem.rows().velocities.clone(),
        _ => positions_since(run.subsystem.description(), before, run.subsystem.rows()),
    };
    for place in setup.places() {
        let share = if Run::new(setup).capabilities.is_affine { 1.0 } else { 1e-3 };
        let mut ends = Vec::with_capacity(2);
        let mut expected = Vec::new();
        // Contacts that come with the change had other rows before.
        let mut kept = vec![true; first.rows];
        for sign in [-1.0, 1.0] {
            let mut run = Run::at(setup, place)?;
            let prepared = prepare(setup, &mut run)?;
            let kicks = setup.kicks(&prepared, sign * share);
            let before = run.subsystem.rows().clone();
            change(&mut run, &kicks)?;
            let energy = run.subsystem.energy().total();
            ensure(energy.is_finite(), || format!("the energy after `{call}` is {energy}"))?;
            ends.push(seen(&run, &before));
            let stays = stays(run.subsystem.description(), &before, run.subsystem.rows());
            kept.iter_mut().zip(stays).for_each(|(kept, stays)| *kept &= stays);
            expected = prepared.product(&kicks).iter().map(|dv| 2.0 * dv).collect();
        }
        let tolerance = tolerance(setup, &Run::new(setup));
        let round_off = 64.0 * f64::EPSILON / share;
        let of_kept = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect()
        };
        let changes = [&ends[0], &expected, &ends[1]].map(|values| of_kept(values));
        expect_change(tolerance.max(round_off), call, changes.each_ref().map(Vec::as_slice))?;
    }
    Ok(())
}

/// Compares differences relative to the change itself, not to the values.
pub(super) fn expect_change(tolerance: f64, call: &str, [low, change, high]: [&[f64]; 3]) -> Found {
    let found: Vec<f64> = low.iter().zip(high).map(|(low, high)| high - low).collect();
    let nothing = vec![0.0; found.len()];
    let name = format!("the difference that `{call}` makes to row");
    expect_sum(tolerance, &name, [&nothing, change, &found])
}

/// The prepared matrix; preparing must leave the state untouched and repeat.
fn prepare(setup: &Conformance<'_>, run: &mut Run<'_>) -> Result<crate::RowMatrix, Finding> {
    let untouched = run.portrait()?;
    let first = prepared(setup, run)?;
    untouched.ensure_same(&run.portrait()?, || "after `prepare_jump`".to_owned())?;
    let second = prepared(setup, run)?;
    ensure(first == second, || "`prepare_jump` gives another matrix the second time".to_owned())?;
    Ok(second)
}

fn prepared(setup: &Conformance<'_>, run: &mut Run<'_>) -> Result<crate::RowMatrix, SubsystemError> {
    run.subsystem.prepare_jump(setup.size).cloned()
}
