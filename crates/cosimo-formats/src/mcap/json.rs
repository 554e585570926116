//! Numbers and schemas in JSON.

use serde_json::{Map, Value, json};

/// A number that keeps its bits; what JSON does not have is a string, as in the JSON mapping of Protobuf.
pub(super) fn number(value: f64) -> Value {
    match value {
        _ if value.is_finite() => json!(value),
        _ if value.is_nan() => json!("NaN"),
        _ if value > 0.0 => json!("Infinity"),
        _ => json!("-Infinity"),
    }
}

/// The schema of an object with these properties: names, types and units.
pub(super) fn schema<'a>(
    title: &str,
    properties: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Vec<u8> {
    let property = |(name, kind, unit): (&str, &str, &str)| {
        let described = if unit.is_empty() {
            json!({ "type": kind })
        } else {
            json!({ "type": kind, "description": format!("[{unit}]") })
        };
        (name.to_owned(), described)
    };
    let properties: Map<String, Value> = properties.map(property).collect();
    json!({ "title": title, "type": "object", "properties": properties }).to_string().into_bytes()
}
