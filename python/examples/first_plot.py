import matplotlib.pyplot as plt

import cosimo

model = cosimo.Model("examples/oscillator/model.toml").set("interface.spring.stiffness", 2000.0)
trajectory = model.run(progress=True)
for name in ["lower.z", "upper.z"]:
    plt.plot(trajectory.t, trajectory[name], label=name)
plt.xlabel("t in s")
plt.legend()
plt.savefig("first.png")
print(trajectory, [event.time for event in trajectory.events[:3]])
