//! Complementarity problems and their solvers: linear complementarity by Lemke's method with lexicographic pivoting.
