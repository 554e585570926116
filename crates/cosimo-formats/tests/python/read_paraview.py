"""VTK's own reader finds bodies, surfaces and forces where they were."""

import sys
import xml.etree.ElementTree
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from filmed import Filmed, rotation

folder = Path(sys.argv[1])
run = Filmed(folder)
sets = xml.etree.ElementTree.parse(folder / "scene.pvd").getroot().find("Collection").findall("DataSet")
assert len(sets) == 3 * len(run.frames)
files = {entry.get("file") for entry in sets}
assert {f"scene/{path.name}" for path in (folder / "scene").iterdir()} == files


def read(entry, time):
    assert float(entry.get("timestep")) == time
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(folder / entry.get("file")))
    reader.Update()
    assert reader.GetErrorCode() == 0
    data = reader.GetOutput()
    assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == time
    units = data.GetFieldData().GetAbstractArray("units")
    assert [units.GetValue(k) for k in range(2)] == ["points [m]", "TimeValue [s]"]
    return data


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else numpy.zeros((0, 3))


def array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def texts(data, name):
    own = data.GetFieldData().GetAbstractArray(name)
    return [own.GetValue(k) for k in range(own.GetNumberOfValues())]


def known(position):
    return not numpy.isnan(position).any()


for frame, (time, poses, forces) in enumerate(run.frames):
    surfaces, bodies, contacts = [read(entry, time) for entry in sets[3 * frame:3 * frame + 3]]
    assert texts(bodies, "names of bodies") == run.names
    assert array(bodies, "body").tolist() == list(range(len(run.names)))
    assert bodies.GetNumberOfVerts() == len(run.names)
    for body, (point, turn) in enumerate(zip(points(bodies), array(bodies, "orientation w x y z"))):
        if known(poses[body][0]):
            run.check(body, frame, point, rotation(*turn))
        else:
            assert numpy.isnan(point).all()

    assert texts(contacts, "names of contacts") == run.scene["contacts"]
    assert contacts.GetNumberOfPoints() == len(forces)
    if forces:
        assert array(contacts, "contact").tolist() == [contact for contact, _, _ in forces]
        assert numpy.array_equal(array(contacts, "force [N]"), [force for _, _, force in forces])
        assert numpy.array_equal(points(contacts), [point for _, point, _ in forces])

    # The corners of the mesh, which is on the fifth body, and the ends of the line, on the seventh.
    body_of = array(surfaces, "body")
    for body, expected in [(4, "vertices"), (6, "points")]:
        shape, = run.scene["bodies"][body]["shapes"]
        geometry = next(iter(shape["geometry"].values()))
        corners = (geometry["mesh"] if expected == "vertices" else geometry)[expected]
        place = rotation(*numpy.roll(shape["orientation"], 1))
        position, turn = poses[body]
        world = [position + rotation(*turn) @ (shape["position"] + place @ corner) for corner in corners]
        found = points(surfaces)[body_of == body]
        for corner in world:
            assert numpy.linalg.norm(found - corner, axis=1).min() < 1e-6 * run.size, (frame, body, corner)
        for corner in found:
            assert numpy.linalg.norm(world - corner, axis=1).min() < 1e-6 * run.size, (frame, body, corner)
    # A sphere is about its centre.
    shape, = run.scene["bodies"][0]["shapes"]
    if known(poses[0][0]):
        centre = poses[0][0] + rotation(*poses[0][1]) @ shape["position"]
        distances = numpy.linalg.norm(points(surfaces)[body_of == 0] - centre, axis=1)
        assert numpy.abs(distances - 0.3).max() < 1e-6 * run.size
    else:
        assert not (body_of == 0).any()
    assert surfaces.GetNumberOfLines() == 2 and surfaces.GetNumberOfPolys() > 1000
    normals = array(surfaces, "Normals")
    assert (abs(numpy.linalg.norm(normals[body_of == 1], axis=1) - 1) < 1e-6).all()
    assert array(surfaces, "color").shape == (surfaces.GetNumberOfPoints(), 3)
