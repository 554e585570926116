"""What was to be seen of a run, read without Cosimo: `scene.json` and `frames.bin`."""

import json
import struct
from pathlib import Path

import numpy


def rotation(w, x, y, z):
    """The matrix of a quaternion."""
    w, x, y, z = numpy.array([w, x, y, z]) / numpy.linalg.norm([w, x, y, z])
    return numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


class Filmed:
    def __init__(self, folder):
        folder = Path(folder)
        self.scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
        self.names = [f"{body['subsystem']}.{body['name']}" for body in self.scene["bodies"]]
        self.data, self.at, self.frames = (folder / "frames.bin").read_bytes(), 0, []
        while self.at < len(self.data):
            time, *_ = self.take("<6d")
            poses = [(numpy.array(self.take("<3d")), self.take("<4f")) for _ in self.names]
            forces = [(self.take("<I")[0], self.take("<3f"), self.take("<3f")) for _ in range(self.take("<I")[0])]
            self.frames.append((time, poses, forces))
        known = numpy.array([p for _, poses, _ in self.frames for p, _ in poses])
        self.size = numpy.nanmax(known) - numpy.nanmin(known)

    def take(self, layout):
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def check(self, body, frame, position, matrix):
        """A pose in world axes is that of the run, to 1e-6 of the model's size."""
        expected, quaternion = self.frames[frame][1][body]
        assert numpy.linalg.norm(position - expected) <= 1e-6 * self.size, (body, frame, position, expected)
        assert numpy.abs(matrix - rotation(*quaternion)).max() <= 1e-6, (body, frame, matrix, quaternion)
