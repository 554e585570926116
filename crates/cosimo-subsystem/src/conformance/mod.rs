//! The conformance suite: puts any subsystem, near or remote, through the rules of the contract.
//!
//! ```
//! use cosimo_subsystem::conformance::{Conformance, TwoMasses};
//!
//! let report = Conformance::new(TwoMasses::default).step(1e-3).steps(20).check();
//! report.assert_passed();
//! ```
//!
//! The suite makes as many instances as it needs and drives them as a master does: steps with finite loads on all
//! rows and courses of all inputs, and a velocity jump in the middle of the run where the subsystem takes one. A [`Check`] is one rule. A check
//! that builds on one that failed is skipped, so that the report names the cause and not its consequences.
//!
//! Not checked here: that no call allocates after the first step, which takes an allocator that counts.

mod absent;
mod capabilities;
mod check;
mod hidden;
mod inverse_mass;
mod jumps;
mod ledger;
mod limited;
mod momenta;
mod motion;
mod moved;
mod portrait;
mod purity;
mod rejections;
mod report;
mod respond;
mod rollback;
mod run;
mod setup;
mod shape;
mod signals;
mod suite;
mod two_masses;
mod two_tables;

pub use check::Check;
pub use hidden::Hidden;
pub use report::{CheckOutcome, ConformanceReport};
pub use setup::Conformance;
pub use two_masses::TwoMasses;
pub use two_tables::TwoTables;
