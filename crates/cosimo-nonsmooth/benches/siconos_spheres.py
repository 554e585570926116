#!/usr/bin/env python3
"""Spheres poured into a box: Siconos with Bullet beside the example `box_of_spheres`, in the same run.

    cargo build --release -p cosimo-nonsmooth --example box_of_spheres
    /usr/bin/python3 crates/cosimo-nonsmooth/benches/siconos_spheres.py [SPHERES] [STEPS]

The same spheres in the same box on both sides, step 1 ms, friction 0.3, no restitution, residual 1e-4 by the measure of each,
and impulses of the step before to begin with. Siconos sweeps 200 times at most, which it does not find enough in many
steps, and says so; Cosimo tells how many steps miss the residual. Times are processor times; those of Siconos include its
collision detection, as those of Cosimo do. Siconos is Debian's `python3-siconos`, a module of the system's Python.
"""

import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

COMMAND = pathlib.Path(__file__).resolve().parents[3] / "target" / "release" / "examples" / "box_of_spheres"
RADIUS, DENSITY, GRAVITY = 0.05, 2500.0, 9.81
STEP, FRICTION, TOLERANCE = 1e-3, 0.3, 1e-4
# Sweeps of Siconos, and its solver of a single contact, the fastest in `siconos.py` of complementarity.
SWEEPS, LOCAL = 200, "NSN"
# Steps from one line of the table to the next.
TOLD = 50


def centres(count, side):
    """Those of the example."""
    pitch = 2.2 * RADIUS
    row = max(1, math.floor(side / pitch))
    for k in range(count):
        jitter = lambda n: 0.08 * RADIUS * math.fmod((k * 7919 + n * 104729) * 0.618, 1.0)  # noqa: E731
        i, j, layer = k % row, k // row % row, k // row // row
        yield [(i + 0.5) * pitch + jitter(1), (j + 0.5) * pitch + jitter(2), (layer + 0.5) * pitch + jitter(3)]


def simulation_of(count, steps):
    """A simulation of Siconos, with what it must not lose."""
    import siconos.kernel as sk
    import siconos.numerics as sn
    from siconos.mechanics.collision import RigidBodyDS, SiconosContactor, SiconosContactorSet, SiconosPlane, SiconosSphere
    from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

    side = 2.2 * RADIUS * math.ceil(math.sqrt(count / 6.0))
    mass = DENSITY * 4.0 / 3.0 * math.pi * RADIUS**3
    system = sk.NonSmoothDynamicalSystem(0.0, (steps + 1) * STEP)
    kept = []
    for centre in centres(count, side):
        inertia = [[0.4 * mass * RADIUS**2 if i == j else 0.0 for j in range(3)] for i in range(3)]
        body = RigidBodyDS([*centre, 1.0, 0.0, 0.0, 0.0], [0.0] * 6, mass, inertia)
        body.contactors().push_back(SiconosContactor(SiconosSphere(RADIUS)))
        body.setFExtPtr([0.0, 0.0, -mass * GRAVITY])
        system.insertDynamicalSystem(body)
        kept.append(body)
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    options.contactBreakingThreshold = 0.02 * RADIUS
    manager = SiconosBulletCollisionManager(options)
    manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, FRICTION, 3), 0, 0)
    half = math.sqrt(0.5)
    # The floor and four walls: planes whose normal, z, is turned into the box.
    for place, turn in [
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], [half, 0.0, half, 0.0]),
        ([side, 0.0, 0.0], [half, 0.0, -half, 0.0]),
        ([0.0, 0.0, 0.0], [half, -half, 0.0, 0.0]),
        ([0.0, side, 0.0], [half, half, 0.0, 0.0]),
    ]:
        wall = SiconosContactorSet()
        wall.append(SiconosContactor(SiconosPlane()))
        manager.insertStaticContactorSet(wall, [*place, *turn])
        kept.append(wall)
    problem = sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
    settings = problem.numericsSolverOptions()
    # The kernel's own: modules of Siconos do not know each other's options.
    sk.solver_options_update_internal(settings, 0, getattr(sn, "SICONOS_FRICTION_3D_ONECONTACT_" + LOCAL))
    settings.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    settings.iparam[sn.SICONOS_IPARAM_MAX_ITER] = SWEEPS
    problem.setMaxSize(20000)
    problem.setMStorageType(sn.NM_SPARSE_BLOCK)
    problem.setNumericsVerboseMode(False)
    problem.setKeepLambdaAndYState(True)
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, STEP))
    simulation.insertInteractionManager(manager)
    simulation.insertIntegrator(sk.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(problem)
    kept += [manager, problem]
    return simulation, problem, kept


def by_siconos(count, steps):
    """Mean height (m), contacts and time of a step (ms), from time to time."""
    simulation, problem, kept = simulation_of(count, steps)
    lines, started = [], time.process_time()
    for step in range(1, steps + 1):
        simulation.computeOneStep()
        simulation.nextStep()
        if step % TOLD == 0:
            spent = 1e3 * (time.process_time() - started) / TOLD
            height = sum(body.q()[2] for body in kept[:count]) / count
            lines.append((step * STEP, problem.getSizeOutput() // 3, height, spent))
            print("{:6.1f} {:9} {:13.4f} {:11.2f}".format(*lines[-1]), flush=True)
            started = time.process_time()
    return sum(line[-1] for line in lines) / max(len(lines), 1)


def by_cosimo(count, steps):
    """Time of a step (ms) over the whole run."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(COMMAND), str(count), str(steps)], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(done.stdout)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / steps


def main():
    given = [int(word) for word in sys.argv[1:3]]
    count, steps = given + [200, 200][len(given) :]
    print("Cosimo")
    own = by_cosimo(count, steps)
    print("Siconos, NSGS with " + LOCAL + "\n t (s)  contacts    height (m)   ms a step")
    other = by_siconos(count, steps)
    print(f"{count} spheres, {steps} steps: Cosimo {own:.2f} ms a step, Siconos {other:.2f} ms, ratio {other / own:.1f}")


if __name__ == "__main__":
    main()
