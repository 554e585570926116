"""Models: opened, built of dictionaries, changed, checked; errors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import BALL

import cosimo


def test_a_file_gives_the_bits_of_the_command(command: str, example: Path, tmp_path: Path) -> None:
    file = example / "rigid-pair" / "model.toml"
    subprocess.run([command, "run", file, "--set", "time.end=2.0", "--out", tmp_path / "run"], check=True)
    theirs = cosimo.read(tmp_path / "run")
    ours = cosimo.Model(file).set("time.end", 2.0).run()
    assert ours.names == theirs.names and len(ours.t) > 100
    for name in ours.names:
        assert ours[name].tobytes() == theirs[name].tobytes(), name
        assert ours.unit(name) == theirs.unit(name)
    assert ours.events == theirs.events
    assert ours.energy == theirs.energy and ours.outcome == theirs.outcome == "completed"
    ours.write(tmp_path / "own")
    for name in ["results.csv", "events.csv", "model.toml"]:
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "run" / name).read_bytes(), name


def test_a_dictionary_is_a_model() -> None:
    model = cosimo.Model.from_dict(
        {
            "schema": 1,
            "time": {"end": 1, "step": np.float64(1e-3)},
            "subsystem": [
                {"name": "stone", "kind": "node", "mass": np.int64(2), "gravity": np.array([0.0, 0.0, -10.0])}
            ],
        }
    )
    assert model.run().last("stone.z") == pytest.approx(-5.0, abs=1e-12)
    assert "gravity" in model.to_toml()
    with pytest.raises(TypeError, match=r"`subsystem\[0\].mass` is of type `object`"):
        cosimo.Model.from_dict({"subsystem": [{"mass": object()}]})


def test_a_dictionary_in_itself_is_refused() -> None:
    tables: dict[str, object] = {}
    tables["self"] = tables
    with pytest.raises(ValueError, match="holds itself"):
        cosimo.Model.from_dict(tables)


def test_entries_are_set_and_unset() -> None:
    model = cosimo.Model.parse(BALL)
    high = model.set("subsystem.ball.plane.floor.restitution", 0.5).set("subsystem.ball.gravity.2", -5.0).run()
    assert high.at("ball.z", 0.5) == pytest.approx(1.0 - 0.5 * 5.0 * 0.25, abs=1e-12)
    model.set("subsystem.ball.gravity.2", -10.0).unset("subsystem.ball.radius")
    assert model.run().at("ball.z", 0.25) == pytest.approx(1.0 - 5.0 * 0.0625, abs=1e-12)
    assert model.copy().run().last("ball.z") == model.run().last("ball.z")


def test_mistakes_have_places_and_the_text_of_the_command(command: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BALL.replace("restitution = 0.5", "restitution = 1.5"))
    model = cosimo.Model(file)
    (mistake,) = model.check()
    assert mistake.is_mistake and mistake.message == "restitution is 1.5, must be in [0, 1]"
    assert (mistake.line, mistake.column) == (16, 15)
    with pytest.raises(cosimo.ModelError) as caught:
        model.run()
    assert caught.value.findings == [mistake]
    told = subprocess.run([command, "check", file], capture_output=True, text=True, check=False)
    assert told.returncode != 0 and mistake.text in told.stderr
    assert str(caught.value).strip().split("\n")[0] in told.stderr


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(cosimo.ModelError, match="cannot read"):
        cosimo.Model("nowhere.toml")
    with pytest.raises(cosimo.CosimoError):
        cosimo.read("nowhere")
    with pytest.raises(cosimo.ModelError, match="simulate"):
        cosimo.Model().run()
    assert cosimo.Model.parse(BALL).check() == []


def test_a_run_that_fails_keeps_what_it_had() -> None:
    text = BALL.replace("[[subsystem.plane]]", "load = [{ direction = [0, 0, 1], time = [0], value = [1e308] }]\n[[subsystem.plane]]")
    model = cosimo.Model.parse(text).set("subsystem.ball.mass", 1e-300)
    with pytest.raises(cosimo.CosimoError):
        model.run()
