"""Quantities and events in MCAP, as the reader of Foxglove has them."""

import json
import sys
from pathlib import Path

from mcap.reader import make_reader

from recorded import Recorded, bits

run = Recorded(sys.argv[1])
rows, schemas, units = {}, {}, {}
with open(Path(sys.argv[1]) / "results.mcap", "rb") as file:
    reader = make_reader(file, validate_crcs=True)
    last = 0
    for schema, channel, message in reader.iter_messages(log_time_order=False):
        assert channel.message_encoding == "json" and schema.encoding == "jsonschema"
        assert message.log_time == message.publish_time >= last
        last = message.log_time
        rows.setdefault(channel.topic, []).append((message.log_time, json.loads(message.data)))
    for channel in reader.get_summary().channels.values():
        schema = reader.get_summary().schemas[channel.schema_id]
        schemas[channel.topic] = json.loads(schema.data)
        units[channel.topic] = channel.metadata
    metadata = {own.name: own.metadata for own in reader.iter_metadata()}

assert metadata["cosimo"]["title"] == run.summary["title"]
assert metadata["cosimo"]["outcome"] == run.summary["outcome"]

times = run.columns[0]
expected = {"/contacts/events"}
for name, unit, values in list(zip(run.names, run.units, run.columns))[1:]:
    owner, own = name.split(".", 1)
    topic = f"/{owner}"
    expected.add(topic)
    assert units[topic][own] == unit and units[topic]["t"] == "s", units
    described = schemas[topic]["properties"][own]
    assert described["type"] == "number" and described.get("description", "") == (f"[{unit}]" if unit else "")
    found = rows.get(topic, [])
    # Strings are numbers that JSON does not have.
    assert bits(float(row[own]) for _, row in found) == bits(values), name
    assert bits(float(row["t"]) for _, row in found) == bits(times), name
    start = min(times, default=0.0)
    assert [log for log, _ in found] == [round((time - start) * 1e9) for time in times]
assert set(schemas) == expected, set(schemas)

events = rows.get("/contacts/events", [])
assert len(events) == len(run.events)
for (_, found), recorded in zip(events, run.events):
    for name, text in zip(run.event_names, recorded):
        if name in ("kind", "contact", "friction_state"):
            assert found[name] == text, (name, found)
        else:
            assert bits([float(found[name])]) == bits([float(text)]), (name, found)
