//! Cosimo's own solvers behind the subsystem contract.
