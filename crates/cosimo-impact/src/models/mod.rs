//! Small systems and contacts ready to use.

mod linear_contacts;
mod masses_and_springs;

pub use linear_contacts::{LinearContact, LinearContacts};
pub use masses_and_springs::{HarmonicForce, MassesAndSprings, Spring};
