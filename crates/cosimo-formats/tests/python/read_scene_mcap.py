"""Frames, shapes and forces in MCAP, decoded by the schemas in the file."""

import sys
from pathlib import Path

import numpy
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

from filmed import Filmed, rotation

run = Filmed(sys.argv[1])
messages = {}
with open(Path(sys.argv[1]) / "results.mcap", "rb") as file:
    for schema, channel, message, decoded in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(
        topics=["/scene/frames", "/scene/bodies", "/scene/moving"]
    ):
        assert schema.name == {"/scene/frames": "foxglove.FrameTransforms"}.get(channel.topic, "foxglove.SceneUpdate")
        messages.setdefault(channel.topic, []).append((message.log_time, decoded, channel.metadata))

frames = messages["/scene/frames"]
assert len(frames) == len(run.frames)
for frame, (log, decoded, metadata) in enumerate(frames):
    time, poses, _ = run.frames[frame]
    assert metadata["translation"] == "m"
    assert log == round((time - run.frames[0][0]) * 1e9)
    known = [k for k, (position, _) in enumerate(poses) if not numpy.isnan(position).any()]
    assert [own.child_frame_id for own in decoded.transforms] == [run.names[k] for k in known]
    for body, own in zip(known, decoded.transforms):
        assert own.parent_frame_id == "world"
        assert own.timestamp.seconds * 10**9 + own.timestamp.nanos == log
        at, q = own.translation, own.rotation
        run.check(body, frame, numpy.array([at.x, at.y, at.z]), rotation(q.w, q.x, q.y, q.z))

(_, shapes, _), = messages["/scene/bodies"]
assert [entity.frame_id for entity in shapes.entities] == run.names
kinds = ["spheres", "cubes", "cylinders", "arrows", "lines", "triangles"]
counts = [[len(getattr(entity, kind)) for kind in kinds] for entity in shapes.entities]
single = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [2, 0, 1, 0, 0, 0],
          [0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
assert counts == single + [numpy.sum(single, axis=0).tolist(), [0] * 6], counts
assert all(entity.frame_locked for entity in shapes.entities)
ball = shapes.entities[0].spheres[0]
assert (ball.size.x, ball.size.y, ball.size.z) == (0.6, 0.6, 0.6) and ball.color.a == 1

moving = messages["/scene/moving"]
assert len(moving) == len(run.frames)
for frame, (_, decoded, metadata) in enumerate(moving):
    links, forces = decoded.entities
    assert (links.id, forces.id, links.frame_id) == ("links", "forces", "world")
    assert len(links.cylinders) == len(run.scene["links"])
    assert len(forces.arrows) == len(run.frames[frame][2])
    scale, unit = metadata["arrows"].split(" ", 1)
    assert unit == "m/N"
    for arrow, pair, (contact, point, force) in zip(forces.arrows, forces.metadata, run.frames[frame][2]):
        assert pair.key == run.scene["contacts"][contact]
        assert [float(x) for x in pair.value.split()] == list(force)
        at, q = arrow.pose.position, arrow.pose.orientation
        assert (at.x, at.y, at.z) == tuple(point)
        length = arrow.shaft_length + arrow.head_length
        vector = rotation(q.w, q.x, q.y, q.z) @ [length, 0, 0]
        assert numpy.abs(vector - float(scale) * numpy.array(force)).max() < 1e-9 * run.size
