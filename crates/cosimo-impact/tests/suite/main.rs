//! Tests of the nonsmooth integrators.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod allocation;
mod bar;
mod chain;
mod common;
mod energy;
mod friction;
mod half_implicit;
mod input;
mod linear;
mod orders;
mod outside;
mod pendulum;
mod siconos;
mod spatial;
