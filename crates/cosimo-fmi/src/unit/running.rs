//! An initialised instance with the variables that cross.

use std::sync::Arc;

use cosimo_first_order::SystemError;

use super::layout::{Group, Layout};
use super::names::Crossing;
use super::parameters::{Setting, Values};
use crate::archive::Unpacked;
use crate::binary::{BinaryError, Instance};

/// A number whose size is no longer that of anything.
const ABSURD: f64 = 1e100;

/// An instance, what is read of it and written to it, and the folder that it lives in.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) instance: Instance,
    pub(crate) layout: Layout,
    pub(crate) can_save: bool,
    pub(crate) can_serialize: bool,
    scratch: Scratch,
    has_warned: bool,
    /// Dropped last: the instance may read from it until its end.
    _unpacked: Arc<Unpacked>,
}

/// Memory for values of other types.
#[derive(Debug, Default)]
struct Scratch {
    integers: Vec<i64>,
    unsigned: Vec<u64>,
    truths: Vec<bool>,
}

impl Running {
    pub(crate) fn new(
        instance: Instance,
        layout: Layout,
        face: (bool, bool),
        unpacked: Arc<Unpacked>,
    ) -> Self {
        Self {
            instance,
            layout,
            can_save: face.0,
            can_serialize: face.0 && face.1,
            scratch: Scratch::default(),
            has_warned: false,
            _unpacked: unpacked,
        }
    }

    /// Reads all scalars.
    #[inline]
    pub(crate) fn read(&mut self, out: &mut [f64]) -> Result<(), BinaryError> {
        let Self { instance, layout, scratch, .. } = self;
        let mut rest = out;
        for group in &layout.reads {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(group.count);
            rest = others;
            read_group(instance, scratch, group, own)?;
        }
        Ok(())
    }

    /// Reads all scalars, checks that they are finite, and warns once where one is absurd.
    #[inline]
    pub(crate) fn read_checked(&mut self, time: f64, out: &mut [f64]) -> Result<(), SystemError> {
        self.read(out).map_err(refused)?;
        // What is not a number is not small either.
        if out.iter().all(|x| x.abs() <= ABSURD) { Ok(()) } else { self.judge(time, out) }
    }

    /// Refuses numbers that are not finite, and warns once of one that is absurd.
    #[cold]
    fn judge(&mut self, time: f64, out: &[f64]) -> Result<(), SystemError> {
        if let Some(index) = out.iter().position(|x| !x.is_finite()) {
            let name = &self.layout.read_names[index];
            let reason = format!("variable `{name}` is {} at {time} s", out[index]);
            return Err(SystemError::Refused { reason });
        }
        if !std::mem::replace(&mut self.has_warned, true)
            && let Some(index) = out.iter().position(|x| x.abs() > ABSURD)
        {
            let (name, instance) = (&self.layout.read_names[index], self.instance.name());
            let value = out[index];
            tracing::warn!(
                "FMU `{instance}` says that all is well, and variable `{name}` is {value:e} at {time} s"
            );
        }
        Ok(())
    }

    /// Writes all scalars.
    pub(crate) fn write(&mut self, values: &[f64]) -> Result<(), BinaryError> {
        self.write_those(values, |_| true)
    }

    /// Writes the inputs that change at events alone, or the others.
    pub(crate) fn write_part(&mut self, values: &[f64], discrete: bool) -> Result<(), BinaryError> {
        self.write_those(values, |group| group.is_discrete == discrete)
    }

    fn write_those(&mut self, values: &[f64], wanted: impl Fn(&Group) -> bool) -> Result<(), BinaryError> {
        let mut rest = values;
        for group in &self.layout.writes {
            let (own, others) = rest.split_at(group.count);
            rest = others;
            if wanted(group) {
                write_group(&mut self.instance, group, own)?;
            }
        }
        Ok(())
    }

    /// Reads back the inputs that change at events alone.
    pub(crate) fn read_discrete_inputs(&mut self, values: &mut [f64]) -> Result<(), BinaryError> {
        let Self { instance, layout, scratch, .. } = self;
        let mut rest = values;
        for group in &layout.writes {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(group.count);
            rest = others;
            if group.is_discrete {
                read_group(instance, scratch, group, own)?;
            }
        }
        Ok(())
    }

    /// Whether inputs that change at events alone differ between these lists.
    pub(crate) fn jumps(&self, from: &[f64], to: &[f64]) -> bool {
        let mut first = 0;
        self.layout.writes.iter().any(|group| {
            let own = first..first + group.count;
            first += group.count;
            group.is_discrete && from[own.clone()] != to[own]
        })
    }

    /// Tells once, as warnings, what the unit has changed in this process.
    pub(crate) fn warn_of_changes(&mut self) {
        for change in self.instance.take_changes() {
            let instance = self.instance.name();
            tracing::warn!("FMU `{instance}` changed {change}");
        }
    }
}

#[inline]
fn read_group(
    instance: &mut Instance,
    scratch: &mut Scratch,
    group: &Group,
    own: &mut [f64],
) -> Result<(), BinaryError> {
    match group.crossing {
        Crossing::Float64 => instance.get_f64(&group.references, own),
        crossing => read_converted(instance, scratch, (crossing, &group.references), own),
    }
}

/// Reads variables of other types as numbers.
fn read_converted(
    instance: &mut Instance,
    scratch: &mut Scratch,
    (crossing, references): (Crossing, &[u32]),
    own: &mut [f64],
) -> Result<(), BinaryError> {
    let Scratch { integers, unsigned, truths } = scratch;
    match crossing {
        Crossing::Float64 => instance.get_f64(references, own)?,
        Crossing::Float32 => instance.get_f32(references, own)?,
        Crossing::Integer(width) => {
            integers.resize(own.len(), 0);
            instance.get_i64(width, references, integers)?;
            #[expect(clippy::cast_precision_loss, reason = "recorded as a number")]
            own.iter_mut().zip(integers).for_each(|(out, x)| *out = *x as f64);
        }
        Crossing::Unsigned64 => {
            unsigned.resize(own.len(), 0);
            instance.get_u64(references, unsigned)?;
            #[expect(clippy::cast_precision_loss, reason = "recorded as a number")]
            own.iter_mut().zip(unsigned).for_each(|(out, x)| *out = *x as f64);
        }
        Crossing::Boolean => {
            truths.resize(own.len(), false);
            instance.get_bool(references, truths)?;
            own.iter_mut().zip(truths).for_each(|(out, x)| *out = f64::from(u8::from(*x)));
        }
    }
    Ok(())
}

fn write_group(instance: &mut Instance, group: &Group, values: &[f64]) -> Result<(), BinaryError> {
    match group.crossing {
        Crossing::Float32 => instance.set_f32(&group.references, values),
        // Inputs of other types are no signals.
        _ => instance.set_f64(&group.references, values),
    }
}

/// Sets a value before the start.
pub(crate) fn set(instance: &mut Instance, setting: &Setting) -> Result<(), BinaryError> {
    let reference = [setting.reference];
    match &setting.values {
        Values::Numbers(Crossing::Float32, values) => instance.set_f32(&reference, values),
        Values::Numbers(Crossing::Boolean, values) => {
            let truths: Vec<bool> = values.iter().map(|x| *x != 0.0).collect();
            instance.set_bool(&reference, &truths)
        }
        Values::Numbers(_, values) => instance.set_f64(&reference, values),
        Values::Integers(Crossing::Integer(width), values) => instance.set_i64(*width, &reference, values),
        Values::Integers(_, values) => {
            let call = "fmi3SetUInt64";
            let unsigned = values
                .iter()
                .map(|x| u64::try_from(*x).map_err(|_| BinaryError::OutOfRange { call, value: *x }));
            instance.set_u64(&reference, &unsigned.collect::<Result<Vec<_>, _>>()?)
        }
        Values::Texts(texts) => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            instance.set_strings(&reference, &texts)
        }
    }
}

/// What an error of the binary means for a step.
pub(crate) fn refused(error: BinaryError) -> SystemError {
    let reason = error.to_string();
    match error {
        BinaryError::Discarded { .. } | BinaryError::Refused { .. } => SystemError::Refused { reason },
        _ => SystemError::Failed { reason },
    }
}
