"""What a run has recorded, read without Cosimo: names, units and numbers of the tables in a folder."""

import csv
import json
import struct
from pathlib import Path


def bits(numbers):
    """Numbers with every bit."""
    return [struct.pack("<d", x) for x in numbers]


class Recorded:
    def __init__(self, folder):
        self.folder = Path(folder)
        with open(self.folder / "results.csv", newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        self.names = header
        self.columns = [[float(row[k]) for row in rows] for k in range(len(header))]
        self.summary = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        self.units = ["s"] + [own["unit"] for own in self.summary["quantities"]]
        assert self.names == ["t"] + [own["name"] for own in self.summary["quantities"]]
        with open(self.folder / "events.csv", newline="", encoding="utf-8") as file:
            self.event_names, *self.events = csv.reader(file)
