#!/usr/bin/env python3
"""Trajectories of Siconos by Moreau and Jean's rule, written beside this file.

    /usr/bin/python3 coupling-tests/reference/siconos/trajectories.py

Needs Debian's `python3-siconos` 4.4.0. Every system is linear, `M a + K q = F`, with contacts `H q + b >= 0` and Newton's law
`U1 + e U0 >= 0`. Contact problems are solved by enumeration.
"""

import pathlib
import sys

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

HERE = pathlib.Path(__file__).resolve().parent


class System:
    """Masses, stiffness, forces and start; rows, offsets and restitutions of contacts, slips and coefficient of friction."""

    def __init__(self, mass, stiffness, force, start, contacts, friction=None):
        self.mass, self.stiffness, self.force, self.start = mass, stiffness, force, start
        self.contacts, self.friction = contacts, friction


def ball():
    """1 kg from 1 m."""
    return System(np.eye(1), np.zeros((1, 1)), [-9.81], ([1.0], [0.0]), [([1.0], 0.0, 0.9)])


def beads(count=8, radius=0.1):
    """Eight beads above each other over a floor, at growing distances, the uppermost thrown down."""
    heights = [0.15, 0.361, 0.574, 0.789, 1.006, 1.225, 1.446, 1.669]
    contacts = [([1.0] + [0.0] * (count - 1), -radius, 0.9)]
    for i in range(count - 1):
        row = [0.0] * count
        row[i], row[i + 1] = -1.0, 1.0
        contacts.append((row, -2.0 * radius, 0.8))
    speeds = [0.0] * (count - 1) + [-1.0]
    return System(np.eye(count), np.zeros((count, count)), [-9.81] * count, (heights, speeds), contacts)


def two_balls():
    """Two balls of 1 kg on a spring above a floor, which the lower one meets."""
    stiffness = 1000.0 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    start = ([1.001, 1.001], [0.0, 0.0])
    return System(np.eye(2), stiffness, [-10.0, -10.0], start, [([1.0, 0.0], 0.0, 0.8)])


def bar(count=100):
    """Steel bar of 1 m and 314 mm², finite elements with their consistent mass, that meets a wall at 0.1 m/s."""
    length, area, modulus, density = 1.0, 0.000314, 210e9, 7800.0
    element = length / count
    mass, stiffness = np.zeros((count, count)), np.zeros((count, count))
    for i in range(count - 1):
        own = slice(i, i + 2)
        mass[own, own] += density * area * element / 6.0 * np.array([[2.0, 1.0], [1.0, 2.0]])
        stiffness[own, own] += modulus * area / element * np.array([[1.0, -1.0], [-1.0, 1.0]])
    start = ([5e-5] * count, [-0.1] * count)
    return System(mass, stiffness, [0.0] * count, start, [([1.0] + [0.0] * (count - 1), 0.0, 0.0)])


def woodpecker():
    """Height and angle of the sleeve, angle of the bird; data of C. Glocker, 1995."""
    mass = np.array([[0.0048, 4.5e-5, 6.75e-5], [4.5e-5, 4.55e-7, 6.75e-7], [6.75e-5, 6.75e-7, 1.7125e-6]])
    stiffness = np.array([[0.0, 0.0, 0.0], [0.0, 0.0056, -0.0056], [0.0, -0.0056, 0.0056]])
    contacts = [([0.0, 0.0, -0.02], 0.0024, 0.5), ([0.0, 0.0058, 0.0], 0.0006, 0.0), ([0.0, -0.0058, 0.0], 0.0006, 0.0)]
    slips = [[1.0, 0.010, -0.0051], [1.0, 0.0031, 0.0], [1.0, 0.0031, 0.0]]
    start = ([0.0, -0.1034, -0.2788], [-0.3411, 0.0, -7.4583])
    return System(mass, stiffness, [-0.047088, -4.41450e-4, -6.62175e-4], start, contacts, (slips, 0.3))


def simulation(system, theta, gamma, step, steps):
    """The simulation, and what it must not lose."""
    positions, speeds = system.start
    model = sk.LagrangianLinearTIDS(positions, speeds, system.mass)
    model.setKPtr(np.array(system.stiffness))
    model.setCPtr(np.zeros_like(system.stiffness))
    model.setFExtPtr(np.array(system.force, dtype=float))
    whole = sk.NonSmoothDynamicalSystem(0.0, step * (steps + 1))
    whole.insertDynamicalSystem(model)
    kept = [model]
    for k, (row, offset, restitution) in enumerate(system.contacts):
        if system.friction is None:
            law, rows, offsets = sk.NewtonImpactNSL(restitution), [row], [offset]
        else:
            slips, coefficient = system.friction
            law = sk.NewtonImpactFrictionNSL(restitution, 0.0, coefficient, 2)
            rows, offsets = [row, slips[k]], [offset, 0.0]
        relation = sk.LagrangianLinearTIR(np.array(rows), np.array(offsets))
        contact = sk.Interaction(law, relation)
        whole.link(contact, model)
        kept += [law, relation, contact]
    if system.friction is None:
        problem = sk.LCP(sn.SICONOS_LCP_ENUM)
    else:
        problem = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_ENUM)
    problem.numericsSolverOptions().dparam[0] = 1e-14
    rule = sk.MoreauJeanOSI(theta, gamma)
    grid = sk.TimeDiscretisation(0.0, step)
    found = sk.TimeStepping(whole, grid, rule, problem)
    return found, model, kept + [whole, problem, rule, grid]


def trajectory(system, theta, gamma, step, steps):
    """Rows of time, positions and velocities, one per step; whether any contact had an impulse."""
    found, model, kept = simulation(system, theta, gamma, step, steps)
    interactions = [x for x in kept if isinstance(x, sk.Interaction)]
    rows = [np.concatenate(([0.0], model.q(), model.velocity()))]
    touched = [False]
    for k in range(steps):
        found.computeOneStep()
        rows.append(np.concatenate(([(k + 1) * step], model.q(), model.velocity())))
        touched.append(any(np.any(x.lambda_(1) != 0.0) for x in interactions))
        found.nextStep()
    return rows, touched


def thinned(rows, touched, every):
    """Every so manyth row, and the ends of steps in which an impulse begins or ends."""
    changes = {k for k in range(1, len(rows)) if touched[k] != touched[k - 1]}
    return [row for k, row in enumerate(rows) if k % every == 0 or k in changes]


# Name, system, theta, gamma, step (s), steps, and the distance of the steps written.
CASES = [
    ("ball_midpoint", ball, 0.5, 0.5, 5e-3, 800, 10),
    ("ball_implicit", ball, 1.0, 0.0, 5e-3, 800, 10),
    ("beads_midpoint", beads, 0.5, 0.5, 1e-3, 1500, 25),
    ("beads_implicit", beads, 1.0, 0.5, 1e-3, 1500, 25),
    ("two_balls_midpoint", two_balls, 0.5, 1.5, 1e-3, 2500, 25),
    ("two_balls_implicit", two_balls, 1.0, 0.5, 1e-3, 2500, 25),
    ("bar_midpoint", bar, 0.5, 0.5, 2e-6, 750, 25),
    ("bar_implicit", bar, 1.0, 0.0, 2e-6, 750, 25),
    ("woodpecker_midpoint", woodpecker, 0.5, 0.5, 1e-4, 5000, 50),
    ("woodpecker_implicit", woodpecker, 1.0, 0.0, 1e-4, 5000, 50),
]
# Coordinates written, where they are not all, and names that are not those of their numbers.
WRITTEN = {"bar": [0, 1, 50, 99]}
NAMES = {"woodpecker": ["y", "sleeve", "bird"]}


def main(folder, is_whole):
    for name, make, theta, gamma, step, steps, every in CASES:
        system = make()
        rows, touched = trajectory(system, theta, gamma, step, steps)
        rows = rows if is_whole else thinned(rows, touched, every)
        count = len(system.start[0])
        own = WRITTEN.get(make.__name__, range(count))
        columns = [0] + [1 + i for i in own] + [1 + count + i for i in own]
        names = NAMES.get(make.__name__, [f"q{i}" for i in range(count)])
        header = ["t"] + [names[i] for i in own] + [f"v_{names[i]}" for i in own]
        lines = [",".join(header)] + [",".join(f"{row[c]:.17g}" for c in columns) for row in rows]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        print(name, len(rows), "rows,", sum(touched), "steps with impulses")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, len(sys.argv) > 1)
