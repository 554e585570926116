"""MATLAB 4 as SciPy reads it, and the layout of trajectories as DyMat knows it."""

import sys
from pathlib import Path

import DyMat
import scipy.io

from recorded import Recorded, bits

run = Recorded(sys.argv[1])
path = str(Path(sys.argv[1]) / "results.mat")

content = scipy.io.loadmat(path, chars_as_strings=False)
texts = lambda matrix: ["".join(column).rstrip(" ").encode("latin-1").decode("utf-8") for column in matrix.T]
assert ["".join(row).rstrip(" ") for row in content["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
assert texts(content["name"]) == run.names
assert texts(content["description"]) == [
    ("Time " if name == "t" else "") + (f"[{unit}]" if unit else "") for name, unit in zip(run.names, run.units)
]
info = content["dataInfo"].T.tolist()
assert info == [[0, 1, 0, -1]] + [[2, k + 1, 0, -1] for k in range(1, len(run.names))], info
data = content["data_2"]
assert data.shape == (len(run.names), len(run.columns[0])), data.shape
for k, values in enumerate(run.columns):
    assert bits(data[k]) == bits(values), run.names[k]
times = run.columns[0]
assert bits(content["data_1"][0]) == bits([times[0], times[-1]] if times else [])

file = DyMat.DyMatFile(path)
for name, unit, values in list(zip(run.names, run.units, run.columns))[1:]:
    name = name.encode("utf-8").decode("latin-1")
    assert bits(file.data(name)) == bits(values), name
    assert file.description(name).encode("latin-1").decode("utf-8") == (f"[{unit}]" if unit else "")
    assert bits(file.abscissa(name, valuesOnly=True)) == bits(times)
