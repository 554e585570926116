"""A bouncing ball of Cosimo in FMPy: `ball3.fmu` and `ball2.fmu`, 1 kg, from 0.9 m over a floor with restitution 0.7."""

from math import sqrt

import fmpy
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

GRAVITY = 9.81


def impacts(end):
    """Instants and approach speeds of the impacts."""
    time, speed = sqrt(2 * 0.9 / GRAVITY), sqrt(2 * 0.9 * GRAVITY)
    while time < end:
        yield time, speed
        speed *= 0.7
        time += 2 * speed / GRAVITY


def close(found, expected, bound=1e-9):
    assert abs(found - expected) < bound, f"{found}, not {expected}"


for file in ("ball3.fmu", "ball2.fmu"):
    assert validate_fmu(file) == [], validate_fmu(file)

# The host handles events: the unit stops at each impact, and its velocity jumps in event mode.
names = ["ball.top.position", "ball.top.velocity"]
options = dict(stop_time=1.9, output_interval=0.05, use_event_mode=True, early_return_allowed=True, record_events=True)
result = fmpy.simulate_fmu("ball3.fmu", output=names, **options)
time, velocity = result["time"], result["ball.top.velocity"]
jumps = [(time[i], velocity[i], velocity[i + 1]) for i in range(len(time) - 1) if time[i] == time[i + 1]]
expected = list(impacts(1.9))
assert len(jumps) == len(expected) > 3, jumps
for (at, before, after), (instant, speed) in zip(jumps, expected):
    close(at, instant)
    close(before, -speed)
    close(after, 0.7 * speed)

# The host carries the contact: impulses by the convention, derivatives in both modes.
description = fmpy.read_model_description("ball3.fmu")
reference = {variable.name: variable.valueReference for variable in description.modelVariables}
unit = FMU3Slave(
    guid=description.guid,
    modelIdentifier=description.coSimulation.modelIdentifier,
    unzipDirectory=fmpy.extract("ball3.fmu"),
    instanceName="ball",
)
unit.instantiate(eventModeUsed=True, earlyReturnAllowed=True)
unit.setBoolean([reference["contacts.carried"]], [True])
unit.enterInitializationMode(startTime=0.0)
unit.exitInitializationMode()
unit.updateDiscreteStates()
unit.enterStepMode()
rate, force, impulse = (reference[name] for name in ("ball.top.velocity", "ball.top.force", "ball.top.impulse"))
unit.setFloat64([force], [2.0])
unit.doStep(0.0, 1e-3)
close(unit.getFloat64([rate])[0], (2.0 - GRAVITY) * 1e-3)
close(unit.getDirectionalDerivative([rate], [force], [1.0])[0], 1e-3)
unit.enterEventMode()
close(unit.getDirectionalDerivative([rate], [impulse], [1.0])[0], 1.0)
unit.setClock([reference["impact"]], [True])
unit.setFloat64([impulse], [3.0])
unit.updateDiscreteStates()
assert not unit.getClock([reference["impact"]])[0], "a clock ticks once"
unit.enterStepMode()
close(unit.getFloat64([rate])[0], (2.0 - GRAVITY) * 1e-3 + 3.0)
unit.terminate()
unit.freeInstance()
print("as expected")
