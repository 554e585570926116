#!/usr/bin/env python3
"""Friction-contact problems side by side: `cosimo solve` and the solvers of Siconos, in the same run.

    cargo build --release -p cosimo-cli
    python3 crates/cosimo-complementarity/benches/siconos.py [FILE …]

The files are texts of friction-contact problems, plain or gzipped; by default the reference set. Siconos is Debian's
`python3-siconos`; without it only the column of Cosimo is filled. Times are those of the solution alone, the smallest
of five runs: user-CPU time of this process for Siconos, wall time on one thread for Cosimo. A solver that does not reach
the tolerance, by Siconos' own measure for its solvers and by Cosimo's for Cosimo, is shown with a dash.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = HERE.parents[2] / "target" / "release" / "cosimo"
SOLVERS = ["NSGS", "NSN_AC", "NSN_FB", "ADMM"]
REPEATS = 5


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


def by_cosimo(path, tolerance):
    """Time (ms), or None where the tolerance is not met."""
    best = None
    for _ in range(REPEATS):
        done = subprocess.run(
            [str(COMMAND), "solve", str(path), "--tolerance", str(tolerance)], capture_output=True, text=True
        )
        found = re.search(r"^time\s+([0-9.]+) ms", done.stdout, re.MULTILINE)
        if done.returncode != 0 or not found:
            return None
        best = min(float(found.group(1)), best or float("inf"))
    return best


def by_siconos(problem, tolerance):
    """Times (ms) of the solvers of Siconos by their names, None where the tolerance is not met."""
    import numpy as np
    import siconos.numerics as sn
    from scipy.sparse import csc_matrix

    mu, q, entries = problem
    rows, columns, values = zip(*entries)
    times = {}
    for name in SOLVERS:
        best = None
        for _ in range(REPEATS):
            matrix = csc_matrix((values, (rows, columns)), shape=(len(q), len(q)))
            friction = sn.FrictionContactProblem(3, len(mu), matrix, np.array(q), np.array(mu))
            options = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_3D_" + name))
            options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
            options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 20000 if name in ("NSGS", "ADMM") else 200
            impulses, velocities = np.zeros(len(q)), np.zeros(len(q))
            started = os.times().user
            info = sn.fc3d_driver(friction, impulses, velocities, options)
            spent = 1e3 * (os.times().user - started)
            if info != 0:
                best = None
                break
            best = min(spent, best or float("inf"))
        times[name] = best
    return times


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    files = files or sorted((HERE.parent / "tests" / "reference" / "friction").glob("*.txt.gz"))
    if not COMMAND.exists():
        sys.exit(f"{COMMAND} is missing: cargo build --release -p cosimo-cli")
    try:
        import siconos.numerics  # noqa: F401

        has_siconos = True
    except ImportError:
        has_siconos = False
        print("Siconos is not installed: its columns stay empty.\n")
    print("| problem | contacts | tolerance | Cosimo (ms) | " + " | ".join(SOLVERS) + " | best of Siconos / Cosimo |")
    print("|---|---|---|---|" + "---|" * (len(SOLVERS) + 1))
    for path in files:
        problem = read(path)
        for tolerance in (1e-4, 1e-8):
            own = by_cosimo(path, tolerance)
            others = by_siconos(problem, tolerance) if has_siconos else {}
            reached = [time for time in others.values() if time is not None]
            ratio = f"{min(reached) / own:.1f}" if reached and own else "–"
            cells = [others.get(name) for name in SOLVERS]
            shown = " | ".join("–" if cell is None else f"{cell:.1f}" for cell in [own, *cells])
            print(f"| {path.name} | {len(problem[0])} | {tolerance:g} | {shown} | {ratio} |")


if __name__ == "__main__":
    main()
