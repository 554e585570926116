//! First-order systems against closed forms, and against the rules of the contract.
#![expect(clippy::unwrap_used, reason = "tests")]

mod conformance;
mod events;
mod order;
mod systems;
