"""A mass on a spring, given as a dictionary: its period over the stiffness, a pendulum and a force law in Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import cosimo

Array = NDArray[np.float64]

MODEL = cosimo.Model.from_dict(
    {
        "schema": 1,
        "title": "A mass on a spring",
        "time": {"end": 3.0, "step": 1e-3},
        "subsystem": [
            {
                "name": "cart",
                "kind": "linear",
                "coordinates": ["x"],
                "mass": [2.0],
                "position": [0.1],
                "spring": [{"ground": "x", "stiffness": 200.0}],
                "port": [{"name": "hook", "coordinates": ["x"]}],
            }
        ],
    }
)


def period(trajectory: cosimo.Trajectory) -> float:
    """Mean time (s) between crossings of zero, twice."""
    x: Array = trajectory["cart.x"]
    crossings = trajectory.t[:-1][(x[:-1] > 0.0) != (x[1:] > 0.0)]
    return float(2.0 * np.diff(crossings).mean())


class Pendulum(cosimo.Mechanism):
    """A pendulum whose tip a spring draws along with the cart."""

    coordinates = {"angle": "rad"}
    position = [0.0]
    ports = {"tip": cosimo.Port(position=lambda q: 0.5 * np.sin(q), jacobian=lambda q: 0.5 * np.cos(q))}

    def mass(self, t: float, q: Array) -> float:
        return 0.25

    def force(self, t: float, q: Array, v: Array) -> Array:
        return -0.5 * 9.81 * np.sin(q)

    def potential(self, t: float, q: Array) -> float:
        return float(0.5 * 9.81 * (1.0 - np.cos(q[0])))


def dry_friction(t: float, z: Array, v: Array) -> Array:
    """Force (N) against the motion, smooth about zero."""
    return -1.5 * np.tanh(v / 1e-2)


def main() -> None:
    for choice, trajectory in cosimo.sweep(MODEL, {"subsystem.cart.spring.0.stiffness": [100.0, 200.0, 400.0]}):
        stiffness: float = choice["subsystem.cart.spring.0.stiffness"]
        expected = 2.0 * np.pi * np.sqrt(2.0 / stiffness)
        print(f"{stiffness:5.0f} N/m: {period(trajectory):.4f} s, expected {expected:.4f} s")
        assert abs(period(trajectory) - expected) < 2e-3
    model = MODEL.copy().add(cosimo.ForceLaw("friction", dry_friction)).add(Pendulum("pendulum"))
    model.load("rubbing", "cart.hook", "friction.end").spring("spring", "cart.hook", "pendulum.tip", 20.0)
    damped = model.run()
    print(damped)
    assert abs(damped.last("cart.x")) < 0.05 < np.abs(damped["pendulum.angle"]).max()


if __name__ == "__main__":
    main()
