//! Rotor aerodynamics against closed forms, measurements and independent quadratures, and against the rules of the contract.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod airfoils;
mod allocation;
mod caradonna_tung;
mod closed_forms;
mod contract;
mod convergence;
mod dynamic_inflow;
mod dynamic_stall;
mod element;
mod knight_hefner;
mod puma;
mod rejections;
mod rigid;
mod tangents;
mod wagner;
mod winds;
