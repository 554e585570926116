"""Simulates the FMU of FMI 2 of the oscillator with libcosim, which is given first."""

import math
import sys

from libcosimpy.CosimEnums import CosimVariableCausality
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

STEP = 10_000_000

execution = CosimExecution.from_step_size(step_size=STEP)
slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=sys.argv[1], instance_name="oscillator"))
observer = CosimObserver.create_last_value()
assert execution.add_observer(observer=observer)
manipulator = CosimManipulator.create_override()
assert execution.add_manipulator(manipulator=manipulator)
references = {variable.name.decode(): variable.reference for variable in execution.slave_variables(slave_index=slave)}
for _ in range(100):
    assert execution.step()
(position,) = observer.last_real_values(slave_index=slave, variable_references=[references["position"]])
assert abs(position - math.cos(2.0)) < 1e-9, position
(steps,) = observer.last_integer_values(slave_index=slave, variable_references=[references["steps"]])
assert steps == 100, steps
