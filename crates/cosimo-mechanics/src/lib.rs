//! One vocabulary of mechanics, which solvers, the contract and model files share.
//!
//! | module | what |
//! |---|---|
//! | [`contact`] | contact laws: restitution, friction, and their check |
//! | [`energy`] | energies of a state, of a step, of a run |
//! | [`impulse`] | moments of impulses inside a step |
//! | [`time_function`] | numbers over time, with their derivatives |
//!
//! It holds data and what follows from data alone; solvers and systems are above it.

pub mod contact;
pub mod energy;
pub mod impulse;
pub mod time_function;

pub use contact::{
    Activation, ContactLaw, ContactLawError, FACETS, ImpactLaw, Restitution, StaticFriction, Stribeck,
};
pub use energy::{Energy, EnergyBalance, StepBalance, StepEnergy};
pub use impulse::ImpulseMoments;
pub use time_function::{
    Chirp, Curve, Extreme, Integral, Interpolation, Ramp, Step, Sweep, TimeFunction, TimeInput, TimeTable,
    TimeTableError,
};
