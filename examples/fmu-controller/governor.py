"""A PI control of a speed, as an FMU.

    python3 -m pythonfmu3 build -f governor.py
"""

from pythonfmu3 import Float64, Fmi3Causality, Fmi3Slave, Fmi3Variability, Unit


class Governor(Fmi3Slave):
    """PI control with limits, at which the integral waits."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        self.proportional = 0.5  # N m s/rad
        self.integral = 2.0  # N m/rad
        self.setpoint = 0.0  # rad/s
        self.limit = 6.0  # N m
        self.measurement = 0.0  # rad/s
        self.state = 0.0  # integral part of the output, N m

        # Signals are connected by their units.
        self.register_units([Unit(name="rad/s", rad=1, s=-1), Unit(name="N m", kg=1, m=2, s=-2)])
        self.register_variable(Float64("time", causality=Fmi3Causality.independent))
        for name in ["proportional", "integral", "setpoint", "limit"]:
            self.register_variable(
                Float64(name, causality=Fmi3Causality.parameter, variability=Fmi3Variability.tunable)
            )
        self.register_variable(Float64("measurement", unit="rad/s", causality=Fmi3Causality.input))
        # A getter: the output follows the measurement at once.
        self.register_variable(
            Float64("output", unit="N m", causality=Fmi3Causality.output, getter=self.limited)
        )

    def unlimited(self):
        return self.proportional * (self.setpoint - self.measurement) + self.state

    def limited(self):
        return max(-self.limit, min(self.limit, self.unlimited()))

    def do_step(self, current_time, step_size):
        if self.unlimited() == self.limited():
            self.state += self.integral * (self.setpoint - self.measurement) * step_size
        return True
