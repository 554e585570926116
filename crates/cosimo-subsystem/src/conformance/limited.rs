//! Responses of some rows alone.

use super::Conformance;
use super::report::{Finding, Found, ensure};
use super::run::Run;
use crate::{RowMatrix, StepResponse};

/// [`Check::LimitedResponse`](super::Check::LimitedResponse)
pub(super) fn limited_response(setup: &Conformance<'_>) -> Found {
    if Run::new(setup).load_coordinates > 0 {
        return loads_without_tangents(setup);
    }
    if Run::new(setup).rows < 2 {
        return Err(Finding::NotApplicable("there are not two rows"));
    }
    for place in setup.places() {
        let mut full = Run::at(setup, place)?;
        let mut limited = Run::at(setup, place)?;
        let needed: Vec<bool> = (0..full.rows).map(|row| row % 2 == 0).collect();
        limited.subsystem.set_active_rows(&needed);
        let begun = full.begin()?;
        let told = limited.begin()?;
        expect_same(setup, &needed, [&begun, &told], &format!("after {place} events, `begin`"))?;
        let kicks = setup.kicks(&begun.inverse_mass, 1.0);
        let all = full.subsystem.evaluate(&kicks)?.clone();
        let told = limited.subsystem.evaluate(&kicks)?;
        expect_same(setup, &needed, [&all, told], &format!("after {place} events, `evaluate`"))?;
    }
    Ok(())
}

/// Loads have the same bits whether tangents are needed or not, and tangents come back when they are.
fn loads_without_tangents(setup: &Conformance<'_>) -> Found {
    for place in setup.places() {
        let mut full = Run::at(setup, place)?;
        let mut limited = Run::at(setup, place)?;
        let coordinates = full.load_coordinates;
        let motion = full.plain_loads(Vec::new(), full.next_step()).motion;
        full.begin()?;
        let expected = full.subsystem.respond(&motion)?.clone();
        limited.subsystem.set_active_rows(&vec![false; coordinates]);
        limited.begin()?;
        let found = limited.subsystem.respond(&motion)?;
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        ensure(same(&expected.start, &found.start) && same(&expected.end, &found.end), || {
            format!("after {place} events: the loads depend on whether tangents are needed")
        })?;
        limited.subsystem.discard();
        limited.subsystem.set_active_rows(&vec![true; coordinates]);
        limited.begin()?;
        ensure(*limited.subsystem.respond(&motion)? == expected, || {
            format!(
                "after {place} events: the answer is another one after tangents were not needed for a time"
            )
        })?;
    }
    Ok(())
}

/// The rows have the same bits, and the entries between rows that are needed are the same.
fn expect_same(
    setup: &Conformance<'_>,
    needed: &[bool],
    [full, limited]: [&StepResponse; 2],
    place: &str,
) -> Found {
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    let rows_agree = same(&full.positions, &limited.positions) && same(&full.velocities, &limited.velocities);
    ensure(rows_agree, || format!("{place}: the rows depend on which of them are needed"))?;
    for (name, of) in [("W", entries_of as Entries), ("damped W", damped_entries_of)] {
        let (all, some) = (of(full), of(limited));
        ensure(all.shape() == some.shape(), || format!("{place}: {name} has another shape"))?;
        let allowed = setup.affine_tolerance * all.amax();
        for row in (0..all.shape().0).filter(|row| needed[*row]) {
            for column in (0..all.shape().1).filter(|column| needed[*column]) {
                let (expected, found) = (all.entry(row, column), some.entry(row, column));
                ensure((found - expected).abs() <= allowed, || {
                    format!("{place}: {name}[{row}, {column}] is {found:e} instead of {expected:e}")
                })?;
            }
        }
    }
    Ok(())
}

type Entries = fn(&StepResponse) -> &RowMatrix;

fn entries_of(response: &StepResponse) -> &RowMatrix {
    &response.inverse_mass
}

fn damped_entries_of(response: &StepResponse) -> &RowMatrix {
    &response.damped_inverse_mass
}
