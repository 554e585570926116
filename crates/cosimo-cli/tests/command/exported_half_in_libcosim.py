"""Half an oscillator of Cosimo, `b2.fmu`, in libcosim: 2 kg at 500 N/m and 3 N s/m, from -0.05 m."""

from math import cos, exp, sin, sqrt

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

execution = CosimExecution.from_step_size(step_size=1_000_000)
slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path="b2.fmu", instance_name="half"))
observer = CosimObserver.create_last_value()
assert execution.add_observer(observer=observer)
assert execution.add_manipulator(manipulator=CosimManipulator.create_override())
references = {variable.name.decode(): variable.reference for variable in execution.slave_variables(slave_index=slave)}
for _ in range(400):
    assert execution.step()
position, velocity = observer.last_real_values(
    slave_index=slave, variable_references=[references["s.tip.position"], references["s.tip.velocity"]]
)
decay, time = 3.0 / 4.0, 0.4
w = sqrt(250.0 - decay * decay)
expected = -0.05 * exp(-decay * time) * (cos(w * time) + decay / w * sin(w * time))
assert abs(position - expected) < 1e-5, (position, expected)
assert abs(velocity - 0.05 * exp(-decay * time) * 250.0 / w * sin(w * time)) < 2e-4, velocity
print("as expected")
