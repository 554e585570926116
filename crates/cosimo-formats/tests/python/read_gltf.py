"""glTF: the animation puts every body where it was, in a world with `y` up."""

import json
import struct
import sys
from pathlib import Path

import numpy

from filmed import Filmed, rotation

run = Filmed(sys.argv[1])
data = (Path(sys.argv[1]) / "scene.glb").read_bytes()
assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
length, kind = struct.unpack_from("<I4s", data, 12)
assert kind == b"JSON"
document = json.loads(data[20:20 + length])
binary = data[20 + length + 8:]
assert document["asset"]["extras"]["units"]["length"] == "m"


def accessor(number):
    own = document["accessors"][number]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[own["type"]]
    dtype = {5126: "<f4", 5125: "<u4"}[own["componentType"]]
    view = document["bufferViews"][own["bufferView"]]
    values = numpy.frombuffer(binary, dtype, own["count"] * width, view["byteOffset"])
    return values.reshape(own["count"], width).astype(float)


# The world turned so that z becomes y.
root = document["nodes"][document["scenes"][0]["nodes"][0]]
x, y, z, w = root["rotation"]
upright = rotation(w, x, y, z)
assert numpy.abs(upright @ [0, 0, 1] - [0, 1, 0]).max() < 1e-6, upright

animations = document.get("animations", [])
channels = {}
times = numpy.array([[0.0]])
if len(run.frames) > 1:
    animation, = animations
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times = accessor(sampler["input"])
        channels[channel["target"]["node"], channel["target"]["path"]] = accessor(sampler["output"])
    extras = animation["extras"]
    assert extras["start"] == run.frames[0][0]
    impact, = extras["impacts"]
    assert impact["contact"] == "lower.floor" and impact["impulse"] == 1.5
    assert abs(impact["time"] + extras["start"] + 0.45) < 1e-12
else:
    assert animations == []
assert len(times) == len(run.frames)
assert numpy.abs(times[:, 0] - [frame[0] - run.frames[0][0] for frame in run.frames]).max() < 1e-6

children = [document["nodes"][k] | {"number": k} for k in root["children"]]
nodes = {node["name"]: node for node in children}
for body, name in enumerate(run.names):
    node = nodes[name]
    for frame in range(len(run.frames)):
        value = lambda path: channels.get((node["number"], path), [node[path]] * len(run.frames))[frame]
        x, y, z, w = value("rotation")
        position = numpy.array(value("translation"))
        if numpy.isnan(run.frames[frame][1][body][0]).any():
            continue
        # As a renderer has it, and back to the axes of the run.
        seen = upright @ position
        run.check(body, frame, upright.T @ seen, rotation(w, x, y, z))
        assert abs(seen[1] - run.frames[frame][1][body][0][2]) < 1e-5 * run.size
    drawn = [shape for shape in run.scene["bodies"][body]["shapes"]]
    assert len(node.get("children", [])) == len(drawn), name

# Ends of links are on their bodies.
for link in run.scene["links"]:
    node = nodes[link["name"]]
    for frame in range(len(run.frames)):
        value = lambda path: channels.get((node["number"], path), [node[path]] * len(run.frames))[frame]
        x, y, z, w = value("rotation")
        half = rotation(w, x, y, z) @ [0, 0, 0.5 * value("scale")[2]]
        for sign, anchor in [(-1, link["from"]), (1, link["to"])]:
            point = numpy.array(anchor["point"])
            if anchor["body"] is not None:
                position, quaternion = run.frames[frame][1][anchor["body"]]
                point = position + rotation(*quaternion) @ point
            found = value("translation") + sign * half
            assert numpy.linalg.norm(found - point) < 2e-6 * run.size, (link["name"], frame, found, point)
