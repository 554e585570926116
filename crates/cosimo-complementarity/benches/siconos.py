#!/usr/bin/env python3
"""Friction-contact problems side by side: the automatic solver of Cosimo and the solvers of Siconos, in the same run.

    cargo build --release -p cosimo-complementarity --example solution_time
    /usr/bin/python3 crates/cosimo-complementarity/benches/siconos.py [FILE …]

The files are texts of friction-contact problems, plain or gzipped; by default the reference set. Siconos is Debian's
`python3-siconos`, which is a module of the system's Python; without it only the column of Cosimo is filled.

Times are those of the solution alone, from zero impulses, on one thread: processor time of the process or thread, the
least of five runs or more. Both sides meet the same tolerance of the same residual. Siconos is given W divided by its mean
diagonal, for which its own measure is that of Cosimo, but that it divides by the largest of |q| and |r| in place of |q|: its
tolerance is made smaller by that much. What it returns is measured again here. Solvers that do not reach the tolerance
are shown with a dash.
"""

import gzip
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# Before numpy: one thread.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

HERE = pathlib.Path(__file__).resolve().parent
# This file bears the name of the package that it is to find.
sys.path = [folder for folder in sys.path if pathlib.Path(folder).resolve() != HERE]
COMMAND = HERE.parents[2] / "target" / "release" / "examples" / "solution_time"
RUNS, ENOUGH = 5, 0.5
# Seconds after which a solver of Siconos is given up.
PATIENCE = 60
SWEEPS, NEWTON_STEPS = 20000, 200
# Solvers by name, with the solver of a single contact where they have one.
SOLVERS = [
    ("NSGS", "NSN"),
    ("NSGS", "NSN_GP"),
    ("NSGS", "NSN_GP_HYBRID"),
    ("NSGS", "ProjectionOnConeWithLocalIteration"),
    ("NSGS", "ProjectionOnConeWithDiagonalization"),
    ("NSGS", "QUARTIC"),
    ("NSGS", "QUARTIC_NU"),
    ("NSN_AC", None),
    ("NSN_FB", None),
    ("ADMM", None),
    ("PROX", None),
    ("TFP", None),
]


def read(path):
    """Coefficients of friction, q, and the entries of W."""
    opener = gzip.open if str(path).endswith(".gz") else open
    mu, q, entries, section = [], [], [], ""
    with opener(path, "rt") as lines:
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#") or words[0] == "contacts":
                continue
            if words[0][0].isalpha() and words[0].lower() not in ("nan", "inf", "infinity"):
                section = words[0]
            elif section == "mu":
                mu.append(float(words[0]))
            elif section == "q":
                q.append(float(words[0]))
            elif section == "W_triplets":
                entries.append((int(words[0]), int(words[1]), float(words[2])))
    return mu, q, entries


def write_blocks(problem, file):
    """The problem with W divided by its mean diagonal, in Siconos' format of sparse blocks, which its sweeps need."""
    import numpy as np

    mu, q, entries = problem
    count = len(mu)
    scale = sum(value for row, column, value in entries if row == column) / len(q)
    blocks = {(i, i): np.zeros((3, 3)) for i in range(count)}
    for row, column, value in entries:
        block = blocks.setdefault((row // 3, column // 3), np.zeros((3, 3)))
        block[row % 3, column % 3] += value / scale
    places = sorted(blocks)
    starts = [0] + list(np.cumsum(np.bincount([row for row, _ in places], minlength=count)))
    ends = [3 * (k + 1) for k in range(count)]
    rows = [[3], [count], [1], [len(q)], [len(q)], [len(places)], [count], [count], ends, ends]
    rows += [[len(starts)], [len(places)], starts, [column for _, column in places]]
    for number, place in enumerate(places):
        # By columns.
        rows += [[number], [repr(float(value)) for value in blocks[place].T.ravel()]]
    rows += [[repr(value) for value in q], [repr(value) for value in mu]]
    file.write("\n".join(" ".join(map(str, row)) for row in rows) + "\n")
    file.flush()


def residual(problem, impulses):
    """Cosimo's residual of the impulses of the problem with W divided by its mean diagonal."""
    import numpy as np

    mu, q, entries = problem
    rows, columns, values = (np.array(part) for part in zip(*entries))
    scale = values[rows == columns].sum() / len(q)
    velocities = np.array(q)
    np.add.at(velocities, rows, values / scale * impulses[columns])
    velocities, impulses = velocities.reshape(-1, 3), impulses.reshape(-1, 3)
    mu = np.array(mu)
    moved = impulses - velocities
    moved[:, 0] -= mu * np.hypot(velocities[:, 1], velocities[:, 2])
    normal, tangent = moved[:, 0], np.hypot(moved[:, 1], moved[:, 2])
    on_cone = np.maximum(normal + mu * tangent, 0.0) / (1.0 + mu**2)
    inside = tangent <= mu * normal
    share = np.where(inside, 1.0, mu * on_cone / np.where(tangent > 0.0, tangent, 1.0))
    image = moved * share[:, None]
    image[:, 0] = np.where(inside, normal, on_cone)
    return np.linalg.norm(impulses - image) / np.linalg.norm(q)


def by_cosimo(path, tolerance):
    """Time (ms), or None where the tolerance is not met."""
    done = subprocess.run([str(COMMAND), str(path), str(tolerance)], capture_output=True, text=True)
    found = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    return float(found["time"]) if done.returncode == 0 and found["solved"].startswith("true") else None


def solve(problem, file, solver, tolerance):
    """Least time (ms) of a solver of Siconos, or None where the tolerance is not met."""
    import numpy as np
    import siconos.numerics as sn

    main, local = solver
    friction = sn.frictionContact_new_from_filename(file)
    size, wanted, runs = len(problem[1]), tolerance, []
    while len(runs) < RUNS or sum(runs) < ENOUGH and len(runs) < 1000:
        options = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_3D_" + main))
        if local:
            sn.solver_options_update_internal(options, 0, getattr(sn, "SICONOS_FRICTION_3D_ONECONTACT_" + local))
        options.dparam[sn.SICONOS_DPARAM_TOL] = wanted
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = SWEEPS if main in ("NSGS", "ADMM") else NEWTON_STEPS
        impulses, velocities = np.zeros(size), np.zeros(size)
        started = time.process_time()
        info = sn.fc3d_driver(friction, impulses, velocities, options)
        elapsed = time.process_time() - started
        if info != 0:
            return None
        # A little more than the tolerance is another order of summation.
        if residual(problem, impulses) <= 1.001 * tolerance:
            runs.append(elapsed)
        elif wanted < tolerance:
            return None
        else:
            wanted = tolerance * min(1.0, np.linalg.norm(problem[1]) / np.linalg.norm(impulses))
        if sum(runs) > PATIENCE / 10:
            break
    return 1e3 * min(runs)


def in_a_process(work):
    """What `work` gives, a number or None, from a process of its own: Siconos ends the process where it gives up."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os.write(sending, repr(work()).encode())
        os._exit(0)
    os.close(sending)
    os.waitpid(child, 0)
    with os.fdopen(receiving) as answer:
        text = answer.read()
    return None if text in ("", "None") else float(text)


def by_siconos(problem, tolerance):
    """Times (ms) of the solvers of Siconos by their names, None where the tolerance is not met."""
    times = {}
    with tempfile.NamedTemporaryFile("w", suffix=".dat") as file:
        write_blocks(problem, file)
        for solver in SOLVERS:
            name = "/".join(part for part in solver if part)
            times[name] = in_a_process(lambda: solve(problem, file.name, solver, tolerance))
    return times


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    files = files or sorted((HERE.parent / "tests" / "reference" / "friction").glob("*.txt.gz"))
    if not COMMAND.exists():
        sys.exit(f"{COMMAND} is missing: cargo build --release -p cosimo-complementarity --example solution_time")
    try:
        import siconos.numerics  # noqa: F401

        has_siconos = True
    except ImportError:
        has_siconos = False
        print("Siconos is not installed for this Python: its columns stay empty.\n")
    print("| problem | contacts | tolerance | Cosimo (ms) | best of Siconos (ms) | ratio | by |\n|---|---|---|---|---|---|---|")
    details = []
    for path in files:
        problem = read(path)
        for tolerance in (1e-4, 1e-8):
            own = by_cosimo(path, tolerance)
            others = by_siconos(problem, tolerance) if has_siconos else {}
            reached = {name: time for name, time in others.items() if time is not None}
            best = min(reached, key=reached.get, default="–")
            ratio = f"{reached[best] / own:.1f}" if reached and own else "–"
            shown = " | ".join("–" if time is None else f"{time:.1f}" for time in (own, reached.get(best)))
            about = f"| {path.name.removesuffix('.gz').removesuffix('.txt')} | {len(problem[0])} | {tolerance:g} "
            print(f"{about}| {shown} | {ratio} | {best} |", flush=True)
            details.append(about + "".join(f"| {'–' if t is None else f'{t:.1f}'} " for t in others.values()) + "|")
    if has_siconos:
        names = ["/".join(part for part in solver if part) for solver in SOLVERS]
        print("\n| problem | contacts | tolerance | " + " | ".join(names) + " |\n|---|---|---|" + "---|" * len(names))
        print("\n".join(details))


if __name__ == "__main__":
    main()
