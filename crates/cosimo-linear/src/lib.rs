//! Direct linear solvers with reusable storage: diagonal, banded and dense, and matrices that know their structure.
