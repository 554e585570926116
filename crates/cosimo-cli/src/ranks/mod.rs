//! Runs on the ranks of an MPI job, which `mpirun` has started together: rank 0 is the master, the others serve subsystems.

#[cfg(feature = "mpi")]
mod job;
mod launcher;
#[cfg(feature = "mpi")]
mod trial;

use cosimo::master::Master;
use cosimo::model::ModelSpec;

use crate::args::{Command, ModelArgs};
use crate::failure::Failure;
use crate::input;
pub(crate) use launcher::Seat;

/// Whether this process of several does what its command says; one that does not ends without a word.
///
/// # Errors
/// The command does not run on several, and this is the process that says so.
pub(crate) fn admit(command: &Command, seat: Option<Seat>) -> Result<bool, Failure> {
    let Some(seat) = seat else { return Ok(true) };
    let refusal = match command {
        // What a rank has started serves it alone.
        Command::Serve(_) | Command::ServeUnit(_) => return Ok(true),
        Command::Run(_) if cfg!(feature = "mpi") => return Ok(true),
        Command::Run(_) => {
            "this build has no MPI: build it with `--features mpi`, or start it without mpirun"
        }
        _ => "only `cosimo run` runs on several ranks: start this command without mpirun",
    };
    if seat.speaks() {
        Err(Failure::bad_input(format!("{} processes were started: {refusal}", seat.size)))
    } else {
        Ok(false)
    }
}

/// Whether this process speaks for all that were started together.
pub(crate) fn speaks() -> bool {
    Seat::of_this_process().is_none_or(Seat::speaks)
}

/// Where the subsystems of a run are built.
#[derive(Debug)]
pub(crate) enum Ranks {
    /// By this process, as the model says.
    One,
    /// On the ranks of a job, of which this is the first.
    #[cfg(feature = "mpi")]
    Many(job::Ranks),
}

impl Ranks {
    /// Enters the job, if there is one. A rank other than the first serves, until the first ends the job; it is done then.
    ///
    /// # Errors
    /// MPI cannot be used.
    #[cfg(feature = "mpi")]
    pub(crate) fn enter() -> Result<Option<Self>, Failure> {
        match Seat::of_this_process() {
            None => Ok(Some(Self::One)),
            Some(seat) => Ok(job::Ranks::enter(seat)?.map(Self::Many)),
        }
    }

    /// This process is alone: others [are refused](admit).
    #[cfg(not(feature = "mpi"))]
    #[expect(clippy::unnecessary_wraps, reason = "with MPI there is more to it")]
    pub(crate) fn enter() -> Result<Option<Self>, Failure> {
        Ok(Some(Self::One))
    }

    /// Ends the job after a run that has ended like this.
    ///
    /// # Errors
    /// That of the run.
    pub(crate) fn end(&self, ended: Result<(), Failure>) -> Result<(), Failure> {
        #[cfg(feature = "mpi")]
        if let Self::Many(ranks) = self {
            return ranks.end(ended);
        }
        ended
    }

    /// Builds the model at its start.
    ///
    /// # Errors
    /// It cannot be built.
    pub(crate) fn build(
        &self,
        args: &ModelArgs,
        model: &ModelSpec,
        is_quiet: bool,
    ) -> Result<Master, Failure> {
        #[cfg(feature = "mpi")]
        if let Self::Many(ranks) = self {
            return input::built(args, ranks.build(model, is_quiet));
        }
        let _ = is_quiet;
        input::build(args, model)
    }
}
