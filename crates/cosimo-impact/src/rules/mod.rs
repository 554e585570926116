//! The step rules: each gives the plan of a step.

mod half_implicit_euler;
mod joined_schatzman_paoli;
mod multistep;
mod newmark;
mod schatzman_paoli;
mod step_rule;
mod theta;

pub(crate) use half_implicit_euler::HalfImplicitEuler;
pub(crate) use joined_schatzman_paoli::JoinedSchatzmanPaoli;
pub(crate) use multistep::Multistep;
pub use newmark::NewmarkParameters;
pub(crate) use newmark::{NewmarkFamily, PreviousStep};
pub(crate) use schatzman_paoli::SchatzmanPaoli;
pub(crate) use step_rule::StepRule;
pub(crate) use theta::{DissipativeTheta, Theta};
