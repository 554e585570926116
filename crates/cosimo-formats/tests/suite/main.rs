//! Results in other formats, read by other tools: Python packages and the validator of Khronos, where `python3` and `node` find them.
//! `COSIMO_REQUIRE_TOOLS=1` requires them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod figures;
mod filmed;
mod recorded;
mod scenes;
mod tables;
mod tools;
