"""Cosimo: co-simulation of mechanical systems that are partly smooth and partly nonsmooth.

::

    import cosimo

    trajectory = cosimo.Model("machine.toml").run(progress=True)
    print(trajectory.t, trajectory["ball.z"])
"""

from ._errors import CosimoError, Finding, ModelError, RunError, UnknownQuantity
from ._model import Model, Run, sweep
from ._parts import (
    Controller,
    ForceLaw,
    Input,
    Mechanism,
    Part,
    Port,
    Response,
    StepEnergy,
    Subsystem,
    System,
    check_part,
)
from ._sweep import SweepTable
from ._trajectory import Event, Trajectory, read

__all__ = [
    "Controller",
    "CosimoError",
    "Event",
    "Finding",
    "ForceLaw",
    "Input",
    "Mechanism",
    "Model",
    "ModelError",
    "Part",
    "Port",
    "Response",
    "Run",
    "RunError",
    "StepEnergy",
    "Subsystem",
    "SweepTable",
    "System",
    "Trajectory",
    "UnknownQuantity",
    "check_part",
    "read",
    "sweep",
]
