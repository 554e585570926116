//! Nested tables of a rotor with all keys that they must have: what is missing is told at once, at the place of its table.

use cosimo_aerodynamics::spec::{BladeSpec, WindSpec};
use serde::de::DeserializeOwned;

use crate::toml::Value;

/// Reads the blade.
pub(super) fn blade(value: &Value<'_>) -> Option<BladeSpec> {
    let own = lacks(value, &["stations", "span", "chord", "airfoils"]);
    let ranges = value.member("airfoils").map(|ranges| items(&ranges)).unwrap_or_default();
    let of_ranges = ranges.iter().map(|range| {
        let own = lacks(range, &["from", "to", "airfoil"]);
        let airfoil = range.member("airfoil").is_some_and(|airfoil| lacks_of_kind(&airfoil, AIRFOILS));
        own || airfoil
    });
    // Every one is looked at.
    let is_incomplete = of_ranges.fold(own, |any, own| own || any);
    read(value, is_incomplete)
}

/// Reads the wind.
pub(super) fn wind(value: &Value<'_>) -> Option<WindSpec> {
    read(value, wind_lacks(value))
}

/// Keys that a table must have, by its `kind`.
type ByKind = &'static [(&'static str, &'static [&'static str])];

const AIRFOILS: ByKind = &[("thin", &["lift_slope"]), ("c81", &["text"]), ("csv", &["text"])];

const WINDS: ByKind = &[
    ("uniform", &["velocity"]),
    ("front", &["perturbation_direction", "front_direction", "front_velocity", "profile"]),
    ("gust", &["peak", "start", "duration"]),
    ("linear", &["velocity", "gradient"]),
    ("shear", &["velocity", "reference_height", "exponent", "up"]),
    ("table", &["times", "velocities"]),
    ("sum", &["winds"]),
];

fn read<T: DeserializeOwned>(value: &Value<'_>, is_incomplete: bool) -> Option<T> {
    if is_incomplete { None } else { value.data() }
}

fn items<'a>(value: &Value<'a>) -> Vec<Value<'a>> {
    value.as_list().and_then(|_| value.items("a list")).unwrap_or_default()
}

fn wind_lacks(value: &Value<'_>) -> bool {
    let own = lacks_of_kind(value, WINDS);
    let profile =
        value.member("profile").is_some_and(|profile| lacks(&profile, &["shape", "peak", "length"]));
    let winds = value.member("winds").map(|winds| items(&winds)).unwrap_or_default();
    winds.iter().map(wind_lacks).fold(own || profile, |any, own| own || any)
}

fn lacks_of_kind(value: &Value<'_>, kinds: ByKind) -> bool {
    let kind = value.member("kind");
    let name = kind.as_ref().and_then(Value::as_text);
    let required = kinds.iter().find(|(kind, _)| Some(*kind) == name).map(|(_, keys)| *keys);
    lacks(value, required.unwrap_or(&[]))
}

/// Whether a table lacks some of these keys, which is recorded as one mistake.
fn lacks(value: &Value<'_>, keys: &[&str]) -> bool {
    let Some(table) = value.as_table() else { return false };
    let missing: Vec<String> =
        keys.iter().filter(|key| !table.contains_key(**key)).map(|key| format!("`{key}`")).collect();
    let keys = match &missing[..] {
        [] => return false,
        [only] => format!("key {only}"),
        [first @ .., last] => format!("keys {} and {last}", first.join(", ")),
    };
    value.error(format_args!("lacks {keys}"));
    true
}
