"""Parquet as pyarrow and pandas read it."""

import json
import sys
from pathlib import Path

import pandas
import pyarrow
import pyarrow.parquet

from recorded import Recorded, bits

run = Recorded(sys.argv[1])
path = Path(sys.argv[1]) / "results.parquet"

table = pyarrow.parquet.read_table(path)
table.validate(full=True)
assert table.column_names == run.names, table.column_names
for name, unit, values in zip(run.names, run.units, run.columns):
    field = table.schema.field(name)
    assert field.type == pyarrow.float64() and not field.nullable, field
    metadata = field.metadata or {}
    assert metadata.get(b"unit", b"").decode() == unit, (name, metadata)
    assert bits(table[name].to_numpy()) == bits(values), name

metadata = table.schema.metadata
assert json.loads(metadata[b"units"]) == dict(zip(run.names, run.units)), metadata
assert metadata[b"title"].decode() == run.summary["title"], metadata
assert metadata[b"outcome"].decode() == run.summary["outcome"], metadata
assert metadata[b"cosimo_version"].decode() == run.summary["cosimo_version"], metadata

frame = pandas.read_parquet(path)
assert list(frame.columns) == run.names
for name, values in zip(run.names, run.columns):
    assert bits(frame[name]) == bits(values), name
assert frame.attrs["units"] == dict(zip(run.names, run.units)), frame.attrs
some = run.names[2]
assert bits(pandas.read_parquet(path, columns=[some])[some]) == bits(run.columns[2])

events = pyarrow.parquet.read_table(path.with_name("events.parquet"))
events.validate(full=True)
assert events.column_names == run.event_names
for k, name in enumerate(run.event_names):
    recorded = [row[k] for row in run.events]
    if name in ("kind", "contact", "friction_state"):
        assert events[name].to_pylist() == recorded, name
    else:
        assert bits(events[name].to_numpy()) == bits(float(x) for x in recorded), name
        assert events.schema.field(name).metadata[b"unit"], name
