#!/usr/bin/env python3
"""Mechanisms side by side: this crate and Exudyn, in the same run.

    pip install exudyn
    python3 crates/cosimo-multibody/benches/peers.py

Both integrate by the generalized-α rule of spectral radius 0.8 with the same steps, so that the errors are alike, and both
tell them. Exudyn has planar bodies for the planar mechanisms and tries its solvers of linear equations in turn, of which
the fastest counts; here all bodies are spatial, and the redundant constraints that follow are found and left out. Errors of
the spatial chain are those of its tip against the same rule with a quarter of the step, here. Times are those of the
integration alone, CPU time of the process for Exudyn, the smallest of three runs.
"""

import math
import pathlib
import subprocess
import time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    LoadMassProportional,
    LoadTorqueVector,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerBodyRigid,
    NodeRigidBody2D,
    ObjectConnectorSpringDamper,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
)
from exudyn.utilities import RigidBodyInertia

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPEATS = 3


class Mechanism:
    """A planar mechanism in Exudyn."""

    def __init__(self, gravity=0.0):
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.ground = self.system.AddObject(ObjectGround())
        self.gravity = gravity
        self.nodes = []

    def body(self, mass, inertia, centre, angle, velocity=(0.0, 0.0, 0.0)):
        """A body of which the origin is the centre of mass."""
        start = [centre[0], centre[1], angle]
        node = self.system.AddNode(NodeRigidBody2D(referenceCoordinates=start, initialVelocities=list(velocity)))
        body = self.system.AddObject(ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        self.nodes.append((node, centre, angle))
        if self.gravity:
            marker = self.system.AddMarker(MarkerBodyMass(bodyNumber=body))
            self.system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0.0, -self.gravity, 0.0]))
        return len(self.nodes) - 1, body

    def marker(self, body, point):
        """A marker at a point of the world; `None` is the ground."""
        if body is None:
            return self.system.AddMarker(MarkerBodyPosition(bodyNumber=self.ground, localPosition=[*point, 0.0]))
        index, number = body
        _, centre, angle = self.nodes[index]
        x, y = point[0] - centre[0], point[1] - centre[1]
        c, s = math.cos(angle), math.sin(angle)
        local = [c * x + s * y, c * y - s * x, 0.0]
        return self.system.AddMarker(MarkerBodyPosition(bodyNumber=number, localPosition=local))

    def pin(self, first, second, point):
        """A revolute joint at a point of the world."""
        markers = [self.marker(first, point), self.marker(second, point)]
        self.system.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    def angles(self):
        """Angle of every body."""
        return [angle + self.system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)[2]
                for node, _, angle in self.nodes]

    def run(self, end, steps, solver):
        """Angle of every body at the end, and seconds spent."""
        return integrate(self.system, end, steps, solver, self.angles)


class Chain:
    """Rods on revolutes about their own y and z in turn, in space, hanging from the ground."""

    def __init__(self, n):
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.last = n - 1
        inertia = RigidBodyInertia(mass=0.1, inertiaTensor=np.diag([2e-5, 1e-4, 1e-4]))
        joint, turn, before = np.zeros(3), np.eye(3), self.system.CreateGround()
        for k in range(n):
            turn = turn @ bend(k % 2, 0.2 * math.sin(0.3 * k))
            way = turn @ np.array([0.1, 0.0, 0.0])
            body = self.system.CreateRigidBody(inertia=inertia, referencePosition=list(joint + 0.5 * way),
                                               referenceRotationMatrix=turn, gravity=[0.0, 0.0, -9.81])
            axis = turn @ np.array([0.0, 1.0, 0.0] if k % 2 == 0 else [0.0, 0.0, 1.0])
            self.system.CreateRevoluteJoint(bodyNumbers=[before, body], position=list(joint), axis=list(axis),
                                            useGlobalFrame=True)
            joint, before = joint + way, body

    def tip(self):
        """Centre of mass of the last rod."""
        return list(self.system.GetNodeOutput(self.last, exu.OutputVariableType.Position))

    def run(self, end, steps, solver):
        """Tip at the end, and seconds spent."""
        return integrate(self.system, end, steps, solver, self.tip)


def bend(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]] if axis == 0 else
                    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def integrate(system, end, steps, solver, outcome):
    """What `outcome` gives at the end, and seconds spent."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = end
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = end
    settings.linearSolver.solverType = solver
    system.Assemble()
    begun = time.process_time()
    system.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha, showHints=False)
    spent = time.process_time() - begun
    return outcome(), spent


def along(angle, length):
    return (length * math.cos(angle), length * math.sin(angle))


def across(angle, length):
    return (length * math.sin(angle), -length * math.cos(angle))


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1])


def angles(coordinates):
    beta, theta, gamma, phi, delta, omega, epsilon = coordinates
    return [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon]


ANDREWS_START = [-0.061713890014276365, 0.0, 0.45527981916307037, 0.22266839016588583, 0.48736497954384245,
                 -0.2226683901658858, 1.230547444549821]
ANDREWS_END = [15.810771195135676, -15.756371058389309, 0.04082224011947148, -0.534730116342385,
               0.5244099658799449, 0.5347301163423847, 1.0480807410419326]


def andrews():
    """Andrews' squeezing mechanism, E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section VII.7."""
    a, b, c = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
    data = [(0.04325, 2.194e-6), (0.00365, 4.41e-7), (0.02373, 5.255e-6), (0.00706, 5.667e-7), (0.0705, 1.169e-5),
            (0.00706, 5.667e-7), (0.05498, 1.912e-5)]
    beta, turned, gamma, raised, delta, lowered, epsilon = start = angles(ANDREWS_START)
    crank = along(beta, 0.007)
    e = plus(crank, along(turned, -0.028))
    g, h = plus(a, along(delta, 0.04)), plus(a, across(epsilon, 0.04))
    centres = [
        along(beta, 0.00092),
        plus(crank, along(turned, -0.0115)),
        plus(plus(b, across(gamma, 0.01874)), along(gamma, 0.01043)),
        plus(g, across(raised, 0.02 - 0.01421)),
        plus(plus(a, along(delta, 0.02308)), across(delta, -0.00916)),
        plus(h, along(lowered, 0.02 - 0.01421)),
        plus(plus(a, across(epsilon, 0.01228)), along(epsilon, -0.00449)),
    ]
    m = Mechanism()
    k = [None] + [m.body(*data[i], centres[i], start[i]) for i in range(7)]
    for first, second, point in [(None, k[1], (0.0, 0.0)), (k[1], k[2], crank), (None, k[3], b), (None, k[5], a),
                                 (None, k[7], a), (k[2], k[3], e), (k[2], k[4], e), (k[2], k[6], e), (k[4], k[5], g),
                                 (k[6], k[7], h)]:
        m.pin(first, second, point)
    d = plus(plus(b, across(gamma, 0.018)), along(gamma, 0.02))
    m.system.AddObject(ObjectConnectorSpringDamper(markerNumbers=[m.marker(None, c), m.marker(k[3], d)],
                                                   stiffness=4530.0, damping=0.0, referenceLength=0.07785))
    motor = m.system.AddMarker(MarkerBodyRigid(bodyNumber=k[1][1]))
    m.system.AddLoad(LoadTorqueVector(markerNumber=motor, loadVector=[0.0, 0.0, 0.033]))
    return m


def rod(m, start, end, spin, velocity):
    """A uniform slender rod of 1 kg/m; the velocity is that of its first end."""
    way = (end[0] - start[0], end[1] - start[1])
    length = math.hypot(*way)
    centre = plus(start, (0.5 * way[0], 0.5 * way[1]))
    moving = (velocity[0] - 0.5 * way[1] * spin, velocity[1] + 0.5 * way[0] * spin, spin)
    return m.body(length, length**3 / 12.0, centre, math.atan2(way[1], way[0]), moving)


def four_bar(n):
    """The N-four-bar of the IFToMM library: all cranks upright, the first tip at 1 m/s."""
    m = Mechanism(gravity=9.81)
    cranks = [rod(m, (k, 0.0), (k, 1.0), -1.0, (0.0, 0.0)) for k in range(n + 1)]
    bars = [rod(m, (k, 1.0), (k + 1, 1.0), 0.0, (1.0, 0.0)) for k in range(n)]
    for k, crank in enumerate(cranks):
        m.pin(None, crank, (float(k), 0.0))
    for k, bar in enumerate(bars):
        m.pin(cranks[k], bar, (float(k), 1.0))
        m.pin(cranks[k + 1], bar, (k + 1.0, 1.0))
    return m


DENSE, SPARSE = exu.LinearSolverType.EXUdense, exu.LinearSolverType.EigenSparse


def best(build, end, steps, solvers=(DENSE, SPARSE)):
    """What a run finds and seconds spent by the fastest solver of linear equations that comes to the end."""
    found = None
    for solver in solvers:
        for _ in range(REPEATS):
            try:
                outcome = build().run(end, steps, solver)
            except Exception:
                break
            found = outcome if found is None or outcome[1] < found[1] else found
    return found


def four_bar_angle(n, end):
    """Angle of the cranks (rad): one degree of freedom, the pendulum `J a = -G g cos(angle)`, by the classical rule."""
    ratio = -9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    angle, spin, steps = 0.5 * math.pi, -1.0, 20000
    h = end / steps
    for _ in range(steps):
        k1 = (spin, ratio * math.cos(angle))
        k2 = (spin + 0.5 * h * k1[1], ratio * math.cos(angle + 0.5 * h * k1[0]))
        k3 = (spin + 0.5 * h * k2[1], ratio * math.cos(angle + 0.5 * h * k2[0]))
        k4 = (spin + h * k3[1], ratio * math.cos(angle + h * k3[0]))
        angle += h / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0])
        spin += h / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1])
    return angle


def ours():
    """What this crate's bench finds at the end and the fewest seconds spent, by name and step (us)."""
    found = {}
    # The first run finds a processor that has been idle.
    for _ in range(REPEATS):
        done = subprocess.run(["cargo", "bench", "-q", "-p", "cosimo-multibody", "--bench", "mechanisms", "--", "peers"],
                              cwd=ROOT, capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            name, step, spent, *numbers = line.split(" | ")
            key, spent = (name, float(step)), float(spent)
            if key not in found or spent < found[key][1]:
                found[key] = ([float(x) for x in numbers], spent)
    return found


def row(name, micro, exact, mine, theirs):
    error = [max(abs(math.remainder(a - b, 2.0 * math.pi)) for a, b in zip(found, exact)) for found, _ in (mine, theirs)]
    spent = (mine[1], theirs[1])
    print(f"{name:<14} {micro:>9} {error[0]:>10.1e} {error[1]:>10.1e} {spent[0]:>10.4f} {spent[1]:>10.4f} "
          f"{spent[1] / spent[0]:>7.1f}")


def main():
    mine = ours()
    print(f"{'mechanism':<14} {'step (us)':>9} {'error':>10} {'Exudyn':>10} {'time (s)':>10} {'Exudyn':>10} {'ratio':>7}")
    for micro in (20, 10, 5):
        theirs = best(andrews, 0.03, round(0.03 / (micro * 1e-6)))
        row("Andrews", micro, angles(ANDREWS_END), mine[("Andrews", micro)], theirs)
    for n in (1, 10, 40):
        name, theirs = f"N-four-bar {n}", best(lambda: four_bar(n), 1.0, 500)
        row(name, 2000, [four_bar_angle(n, 1.0)], mine[(name, 2000)], theirs)
    for n in (10, 100):
        # Exudyn itself advises against dense matrices of a thousand rows.
        name, theirs = f"chain {n}", best(lambda: Chain(n), 0.2, 200, (DENSE, SPARSE) if n == 10 else (SPARSE,))
        row(name, 1000, mine[(name, 250)][0], mine[(name, 1000)], theirs)


if __name__ == "__main__":
    main()
