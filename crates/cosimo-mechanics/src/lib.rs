//! One vocabulary of mechanics, which solvers, the contract and model files share.
//!
//! | module | what |
//! |---|---|
//! | [`contact`] | contact laws: restitution, friction, and their check |
//! | [`energy`] | energies of a state, of a step, of a run |
//! | [`impulse`] | moments of impulses inside a step |
//!
//! It holds data and what follows from data alone; solvers and systems are above it.

pub mod contact;
pub mod energy;
pub mod impulse;

pub use contact::{
    Activation, ContactLaw, ContactLawError, FACETS, ImpactLaw, Restitution, StaticFriction, Stribeck,
};
pub use energy::{Energy, EnergyBalance, StepBalance, StepEnergy};
pub use impulse::ImpulseMoments;
