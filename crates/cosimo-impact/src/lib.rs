//! Nonsmooth integrators of one mechanical system with joints and unilateral contacts.
//!
//! A [`NonsmoothStepper`] advances a [`ConstrainedSystem`](cosimo_dynamics::ConstrainedSystem) with [`Contacts`] by a [`Scheme`]:
//! Moreau and Jean's rule and its variants, Schatzman and Paoli's, a two-step rule, Newmark's family, the nonsmooth generalized-α
//! method, and the half-implicit rule with cone complementarity. Contacts are captured, not located: impacts take place within a step
//! of fixed size, however many there are. Every step reports its [energy balance](cosimo_mechanics::StepBalance).
//!
//! | folder | what |
//! |---|---|
//! | `rules` | the equations of the rules |
//! | `stage` | their step: one acceleration, one jump, the contact problem |
//! | `alpha` | the step of the nonsmooth generalized-α method |
//! | `matrices` | tangents, saddle points, answers to impulses |
//! | `outside` | what impulses from outside do, and how the rows they act on answer |
//! | `models` | small systems and contacts ready to use |
//! | [`compare`] | distances between trajectories, and orders |
//!
//! This crate knows nothing about co-simulation.

mod alpha;
mod balance;
pub mod compare;
mod contact_problem;
mod contacts;
mod error;
mod matrices;
mod method;
mod models;
mod norm;
mod outer_rows;
mod outside;
mod planned_step;
mod projection;
mod rules;
mod scheme;
mod settings;
mod stage;
mod start;
mod state;
mod state_reader;
mod step_problem;
mod stepper;

pub use contacts::{ContactBlock, ContactLayout, ContactSink, Contacts};
pub use error::ImpactError;
pub use models::{HarmonicForce, LinearContact, LinearContacts, MassesAndSprings, Spring};
pub use outer_rows::OuterRows;
pub use scheme::{
    Activation, Correction, Dissipation, DissipationWarning, OuterWeights, Scheme, SmoothConstraints,
};
pub use settings::ImpactSettings;
pub use state::ImpactState;
pub use step_problem::{ContactStep, StepEffort};
pub use stepper::{NonsmoothStepper, StepReport};

/// Runs the code of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/theory/nonsmooth-integrators.md")]
struct Guide;
