//! What happened at the contacts.

use cosimo_results::{EVENT_COLUMNS, Event};
use mcap::McapResult;
use serde_json::{Value, json};

use super::Output;
use super::json::{number, schema};

/// The channel of events.
pub(super) struct Channel {
    id: u16,
}

impl Channel {
    pub(super) fn add(output: &mut Output) -> McapResult<Self> {
        let is_text = |name: &str| ["kind", "contact", "friction_state"].contains(&name);
        let kind = |name| if is_text(name) { "string" } else { "number" };
        let properties = EVENT_COLUMNS.into_iter().map(|(name, unit)| (name, kind(name), unit));
        let schema = output.add_schema("event", "jsonschema", &schema("event", properties))?;
        let units = EVENT_COLUMNS.map(|(name, unit)| (name.to_owned(), unit.to_owned()));
        let units = units.into_iter().filter(|(name, _)| !is_text(name)).collect();
        Ok(Self { id: output.add_channel(schema, "/contacts/events", "json", &units)? })
    }

    pub(super) fn write(
        &self,
        event: &Event,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        let Event { time, kind, contact, velocity_before, velocity_after, impulse, .. } = event;
        let values: [Value; 10] = [
            number(*time),
            json!(kind.name()),
            json!(contact),
            number(*velocity_before),
            number(*velocity_after),
            number(*impulse),
            number(event.tangential_impulse[0]),
            number(event.tangential_impulse[1]),
            json!(event.friction.name()),
            number(event.work),
        ];
        let names = EVENT_COLUMNS.map(|(name, _)| name.to_owned());
        let object: serde_json::Map<_, _> = names.into_iter().zip(values).collect();
        message(self.id, Value::Object(object).to_string().as_bytes())
    }
}
