"""Results as arrays."""

from __future__ import annotations

import time

import numpy as np
import pytest
from conftest import BALL

import cosimo


@pytest.fixture(scope="module")
def trajectory() -> cosimo.Trajectory:
    return cosimo.Model.parse(BALL).run()


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_arrays_are_not_copied(trajectory: cosimo.Trajectory) -> None:
    height = trajectory["ball.z"]
    assert height.dtype == np.float64 and not height.flags.owndata and not height.flags.writeable
    assert height.base is not None
    # A second look by the native half is at the same memory.
    again = np.asarray(trajectory._native.values("ball.z"))
    assert again is not height and address(again) == address(height)
    with pytest.raises(ValueError):
        height[0] = 0.0


def test_arrays_live_on_without_the_trajectory() -> None:
    height = cosimo.Model.parse(BALL).run()["ball.z"]
    kept = height.copy()
    for _ in range(3):
        cosimo.Model.parse(BALL).run()
    assert np.array_equal(height, kept)


def test_values_follow_the_fall(trajectory: cosimo.Trajectory) -> None:
    t = trajectory.t
    fall = t < 0.42
    assert np.abs(trajectory["ball.z"][fall] - (1.0 - 5.0 * t[fall] ** 2)).max() < 1e-12
    assert trajectory.unit("ball.z") == "m" and "ball.z" in trajectory and "ball.q" not in trajectory
    assert trajectory.at("ball.z", [0.1, 0.2]) == pytest.approx([0.95, 0.8])
    assert trajectory.last("ball.z") == trajectory["ball.z"][-1]
    with pytest.raises(cosimo.CosimoError, match="not at 2.0 s"):
        trajectory.at("ball.z", 2.0)
    with pytest.raises(KeyError, match="did you mean `ball.z`"):
        trajectory["ball.zz"]


def test_events_energies_and_numbers(trajectory: cosimo.Trajectory) -> None:
    impacts = [event for event in trajectory.events if event.kind == "impact"]
    assert impacts[0].contact == "ball.floor"
    assert impacts[0].time == pytest.approx(np.sqrt(2 * 0.9 / 10), abs=1e-6)
    assert impacts[0].velocity_after == pytest.approx(-0.5 * impacts[0].velocity_before)
    assert impacts[0].work < 0.0 and trajectory.energy["contact"] < 0.0
    assert trajectory.report["steps"] == 1000 and trajectory.outcome == "completed"
    assert trajectory.warnings == []


def test_tables(trajectory: cosimo.Trajectory) -> None:
    frame = trajectory.to_pandas()
    assert list(frame.columns) == trajectory.names and frame.attrs["units"]["ball.z"] == "m"
    assert np.array_equal(frame["ball.z"].to_numpy(), trajectory["ball.z"])
    assert set(trajectory.to_dict()) == {"t", *trajectory.names}
    assert "completed" in repr(trajectory) and "ball.z" in trajectory._repr_html_()


def test_a_million_samples_are_read_in_ten_milliseconds() -> None:
    model = cosimo.Model.parse(BALL).record("ball.*")
    trajectory = model.simulate(1.0, 1e-5)
    assert len(trajectory) * len(trajectory.t) >= 600_000
    best = float("inf")
    for _ in range(5):
        fresh = cosimo.Trajectory(trajectory._native)
        start = time.perf_counter()
        arrays = fresh.to_dict()
        best = min(best, time.perf_counter() - start)
    samples = sum(len(values) for values in arrays.values())
    print(f"{samples} samples in {1e3 * best:.3f} ms")
    assert best < 1e-2 * samples / 1e6
