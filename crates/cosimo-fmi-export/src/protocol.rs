//! The protocol between the binary of an exported FMU and its server, from the same source as that of the binary.

#[path = "../../cosimo-fmi-shim/src/protocol/mod.rs"]
mod shared;

pub use shared::*;
