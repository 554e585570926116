"""Checks FMUs of the oscillator (FMI 2 and 3, in this order) with FMPy."""

import math
import os
import shutil
import signal
import sys

import fmpy
import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu
from lxml import etree

# As hosts in C have it: a signal that is not handled ends the process. Python ignores it.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def closed_form(time, force=0.0, stiffness=8.0):
    """Position of a mass of 2 kg that starts at 1 m from rest."""
    centre = force / stiffness
    return centre + (1.0 - centre) * np.cos(math.sqrt(stiffness / 2.0) * time)


def check_schema(unpacked):
    folder = os.path.join(os.path.dirname(fmpy.__file__), "schema", "fmi3")
    schema = etree.XMLSchema(etree.parse(os.path.join(folder, "fmi3TerminalsAndIcons.xsd")))
    schema.assertValid(etree.parse(os.path.join(unpacked, "terminalsAndIcons", "terminalsAndIcons.xml")))


def check_simulation(fmu):
    problems = validate_fmu(fmu)
    assert not problems, problems
    result = simulate_fmu(fmu, stop_time=2.0, output_interval=0.01, fmi_type="CoSimulation")
    assert len(result["time"]) == 201
    assert np.max(np.abs(result["position"] - closed_form(result["time"]))) < 1e-9
    result = simulate_fmu(
        fmu, stop_time=2.0, output_interval=0.01, start_values={"spring.stiffness": 18.0, "force": 4.0}
    )
    assert np.max(np.abs(result["position"] - closed_form(result["time"], 4.0, 18.0))) < 1e-9
    if read_model_description(fmu).fmiVersion != "2.0":
        check_events(fmu)


def check_events(fmu):
    """A step ends early, at an event."""
    result = simulate_fmu(
        fmu,
        stop_time=2.0,
        output_interval=0.01,
        start_values={"alarm": 0.505},
        use_event_mode=True,
        early_return_allowed=True,
    )
    assert np.count_nonzero(np.abs(result["time"] - 0.505) < 1e-9) == 2
    assert np.max(np.abs(result["position"] - closed_form(result["time"]))) < 1e-9


def instance(fmu, description, unpacked):
    identifier = description.coSimulation.modelIdentifier
    kind = fmpy.fmi2.FMU2Slave if description.fmiVersion == "2.0" else fmpy.fmi3.FMU3Slave
    made = kind(
        guid=description.guid, unzipDirectory=unpacked, modelIdentifier=identifier, instanceName="an instance"
    )
    made.instantiate()
    return made


def initialise(made):
    if isinstance(made, fmpy.fmi2.FMU2Slave):
        made.setupExperiment(startTime=0.0)
    made.enterInitializationMode()
    made.exitInitializationMode()


def access(made):
    two = isinstance(made, fmpy.fmi2.FMU2Slave)
    return (made.getReal, made.setReal) if two else (made.getFloat64, made.setFloat64)


def run(made, begin, end):
    for step in range(round((end - begin) / 0.01)):
        made.doStep(currentCommunicationPoint=begin + 0.01 * step, communicationStepSize=0.01)


def check_instance(fmu):
    description = read_model_description(fmu)
    unpacked = fmpy.extract(fmu)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    position, stiffness = [references["position"]], [references["spring.stiffness"]]
    if description.fmiVersion != "2.0":
        check_schema(unpacked)
    first, second = instance(fmu, description, unpacked), instance(fmu, description, unpacked)
    get, set_value = access(first)
    initialise(first)
    run(first, 0.0, 0.5)
    names = ("getFMUstate", "setFMUstate", "freeFMUstate", "serializeFMUstate", "deSerializeFMUstate")
    if description.fmiVersion != "2.0":
        names = ("getFMUState", "setFMUState", "freeFMUState", "serializeFMUState", "deserializeFMUState")
    keep, restore, free, serialise, deserialise = names
    state = getattr(first, keep)()
    content = getattr(first, serialise)(state)
    # A tunable parameter is changed on the way.
    set_value(stiffness, [18.0])
    run(first, 0.5, 1.0)
    x, v = math.cos(1.0), -2.0 * math.sin(1.0)
    expected = x * math.cos(1.5) + v / 3.0 * math.sin(1.5)
    assert abs(get(position)[0] - expected) < 1e-9
    getattr(first, restore)(state)
    assert get(stiffness)[0] == 8.0
    run(first, 0.5, 1.0)
    assert abs(get(position)[0] - closed_form(1.0)) < 1e-9
    getattr(first, free)(state)
    getattr(second, restore)(getattr(second, deserialise)(content))
    run(second, 0.5, 1.0)
    assert access(second)[0](position)[0] == get(position)[0]
    check_death(first)
    for made in (first, second):
        made.freeInstance()
    shutil.rmtree(unpacked, ignore_errors=True)


def check_death(made):
    """All servers are killed: the host lives, and a reset of an instance starts another."""
    parents = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                parents[int(process)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    for server in (process for process, parent in parents.items() if parent == os.getpid()):
        os.kill(server, signal.SIGKILL)
        # It is dead, but not yet buried: that is up to the instance.
        os.waitid(os.P_PID, server, os.WEXITED | os.WNOWAIT)
    try:
        run(made, 1.0, 1.01)
    except Exception:
        made.reset()
        initialise(made)
        run(made, 0.0, 0.01)
    else:
        raise AssertionError("a step of a dead server succeeds")


for path in sys.argv[1:]:
    check_simulation(path)
    check_instance(path)
