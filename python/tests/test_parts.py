"""Subsystems, controllers, force laws and winds in Python, against native ones and against equations solved here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cosimo import Controller, ForceLaw, Input, StepEnergy, Mechanism, Model, Port, Response, RunError, Subsystem, System

import cosimo

INERTIA, WEIGHT, DAMPING = 0.5, 9.81, 0.1
"""Moment of inertia (kg m²), `m g l` (N m), damping (N m s)."""

PAIR = f"""
schema = 1
time = {{ end = 2.0, step = 1e-3 }}
[[subsystem]]
name = "pendulum"
kind = "linear"
coordinates = ["angle"]
mass = [{INERTIA}]
stiffness = [[{WEIGHT}]]
damping = [[{DAMPING}]]
position = [0.1]
[[subsystem.port]]
name = "angle"
coordinates = ["angle"]
[[subsystem]]
name = "mass"
kind = "node"
mass = 2.0
position = [0.1, 0, 0]
[[subsystem.port]]
name = "point"
direction = [1, 0, 0]
[[interface]]
name = "spring"
between = ["pendulum.angle", "mass.point"]
law = "compliant"
stiffness = 50.0
damping = 0.3
"""


class Pendulum(Mechanism):
    """A pendulum; the mass hangs at its angle by a spring."""

    coordinates = {"angle": "rad"}
    ports = {"angle": Port([[1.0]])}

    def __init__(self, name: str, angle: float, linear: bool) -> None:
        super().__init__(name)
        self.position = [angle]
        self.linear = linear

    def mass(self, t: float, q: np.ndarray) -> float:
        return INERTIA

    def force(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        return -WEIGHT * (q[0] if self.linear else np.sin(q[0])) - DAMPING * v[0]

    def potential(self, t: float, q: np.ndarray) -> float:
        return WEIGHT * (0.5 * q[0] ** 2 if self.linear else 1.0 - np.cos(q[0]))


@pytest.mark.parametrize("law", ["spring", "rigid"])
def test_a_pendulum_of_python_and_a_native_mass_are_as_the_native_pair(law: str) -> None:
    text = PAIR
    if law == "rigid":
        text = text.replace('"compliant"\nstiffness = 50.0\ndamping = 0.3', '"rigid"')
    native = Model.parse(text).run()
    own = Model.parse(text).replace(Pendulum("pendulum", 0.1, linear=True)).run()
    assert np.abs(native["mass.x"] - 0.1).max() > 0.05
    for name in ["pendulum.angle", "mass.x", "mass.vx", "spring.force"]:
        size = np.abs(native[name]).max()
        # A rigid joint finds its first force by an inverse mass of differences.
        share = 1e-11 if (law, name) == ("rigid", "spring.force") else 1e-12
        assert np.abs(own[name] - native[name]).max() <= share * size, name
    assert own.energy["end"] == pytest.approx(native.energy["end"], rel=1e-11)


def test_a_nonlinear_pendulum_follows_the_midpoint_rule() -> None:
    """The pair as one system, whose midpoint rule is solved here to round-off."""
    h, k, mass = 1e-3, 50.0, 2.0

    def force(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.array([-WEIGHT * np.sin(q[0]) - DAMPING * v[0], 0.0])

    q, v, inertia = np.array([1.2, 1.2]), np.zeros(2), np.array([INERTIA, mass])
    spring = np.array([[k, -k], [-k, k]])
    for _ in range(1000):
        change = np.zeros(2)
        for _ in range(50):
            mean = v + 0.5 * change
            middle = q + 0.5 * h * mean
            new = h * (force(middle, mean) - spring @ middle) / inertia
            done = np.abs(new - change).max() < 1e-17
            change = new
            if done:
                break
        q, v = q + h * (v + 0.5 * change), v + change
    text = PAIR.replace("position = [0.1, 0, 0]", "position = [1.2, 0, 0]").replace("damping = 0.3", "damping = 0.0")
    own = Model.parse(text).replace(Pendulum("pendulum", 1.2, linear=False)).simulate(1.0, h)
    assert own.last("pendulum.angle") == pytest.approx(q[0], rel=1e-11)
    assert own.last("mass.x") == pytest.approx(q[1], rel=1e-11)


def test_parts_alone_are_a_model() -> None:
    model = Model().add(Pendulum("left", 0.3, True)).add(Pendulum("right", 0.3, True))
    model.spring("spring", "left.angle", "right.angle", 10.0)
    both = model.simulate(1.0, 1e-3)
    alone = Model().add(Pendulum("left", 0.3, True)).simulate(1.0, 1e-3)
    # They swing together, so that the spring does nothing.
    assert np.abs(both["left.angle"] - alone["left.angle"]).max() < 1e-12
    again = model.simulate(1.0, 1e-3)
    assert np.array_equal(again["left.angle"], both["left.angle"])
    with pytest.raises(cosimo.ModelError, match="no port `left.angel`; did you mean"):
        model.spring("other", "left.angel", "right.angle", 1.0)


class Governor(Controller):
    """The sampled PI controller of the example."""

    period = 1e-2
    inputs = {"measurement": "rad/s"}
    outputs = {"output": "N m"}
    states = {"integral": 0.0}

    def output(self, t: float, x: np.ndarray, u: np.ndarray) -> float:
        return float(np.clip(0.5 * (20.0 - u[0]) + x[0], -6.0, 6.0))

    def update(self, t: float, x: np.ndarray, u: np.ndarray) -> float:
        return x[0] + 2.0 * self.period * (20.0 - u[0])


def test_a_controller_of_python_takes_samples(example: Path) -> None:
    file = example / "controlled-slider-crank" / "model.toml"
    own = Model(file).replace(Governor("governor")).run()
    rate, torque, t = own["machine.shaft.rate"], own["governor.output"], own.t
    assert 15.0 < rate[-1] < 30.0
    # The outputs are those of the samples, found here from the recorded measurement.
    integral, expected = 0.0, []
    for k in range(0, len(t), 10):
        expected.append(np.clip(0.5 * (20.0 - rate[k]) + integral, -6.0, 6.0))
        integral += 2.0 * 1e-2 * (20.0 - rate[k])
    held = np.repeat(expected, 10)[: len(t)]
    assert np.abs(held - torque).max() < 1e-9


class Lag(System):
    """A lag of first order."""

    states = {"value": 1.0}
    inputs = {"target": Input("m", default=0.0)}
    outputs = {"reached": "m"}
    feed_through = False

    def rates(self, t: float, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return (u - x) / 0.1


def test_a_system_of_python_decays() -> None:
    trajectory = Model().add(Lag("lag")).simulate(0.5, 1e-3)
    assert trajectory.last("lag.value") == pytest.approx(np.exp(-5.0), rel=1e-4)
    h = 1e-3 / 0.1
    assert trajectory.last("lag.reached") == pytest.approx(((1 - h / 2) / (1 + h / 2)) ** 500, rel=1e-11)


def test_a_force_law_of_python_is_as_the_native_one(example: Path) -> None:
    file = example / "falling-drag" / "model.toml"
    native = Model(file).run()
    law = ForceLaw("air", lambda t, z, v: -0.2 * np.linalg.norm(v) * v, size=3, port="body")
    own = Model(file).replace(law).run()
    assert np.abs(own["stone.vz"] - native["stone.vz"]).max() < 1e-9 * np.abs(native["stone.vz"]).max()


def test_a_wind_of_python_is_as_the_native_one(example: Path) -> None:
    file = example / "puma-gust" / "gust.toml"
    still = Model(file)
    name = "air"
    for line in file.read_text().splitlines():
        if line.startswith("name = "):
            name = line.split('"')[1]
        if "rotor-aerodynamics" in line:
            break
    native = still.copy().set(f"subsystem.{name}.wind", {"kind": "uniform", "velocity": [1.0, 2.0, -3.0]})
    own = still.copy().wind(name, lambda t, place: [1.0, 2.0, -3.0])
    step = 1e-3
    expected, found, calm = (model.simulate(3 * step, step) for model in (native, own, still.unset(f"subsystem.{name}.wind")))
    for quantity in expected.names:
        assert np.allclose(found[quantity], expected[quantity], rtol=1e-9, atol=1e-9), quantity
    assert any(not np.allclose(calm[q], expected[q], rtol=1e-6, atol=1e-9) for q in expected.names)


class Broken(Pendulum):
    """A pendulum that raises after a while."""

    def force(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        if t > 0.1:
            raise ZeroDivisionError("at last")
        return super().force(t, q, v)


def test_exceptions_of_parts_end_the_run() -> None:
    model = Model.parse(PAIR).replace(Broken("pendulum", 0.1, True))
    with pytest.raises(RunError, match=r"subsystem `pendulum` at 0\.1\d* s: ZeroDivisionError: at last") as caught:
        model.run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.trajectory is model.last is not None and 0.09 < model.last.t[-1] < 0.11
    with model.start() as run, pytest.raises(RunError, match="at last"):
        run.advance(1.0, 1e-3)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([1.0, 2.0], "gives 2 numbers, 1 are expected"),
        ("text", "not numbers"),
        (float("nan"), "not finite"),
    ],
)
def test_wrong_answers_are_told(given: object, text: str) -> None:
    law = ForceLaw("air", lambda t, z, v: given)  # type: ignore[arg-type, return-value]
    model = Model().add(Pendulum("rod", 0.1, True)).add(law).load("drag", "rod.angle", "air.end")
    with pytest.raises(RunError, match=text):
        model.simulate(0.1, 1e-3)


def test_an_interrupt_in_a_part_is_an_interrupt() -> None:
    class Interrupted(Pendulum):
        def force(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
            if t > 0.1:
                raise KeyboardInterrupt
            return super().force(t, q, v)

    model = Model().add(Interrupted("rod", 0.1, True))
    with pytest.raises(KeyboardInterrupt):
        model.simulate(1.0, 1e-3)
    assert model.last is not None and model.last.t[-1] == pytest.approx(0.1, abs=2e-3)


class Counting(Pendulum):
    """A pendulum that is not pure."""

    calls = 0

    def force(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        self.calls += 1
        return super().force(t, q, v) + 1e-3 * self.calls


def test_parts_keep_the_rules_of_the_contract() -> None:
    drag = ForceLaw("air", lambda t, z, v: -0.2 * np.abs(v) * v, size=3)
    for part in [Pendulum("rod", 0.3, True), Governor("governor"), Lag("lag"), drag]:
        assert cosimo.check_part(part) == [], part.name
    assert cosimo.check_part(Pendulum("rod", 0.3, False), ledger_tolerance=1e-5) == []
    assert cosimo.check_part(Counting("rod", 0.3, True)) != []
    with pytest.raises(cosimo.ModelError):
        cosimo.check_part(type("Shapeless", (Pendulum,), {"velocity": [1.0, 2.0]})("rod", 0.3, True))


class OwnSteps(Subsystem):
    """The nonlinear pendulum, which takes its steps by the midpoint rule itself."""

    ports = {"angle": 1}
    quantities = {"angle": "rad", "angle_rate": "rad/s"}

    def __init__(self, name: str, angle: float) -> None:
        super().__init__(name)
        self.q, self.v, self.w = angle, 0.0, 0.0

    def rows(self) -> tuple[list[float], list[float]]:
        return [self.q], [self.v]

    def energy(self) -> tuple[float, float]:
        return 0.5 * INERTIA * self.v**2, WEIGHT * (1.0 - np.cos(self.q))

    def end(self, h: float, impulse: float) -> tuple[float, float, float]:
        change = 0.0
        for _ in range(20):
            rate = self.v + 0.5 * change
            angle = self.q + 0.5 * h * rate
            slope = INERTIA + 0.5 * h * DAMPING + 0.25 * h * h * WEIGHT * np.cos(angle)
            correction = (impulse - INERTIA * change - h * (DAMPING * rate + WEIGHT * np.sin(angle))) / slope
            change += correction
            if abs(correction) <= 1e-15:
                break
        return self.q + h * (self.v + 0.5 * change), self.v + change, 1.0 / slope

    def begin(self, t: float, h: float, start_loads: np.ndarray) -> Response:
        return self.evaluate(t, h, np.zeros(1))

    def evaluate(self, t: float, h: float, impulses: np.ndarray) -> Response:
        q, v, w = self.end(h, impulses[0])
        return Response([q], [v], w, w * DAMPING * w)

    def commit(self, t: float, h: float, impulses: np.ndarray) -> StepEnergy:
        before, start = sum(self.energy()), self.q
        self.q, self.v, _ = self.end(h, impulses[0])
        turned = self.q - start
        work, lost = impulses[0] / h * turned, DAMPING * turned**2 / h
        return StepEnergy(port_work=work, dissipated=lost, numerical=sum(self.energy()) - before - work + lost)

    def prepare_jump(self, t: float, h: float) -> float:
        self.w = 1.0 / (INERTIA + 0.5 * h * DAMPING + 0.25 * h * h * WEIGHT * np.cos(self.q))
        return self.w

    def jump(self, impulses: np.ndarray) -> None:
        self.v += self.w * impulses[0]

    def project_positions(self, weights: np.ndarray) -> None:
        self.q += self.w * weights[0]

    def observe(self) -> list[float]:
        return [self.q, self.v]

    def save(self) -> list[float]:
        return [self.q, self.v]

    def restore(self, t: float, saved: np.ndarray) -> None:
        self.q, self.v = saved


@pytest.mark.parametrize("law", ["spring", "rigid"])
def test_a_subsystem_that_steps_itself_is_as_the_mechanism(law: str) -> None:
    text = PAIR
    if law == "rigid":
        text = text.replace('"compliant"\nstiffness = 50.0\ndamping = 0.3', '"rigid"')
    text = text.replace("position = [0.1, 0, 0]", "position = [1.2, 0, 0]").replace("position = [0.1]", "position = [1.2]")
    own = OwnSteps("pendulum", 1.2)
    assert cosimo.check_part(own, ledger_tolerance=1e-5) == []
    model = Model.parse(text).replace(own)
    steps, rule = model.run(), Model.parse(text).replace(Pendulum("pendulum", 1.2, linear=False)).run()
    for name in ["pendulum.angle", "mass.x", "mass.vx"]:
        assert np.abs(steps[name] - rule[name]).max() <= 1e-12 * np.abs(rule[name]).max(), name
    assert np.array_equal(model.run()["mass.x"], steps["mass.x"])
    assert own.q == 1.2
