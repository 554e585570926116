//! The master algorithm: interface laws, discretisations, coupling schemes, energy monitor.

mod observer;
mod report;

pub use observer::{ContactEvent, ContactEventKind, NoObserver, Observer, QuantityLabel, StepRecord};
pub use report::{EnergyBalance, InterfaceReport, Outcome, RunReport, SubsystemReport};
