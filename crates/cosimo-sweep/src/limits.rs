//! How large a sweep may be.

/// Runs that a sweep has at most.
pub const MOST_RUNS: usize = 1_000_000;

/// Inputs and outputs of all runs together at most; they are kept in memory (about 1 GB).
pub const MOST_NUMBERS: usize = 50_000_000;
