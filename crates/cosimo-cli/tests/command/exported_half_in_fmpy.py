"""Half an oscillator of Cosimo in FMPy, `b2.fmu` and `b3.fmu`: 2 kg at 500 N/m and 3 N s/m, from -0.05 m, by steps of a millisecond."""

from math import cos, exp, sin, sqrt

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

STEP = 1e-3


def moved(k, force, state, time):
    """Position and velocity at k N/m under a force, so many seconds later."""
    m, d = 2.0, 3.0
    decay, rest = d / (2 * m), force / k
    w = sqrt(k / m - decay * decay)
    a, b = state[0] - rest, (state[1] + decay * (state[0] - rest)) / w
    c, s, e = cos(w * time), sin(w * time), exp(-decay * time)
    return [rest + e * (a * c + b * s), e * ((b * w - decay * a) * c - (a * w + decay * b) * s)]


def close(found, expected, bound):
    assert abs(found - expected) < bound, f"{found}, not {expected}"


class Unit:
    """The same calls for both versions."""

    def __init__(self, file):
        description = fmpy.read_model_description(file)
        self.two = description.fmiVersion == "2.0"
        self.reference = {variable.name: variable.valueReference for variable in description.modelVariables}
        kind = FMU2Slave if self.two else FMU3Slave
        self.unit = kind(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=fmpy.extract(file),
            instanceName="half",
        )
        self.unit.instantiate()
        if self.two:
            self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()
        self.unit.exitInitializationMode()

    def get(self, name):
        read = self.unit.getReal if self.two else self.unit.getFloat64
        return read([self.reference[name]])[0]

    def set(self, name, value):
        write = self.unit.setReal if self.two else self.unit.setFloat64
        write([self.reference[name]], [value])

    def steps(self, first, count):
        for k in range(first, first + count):
            self.unit.doStep(k * STEP, STEP)

    def call(self, two, three, *arguments):
        return getattr(self.unit, two if self.two else three)(*arguments)

    def end(self):
        self.unit.terminate()
        self.unit.freeInstance()


for file in ("b2.fmu", "b3.fmu"):
    assert validate_fmu(file) == [], validate_fmu(file)
    own = Unit(file)
    own.set("s.tip.force", 20.0)
    own.steps(0, 400)
    middle = moved(500.0, 20.0, [-0.05, 0.0], 0.4)
    close(own.get("s.tip.position"), middle[0], 1e-5)

    # From here on under another parameter; back, and the same once more with the first one.
    kept = own.call("getFMUstate", "getFMUState")
    content = own.call("serializeFMUstate", "serializeFMUState", kept)
    own.set("s.stiffness", 800.0)
    own.set("s.tip.force", -5.0)
    own.steps(400, 300)
    close(own.get("s.tip.position"), moved(800.0, -5.0, middle, 0.3)[0], 3e-5)
    own.call("setFMUstate", "setFMUState", kept)
    assert own.get("s.stiffness") == 500.0
    own.steps(400, 300)
    went_on = own.get("s.tip.position")
    close(went_on, moved(500.0, 20.0, middle, 0.3)[0], 3e-5)
    own.call("freeFMUstate", "freeFMUState", kept)

    # The same bits in another instance.
    other = Unit(file)
    other.call("setFMUstate", "setFMUState", other.call("deSerializeFMUstate", "deserializeFMUState", content))
    other.steps(400, 300)
    assert other.get("s.tip.position") == went_on
    own.end()
    other.end()
print("as expected")
