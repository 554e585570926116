//! Co-simulation of smooth and nonsmooth mechanical subsystems: the facade a master program depends on.
