//! The energy ledger.

use super::Conformance;
use super::report::{Found, ensure};
use super::run::Run;
use cosimo_mechanics::{Energy, StepEnergy};

use crate::StepLoads;

/// Round-off that a balance may leave, relative to the numbers that enter it.
const CLOSURE: f64 = 1e-11;

/// [`Check::Ledger`](super::Check::Ledger)
pub(super) fn ledger(setup: &Conformance<'_>) -> Found {
    let mut run = Run::new(setup);
    let mut sums = Sums::default();
    for event in 0..run.length() {
        if run.is_before_jump() {
            run.advance()?;
            continue;
        }
        let before = run.subsystem.energy();
        let ledger = if run.capabilities.takes_impulses && event % 5 == 3 {
            step_with_impulses(&mut run)?
        } else {
            run.step()?
        };
        let after = run.subsystem.energy();
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        ensure(
            same(after.kinetic, ledger.energy.kinetic) && same(after.potential, ledger.energy.potential),
            || format!("event {event}: the ledger ends at {:?}, the subsystem says {after:?}", ledger.energy),
        )?;
        sums.add(event, before, &ledger)?;
    }
    let allowed = setup.ledger_tolerance * sums.exchanged + 64.0 * f64::EPSILON * sums.stored;
    ensure(sums.numerical <= allowed, || {
        format!(
            "the time integration created or dissipated {:e} J of {:e} J exchanged; allowed are {allowed:e} J",
            sums.numerical, sums.exchanged
        )
    })
}

/// The next step, with impulses inside it.
fn step_with_impulses(run: &mut Run<'_>) -> Result<StepEnergy, super::report::Finding> {
    let step = run.next_step();
    let begun = run.begin()?;
    let loads = run.loads(step, &begun);
    run.answer(&loads)?;
    let moments = run.moments(&begun, 0.1);
    Ok(run.commit(&StepLoads { moments, has_moments: true, ..loads })?)
}

/// Energies added up over a run without regard to sign (J).
#[derive(Default)]
struct Sums {
    exchanged: f64,
    numerical: f64,
    stored: f64,
}

impl Sums {
    /// Adds one step, whose balance must close.
    fn add(&mut self, event: usize, before: Energy, ledger: &StepEnergy) -> Found {
        let after = ledger.energy;
        let terms = [
            ledger.port_work,
            ledger.contact_work,
            ledger.external_work,
            -ledger.dissipated,
            ledger.inner_contacts,
            ledger.jumps,
            ledger.numerical,
        ];
        let moved: f64 = terms[..6].iter().map(|x| x.abs()).sum::<f64>()
            + (after.kinetic - before.kinetic).abs()
            + (after.potential - before.potential).abs();
        let stored = [before.kinetic, before.potential, after.kinetic, after.potential];
        let stored: f64 = stored.iter().map(|x| x.abs()).sum();
        let open = after.total() - before.total() - terms.iter().sum::<f64>();
        // Not `open > …`: it must also refuse NaN.
        ensure(open.abs() <= CLOSURE * (stored + moved + ledger.numerical.abs()), || {
            format!("event {event}: {open:e} J are missing in {ledger:?}, from {before:?}")
        })?;
        self.exchanged += moved;
        self.numerical += ledger.numerical.abs();
        self.stored += stored;
        Ok(())
    }
}
