"""Models and runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from itertools import product
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _cosimo
from ._errors import Finding, ModelError, RunError, finding
from ._parts import Part
from ._sweep import SweepTable
from ._trajectory import Trajectory

Progress = bool | Callable[[float, float], Any]
Wind = Callable[[float, NDArray[np.float64]], ArrayLike]


class _Bar:
    """A line of text that shows how far a run is."""

    def __call__(self, time: float, end: float) -> None:
        share = min(max(time / end, 0.0), 1.0) if end > 0 else 1.0
        marks = "#" * round(30 * share)
        close = "\n" if share >= 1.0 else ""
        print(f"\r[{marks:<30}] {100 * share:3.0f} % {time:.6g} s", end=close, file=sys.stderr, flush=True)


class Model:
    """A model that runs: of a file, of parts, or of a file to which parts are added.

    ``cosimo.Model("machine.toml")`` opens a file, with the same results as ``cosimo run``; ``cosimo.Model()`` has no parts yet.
    Every run begins anew, so that a model can run again after something was set.
    """

    last: Trajectory | None
    """What the last run recorded, also if it failed or was interrupted."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        if path is None:
            self._begin(_cosimo.Model)
        else:
            self._begin(lambda: _cosimo.Model.open(path))

    def _begin(self, make: Callable[[], _cosimo.Model]) -> None:
        self._make = make
        self._changes: list[Callable[[_cosimo.Model], Any]] = []
        self._native = make()
        self.last = None

    @classmethod
    def _of(cls, make: Callable[[], _cosimo.Model]) -> Model:
        model = cls.__new__(cls)
        model._begin(make)
        return model

    def _change(self, change: Callable[[_cosimo.Model], Any]) -> Model:
        change(self._native)
        self._changes.append(change)
        return self

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Model:
        """The model of a file. Mistakes in it are told by :meth:`check` and by runs."""
        return cls(path)

    @classmethod
    def parse(cls, text: str) -> Model:
        """The model of a text that is that of a model file; files that it names are looked for in the working directory."""
        return cls._of(lambda: _cosimo.Model.parse(text))

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any]) -> Model:
        """The model of a dictionary with the tables of a model file; values may be arrays and numbers of NumPy."""
        own = deepcopy(dict(tables))
        return cls._of(lambda: _cosimo.Model.from_value(own))

    def copy(self) -> Model:
        """The same model once more, for another thread. Files are read again."""
        other = Model._of(self._make)
        for change in self._changes:
            other._change(change)
        return other

    def set(self, path: str, value: Any) -> Model:
        """Sets an entry of the model file, as ``--set`` of the command does: ``model.set("subsystem.ball.mass", 2.0)``."""
        return self._change(lambda native: native.set(path, value))

    def unset(self, path: str) -> Model:
        """Removes an entry of the model file, as ``--unset`` of the command does."""
        return self._change(lambda native: native.unset(path))

    def check(self) -> list[Finding]:
        """Everything that is wrong or odd, with positions in the file; empty of a good model."""
        return [finding(row) for row in self._native.check()]

    def to_toml(self) -> str:
        """The complete model as the text of a file, with every default and all that was set."""
        text = self._native.to_toml()
        if text is None:
            raise ModelError("the model has no file: it was built of parts")
        return text

    def add(self, part: Part) -> Model:
        """Adds a part written in Python; join its ports by :meth:`spring` and others, its signals by :meth:`connect`."""
        return self._change(lambda native: native.add(part._build(0.0)))

    def replace(self, part: Part) -> Model:
        """Puts a part in the place of the subsystem of the same name, with the same ports and signals; all stays joined."""
        return self._change(lambda native: native.replace(part._build(0.0)))

    def wind(self, rotor: str, wind: Wind) -> Model:
        """Lets a rotor of the file (kind ``rotor-aerodynamics``) turn in this wind: ``wind(t, position)`` gives the velocity (m/s)."""
        return self._change(lambda native: native.wind(rotor, wind))

    def spring(
        self,
        name: str,
        a: str,
        b: str,
        stiffness: float,
        damping: float = 0.0,
        offset: Iterable[float] = (),
    ) -> Model:
        """Joins two ports, ``"part.port"``, by a spring (N/m) and a dashpot (N s/m) in every coordinate.

        ``offset`` is the position of ``a`` minus that of ``b`` at rest.
        """
        away = [float(value) for value in offset]
        return self._change(lambda native: native.join(name, a, b, "spring", stiffness, damping, away))

    def rigid(self, name: str, a: str, b: str, offset: Iterable[float] = ()) -> Model:
        """Joins two ports rigidly: impulses pass."""
        away = [float(value) for value in offset]
        return self._change(lambda native: native.join(name, a, b, "rigid", 0.0, 0.0, away))

    def load(self, name: str, a: str, b: str) -> Model:
        """Lets a force law act on a port: it takes its motion and answers with loads on it."""
        return self._change(lambda native: native.join(name, a, b, "load", 0.0, 0.0, []))

    def connect(self, output: str, input: str) -> Model:
        """Feeds an output, ``"part.signal"``, to an input."""
        return self._change(lambda native: native.connect(output, input))

    def record(self, *quantities: str, every: int | None = None) -> Model:
        """Chooses what is recorded: names, ``ball.*``, ``*``; and at every which macro step."""
        if quantities:
            self._change(lambda native: native.record(list(quantities)))
        if every is not None:
            count = every
            self._change(lambda native: native.record_every(count))
        return self

    def run(self, *, progress: Progress = False) -> Trajectory:
        """Runs to the end that the file gives: what ``cosimo run`` does. See :meth:`simulate`."""
        return self.simulate(progress=progress)

    def simulate(
        self, end: float | None = None, step: float | None = None, *, progress: Progress = False
    ) -> Trajectory:
        """Runs from the start to ``end`` (s) with macro steps of size ``step`` (s); by default those of the file.

        ``progress`` shows a bar, or is called with the time and the end (s). Other threads of Python go on meanwhile. Ctrl-C ends the
        run at a communication point with ``KeyboardInterrupt``; what was recorded is :attr:`last`.

        Raises ``ModelError`` for a model that cannot be built; ``RunError`` for a step that fails, and where a function of Python
        raises, as its cause.
        """
        times = self._times(end, step)
        show = _Bar() if progress is True else progress or None
        known = times or (self._native.times() if show else None)
        until = known[0] if known else 0.0
        self.last = None
        watch = None if show is None else lambda time: show(time, until)
        native, error = self._native.simulate(times, watch)
        if native is not None:
            self.last = Trajectory(native)
        if error is not None:
            if isinstance(error, RunError):
                error.trajectory = self.last
            raise error
        if self.last is None:
            raise RunError("the run left no trajectory")
        if show is not None and len(self.last.t):
            show(float(self.last.t[-1]), until)
        return self.last

    def _times(self, end: float | None, step: float | None) -> tuple[float, float] | None:
        if end is None and step is None:
            return None
        if end is not None and step is not None:
            return float(end), float(step)
        own = self._native.times()
        if own is None:
            raise ModelError("the model has no file that gives end and step: use `simulate(end, step)`")
        return (own[0] if end is None else float(end)), (own[1] if step is None else float(step))

    def sweep(
        self,
        values: Mapping[str, Iterable[Any] | str] | None = None,
        outputs: Iterable[str] = (),
        *,
        cases: Mapping[str, Iterable[Any]] | None = None,
        random: int = 0,
        seed: int = 1,
        threads: int | None = None,
    ) -> SweepTable:
        """Runs the model of a file with all combinations of values of its entries, and gives one table: what ``cosimo sweep`` does.

        ``values`` are lists, or texts as after ``--set`` of the command: ``"1:10:0.5"``, ``"log(1,1000,7)"``, ``"normal(1,0.1)"``, drawn
        ``random`` times. The values of ``cases`` go together, row by row; ``None`` leaves an entry as it is. ``outputs`` are ``"ball.z"``,
        ``"ball.*:max"``, ``"ball.floor:first-impact"``, by default the last values of what is plotted. A run that fails is a row with its
        reason. Runs are done by ``threads`` threads, by default as many as there are processors, without Python; the table does not depend on
        how many. Ctrl-C ends the sweep.

        ::

            table = model.sweep({"interface.spring.stiffness": [1e3, 2e3]}, ["ball.z:max"])
            plt.plot(table["interface.spring.stiffness"], table["ball.z:max"])
        """
        return SweepTable(
            self._native.sweep(
                list((values or {}).items()),
                [(path, list(column)) for path, column in (cases or {}).items()],
                list(outputs),
                random,
                seed,
                threads,
            )
        )

    def start(self) -> Run:
        """Begins a run whose steps the program takes itself."""
        return Run(self._native.start())

    def __repr__(self) -> str:
        return f"<cosimo.Model, {len(self._changes)} changes>"


class Run:
    """A run whose steps the program takes itself; a context manager that ends it.

    ::

        with model.start() as run:
            while run.value("stone.z") > -5.0:
                run.step(1e-3)
        trajectory = run.finish()
    """

    def __init__(self, native: _cosimo.Run) -> None:
        self._native = native
        self._trajectory: Trajectory | None = None

    def step(self, size: float) -> None:
        """Takes a macro step of this size (s)."""
        self._native.step(size)

    def advance(self, end: float, step: float) -> None:
        """Runs on to a time (s) with macro steps of this size (s)."""
        self._native.advance(end, step)

    @property
    def time(self) -> float:
        """Time of the present communication point (s)."""
        return self._native.time()

    @property
    def names(self) -> list[str]:
        """Names of all quantities."""
        return self._native.names()

    def value(self, name: str) -> float:
        """Present value of a quantity."""
        return self._native.value(name)

    def finish(self) -> Trajectory:
        """Ends the run; called again it gives the same trajectory."""
        if self._trajectory is None:
            self._trajectory = Trajectory(self._native.finish())
        return self._trajectory

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.finish()


def sweep(
    model: Model,
    values: Mapping[str, Iterable[Any]],
    *,
    end: float | None = None,
    step: float | None = None,
    threads: int | None = None,
) -> list[tuple[dict[str, Any], Trajectory]]:
    """Runs a model for all combinations of values of its entries, several at a time; results are in the order of the values.

    ``sweep(model, {"interface.spring.stiffness": [1e3, 2e3]})``
    """
    paths = list(values)
    choices = [dict(zip(paths, choice)) for choice in product(*(list(values[path]) for path in paths))]

    def run(choice: dict[str, Any]) -> Trajectory:
        own = model.copy()
        for path, value in choice.items():
            own.set(path, value)
        return own.simulate(end, step)

    with ThreadPoolExecutor(threads) as pool:
        return list(zip(choices, pool.map(run, choices)))
