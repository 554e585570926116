//! The tests of this crate, in one binary: it is linked once.

mod allocation;
mod associated;
#[path = "models/box_of_spheres.rs"]
mod box_of_spheres;
mod budget;
mod coloured;
mod faceted;
mod friction;
mod hyperstatic;
mod iterative;
mod lcp_round_off;
mod packings;
#[path = "models/piles.rs"]
mod piles;
mod properties;
mod reference_problems;
mod residual;
mod resting;
