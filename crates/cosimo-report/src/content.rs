//! What the page is told, as JSON.

use cosimo_results::{Event, FrameEnergy, Results};
use serde_json::{Value, json};

use crate::columns::Shown;

/// Events that the page lists.
const EVENTS: usize = 4000;

/// The data of the page but for its arrays.
#[derive(Debug)]
pub(crate) struct Content(Value);

impl Content {
    pub(crate) fn new(results: &Results, columns: Shown, scene: Option<&Value>, frames: usize) -> Self {
        let list: Vec<Value> = columns.list.iter().map(column).collect();
        let energy = (frames > 0).then(|| {
            let energies = FrameEnergy::NAMES.map(|name| json!({ "name": name, "unit": "J" }));
            json!({ "samples": frames, "list": energies })
        });
        Self(json!({
            "version": 1,
            "title": results.title().unwrap_or("Cosimo"),
            "summary": results.summary,
            "columns": {
                "rows": columns.rows,
                "stride": columns.stride,
                "recorded_rows": columns.recorded_rows,
                "left_out": columns.left_out,
                "list": list,
            },
            "events": { "total": results.events.len(), "list": events(&results.events) },
            "scene": scene,
            "energy": energy,
            "figures": [{ "title": "", "columns": columns.plotted }],
        }))
    }

    /// The text, in which no tag ends.
    pub(crate) fn to_json(&self) -> String {
        self.0.to_string().replace("</", "<\\/")
    }
}

fn column((name, unit, statistics): &(String, String, crate::statistics::Statistics)) -> Value {
    let mut described = json!(statistics);
    described["name"] = json!(name);
    described["unit"] = json!(unit);
    described
}

/// The first events; impacts before all others where there are too many.
fn events(all: &[Event]) -> Vec<Value> {
    let is_impact = |event: &&Event| event.kind == cosimo_results::ContactEventKind::Impact;
    let chosen: Vec<&Event> = if all.len() <= EVENTS {
        all.iter().collect()
    } else {
        all.iter().filter(is_impact).take(EVENTS).collect()
    };
    let event = |own: &&Event| {
        json!({
            "t": own.time,
            "kind": own.kind.name(),
            "contact": own.contact,
            "velocity_before": own.velocity_before,
            "velocity_after": own.velocity_after,
            "impulse": own.impulse,
            "work": own.work,
        })
    };
    chosen.iter().map(event).collect()
}
