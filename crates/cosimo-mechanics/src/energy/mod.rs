//! Energies and works.
//!
//! | type | of what |
//! |---|---|
//! | [`Energy`] | a state |
//! | [`StepEnergy`] | one step of one system, whose contacts are outside or are not told apart |
//! | [`StepBalance`] | one step of one system with contacts: works by what they are from |
//! | [`EnergyBalance`] | a run of coupled systems |

mod run;
mod state;
mod step;
mod step_balance;

pub use run::EnergyBalance;
pub use state::Energy;
pub use step::StepEnergy;
pub use step_balance::StepBalance;
