//! Values of the document as serde reads them: every mistake is recorded with its position.
//!
//! serde ends at the first mistake. The part of a table in which it is, is then left out, and the table is read again, until
//! nothing is wrong: so all mistakes are found. Fields of tables have defaults, which stand for the parts left out.
//!
//! A variant with parameters is its name alone, or `{ method = NAME, … }` with the parameters.

use std::cell::RefCell;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use thiserror::Error;

use super::sources::Span;
use super::value::Value;

/// Key of a variant's name, where it is given with parameters.
pub(crate) const METHOD: &str = "method";

/// Key of the name of a nonsmooth integrator, which has names in common with methods.
pub(crate) const SCHEME: &str = "scheme";

/// The key under which a table names its variant.
fn tag(table: &Value<'_>) -> &'static str {
    if table.member(SCHEME).is_some() { SCHEME } else { METHOD }
}

/// Parts of a table with mistakes, by their positions.
#[derive(Default)]
pub(crate) struct LeftOut(RefCell<Vec<Span>>);

impl LeftOut {
    /// Leaves out the part at this position; whether it was not left out before.
    pub(crate) fn add(&self, span: Span) -> bool {
        let is_new = !self.contains(&span);
        if is_new {
            self.0.borrow_mut().push(span);
        }
        is_new
    }

    /// Whether nothing is left out.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn contains(&self, span: &Span) -> bool {
        self.0.borrow().contains(span)
    }

    fn len(&self) -> usize {
        self.0.borrow().len()
    }
}

/// Reads a table from the values of its fields without the parts left out, to which those with mistakes are added.
pub(crate) fn read_table<S: DeserializeOwned + Default>(
    fields: &[(&'static str, Value<'_>)],
    left_out: &LeftOut,
) -> S {
    loop {
        let before = left_out.len();
        match S::deserialize(Fields { fields, left_out }) {
            Ok(read) => return read,
            // Of fields that all have defaults none is missing, so that the mistake was in one of them.
            Err(_) if left_out.len() == before => return S::default(),
            Err(_) => {}
        }
    }
}

/// Reads a value; `None` after mistakes.
pub(crate) fn read_value<T: DeserializeOwned>(value: &Value<'_>) -> Option<T> {
    let left_out = LeftOut::default();
    loop {
        let before = left_out.len();
        match T::deserialize(OfValue { value, left_out: &left_out }) {
            Ok(read) => return left_out.is_empty().then_some(read),
            Err(Stop::Unrecorded(message)) => {
                value.error(message);
                return None;
            }
            Err(_) if left_out.len() == before => return None,
            Err(_) => {}
        }
    }
}

/// Why reading has stopped.
#[derive(Debug, Error)]
enum Stop {
    #[error("a mistake was recorded")]
    Recorded,
    #[error("a mistake was recorded in a part that is left out")]
    LeftOut,
    #[error("{0}")]
    Unrecorded(String),
}

impl serde::de::Error for Stop {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Unrecorded(message.to_string())
    }
}

/// A table by the values of its fields.
struct Fields<'r, 'a> {
    fields: &'r [(&'static str, Value<'a>)],
    left_out: &'r LeftOut,
}

impl<'de> Deserializer<'de> for Fields<'_, '_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_map(Entries { rest: self.fields.iter(), at: None, left_out: self.left_out })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The entries of a table, those left out excepted.
struct Entries<'r, 'a> {
    rest: std::slice::Iter<'r, (&'static str, Value<'a>)>,
    at: Option<&'r Value<'a>>,
    left_out: &'r LeftOut,
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Stop> {
        let Some((key, value)) = self.rest.find(|(_, value)| !self.left_out.contains(&value.span())) else {
            return Ok(None);
        };
        self.at = Some(value);
        seed.deserialize((*key).into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        let Some(value) = self.at else { return Err(Stop::Recorded) };
        seed.deserialize(OfValue { value, left_out: self.left_out }).map_err(|stop| {
            if let Stop::Unrecorded(message) = &stop {
                value.error(message);
            }
            if !matches!(stop, Stop::LeftOut) {
                self.left_out.add(value.span());
            }
            Stop::LeftOut
        })
    }
}

/// One value.
struct OfValue<'r, 'a> {
    value: &'r Value<'a>,
    left_out: &'r LeftOut,
}

impl<'de> Deserializer<'de> for OfValue<'_, '_> {
    type Error = Stop;

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_f64(self.value.number().ok_or(Stop::Recorded)?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_u32(self.value.count().ok_or(Stop::Recorded)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let value = self.value;
        let (table, name) = match (value.as_text(), value.as_table()) {
            (Some(name), _) => (None, named(value, (name, &value.span()), variants)),
            (_, Some(_)) => (Some(value), method(value, variants)),
            _ => (None, value.mismatch(&in_words(variants))),
        };
        let name = name.ok_or(Stop::Recorded)?;
        visitor.visit_enum(Variant { name, table, left_out: self.left_out })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let Self { value, left_out } = self;
        let Some(table) = value.as_table() else {
            return Err(value.mismatch::<Stop>("a table").unwrap_or(Stop::Recorded));
        };
        for key in table.keys().filter(|key| !fields.contains(&&**key.get_ref())) {
            if left_out.add(key.span()) {
                value.log.unknown_key(&key.span(), key.get_ref(), &value.label, fields);
            }
        }
        let member = |key: &&'static str| value.member(key).map(|value| (*key, value));
        let given: Vec<_> = fields.iter().filter_map(member).collect();
        Fields { fields: &given, left_out }.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::Unrecorded("cannot be read".to_owned()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u64 f32 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map identifier ignored_any
    }
}

/// Names of values as messages list them.
pub(crate) fn in_words(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or ")
}

/// The name if there is a variant of this name.
fn named<'n>(value: &Value<'_>, (name, span): (&'n str, &Span), variants: &[&str]) -> Option<&'n str> {
    let is_known = variants.contains(&name);
    if !is_known {
        value.log.unknown(span, &value.label, name, variants.iter().copied());
    }
    is_known.then_some(name)
}

/// The name of the variant that a table is of.
fn method<'a>(value: &Value<'a>, variants: &[&str]) -> Option<&'a str> {
    if let Some(method) = value.member(tag(value)) {
        return named(value, (method.text()?, &method.span()), variants);
    }
    if value.log.is_in_path(&value.span()) {
        return value.mismatch(&in_words(variants));
    }
    let message = format!("missing key `{METHOD}` in the {}", value.label);
    value.log.error_with_help(&value.span(), message, format!("add `{METHOD} = …`: {}", in_words(variants)));
    None
}

/// A variant by its name, with the table that it is given in.
struct Variant<'r, 'a> {
    name: &'a str,
    table: Option<&'r Value<'a>>,
    left_out: &'r LeftOut,
}

impl Variant<'_, '_> {
    /// Records keys that the variant does not have, once.
    fn record_unknown_keys(&self, fields: &[&str]) {
        let Some((value, table)) = self.table.and_then(|value| Some((value, value.as_table()?))) else {
            return;
        };
        let known: Vec<&str> = [tag(value)].iter().chain(fields).copied().collect();
        for key in table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
            if self.left_out.add(key.span()) {
                value.log.unknown_key(&key.span(), key.get_ref(), &format!("the {}", value.label), &known);
            }
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        self.record_unknown_keys(&[]);
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, Stop> {
        Err(Stop::Unrecorded("cannot be read".to_owned()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::Unrecorded("cannot be read".to_owned()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.record_unknown_keys(fields);
        let member = |key: &&'static str| self.table?.member(key).map(|value| (*key, value));
        let given: Vec<_> = fields.iter().filter_map(member).collect();
        Fields { fields: &given, left_out: self.left_out }.deserialize_any(visitor)
    }
}
