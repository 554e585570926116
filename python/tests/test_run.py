"""Runs: step by step, with progress, interrupted, in threads."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import BALL

import cosimo

LONG = 1e5
"""An end that no test waits for (s)."""


def test_step_by_step_gives_the_bits_of_a_run() -> None:
    model = cosimo.Model.parse(BALL)
    whole = model.simulate(0.1, 1e-3)
    with model.start() as run:
        assert run.time == 0.0 and "ball.z" in run.names
        while run.time < 0.05 - 1e-9:
            run.step(1e-3)
        assert run.value("ball.z") == whole.at("ball.z", run.time)
        run.advance(0.1, 1e-3)
    stepped = run.finish()
    assert stepped is run.finish()
    assert stepped.last("ball.z") == pytest.approx(whole.last("ball.z"), abs=1e-12)
    with pytest.raises(cosimo.CosimoError, match="finished"):
        run.step(1e-3)


def test_progress_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[float, float]] = []
    model = cosimo.Model.parse(BALL)
    model.simulate(20.0, 1e-4, progress=lambda time, end: told.append((time, end)))
    times = [time for time, _ in told]
    assert len(told) > 1 and times == sorted(times) and times[-1] == pytest.approx(20.0)
    assert {end for _, end in told} == {20.0}
    model.run(progress=True)
    assert "100 %" in capsys.readouterr().err


def test_an_exception_of_progress_ends_the_run() -> None:
    def stop(time: float, end: float) -> None:
        raise LookupError("enough")

    model = cosimo.Model.parse(BALL).record(every=1000)
    with pytest.raises(LookupError, match="enough"):
        model.simulate(LONG, 1e-3, progress=stop)
    assert model.last is not None and model.last.outcome == "stopped" and 0.0 < model.last.t[-1] < LONG


def test_ctrl_c_ends_the_run_and_keeps_what_it_had() -> None:
    # Whoever runs the tests in the background may have it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    model = cosimo.Model.parse(BALL).record(every=1000)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.simulate(LONG, 1e-3)
    assert time.monotonic() - start < 5.0
    assert model.last is not None and len(model.last.t) > 1 and model.last.outcome == "stopped"


def test_other_threads_go_on() -> None:
    """A thread of Python counts while a run goes on; without release of the lock it could not."""
    count, done = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(1e-3)

    thread = threading.Thread(target=work)
    thread.start()
    before, start = count, time.monotonic()
    cosimo.Model.parse(BALL).record(every=1000).simulate(100.0, 1e-4)
    counted, seconds = count - before, time.monotonic() - start
    done.set()
    thread.join()
    assert seconds > 0.2 and counted > 20 * seconds


def test_a_study_in_threads_gives_the_bits_of_one_by_one() -> None:
    model, values = cosimo.Model.parse(BALL), [1.0, 2.0, 3.0, 4.0, 5.0]
    study = cosimo.sweep(model, {"subsystem.ball.mass": values, "subsystem.ball.radius": [0.1, 0.2]}, threads=4)
    assert [choice["subsystem.ball.mass"] for choice, _ in study[::2]] == values
    for choice, trajectory in study:
        own = model.copy()
        for path, value in choice.items():
            own.set(path, value)
        alone = own.run()
        assert all(np.array_equal(alone[name], trajectory[name]) for name in alone.names)


def test_a_model_in_a_run_is_not_changed() -> None:
    model = cosimo.Model.parse(BALL).record(every=1000)

    def change(time: float, end: float) -> None:
        model.set("subsystem.ball.mass", 1.0)

    with pytest.raises(cosimo.CosimoError, match="copy"):
        model.simulate(LONG, 1e-3, progress=change)
