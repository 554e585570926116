//! Values of variables.
//!
//! Values are handed over one variable after the other. With arrays (FMI 3) there are more values than references; FMI 2
//! has none, and other lengths are refused.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::instance::{Instance, call};
use super::instantiate::c_texts;
use super::library::Own;
use super::symbols::Call;
use super::{v2, v3};
use std::ffi::{c_char, c_int};

/// The integer types whose values fit into an `i64`. Enumerations are [`I32`](Self::I32) in FMI 2 and [`I64`](Self::I64)
/// in FMI 3. FMI 2 has `I32` alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8 bits, signed.
    I8,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, signed.
    I64,
}

/// Types for which every pattern of bits is a value, and none needs more alignment than 64 bits.
trait Bits: Copy {}
impl Bits for f32 {}
impl Bits for i8 {}
impl Bits for u8 {}
impl Bits for i16 {}
impl Bits for u16 {}
impl Bits for i32 {}
impl Bits for u32 {}
impl Bits for i64 {}
impl Bits for u64 {}
impl Bits for f64 {}

/// A function of either version that reads values.
#[derive(Clone, Copy)]
enum Reader<T> {
    Two(Call<v2::Get<T>>),
    Three(Call<v3::Get<T>>),
}

/// A function of either version that writes values.
#[derive(Clone, Copy)]
enum Writer<T> {
    Two(Call<v2::Set<T>>),
    Three(Call<v3::Set<T>>),
}

/// Real numbers: these are the calls of every step.
impl Instance {
    /// Reads real variables (FMI 3: `Float64`).
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn get_f64(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), BinaryError> {
        let reader = match &self.library.own {
            Own::Two(own) => Reader::Two(own.get_real),
            Own::Three(own) => Reader::Three(own.get_float64),
        };
        self.read(reader, references, values)
    }

    /// Writes real variables (FMI 3: `Float64`).
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn set_f64(&mut self, references: &[u32], values: &[f64]) -> Result<(), BinaryError> {
        let writer = match &self.library.own {
            Own::Two(own) => Writer::Two(own.set_real),
            Own::Three(own) => Writer::Three(own.set_float64),
        };
        self.write(writer, references, values)
    }

    /// Reads variables of type `Float32` (FMI 3).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_f32(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), BinaryError> {
        let reader = Reader::Three(self.library.three("variables of type Float32")?.get_float32);
        self.read_as(reader, references, values, f64::from)
    }

    /// Writes variables of type `Float32` (FMI 3), rounded.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_f32(&mut self, references: &[u32], values: &[f64]) -> Result<(), BinaryError> {
        let writer = Writer::Three(self.library.three("variables of type Float32")?.set_float32);
        self.write_as(writer, references, values, |value, _| Ok(value as f32))
    }
}

/// Integers, booleans and clocks.
impl Instance {
    /// Reads integer variables, or enumerations.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_i64(
        &mut self,
        width: Width,
        references: &[u32],
        values: &mut [i64],
    ) -> Result<(), BinaryError> {
        let own = match &self.library.own {
            Own::Two(own) if width == Width::I32 => {
                return self.read_as(Reader::Two(own.get_integer), references, values, i64::from);
            }
            Own::Two(_) => return Err(BinaryError::Unsupported { what: "variables of this integer type" }),
            Own::Three(own) => own,
        };
        match width {
            Width::I8 => self.read_as(Reader::Three(own.get_int8), references, values, i64::from),
            Width::U8 => self.read_as(Reader::Three(own.get_uint8), references, values, i64::from),
            Width::I16 => self.read_as(Reader::Three(own.get_int16), references, values, i64::from),
            Width::U16 => self.read_as(Reader::Three(own.get_uint16), references, values, i64::from),
            Width::I32 => self.read_as(Reader::Three(own.get_int32), references, values, i64::from),
            Width::U32 => self.read_as(Reader::Three(own.get_uint32), references, values, i64::from),
            Width::I64 => self.read(Reader::Three(own.get_int64), references, values),
        }
    }

    /// Writes integer variables, or enumerations.
    ///
    /// # Errors
    /// A value that does not fit into the type is refused; otherwise see [`BinaryError`].
    pub fn set_i64(&mut self, width: Width, references: &[u32], values: &[i64]) -> Result<(), BinaryError> {
        let own = match &self.library.own {
            Own::Two(own) if width == Width::I32 => {
                return self.write_as(Writer::Two(own.set_integer), references, values, narrow);
            }
            Own::Two(_) => return Err(BinaryError::Unsupported { what: "variables of this integer type" }),
            Own::Three(own) => own,
        };
        match width {
            Width::I8 => self.write_as(Writer::Three(own.set_int8), references, values, narrow),
            Width::U8 => self.write_as(Writer::Three(own.set_uint8), references, values, narrow),
            Width::I16 => self.write_as(Writer::Three(own.set_int16), references, values, narrow),
            Width::U16 => self.write_as(Writer::Three(own.set_uint16), references, values, narrow),
            Width::I32 => self.write_as(Writer::Three(own.set_int32), references, values, narrow),
            Width::U32 => self.write_as(Writer::Three(own.set_uint32), references, values, narrow),
            Width::I64 => self.write(Writer::Three(own.set_int64), references, values),
        }
    }

    /// Reads variables of type `UInt64` (FMI 3).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_u64(&mut self, references: &[u32], values: &mut [u64]) -> Result<(), BinaryError> {
        let reader = Reader::Three(self.library.three("variables of type UInt64")?.get_uint64);
        self.read(reader, references, values)
    }

    /// Writes variables of type `UInt64` (FMI 3).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_u64(&mut self, references: &[u32], values: &[u64]) -> Result<(), BinaryError> {
        let writer = Writer::Three(self.library.three("variables of type UInt64")?.set_uint64);
        self.write(writer, references, values)
    }

    /// Reads boolean variables.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_bool(&mut self, references: &[u32], values: &mut [bool]) -> Result<(), BinaryError> {
        match &self.library.own {
            Own::Two(own) => {
                self.read_as(Reader::Two(own.get_boolean), references, values, |value| value != 0)
            }
            Own::Three(own) => {
                self.read_as(Reader::Three(own.get_boolean), references, values, |value| value != 0)
            }
        }
    }

    /// Writes boolean variables.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_bool(&mut self, references: &[u32], values: &[bool]) -> Result<(), BinaryError> {
        match &self.library.own {
            Own::Two(own) => self.write_as(Writer::Two(own.set_boolean), references, values, |value, _| {
                Ok(c_int::from(value))
            }),
            Own::Three(own) => {
                self.write_as(Writer::Three(own.set_boolean), references, values, |value, _| {
                    Ok(u8::from(value))
                })
            }
        }
    }

    /// Reads which clocks tick (FMI 3); no arrays.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_clocks(&mut self, references: &[u32], values: &mut [bool]) -> Result<(), BinaryError> {
        let reader = Reader::Two(self.library.three("clocks")?.get_clock);
        self.read_as(reader, references, values, |value| value != 0)
    }

    /// Lets clocks tick (FMI 3); no arrays.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_clocks(&mut self, references: &[u32], values: &[bool]) -> Result<(), BinaryError> {
        let writer = Writer::Two(self.library.three("clocks")?.set_clock);
        self.write_as(writer, references, values, |value, _| Ok(u8::from(value)))
    }
}

/// Texts.
impl Instance {
    /// Reads `count` texts.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_strings(&mut self, references: &[u32], count: usize) -> Result<Vec<String>, BinaryError> {
        let mut texts = vec![std::ptr::null::<c_char>(); count];
        let reader = match &self.library.own {
            Own::Two(own) => Reader::Two(own.get_string),
            Own::Three(own) => Reader::Three(own.get_string),
        };
        self.read(reader, references, &mut texts)?;
        // SAFETY: the unit keeps the texts until its next call, and they are copied before.
        Ok(texts.into_iter().map(|text| unsafe { super::host::text(text) }).collect())
    }

    /// Writes texts.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_strings(&mut self, references: &[u32], values: &[&str]) -> Result<(), BinaryError> {
        let texts = c_texts(values, "a value")?;
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let writer = match &self.library.own {
            Own::Two(own) => Writer::Two(own.set_string),
            Own::Three(own) => Writer::Three(own.set_string),
        };
        self.write(writer, references, &pointers)
    }
}

impl Instance {
    #[inline]
    fn read<T>(
        &mut self,
        reader: Reader<T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), BinaryError> {
        if self.reads_compute {
            return self.with_registers(|unit| unit.read_plainly(reader, references, values));
        }
        self.read_plainly(reader, references, values)
    }

    #[inline]
    fn read_plainly<T>(
        &mut self,
        reader: Reader<T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), BinaryError> {
        let (list, count, room) = (references.as_ptr(), references.len(), values.len());
        match reader {
            Reader::Two(get) => {
                same_length(get.name, count, room)?;
                call!(self, get, list, count, values.as_mut_ptr())
            }
            Reader::Three(get) => call!(self, get, list, count, values.as_mut_ptr(), room),
        }
    }

    #[inline]
    fn write<T>(&mut self, writer: Writer<T>, references: &[u32], values: &[T]) -> Result<(), BinaryError> {
        let (list, count, given) = (references.as_ptr(), references.len(), values.len());
        match writer {
            Writer::Two(set) => {
                same_length(set.name, count, given)?;
                call!(self, set, list, count, values.as_ptr())
            }
            Writer::Three(set) => call!(self, set, list, count, values.as_ptr(), given),
        }
    }

    /// Reads values of type `T` and converts them, in memory that is kept for the next call.
    fn read_as<T: Bits, V>(
        &mut self,
        reader: Reader<T>,
        references: &[u32],
        values: &mut [V],
        convert: impl Fn(T) -> V,
    ) -> Result<(), BinaryError> {
        let mut memory = std::mem::take(&mut self.scratch);
        let buffer = view::<T>(&mut memory, values.len());
        let result = self.read(reader, references, buffer);
        if result.is_ok() {
            values.iter_mut().zip(&*buffer).for_each(|(value, &found)| *value = convert(found));
        }
        self.scratch = memory;
        result
    }

    /// Converts values to type `T` and writes them, in memory that is kept for the next call.
    fn write_as<T: Bits, V: Copy>(
        &mut self,
        writer: Writer<T>,
        references: &[u32],
        values: &[V],
        convert: impl Fn(V, &'static str) -> Result<T, BinaryError>,
    ) -> Result<(), BinaryError> {
        let name = match &writer {
            Writer::Two(set) => set.name,
            Writer::Three(set) => set.name,
        };
        let mut memory = std::mem::take(&mut self.scratch);
        let buffer = view::<T>(&mut memory, values.len());
        for (place, &value) in buffer.iter_mut().zip(values) {
            *place = convert(value, name)?;
        }
        let result = self.write(writer, references, buffer);
        self.scratch = memory;
        result
    }
}

fn narrow<T: TryFrom<i64>>(value: i64, call: &'static str) -> Result<T, BinaryError> {
    T::try_from(value).map_err(|_| BinaryError::OutOfRange { call, value })
}

/// FMI 2 is told one length for both lists.
#[inline]
pub(super) fn same_length(call: &'static str, expected: usize, given: usize) -> Result<(), BinaryError> {
    if expected == given { Ok(()) } else { Err(BinaryError::Length { call, expected, given }) }
}

/// The memory as a list of `count` values, enlarged if needed.
fn view<T: Bits>(memory: &mut Vec<u64>, count: usize) -> &mut [T] {
    let words = (count * size_of::<T>()).div_ceil(size_of::<u64>());
    if memory.len() < words {
        memory.resize(words, 0);
    }
    // SAFETY: the memory is large enough and aligned, and any bits in it are values of `T`.
    unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<T>(), count) }
}
