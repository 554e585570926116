//! The binary interface over units of both versions, built from the sources in `tests/units`.
#![allow(clippy::unwrap_used, reason = "tests stop at what they do not expect")]

mod errors;
mod exchange;
mod messages;
mod overhead;
mod process;
mod states;
mod steps;
mod support;
mod values;
