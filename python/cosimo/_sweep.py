"""The table of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _cosimo
from ._errors import UnknownQuantity

if TYPE_CHECKING:
    import pandas

Column = NDArray[Any]


class SweepTable(Mapping[str, Column]):
    """One row per run, one column per input, output and cost.

    A mapping from names to arrays: ``table["ball.z:max"]``. Numbers are missing (NaN) where a run did not come to its end.
    """

    def __init__(self, columns: list[tuple[str, str, str, _cosimo.Samples | list[int] | list[str]]]) -> None:
        self._columns: dict[str, Column] = {name: np.asarray(values) for name, _, _, values in columns}
        self._units = {name: unit for name, unit, _, _ in columns}
        self._roles = {name: role for name, _, role, _ in columns}

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            raise UnknownQuantity(f"no column `{name}`; there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many runs there are."""
        return len(self._columns["run"])

    @property
    def inputs(self) -> list[str]:
        """Paths of the entries that were set."""
        return [name for name, role in self._roles.items() if role == "input"]

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs."""
        return [name for name, role in self._roles.items() if role == "output"]

    @property
    def failures(self) -> dict[int, str]:
        """Places of the rows whose runs did not come to their end, with the reasons."""
        return {place: str(reason) for place, reason in enumerate(self._columns["reason"]) if reason}

    def unit(self, name: str) -> str:
        """The unit of a column; empty for a number, a text and an input."""
        self[name]
        return self._units[name]

    def to_dict(self) -> dict[str, Column]:
        """A dictionary of the columns."""
        return dict(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """A frame of pandas, units in ``attrs["units"]``."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = dict(self._units)
        return frame

    def __repr__(self) -> str:
        return f"<cosimo.SweepTable, {self.rows} runs, {len(self.failures)} not completed>"
