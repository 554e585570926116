//! Values that the host reads and sets.
//!
//! A value that may depend on what was set since the last values came is read by a request; all others are known.

use std::ffi::{CString, c_char};

use super::core::{Instance, Mode};
use crate::log::c_text;
use crate::protocol::{Call, Change, Direction, Kind, Reply, Role, Value};

impl Instance {
    /// Reads variables of a type: `out` gets what `take` makes of their values.
    pub(crate) fn get<T>(
        &mut self,
        references: &[u32],
        kind: Kind,
        out: &mut [T],
        take: impl Fn(&Value) -> Option<T>,
    ) -> Result<(), String> {
        let slots = self.slots(references, kind, out.len())?;
        if slots.iter().any(|slot| self.stale(*slot)) {
            self.ask_values(Call::Read)?;
        }
        for (slot, place) in slots.iter().zip(out) {
            *place = self.values.get(*slot).and_then(&take).ok_or("the value is not known")?;
        }
        Ok(())
    }

    /// Reads texts: `out` gets pointers that hold until texts are read again.
    pub(crate) fn get_texts(&mut self, references: &[u32], out: &mut [*const c_char]) -> Result<(), String> {
        let mut texts = vec![CString::default(); out.len()];
        self.get(references, Kind::Text, &mut texts, |value| value.text().map(c_text))?;
        self.texts = texts;
        for (place, text) in out.iter_mut().zip(&self.texts) {
            *place = text.as_ptr();
        }
        Ok(())
    }

    /// Sets variables of a type. What the unit says to that comes with the next answer.
    pub(crate) fn set(&mut self, references: &[u32], kind: Kind, values: Vec<Value>) -> Result<(), String> {
        let slots = self.slots(references, kind, values.len())?;
        for slot in &slots {
            self.check_settable(*slot)?;
        }
        for (slot, value) in slots.into_iter().zip(values) {
            let input = self.role(slot) == Some(Role::Input);
            self.inputs_set |= input;
            self.parameters_set |= !input;
            self.values[slot] = value.clone();
            self.changes.push(Change { scalar: scalar(slot)?, value });
        }
        Ok(())
    }

    /// Ticks clocks, or takes that back.
    pub(crate) fn set_clocks(&mut self, references: &[u32], values: Vec<Value>) -> Result<(), String> {
        self.require_clocks(references)?;
        self.set(references, Kind::Boolean, values)
    }

    /// Whether clocks tick.
    pub(crate) fn get_clocks(&mut self, references: &[u32], out: &mut [bool]) -> Result<(), String> {
        self.require_clocks(references)?;
        self.get(references, Kind::Boolean, out, Value::boolean)
    }

    fn require_clocks(&self, references: &[u32]) -> Result<(), String> {
        let is_clock = |reference: &&u32| {
            usize::try_from(**reference).ok().and_then(|slot| self.role(slot)) == Some(Role::Clock)
        };
        match references.iter().find(|reference| !is_clock(reference)) {
            Some(reference) => Err(format!("the variable of value reference {reference} is no clock")),
            None => Ok(()),
        }
    }

    /// The derivative of `unknowns` in the direction `seed` of `knowns`.
    pub(crate) fn derivative(
        &mut self,
        unknowns: (&[u32], usize),
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, String> {
        self.require("a derivative", &[Mode::Initialising, Mode::Stepping, Mode::Events])?;
        let slots =
            |references, count| self.slots(references, Kind::Real, count)?.into_iter().map(scalar).collect();
        let unknowns: Result<Vec<u32>, String> = slots(unknowns.0, unknowns.1);
        let knowns: Result<Vec<u32>, String> = slots(knowns, seed.len());
        let (unknowns, knowns) = (unknowns?, knowns?);
        let count = unknowns.len();
        match self.ask(Call::Derivative(Direction { unknowns, knowns, seed: seed.to_vec() }))? {
            Reply::Numbers(numbers) if numbers.len() == count => Ok(numbers),
            other => Err(self.misunderstood(&other)),
        }
    }

    /// Where in `values` variables are that have `count` values together.
    fn slots(&self, references: &[u32], kind: Kind, count: usize) -> Result<Vec<usize>, String> {
        let mut slots = Vec::with_capacity(count);
        for reference in references {
            let slot = usize::try_from(*reference).unwrap_or(usize::MAX);
            let (own, length) = match slot.checked_sub(1) {
                None => (Kind::Real, 1),
                Some(scalar) => {
                    let scalar = self.sheet.scalars.get(scalar).filter(|scalar| scalar.count > 0);
                    let scalar =
                        scalar.ok_or_else(|| format!("no variable has the value reference {reference}"))?;
                    (scalar.kind, scalar.count)
                }
            };
            if own != kind {
                return Err(format!("the variable of value reference {reference} is {own:?}, not {kind:?}"));
            }
            slots.extend(slot..slot + length);
        }
        match slots.len() {
            length if length == count => Ok(slots),
            length => Err(format!("the variables have {length} values, the call has {count}")),
        }
    }

    /// Whether a value may depend on what was set since the last values came.
    fn stale(&self, slot: usize) -> bool {
        match self.role(slot) {
            None | Some(Role::Input | Role::Parameter | Role::Tunable | Role::Clock) => false,
            Some(Role::Output) if self.mode == Mode::Stepping => self.parameters_set,
            Some(Role::Output | Role::Feedthrough | Role::Local) => self.inputs_set || self.parameters_set,
        }
    }

    /// What a variable is to the host; `None` for the time.
    fn role(&self, slot: usize) -> Option<Role> {
        self.sheet.scalars.get(slot.checked_sub(1)?).map(|scalar| scalar.role)
    }

    fn check_settable(&self, slot: usize) -> Result<(), String> {
        let what = format!("setting the variable of value reference {slot}");
        match self.role(slot) {
            Some(Role::Clock) => self.require(&what, &[Mode::Events]),
            Some(Role::Parameter) => self.require(&what, &[Mode::Instantiated, Mode::Initialising]),
            Some(Role::Input | Role::Tunable) => {
                self.require(&what, &[Mode::Instantiated, Mode::Initialising, Mode::Stepping, Mode::Events])
            }
            _ => Err(format!("{what} is not possible: it is neither an input nor a parameter")),
        }
    }
}

/// Number of the scalar of a slot.
fn scalar(slot: usize) -> Result<u32, String> {
    let number = slot.checked_sub(1).ok_or("the time is neither an input nor a parameter")?;
    u32::try_from(number).map_err(|_| "there are too many variables".to_owned())
}
