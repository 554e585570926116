//! Names that serde gives to the fields and values of settings.

use std::cell::Cell;
use std::fmt;

use serde::de::value::{Error as Stop, StrDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};

/// A setting with a few named values, by the names of its variants in serde.
pub(crate) trait Choice: Serialize + DeserializeOwned {
    /// The names of all values.
    fn names() -> &'static [&'static str] {
        let asked = Asked::default();
        // Nothing is read: that it ends with an error is known.
        let _ = Self::deserialize(&asked);
        asked.names.get()
    }

    /// Every value with its name, where none has parameters.
    fn all() -> Vec<(&'static str, Self)> {
        let value = |name: &&'static str| {
            let own: StrDeserializer<'_, Stop> = name.into_deserializer();
            Some((*name, Self::deserialize(own).ok()?))
        };
        Self::names().iter().filter_map(value).collect()
    }

    /// Name in the file, of a value without parameters.
    fn name(&self) -> String {
        Shown(self).to_string()
    }
}

impl<C: Serialize + DeserializeOwned> Choice for C {}

/// The names of the fields of a table.
pub(crate) fn fields<'de, S: Deserialize<'de>>() -> &'static [&'static str] {
    let asked = Asked::default();
    let _ = S::deserialize(&asked);
    asked.names.get()
}

/// Holds the names that a type asks for when it is read.
#[derive(Default)]
struct Asked {
    names: Cell<&'static [&'static str]>,
}

impl<'de> Deserializer<'de> for &Asked {
    type Error = Stop;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Stop> {
        self.names.set(variants);
        Err(Stop::custom("only names are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Stop> {
        self.names.set(fields);
        Err(Stop::custom("only names are asked for"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::custom("no names"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// A value by its name.
struct Shown<'v, T>(&'v T);

impl<T: Serialize> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use cosimo_master::{MasterConfig, Scheme};

    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        assert_eq!(Scheme::names(), ["condensed", "gauss-seidel", "jacobi"]);
        assert_eq!(Scheme::GaussSeidel.name(), "gauss-seidel");
        assert_eq!(fields::<MasterConfig>()[..2], ["scheme", "acceleration"]);
        assert!(!fields::<MasterConfig>().contains(&"couplings"));
    }
}
