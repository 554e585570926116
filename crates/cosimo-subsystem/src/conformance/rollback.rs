//! Saving and restoring.

use super::Conformance;
use super::portrait::Portrait;
use super::purity::expect_undisturbed;
use super::rejections::{Rejection, expect_refused};
use super::report::{Finding, Found};
use super::run::{Mark, Run};
use crate::{Snapshot, SubsystemError};

/// A run that was recorded: what showed before every event and at the end, and what was saved then.
struct Recording<'a> {
    run: Run<'a>,
    portraits: Vec<Portrait>,
    saved: Vec<(Mark, Snapshot)>,
}

impl<'a> Recording<'a> {
    fn new(setup: &'a Conformance<'a>) -> Result<Self, Finding> {
        let run = Run::new(setup);
        if !run.capabilities.can_roll_back {
            return Err(Finding::NotApplicable("the subsystem cannot roll back"));
        }
        let mut recording = Self { run, portraits: Vec::new(), saved: Vec::new() };
        for _ in 0..recording.run.length() {
            recording.note()?;
            recording.run.advance()?;
        }
        recording.note()?;
        Ok(recording)
    }

    fn note(&mut self) -> Result<(), SubsystemError> {
        self.portraits.push(self.run.portrait()?);
        self.saved.push((self.run.mark(), self.run.subsystem.save()?));
        Ok(())
    }
}

/// Continues from `event` to the end and compares with what was recorded.
fn replay(run: &mut Run<'_>, portraits: &[Portrait], event: usize, which: &str) -> Found {
    for (next, expected) in portraits.iter().enumerate().skip(event + 1) {
        run.advance()?;
        expected
            .ensure_same(&run.portrait()?, || format!("event {}, {which} after {event} events", next - 1))?;
    }
    Ok(())
}

/// The events to go back to, the last first and the first again at the end.
fn returns(setup: &Conformance<'_>) -> Vec<usize> {
    let again = [setup.steps / 2, 0];
    setup.places().into_iter().rev().chain(again).collect()
}

/// [`Check::Restore`](super::Check::Restore)
pub(super) fn restore(setup: &Conformance<'_>) -> Found {
    let mut recording = Recording::new(setup)?;
    for place in returns(setup) {
        let (mark, saved) = &recording.saved[place];
        recording.run.restore(*mark, saved)?;
        let expected = &recording.portraits[place];
        expected.ensure_same(&recording.run.portrait()?, || format!("restored after {place} events"))?;
    }
    Ok(())
}

/// [`Check::RestoreRepeats`](super::Check::RestoreRepeats)
pub(super) fn repeats(setup: &Conformance<'_>) -> Found {
    let Recording { mut run, portraits, saved } = Recording::new(setup)?;
    for place in returns(setup) {
        let (mark, saved) = &saved[place];
        run.restore(*mark, saved)?;
        replay(&mut run, &portraits, place, "restored to its state")?;
    }
    Ok(())
}

/// [`Check::RestoreElsewhere`](super::Check::RestoreElsewhere)
pub(super) fn elsewhere(setup: &Conformance<'_>) -> Found {
    let Recording { portraits, saved, .. } = Recording::new(setup)?;
    for place in returns(setup) {
        let (mark, saved) = &saved[place];
        let mut run = Run::new(setup);
        run.restore(*mark, &Snapshot::from_bytes(saved.as_bytes().to_vec()))?;
        portraits[place]
            .ensure_same(&run.portrait()?, || format!("a new instance restored after {place} events"))?;
        replay(&mut run, &portraits, place, "a new instance restored to the state")?;
    }
    Ok(())
}

/// [`Check::DamagedSnapshot`](super::Check::DamagedSnapshot)
pub(super) fn damaged(setup: &Conformance<'_>) -> Found {
    let place = 3;
    let mut run = Run::at(setup, place)?;
    if !run.capabilities.can_roll_back {
        return Err(Finding::NotApplicable("the subsystem cannot roll back"));
    }
    // Saved elsewhere in the run, so that a partial restore shows.
    let saved = Run::at(setup, 1)?.subsystem.save()?;
    let name = run.subsystem.description().name.clone();
    for (damage, snapshot) in damages(&name, &saved)? {
        let result = run.subsystem.restore(&snapshot);
        expect_refused(&format!("`restore` of {damage}"), Rejection::BadSnapshot, result)?;
    }
    expect_undisturbed(setup, &mut run, place, "refused snapshots")
}

fn damages(name: &str, saved: &Snapshot) -> Result<Vec<(&'static str, Snapshot)>, SubsystemError> {
    let bytes = saved.as_bytes();
    let cut = |length: usize| Snapshot::from_bytes(bytes[..length].to_vec());
    let changed = |change: fn(&mut Vec<u8>)| {
        let mut bytes = bytes.to_vec();
        change(&mut bytes);
        Snapshot::from_bytes(bytes)
    };
    let version = |bytes: &mut Vec<u8>| bytes.iter_mut().take(1).for_each(|byte| *byte ^= 0xff);
    let mut damages = vec![
        ("nothing", cut(0)),
        ("the first byte", cut(bytes.len().min(1))),
        ("the first half", cut(bytes.len() / 2)),
        ("all but the last byte", cut(bytes.len().saturating_sub(1))),
        ("one byte too many", changed(|bytes| bytes.push(0))),
        ("another version", changed(version)),
        ("another subsystem's snapshot", Snapshot::encode(&format!("not {name}"), &[1.0, 2.0])?),
    ];
    if let Ok(values) = saved.decode(name) {
        damages.push(("one number too many", Snapshot::encode(name, &[values.as_slice(), &[1.0]].concat())?));
        if let Some((_, fewer)) = values.split_last() {
            damages.push(("one number too few", Snapshot::encode(name, fewer)?));
        }
        damages.push(("another subsystem's snapshot", Snapshot::encode(&format!("not {name}"), &values)?));
    }
    Ok(damages)
}
