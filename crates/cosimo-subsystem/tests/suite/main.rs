//! The tests of this crate, in one binary: it is linked once.

mod conformance;
mod faulty;
mod faulty_loads;
