"""Subsystems, controllers and force laws in Python.

A part says in class attributes or in ``__init__`` what it has, and in methods what it does. Methods must be **pure**: the same
arguments give the same numbers, since the master asks for a step more than once and takes steps back. What changes over time
belongs into the states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _cosimo
from ._errors import ModelError

Array = NDArray[np.float64]
Rule = str | tuple[str, float]


@dataclass(frozen=True)
class Input:
    """A signal that is taken."""

    unit: str = ""
    """Unit; that of the output connected to it."""
    default: float | None = None
    """Value as long as nothing is connected; ``None``: something must be."""
    hold: str = "linear"
    """How it goes on between communication points: ``"held"``, ``"linear"`` or ``"smooth"``."""


@dataclass(frozen=True)
class Port:
    """A port of a mechanism: 1, 3 or 6 coordinates ``z(q)`` on which loads act.

    Either the constant rows ``Z`` of ``z = Z q + offset``, or functions for ``z(q)`` and its derivative ``Z(q)``.
    """

    rows: ArrayLike | None = None
    """``Z``, one row per coordinate of the port and one number per coordinate of the mechanism."""
    offset: ArrayLike = 0.0
    """Position where ``q = 0`` (m, rad)."""
    position: Callable[[Array], ArrayLike] | None = None
    """``z(q)`` (m, rad)."""
    jacobian: Callable[[Array], ArrayLike] | None = None
    """``Z(q) = dz/dq``."""

    def at(self, q: Array) -> tuple[Array, Array]:
        """Position and its derivative."""
        if self.position is not None and self.jacobian is not None:
            z = np.atleast_1d(np.asarray(self.position(q), dtype=float))
            return z, np.asarray(self.jacobian(q), dtype=float).reshape(len(z), len(q))
        if self.rows is None:
            raise ModelError("a port has either `rows`, or `position` and `jacobian`")
        rows = np.atleast_2d(np.asarray(self.rows, dtype=float))
        return rows @ q + np.asarray(self.offset, dtype=float), rows


def _signals(names: Mapping[str, str | Input], first: int) -> list[tuple[str, str, str, float | None, int]]:
    own = {name: Input(given) if isinstance(given, str) else given for name, given in names.items()}
    return [(name, i.unit, i.hold, i.default, first + k) for k, (name, i) in enumerate(own.items())]


def _rule(rule: Rule) -> tuple[str, float | None]:
    return (rule, None) if isinstance(rule, str) else rule


class Part(ABC):
    """What can be added to a model."""

    name: str
    """Name in the model."""

    @abstractmethod
    def _build(self, time: float) -> _cosimo.Part:
        """The native part, at its start."""


class System(Part):
    """A system of ordinary differential equations with signals, ``x' = rates(t, x, u)`` and ``y = output(t, x, u)``.

    Inputs ``u`` and outputs ``y`` are signals that are connected to those of other parts; outputs and states are recorded. A
    continuous controller or an actuator is such a system.
    """

    states: Mapping[str, float] = {}
    """Names and start values of the states ``x``."""
    inputs: Mapping[str, str | Input] = {}
    """Names of the inputs ``u`` with their units, or with :class:`Input`."""
    outputs: Mapping[str, str] = {}
    """Names of the outputs ``y`` with their units."""
    feed_through: bool = True
    """Whether outputs depend on the present inputs; if not, loops of signals need no delay."""
    rule: Rule = "midpoint"
    """Step rule: ``"midpoint"``, ``("theta", 0.6)``, ``("multistep", 0.6)`` or ``("generalized-alpha", 0.6)``."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def rates(self, t: float, x: Array, u: Array) -> ArrayLike:
        """Rates of the states."""

    def output(self, t: float, x: Array, u: Array) -> ArrayLike:
        """Outputs. Default: the states."""
        return x

    def _build(self, time: float) -> _cosimo.Part:
        x = np.array(list(self.states.values()), dtype=float)
        ny, nu = len(self.outputs), len(self.inputs)
        signals = _signals(self.inputs, 0)
        feeds = list(range(nu)) if self.feed_through else []
        shown = [(name, unit, k) for k, (name, unit) in enumerate(self.outputs.items())]
        shown += [(name, "", ny + k) for k, name in enumerate(self.states) if name not in self.outputs]
        rule, parameter = _rule(self.rule)
        row: dict[str, Any] = {
            "name": self.name,
            "time": time,
            "states": x.tolist(),
            "nominals": np.maximum(np.abs(x), 1.0).tolist(),
            "inputs": [default or 0.0 for _, _, _, default, _ in signals],
            "outputs": ny + len(x),
            "rule": rule,
            "parameter": parameter,
            "motion_ports": [],
            "load_ports": [],
            "signals_in": signals,
            "signals_out": [(name, unit, feeds, k) for k, (name, unit) in enumerate(self.outputs.items())],
            "quantities": shown,
            "energy": (None, None),
        }

        def outputs(t: float, x: Array, u: Array) -> Array:
            y = np.atleast_1d(np.asarray(self.output(t, x, u), dtype=float)) if ny else np.zeros(0)
            if len(y) != ny:
                raise ValueError(f"`output` gives {len(y)} numbers, there are {ny} outputs")
            return np.concatenate([y, x])

        return _cosimo.system(row, self.rates, outputs)


class Mechanism(Part):
    """A mechanism ``M(t, q) a = force(t, q, v) + loads on its ports``, that is joined to others as native ones are.

    Joints may be springs or rigid, impacts of others pass through. The master steps it implicitly, by the rule given; derivatives
    are found by differences.
    """

    position: Sequence[float] = ()
    """Coordinates ``q`` at the start (m, rad)."""
    velocity: Sequence[float] | None = None
    """Their rates ``v`` at the start (m/s, rad/s); by default zero."""
    coordinates: Mapping[str, str] | None = None
    """Names of the coordinates with their units, by which they are recorded; by default ``q0``, ``q1``…"""
    ports: Mapping[str, Port] = {}
    """Where it can be joined."""
    rule: Rule = "midpoint"
    """Step rule, as of :class:`System`."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def mass(self, t: float, q: Array) -> ArrayLike:
        """Mass matrix, symmetric and positive definite; a number for one coordinate."""

    @abstractmethod
    def force(self, t: float, q: Array, v: Array) -> ArrayLike:
        """Generalised forces (N, N m)."""

    def potential(self, t: float, q: Array) -> float:
        """Potential energy (J), for the energy balance. Default: zero; forces count as external then."""
        return 0.0

    def _build(self, time: float) -> _cosimo.Part:
        q = np.array(self.position, dtype=float)
        n = len(q)
        v = np.zeros(n) if self.velocity is None else np.array(self.velocity, dtype=float)
        names = self.coordinates or {f"q{k}": "" for k in range(n)}
        if len(v) != n or len(names) != n:
            raise ModelError(f"mechanism `{self.name}` has {n} positions, {len(v)} velocities, {len(names)} names")
        ports = list(self.ports.items())
        sizes = [len(port.at(q)[0]) for _, port in ports]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        rows = int(first[-1])

        def rates(t: float, x: Array, u: Array) -> Array:
            q, v = x[:n], x[n:]
            force = np.atleast_1d(np.asarray(self.force(t, q, v), dtype=float))
            for (_, port), k, size in zip(ports, first, sizes):
                force = force + port.at(q)[1].T @ u[k : k + size]
            mass = np.asarray(self.mass(t, q), dtype=float).reshape(n, n)
            return np.concatenate([v, np.linalg.solve(mass, force) if n > 1 else force / mass[0, 0]])

        def outputs(t: float, x: Array, u: Array) -> Array:
            q, v = x[:n], x[n:]
            seen = [port.at(q) for _, port in ports]
            mass = np.asarray(self.mass(t, q), dtype=float).reshape(n, n)
            energy = [0.5 * float(v @ mass @ v), float(self.potential(t, q))]
            return np.concatenate([*[z for z, _ in seen], *[dz @ v for _, dz in seen], x, energy])

        rule, parameter = _rule(self.rule)
        shown = [(name, unit, 2 * rows + k) for k, (name, unit) in enumerate(names.items())]
        shown += [
            (f"{name}_rate", f"{unit}/s" if unit else "", 2 * rows + n + k)
            for k, (name, unit) in enumerate(names.items())
        ]
        row: dict[str, Any] = {
            "name": self.name,
            "time": time,
            "states": np.concatenate([q, v]).tolist(),
            "nominals": np.maximum(np.abs(np.concatenate([q, v])), 1.0).tolist(),
            "inputs": [0.0] * rows,
            "outputs": 2 * rows + 2 * n + 2,
            "rule": rule,
            "parameter": parameter,
            "motion_ports": [
                (name, list(range(k, k + s)), list(range(rows + k, rows + k + s)), list(range(k, k + s)))
                for (name, _), k, s in zip(ports, first.tolist(), sizes)
            ],
            "load_ports": [],
            "signals_in": [],
            "signals_out": [],
            "quantities": shown,
            "energy": (2 * rows + 2 * n, 2 * rows + 2 * n + 1),
        }
        return _cosimo.system(row, rates, outputs)


class Controller(Part):
    """A controller that takes a sample every ``period``: outputs ``y = output(t, x, u)`` hold until the next sample.

    One without a period is a :class:`System`.
    """

    period: float = 0.0
    """Time between samples (s), the first at the start."""
    inputs: Mapping[str, str | Input] = {}
    """Names of the inputs ``u`` with their units, or with :class:`Input`."""
    outputs: Mapping[str, str] = {}
    """Names of the outputs ``y`` with their units."""
    states: Mapping[str, float] = {}
    """Names and start values of the states ``x``, which hold between samples; they are recorded."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def output(self, t: float, x: Array, u: Array) -> ArrayLike:
        """Outputs at a sample."""

    def update(self, t: float, x: Array, u: Array) -> ArrayLike:
        """States after a sample. Default: as before."""
        return x

    def _build(self, time: float) -> _cosimo.Part:
        feeds = list(range(len(self.inputs)))
        row: dict[str, Any] = {
            "name": self.name,
            "time": time,
            "period": float(self.period),
            "states": [float(value) for value in self.states.values()],
            "state_names": [(name, "") for name in self.states],
            "signals_in": _signals(self.inputs, 0),
            "signals_out": [(name, unit, feeds, k) for k, (name, unit) in enumerate(self.outputs.items())],
        }
        return _cosimo.controller(row, self.output, self.update)


@dataclass
class ForceLaw(Part):
    """A force law ``load(t, z, v)``: it takes the motion of a port and answers with the loads on the body there."""

    name: str
    """Name in the model."""
    load: Callable[[float, Array, Array], ArrayLike]
    """Loads (N, N m) on the body for the time (s), positions (m, rad) and velocities (m/s, rad/s) of its port."""
    size: int = 1
    """Coordinates of the port: 1, 3 or 6."""
    energy: Callable[[float, Array, Array], float] | None = field(default=None)
    """Energy stored (J), for the energy balance; by default none, and all work is dissipated."""
    port: str = "end"
    """Name of its port."""

    def _build(self, time: float) -> _cosimo.Part:
        return _cosimo.force_law(self.name, self.port, self.size, self.load, self.energy)


@dataclass(frozen=True)
class Response:
    """The end of a trial step, with the rows of all ports in their order."""

    positions: ArrayLike
    """Positions of the rows (m, rad)."""
    velocities: ArrayLike
    """Their velocities (m/s, rad/s)."""
    inverse_mass: ArrayLike
    """Change of the end velocities for unit impulses on the rows (1/kg)."""
    damped_inverse_mass: ArrayLike = 0.0
    """``Z J⁻¹ C J⁻¹ Zᵀ`` (1/(kg s)); zero without damping."""
    weights: tuple[float, float, float, float] | None = None
    """Weights (s) of a finite load at the end and at the start of the step, of impulses in positions, of damping; by default half the step."""


@dataclass(frozen=True)
class StepEnergy:
    """Energies of a step (J): the change of the energy is ``port_work + external_work − dissipated + numerical``."""

    port_work: float = 0.0
    """Mean load times displacement, summed over the rows."""
    external_work: float = 0.0
    """Work of loads that the master does not see."""
    dissipated: float = 0.0
    """What damping took out."""
    numerical: float = 0.0
    """What the step rule created."""


class Subsystem(Part):
    """A subsystem that takes its steps itself: the contract of subsystems in Rust, for simulators of your own.

    A trial step is begun, evaluated under any impulses any number of times, and taken or forgotten; until then the state stays as it
    is. :class:`Mechanism` does all of this for equations of motion. Try yours by :func:`check_part`.
    """

    ports: Mapping[str, int] = {}
    """Names of the ports with their numbers of coordinates: 1, 3 or 6."""
    quantities: Mapping[str, str] = {}
    """Names of what is recorded, with units."""
    affine: bool = False
    """Whether responses are affine in the impulses."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def rows(self) -> tuple[ArrayLike, ArrayLike]:
        """Positions and velocities of the rows now."""

    @abstractmethod
    def begin(self, t: float, h: float, start_loads: Array) -> Response:
        """The end of a step of size ``h`` (s) from ``t`` (s) without loads; the state stays. Loads (N) are those at the start."""

    @abstractmethod
    def evaluate(self, t: float, h: float, impulses: Array) -> Response:
        """The end of the step begun under these impulses (N s) on the rows; the state stays."""

    @abstractmethod
    def commit(self, t: float, h: float, impulses: Array) -> StepEnergy:
        """Takes the step under these impulses."""

    @abstractmethod
    def save(self) -> ArrayLike:
        """Everything that influences the future, always as many numbers."""

    @abstractmethod
    def restore(self, t: float, saved: Array) -> None:
        """Goes back to what was saved, at time ``t`` (s)."""

    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy (J). Default: zero."""
        return 0.0, 0.0

    def observe(self) -> ArrayLike:
        """The quantities now. Default: there are none."""
        return np.zeros(0)

    def prepare_jump(self, t: float, h: float) -> ArrayLike:
        """Inverse mass (1/kg) for impulses now, before steps of size ``h`` (s). Default: no jumps; joints must be compliant."""
        raise NotImplementedError(f"subsystem `{self.name}` takes no jumps")

    def jump(self, impulses: Array) -> None:
        """Changes the velocities by impulses (N s), as prepared."""
        raise NotImplementedError(f"subsystem `{self.name}` takes no jumps")

    def project_positions(self, weights: Array) -> None:
        """Changes the positions (kg m) by what :meth:`jump` would change the velocities by."""
        raise NotImplementedError(f"subsystem `{self.name}` takes no shifts")

    def _build(self, time: float) -> _cosimo.Part:
        row: dict[str, Any] = {
            "name": self.name,
            "time": time,
            "ports": list(self.ports.items()),
            "quantities": list(self.quantities.items()),
            "saved": len(np.atleast_1d(np.asarray(self.save(), dtype=float))),
            "affine": self.affine,
            "jumps": type(self).prepare_jump is not Subsystem.prepare_jump,
        }
        # Runs of copies of a model go on at the same time, each with a state of its own.
        return _cosimo.subsystem(row, _Calls(deepcopy(self)))


class _Calls:
    """What the native half calls: flat lists of numbers."""

    def __init__(self, own: Subsystem) -> None:
        self._own = own
        self._rows = sum(own.ports.values())

    def _flat(self, *parts: ArrayLike) -> Array:
        return np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])

    def _response(self, h: float, given: Response) -> Array:
        square = (self._rows, self._rows)
        matrices = [
            np.broadcast_to(np.asarray(m, dtype=float), square)
            for m in (given.inverse_mass, given.damped_inverse_mass)
        ]
        weights = given.weights or (0.5 * h,) * 4
        return self._flat(given.positions, given.velocities, *matrices, weights)

    def _state(self, t: float) -> Array:
        return self._flat(*self._own.rows(), self._own.energy())

    def _begin(self, t: float, h: Array, loads: Array) -> Array:
        return self._response(float(h[0]), self._own.begin(t, float(h[0]), loads))

    def _evaluate(self, t: float, h: Array, impulses: Array) -> Array:
        return self._response(float(h[0]), self._own.evaluate(t, float(h[0]), impulses))

    def _commit(self, t: float, h: Array, impulses: Array) -> Array:
        works = self._own.commit(t, float(h[0]), impulses)
        return self._flat([works.port_work, works.external_work, works.dissipated, works.numerical])

    def _prepare_jump(self, t: float, h: Array) -> Array:
        return self._flat(self._own.prepare_jump(t, float(h[0])))

    def _jump(self, t: float, impulses: Array) -> None:
        self._own.jump(impulses)

    def _project_positions(self, t: float, weights: Array) -> None:
        self._own.project_positions(weights)

    def _observe(self, t: float) -> Array:
        return self._flat(self._own.observe())

    def _save(self, t: float) -> Array:
        return self._flat(self._own.save())

    def _restore(self, t: float, saved: Array) -> None:
        self._own.restore(t, saved)


def check_part(part: Part, step: float = 1e-3, steps: int = 50, ledger_tolerance: float = 1e-9) -> list[str]:
    """Puts a part through the rules that the master relies on, and tells which it breaks; empty of a good one.

    The rules are those of subsystems in Rust: the same arguments give the same numbers, steps can be taken back, loads act as the
    inverse mass says, the energies add up. ``step`` is the size of the steps (s); ``ledger_tolerance`` the share of the energy
    exchanged that may be left over, larger for nonlinear mechanisms.
    """
    return _cosimo.broken_rules(lambda: part._build(0.0), step, steps, ledger_tolerance)
