//! The tests of this crate, in one binary: it is linked once.

mod allocation;
mod bar_and_chain;
mod bouncing;
mod common;
mod energy;
mod events;
mod friction;
mod impact_order;
mod moving_planes;
mod one_step;
mod plain_order;
mod rods;
mod spheres;
mod static_friction;
mod turns;
