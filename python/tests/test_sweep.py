"""Sweeps: the table of the command, drawn values, failures, refusals."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import BALL

import cosimo

MASS, RESTITUTION = "subsystem.ball.mass", "subsystem.ball.plane.floor.restitution"


def test_the_table_is_that_of_the_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "ball.toml").write_text(BALL)
    outputs = ["ball.z:mean", "ball.floor:first-impact"]
    arguments = ["--set", f"{RESTITUTION}=0:1:0.25", "--set", f"{MASS}=uniform(1,2)", "--random", "3", "--seed", "9"]
    wanted = [word for output in outputs for word in ["--output", output]]
    subprocess.run([command, "sweep", "ball.toml", "--out", "s", *arguments, *wanted], check=True, cwd=tmp_path)
    with open(tmp_path / "s" / "sweep.csv", newline="") as file:
        theirs = list(csv.DictReader(file))
    values = {RESTITUTION: "0:1:0.25", MASS: "uniform(1,2)"}
    ours = cosimo.Model.parse(BALL).sweep(values, outputs, random=3, seed=9, threads=2)
    assert list(ours) == list(theirs[0]) and ours.rows == len(theirs) == 15
    for name in [RESTITUTION, MASS, *outputs, "steps", "end_time"]:
        assert ours[name].tolist() == [float(row[name]) for row in theirs], name
    assert ours.inputs == [RESTITUTION, MASS] and ours.outputs == outputs
    assert ours.unit("ball.z:mean") == "m" and ours["steps"].dtype.kind == "i"
    frame = ours.to_pandas() if _has_pandas() else None
    assert frame is None or list(frame.columns) == list(ours)


def _has_pandas() -> bool:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


def test_a_row_is_the_run_with_its_values() -> None:
    model = cosimo.Model.parse(BALL).set("time.end", 0.7)
    table = model.sweep({MASS: np.array([1.0, 2.0]), RESTITUTION: [0.25, 0.75]}, ["ball.z", "ball.vz:min"], threads=3)
    for row in range(table.rows):
        own = model.copy()
        for path in table.inputs:
            own.set(path, table[path][row])
        run = own.run()
        assert table["ball.z:last"][row] == run.last("ball.z")
        assert table["ball.vz:min"][row] == run["ball.vz"].min()


def test_cases_go_together_and_none_leaves_an_entry() -> None:
    cases = {MASS: [1.0, 3.0], "subsystem.ball.position": [[0, 0, 0.5], None]}
    table = cosimo.Model.parse(BALL).sweep(outputs=["ball.z:max"], cases=cases)
    assert table["ball.z:max"].tolist() == [0.5, 1.0]
    with pytest.raises(cosimo.CosimoError, match="cases go together"):
        cosimo.Model.parse(BALL).sweep(cases={MASS: [1.0], RESTITUTION: [0.1, 0.2]})


def test_failures_are_rows() -> None:
    table = cosimo.Model.parse(BALL).sweep({MASS: [1.0, -1.0, 2.0]}, ["ball.z:max"])
    assert list(table.failures) == [1] and "must be positive" in table.failures[1]
    assert np.isnan(table["ball.z:max"]).tolist() == [False, True, False]
    assert table["status"].tolist() == ["completed", "invalid", "completed"]


def test_what_cannot_be_swept_is_refused() -> None:
    model = cosimo.Model.parse(BALL)
    with pytest.raises(cosimo.UnknownQuantity, match="did you mean `ball.z`"):
        model.sweep({MASS: [1.0, 2.0]}, ["bal.z"])
    with pytest.raises(cosimo.CosimoError, match="did you mean `max`"):
        model.sweep({MASS: [1.0, 2.0]}, ["ball.z:maxi"])
    with pytest.raises(cosimo.ModelError, match="did you mean `ball`"):
        model.sweep({"subsystem.bal.mass": [1.0, 2.0]})
    with pytest.raises(cosimo.CosimoError, match="random"):
        model.sweep({MASS: "normal(1,0.1)"})
    with pytest.raises(cosimo.CosimoError, match="no entry has several values"):
        model.sweep()
    with pytest.raises(cosimo.CosimoError, match=f"`{MASS}` has no values"):
        model.sweep({MASS: []})
    with pytest.raises(cosimo.ModelError, match="no file"):
        cosimo.Model().sweep({MASS: [1.0]})
    added = cosimo.Model.parse(BALL).add(cosimo.ForceLaw("air", lambda t, z, v: -v, size=3))
    with pytest.raises(cosimo.ModelError, match="`air` was added to the model by the program"):
        added.sweep({MASS: [1.0]})


def test_an_interrupt_ends_the_sweep() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cosimo.Model.parse(BALL).set("time.end", 1e6).sweep({MASS: [1.0, 2.0, 3.0]}, threads=2)
    assert time.monotonic() - start < 5.0
