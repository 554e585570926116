//! How the rows answer to impulses over a step.

use super::Conformance;
use super::absent::stays;
use super::moved::positions_since;
use super::portrait::Portrait;
use super::purity::plain_loads;
use super::report::{Finding, Found, ensure};
use super::run::Run;
use crate::{InverseMass, RowMatrix, StepResponse};

/// The rule is of rows: it does not apply to load ports.
pub(super) fn ensure_rows(setup: &Conformance<'_>) -> Found {
    match Run::new(setup).load_coordinates {
        0 => Ok(()),
        _ => Err(Finding::NotApplicable("load ports have no rows")),
    }
}

/// [`Check::InverseMass`](super::Check::InverseMass)
pub(super) fn derivative(setup: &Conformance<'_>) -> Found {
    ensure_rows(setup)?;
    if Run::new(setup).capabilities.inverse_mass == InverseMass::Unknown {
        return unknown_is_zero(setup);
    }
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let begun = run.begin()?;
        let loads = run.loads(run.next_step(), &begun);
        let at_rest = vec![0.0; run.rows];
        expect_derivative(setup, &mut run, &at_rest, &begun.inverse_mass)
            .map_err(|found| located(found, format!("after {place} events, `begin`")))?;
        for impulses in [&loads.impulses, &setup.kicks(&begun.inverse_mass, 1.0)] {
            let inverse_mass = run.subsystem.evaluate(impulses)?.inverse_mass.clone();
            expect_derivative(setup, &mut run, impulses, &inverse_mass)
                .map_err(|found| located(found, format!("after {place} events, `evaluate`")))?;
        }
    }
    Ok(())
}

fn unknown_is_zero(setup: &Conformance<'_>) -> Found {
    let begun = Run::new(setup).begin()?;
    ensure(begun.inverse_mass.stored().all(|(_, w)| w == 0.0), || {
        "the inverse mass is said to be unknown and is not zero".to_owned()
    })
}

fn located(found: Finding, place: String) -> Finding {
    match found {
        Finding::Broken(text) => Finding::Broken(format!("{place}: {text}")),
        other => other,
    }
}

/// What a solver leaves in the velocities that it finds, relative. Of rows that move it is 1e-8 of the derivative; rows that
/// joints hold show nothing else.
const ROUND_OFF: f64 = 1e-12;

/// Central differences of the end velocities about `impulses`, column by column.
fn expect_derivative(
    setup: &Conformance<'_>,
    run: &mut Run<'_>,
    impulses: &[f64],
    inverse_mass: &RowMatrix,
) -> Found {
    let mut moved = impulses.to_vec();
    for column in 0..run.rows {
        let kick = setup.kick(inverse_mass, column, 1e-3);
        moved[column] = impulses[column] + kick;
        let above = run.subsystem.evaluate(&moved)?.velocities.clone();
        moved[column] = impulses[column] - kick;
        let below = run.subsystem.evaluate(&moved)?.velocities.clone();
        moved[column] = impulses[column];
        let round_off = ROUND_OFF * largest(&above) / kick.abs();
        let allowed = setup.derivative_tolerance * inverse_mass.column_amax(column) + round_off;
        for row in 0..run.rows {
            let difference = (above[row] - below[row]) / (2.0 * kick);
            let stated = inverse_mass[(row, column)];
            ensure((difference - stated).abs() <= allowed, || {
                format!("W[{row}, {column}] is {stated:e}, differences give {difference:e}")
            })?;
        }
    }
    Ok(())
}

/// The free response and the responses to impulses on single rows and on all of them.
fn affine_answers(
    setup: &Conformance<'_>,
    check: impl Fn(&StepResponse, &[f64], &StepResponse) -> Found,
) -> Found {
    ensure_rows(setup)?;
    if let Some(reason) = why_not_affine(setup) {
        return Err(Finding::NotApplicable(reason));
    }
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let free = run.begin()?;
        let all = setup.kicks(&free.inverse_mass, 1.0);
        for impulses in &trials(&all) {
            let found = run.subsystem.evaluate(impulses)?;
            check(&free, impulses, found)
                .map_err(|found| located(found, format!("after {place} events, `evaluate`")))?;
        }
    }
    Ok(())
}

/// No impulses, all kicks, all backwards and larger, and each alone.
fn trials(all: &[f64]) -> Vec<Vec<f64>> {
    let mut trials = vec![vec![0.0; all.len()], all.to_vec(), all.iter().map(|x| -30.0 * x).collect()];
    for (row, kick) in all.iter().enumerate() {
        let mut single = vec![0.0; all.len()];
        single[row] = *kick;
        trials.push(single);
    }
    trials
}

/// Why statements about affine answers do not apply.
pub(super) fn why_not_affine(setup: &Conformance<'_>) -> Option<&'static str> {
    let capabilities = Run::new(setup).capabilities;
    match (capabilities.is_affine, capabilities.inverse_mass) {
        (false, _) => Some("the answer is not affine"),
        (true, InverseMass::Unknown) => Some("the inverse mass is unknown"),
        (true, InverseMass::Exact) => None,
    }
}

/// [`Check::Affinity`](super::Check::Affinity)
pub(super) fn affinity(setup: &Conformance<'_>) -> Found {
    affine_answers(setup, |free, impulses, found| {
        Portrait::of_matrices(free).ensure_same(&Portrait::of_matrices(found), || {
            "the matrices depend on the impulses".to_owned()
        })?;
        let change = free.inverse_mass.product(impulses);
        let sums = [&free.velocities[..], &change, &found.velocities];
        expect_sum(setup.affine_tolerance, "end velocity", sums)
    })
}

/// [`Check::PositionWeight`](super::Check::PositionWeight)
pub(super) fn position_weight(setup: &Conformance<'_>) -> Found {
    affine_answers(setup, |free, impulses, found| {
        let change: Vec<f64> =
            free.inverse_mass.product(impulses).iter().map(|dv| free.weights.position * dv).collect();
        let sums = [&free.positions[..], &change, &found.positions];
        expect_sum(setup.affine_tolerance, "end position", sums)
    })
}

/// [`Check::Commit`](super::Check::Commit)
pub(super) fn commit(setup: &Conformance<'_>) -> Found {
    ensure_rows(setup)?;
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let begun = run.begin()?;
        let loads = plain_loads(setup.kicks(&begun.inverse_mass, 1.0));
        let said = run.subsystem.evaluate(&loads.impulses)?.clone();
        let before = run.subsystem.rows().clone();
        run.commit(&loads)?;
        let (rows, description) = (run.subsystem.rows(), run.subsystem.description());
        let stays = stays(description, &before, rows);
        let kept = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(value, _)| *value).collect()
        };
        let positions = positions_since(description, &before, rows);
        let (nothing, tolerance) = (kept(&vec![0.0; run.rows]), tolerance(setup, &run));
        for (name, [said, found]) in [
            ("row velocity", [&said.velocities, &rows.velocities]),
            ("row position", [&said.positions, &positions]),
        ] {
            let sums = [&kept(said)[..], &nothing, &kept(found)];
            expect_sum(tolerance, name, sums)
                .map_err(|found| located(found, format!("after {place} events, `commit`")))?;
        }
    }
    Ok(())
}

/// The tolerance that fits what the subsystem says of its answers.
pub(super) fn tolerance(setup: &Conformance<'_>, run: &Run<'_>) -> f64 {
    if run.capabilities.is_affine { setup.affine_tolerance } else { setup.derivative_tolerance }
}

/// [`Check::Revision`](super::Check::Revision)
pub(super) fn revision(setup: &Conformance<'_>) -> Found {
    ensure_rows(setup)?;
    let mut run = Run::new(setup);
    let mut last: Option<StepResponse> = None;
    for event in 0..run.length() {
        if run.is_before_jump() {
            // What a jump prepares may count as a change.
            run.advance()?;
            last = None;
            continue;
        }
        let share = if run.capabilities.has_variable_step && event % 4 >= 2 { 0.5 } else { 1.0 };
        let begun = run.begin_sized(share)?;
        let is_economic = run.capabilities.is_affine;
        compare_revisions(event, last.as_ref(), &begun, is_economic)?;
        let kicks = setup.kicks(&begun.inverse_mass, 0.1);
        let evaluated = run.subsystem.evaluate(&kicks)?.clone();
        compare_revisions(event, Some(&begun), &evaluated, is_economic)?;
        run.commit_sized(&plain_loads(kicks), share)?;
        last = Some(evaluated);
    }
    Ok(())
}

/// The same revision stands for the same matrices; of an affine subsystem, another one stands for others.
fn compare_revisions(
    event: usize,
    last: Option<&StepResponse>,
    now: &StepResponse,
    is_economic: bool,
) -> Found {
    let Some(last) = last else { return Ok(()) };
    let difference = Portrait::of_matrices(last).difference(&Portrait::of_matrices(now));
    match (last.revision == now.revision, difference) {
        (true, Some(difference)) => {
            ensure(false, || format!("event {event}: the revision is the same although {difference}"))
        }
        (false, None) if is_economic => {
            ensure(false, || format!("event {event}: the revision changes although nothing else does"))
        }
        _ => Ok(()),
    }
}

/// Largest magnitude.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

/// The rule is broken when `before + change` is not `after`, relative to the largest of the numbers.
pub(super) fn expect_sum(tolerance: f64, name: &str, [before, change, after]: [&[f64]; 3]) -> Found {
    let scale = largest(before).max(largest(change)).max(largest(after));
    for (row, ((before, change), after)) in before.iter().zip(change).zip(after).enumerate() {
        let expected = before + change;
        ensure((after - expected).abs() <= tolerance * scale, || {
            format!("{name} {row} is {after:e}, expected {expected:e} (difference {:e})", after - expected)
        })?;
    }
    Ok(())
}
