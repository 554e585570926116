"""A sampled speed control in Python drives the exported hammer.

    python3 drive.py hammer.fmu [results.csv]

With the results of the native run, the largest differences at the samples are printed.
"""

import csv
import shutil
import sys

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

SAMPLES, PERIOD = 800, 5e-3  # s
PROPORTIONAL, INTEGRAL = 0.5, 1.0  # N m s/rad, N m/rad
SETPOINT, LIMIT = 10.0, 8.0  # rad/s, N m


class Governor:
    """The control of the model file: PI with limits, its output held between samples."""

    def __init__(self):
        self.integral = 0.0

    def sample(self, speed):
        error = SETPOINT - speed
        output = PROPORTIONAL * error + self.integral
        grown = INTEGRAL * error * PERIOD
        self.integral += grown
        # The integral goes on only as far as the output stays within its limits.
        if output + grown > LIMIT and grown > 0.0:
            self.integral -= min(grown, output + grown - LIMIT)
        elif output + grown < -LIMIT and grown < 0.0:
            self.integral -= max(grown, output + grown + LIMIT)
        return max(-LIMIT, min(LIMIT, output))


def run(path):
    """Time, angle and speed of the shaft, and torque, at every sample."""
    description = read_model_description(path)
    reference = {variable.name: variable.valueReference for variable in description.modelVariables}
    motion = [reference["machine.shaft.position"], reference["machine.shaft.velocity"]]
    torque = [reference["machine.shaft.force"]]
    folder = extract(path)
    unit = FMU3Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="hammer",
    )
    rows, governor = [], Governor()
    try:
        unit.instantiate()
        unit.enterInitializationMode()
        unit.exitInitializationMode()
        for k in range(SAMPLES + 1):
            angle, speed = unit.getFloat64(motion)
            rows.append([k * PERIOD, angle, speed, governor.sample(speed)])
            unit.setFloat64(torque, rows[-1][3:])
            if k < SAMPLES:
                unit.doStep(k * PERIOD, PERIOD)
        unit.terminate()
    finally:
        unit.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)
    return rows


def compare(rows, native):
    """Prints how far apart the runs are at most, at the samples."""
    with open(native, newline="") as file:
        table = {round(float(row["t"]), 9): row for row in csv.DictReader(file)}
    for place, name in enumerate(["machine.shaft.angle", "machine.shaft.rate", "governor.output"], start=1):
        apart = max(abs(row[place] - float(table[round(row[0], 9)][name])) for row in rows)
        print(f"{name}: at most {apart:.1e} apart")


if __name__ == "__main__":
    rows = run(sys.argv[1])
    print(f"{len(rows)} samples; the shaft turns at {rows[-1][2]:.6f} rad/s at {rows[-1][0]} s")
    if len(sys.argv) > 2:
        compare(rows, sys.argv[2])
