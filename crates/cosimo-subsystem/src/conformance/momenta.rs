//! Momenta that rows pass on, and moves that close gaps.

use super::Conformance;
use super::inverse_mass::{ensure_rows, expect_sum, why_not_affine};
use super::jumps::expect_change;
use super::moved::positions_since;
use super::portrait::Portrait;
use super::purity::expect_undisturbed;
use super::rejections::{Rejection, expect_refused};
use super::report::{Finding, Found};
use super::run::Run;
use crate::{RowMatrix, RowState, StepLoads, StepResponse};

/// [`Check::Momenta`](super::Check::Momenta)
pub(super) fn momenta(setup: &Conformance<'_>) -> Found {
    ensure_rows(setup)?;
    let (mut run, mut other) = (Run::new(setup), Run::new(setup));
    if run.rows == 0 {
        return Err(Finding::NotApplicable("there are no rows"));
    }
    for event in 0..run.length() {
        if run.is_before_jump() {
            run.advance()?;
            other.advance()?;
        } else {
            pass_on(setup, &mut run, event)?;
            pass_on(setup, &mut other, event)?;
        }
        let found = other.portrait()?;
        run.portrait()?.ensure_same(&found, || format!("event {event} with momenta, a second instance"))?;
        if run.capabilities.can_roll_back && event % 3 == 1 {
            // The second instance goes on as a new one.
            let (mark, saved) = (other.mark(), other.subsystem.save()?);
            other = Run::new(setup);
            other.restore(mark, &saved)?;
        }
    }
    Ok(())
}

/// A step with finite loads and momenta; beginning it twice changes nothing, and moves that are not there are not read.
fn pass_on(setup: &Conformance<'_>, run: &mut Run<'_>, event: usize) -> Found {
    let untouched = run.portrait()?;
    let begun = run.begin()?;
    if run.capabilities.can_roll_back {
        let again = Portrait::of_response(&run.begin()?);
        Portrait::of_response(&begun)
            .ensure_same(&again, || format!("event {event}, `begin` after momenta"))?;
        untouched.ensure_same(&run.portrait()?, || format!("event {event}, `begin` after momenta"))?;
    }
    let mut loads = run.loads(run.next_step(), &begun);
    let share = [0.1, -0.2, 0.05, 0.0][event % 4];
    loads.momenta = setup.kicks(&begun.inverse_mass, share);
    loads.impulses.iter_mut().zip(&loads.momenta).for_each(|(x, momentum)| *x += momentum);
    loads.moves.fill(f64::NAN);
    if !run.capabilities.is_affine {
        run.answer(&loads)?;
    }
    run.commit(&loads)?;
    Ok(())
}

/// Error of the answer to moves of a subsystem that is not affine, relative: rows that turn in a step answer as they stand at its end or
/// on the way.
const TURNED: f64 = 0.1;

/// [`Check::Moves`](super::Check::Moves)
pub(super) fn moves(setup: &Conformance<'_>) -> Found {
    ensure_rows(setup)?;
    let run = Run::new(setup);
    if run.rows == 0 {
        return Err(Finding::NotApplicable("there are no rows"));
    }
    if !run.capabilities.takes_moves {
        return refused(setup);
    }
    for place in setup.places() {
        let share = if run.capabilities.is_affine { 1.0 } else { 1e-3 };
        let Moved { end: low, .. } = moved(setup, place, -share)?;
        let Moved { response, moves, end: high } = moved(setup, place, share)?;
        let moves: Vec<f64> = moves.iter().map(|m| 2.0 * m).collect();
        let mass = if response.move_mass.is_empty() { &response.inverse_mass } else { &response.move_mass };
        let change = mass.product(&moves);
        let description = run.subsystem.description();
        // Frames turn from one end to the other.
        let (ports, high_positions) = (description.port_rows(), positions_since(description, &low, &high));
        let tolerance = if run.capabilities.is_affine { setup.affine_tolerance } else { TURNED };
        expect_change(
            tolerance,
            "moves",
            [&low.positions[..ports], &change[..ports], &high_positions[..ports]],
        )?;
        if why_not_affine(setup).is_none() {
            let rates = rates_of(&response, mass, &moves);
            let sums = [&low.velocities[..ports], &rates[..ports], &high.velocities[..ports]];
            expect_sum(setup.affine_tolerance, "row velocity after moves", sums)?;
        }
    }
    Ok(())
}

/// `−(W − Y) m/χ`.
fn rates_of(response: &StepResponse, mass: &RowMatrix, moves: &[f64]) -> Vec<f64> {
    let (all, kept) = (response.inverse_mass.product(moves), mass.product(moves));
    all.iter().zip(&kept).map(|(all, kept)| (kept - all) / response.weights.position).collect()
}

/// A step with moves: its response before them, and the rows at its end.
struct Moved {
    response: StepResponse,
    moves: Vec<f64>,
    end: RowState,
}

/// A step with moves of this share.
fn moved(setup: &Conformance<'_>, place: usize, share: f64) -> Result<Moved, Finding> {
    let mut run = Run::at(setup, place)?;
    run.subsystem.report_moves(true);
    let begun = run.begin()?;
    let loads = run.loads(run.next_step(), &begun);
    let response = run.subsystem.evaluate(&loads.impulses)?.clone();
    let moves = setup.kicks(&begun.inverse_mass, share);
    run.commit(&StepLoads { moves: moves.clone(), has_moves: true, ..loads })?;
    Ok(Moved { response, moves, end: run.subsystem.rows().clone() })
}

/// Those who take no moves refuse them.
fn refused(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    let begun = run.begin()?;
    let loads = run.loads(run.next_step(), &begun);
    let with_moves = StepLoads { has_moves: true, ..loads.clone() };
    expect_refused("`commit` with moves", Rejection::Unsupported, run.subsystem.commit(&with_moves))?;
    if !run.capabilities.is_affine {
        run.answer(&loads)?;
    }
    run.commit(&loads)?;
    expect_undisturbed(setup, &mut run, place + 1, "refused moves")
}
