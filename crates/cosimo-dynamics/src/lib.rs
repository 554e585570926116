//! Equations of motion of second-order mechanical systems and the implicit stage every step rule solves.
