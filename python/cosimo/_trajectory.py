"""What a run leaves behind."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _cosimo
from ._errors import CosimoError

if TYPE_CHECKING:
    import pandas

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Event:
    """What happened at a contact."""

    time: float
    """When (s); of impacts inside a step and of releases the instant itself, to the order of the scheme."""
    kind: str
    """``"impact"``, ``"closing"``, ``"release"``, ``"stick"`` or ``"slip"``."""
    contact: str
    """The contact, ``subsystem.contact``."""
    velocity_before: float
    """Gap rate before (m/s), opening positive."""
    velocity_after: float
    """Gap rate after (m/s)."""
    impulse: float
    """Impulse (N s); of closings that of the step."""
    tangential_impulse: tuple[float, float]
    """Impulses along the tangents (N s)."""
    friction: str
    """What friction does: ``"none"``, ``"stick"`` or ``"slip"``."""
    work: float
    """Energy that the impulses put in (J)."""


class Trajectory(Mapping[str, Array]):
    """Quantities over time, events, energies and the numbers of a run.

    A mapping from names to arrays: ``trajectory["ball.z"]``. The arrays look at the memory of the run itself: nothing is
    copied, they cannot be written to, and they stay valid as long as they are used.
    """

    def __init__(self, native: _cosimo.Trajectory) -> None:
        self._native = native
        self._arrays: dict[str, Array] = {}

    @cached_property
    def t(self) -> Array:
        """Times (s) of what is recorded, ascending."""
        return np.asarray(self._native.times())

    @property
    def names(self) -> list[str]:
        """Names of the quantities, ``subsystem.quantity`` or ``interface.quantity``, in the order of the model."""
        return self._native.names()

    def __getitem__(self, name: str) -> Array:
        array = self._arrays.get(name)
        if array is None:
            array = self._arrays[name] = np.asarray(self._native.values(name))
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._native.has(name)

    def unit(self, name: str) -> str:
        """Unit of a quantity; empty for a number."""
        return self._native.unit(name)

    def last(self, name: str) -> float:
        """Value of a quantity at the end."""
        values = self[name]
        return float(values[-1]) if len(values) else float("nan")

    @overload
    def at(self, name: str, time: float) -> float: ...
    @overload
    def at(self, name: str, time: ArrayLike) -> float | Array: ...
    def at(self, name: str, time: ArrayLike) -> float | Array:
        """Value of a quantity at a time (s), or at several: linear between what is recorded.

        Raises ``CosimoError`` for times before the first or after the last one.
        """
        values, times = self[name], np.asarray(time, dtype=float)
        inside = (times >= self.t[0]) & (times <= self.t[-1]) if len(self.t) else np.zeros(times.shape, bool)
        if not np.all(inside):
            wrong = np.atleast_1d(times)[~np.atleast_1d(inside)][0]
            first, last = (self.t[0], self.t[-1]) if len(self.t) else (float("nan"), float("nan"))
            raise CosimoError(f"`{name}` is recorded from {first} to {last} s, not at {wrong} s")
        found = np.interp(times, self.t, values)
        return float(found) if times.ndim == 0 else found

    @cached_property
    def events(self) -> list[Event]:
        """What happened at the contacts, in the order of time."""

        def event(row: _cosimo.EventRow) -> Event:
            time, kind, contact, before, after, impulse, tangential, friction, work = row
            return Event(
                time, kind, contact, before, after, impulse, (tangential[0], tangential[1]), friction, work
            )

        return [event(row) for row in self._native.events()]

    @cached_property
    def report(self) -> dict[str, Any]:
        """The run in numbers: steps, iterations, energies, times; of a directory the content of ``summary.json``."""
        report: dict[str, Any] = json.loads(self._native.report())
        return report

    @property
    def energy(self) -> dict[str, float]:
        """Energies of the whole run (J): ``end − start = contact + external − dissipated + monitor_sum``."""
        of_run: dict[str, float] | None = self.report.get("energy")
        if of_run is not None:
            return of_run
        # The summary of a directory has them one by one.
        of_summary = {key: own for key, own in self.report.items() if key.startswith("energy_")}
        short = {"energy_monitor_interfaces": "interfaces", "energy_monitor_subsystems": "subsystems"}
        return {short.get(key, key.removeprefix("energy_")): own for key, own in of_summary.items()}

    @property
    def outcome(self) -> str:
        """How the run ended: ``completed``, ``stopped``, ``failed``, or ``unfinished``."""
        outcome = self.report.get("outcome", "unfinished")
        return str(outcome["outcome"] if isinstance(outcome, dict) else outcome)

    @property
    def warnings(self) -> list[str]:
        """What was found odd in the run, the first first."""
        own = self._native.warnings()
        if own is not None:
            return own
        return [str(w.get("text", w) if isinstance(w, dict) else w) for w in self.report.get("warnings", [])]

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes the files that ``cosimo run`` writes, with the same numbers to the last bit.

        Raises ``CosimoError`` where the directory holds a run already and ``overwrite`` is not set, and of a trajectory that
        was read from such files.
        """
        if not self._native.write(path, overwrite):
            raise CosimoError("the trajectory was read from a directory: copy that")

    def to_dict(self) -> dict[str, Array]:
        """All arrays by their names, times as ``t``."""
        return {"t": self.t, **{name: self[name] for name in self.names}}

    def to_pandas(self) -> pandas.DataFrame:
        """A table of all quantities over the time (s), with the units in ``attrs["units"]``; needs pandas."""
        import pandas

        index = pandas.Index(self.t, name="t")
        frame = pandas.DataFrame({name: self[name] for name in self.names}, index=index)
        frame.attrs["units"] = {name: self.unit(name) for name in self.names}
        return frame

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "empty"
        return (
            f"<cosimo.Trajectory {self.outcome}: {span}, {len(self.t)} points, "
            f"{len(self)} quantities, {len(self.events)} events>"
        )

    def _repr_html_(self) -> str:
        most = 20
        cells = [
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(self.unit(name))}</td>"
            f"<td>{self.last(name):.6g}</td></tr>"
            for name in self.names[:most]
        ]
        if len(self) > most:
            cells.append(f"<tr><td>and {len(self) - most} more</td><td></td><td></td></tr>")
        head = "<tr><th>quantity</th><th>unit</th><th>at the end</th></tr>"
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{head}{''.join(cells)}</table>"


def read(path: str | os.PathLike[str]) -> Trajectory:
    """Reads the directory of a run, as ``cosimo run`` writes it; also of one that goes on, failed or was killed."""
    return Trajectory(_cosimo.read(path))
