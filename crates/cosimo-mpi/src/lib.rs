//! Subsystems on the ranks of an MPI job.
//!
//! Rank 0 is the master, and has subsystems of its own; the other ranks serve the rest. [`place`] says which subsystem is best on which rank.
//! The results have the same bits wherever they are.
//!
//! Everything else is behind the feature `mpi`, which needs an MPI library with its headers and libclang (on Debian `libopenmpi-dev
//! openmpi-bin libclang-dev`). Without it there is nothing here but the placement.
//!
//! | with the feature | what |
//! |---|---|
//! | `World` | the job: which rank this is, and of how many |
//! | `RankChannel` | rank 0's end of the conversation with a subsystem on another rank |
//! | `serve_ranks` | what the other ranks do |
//!
//! # Messages
//!
//! Every subsystem has a number, and two tags: one for its messages, one for notices about them. A message of up to 4000 bytes is sent at
//! once; MPI libraries take so few bytes without waiting for the other end. Of a longer one its length is told first, and it is sent when
//! the other end has said that it waits for it: no send ever waits for a rank that is at work, and no length is believed before it is
//! checked.
//!
//! Who waits looks again and again, then gives way to others, and then sleeps in between, 50 µs at first and 1 ms at last, so that a rank which has nothing to
//! do for long leaves its processor to others.
//!
//! # What goes wrong
//!
//! A subsystem that panics is the error of its call. A rank that dies ends the job: so `mpirun` does it, and its exit code says that.

#[cfg(feature = "mpi")]
mod channel;
#[cfg(feature = "mpi")]
mod conversation;
#[cfg(feature = "mpi")]
mod notice;
#[cfg(feature = "mpi")]
mod parcel;
#[cfg(feature = "mpi")]
mod patience;
mod placement;
#[cfg(feature = "mpi")]
mod serve;
#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use channel::RankChannel;
pub use placement::place;
#[cfg(feature = "mpi")]
pub use serve::serve_ranks;
#[cfg(feature = "mpi")]
pub use world::{World, WorldError};
