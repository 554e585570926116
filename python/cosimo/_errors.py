"""The exceptions of the package. Their texts are what the command says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._trajectory import Trajectory


@dataclass(frozen=True)
class Finding:
    """What is wrong or odd with a model."""

    severity: str
    """``"error"``: the model cannot be used; ``"warning"``: it is probably not what was meant."""
    message: str
    """What is wrong."""
    line: int | None
    """Line in the file, counted from 1; ``None`` of what is not found in a file."""
    column: int | None
    """Column in characters, counted from 1."""
    help: str | None
    """What to change, where the message does not tell."""
    text: str
    """As the command shows it, with the piece of the file."""

    @property
    def is_mistake(self) -> bool:
        """Whether the model cannot be used."""
        return self.severity == "error"

    def __str__(self) -> str:
        return self.text


FoundRow = tuple[str, str, tuple[int, int] | None, str | None, str]


def finding(row: FoundRow) -> Finding:
    """A finding of the native half."""
    severity, message, position, help_text, text = row
    line, column = position if position is not None else (None, None)
    return Finding(severity, message, line, column, help_text, text)


class CosimoError(Exception):
    """Whatever goes wrong in Cosimo."""


class ModelError(CosimoError):
    """A model that cannot be read or built."""

    findings: list[Finding]
    """All mistakes with their positions; empty of what is not found in a file."""

    def __init__(self, text: str, findings: list[FoundRow] | None = None) -> None:
        super().__init__(text)
        self.findings = [finding(row) for row in findings or []]


class RunError(CosimoError):
    """A run that did not reach its end. If a function of Python raised, that exception is the ``__cause__``."""

    trajectory: Trajectory | None = None
    """What was recorded up to there."""


class UnknownQuantity(CosimoError, KeyError):
    """No quantity of this name was recorded."""

    def __str__(self) -> str:
        return str(self.args[0])
