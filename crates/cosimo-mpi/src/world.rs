//! The job as a whole.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cosimo_transport::{DEADLINE, TransportError};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use thiserror::Error;

use crate::conversation::{receive, send};
use crate::notice::Notice;
use crate::parcel::{Address, Kind, LONGEST};
use crate::patience::wait_for;

/// How long the other ranks may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(5);

/// Why there is no job.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// MPI has begun already in this process.
    #[error("MPI has begun already in this process")]
    Begun,
    /// The library allows no calls from several threads, even one at a time.
    #[error("this MPI library allows calls from one thread only: it needs MPI_THREAD_SERIALIZED")]
    OneThread,
}

/// A job of several ranks. When rank 0 drops it, the job ends: the other ranks leave [`serve_ranks`](crate::serve_ranks).
#[derive(Debug)]
pub struct World {
    job: Arc<Job>,
    size: usize,
    rank: usize,
    has_ended: Cell<bool>,
}

/// MPI from its beginning to its end.
pub(crate) struct Job(Mutex<Option<Universe>>);

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Job")
    }
}

impl World {
    /// Begins, once in a process.
    ///
    /// # Errors
    /// See [`WorldError`].
    pub fn enter() -> Result<Self, WorldError> {
        let begun = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, level) = begun.ok_or(WorldError::Begun)?;
        if level < Threading::Serialized {
            return Err(WorldError::OneThread);
        }
        let world = SimpleCommunicator::world();
        let [size, rank] = [world.size(), world.rank()].map(|number| usize::try_from(number).unwrap_or(0));
        Ok(Self { job: Arc::new(Job(Mutex::new(Some(universe)))), size, rank, has_ended: Cell::new(false) })
    }

    /// Number of ranks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Which of them this process is.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    pub(crate) fn job(&self) -> Arc<Job> {
        Arc::clone(&self.job)
    }

    /// The other ranks, about the job itself.
    fn others(&self) -> impl Iterator<Item = Address> + use<> {
        (1..i32::try_from(self.size).unwrap_or(0)).map(|rank| Address { rank, number: 0 })
    }

    /// Tells all other ranks what they need before there are subsystems, which they [await](Self::shared).
    ///
    /// # Errors
    /// A rank does not take it.
    pub fn share(&self, bytes: &[u8]) -> Result<(), TransportError> {
        self.others().try_for_each(|other| send(other, bytes, DEADLINE))
    }

    /// What rank 0 [shares](Self::share); none where it ends the job instead.
    ///
    /// # Errors
    /// Its message is none.
    pub fn shared(&self) -> Result<Option<Vec<u8>>, TransportError> {
        let (master, mut bytes) = (Address { rank: 0, number: 0 }, Vec::new());
        match receive(master, &mut bytes, LONGEST, Duration::MAX) {
            Ok(()) => Ok(Some(bytes)),
            Err(TransportError::Ended) => {
                say_goodbye();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Ends the job on all ranks, as dropping does; `false` where one does not answer any more, and only [`abort`](Self::abort) ends it.
    #[must_use]
    pub fn end(&self) -> bool {
        if self.rank > 0 || self.has_ended.replace(true) {
            return true;
        }
        self.others().for_each(|other| other.notify(&Notice::Ended(String::new())));
        let mut left = GOODBYE;
        for other in self.others() {
            let since = Instant::now();
            let Some(goodbye) = wait_for(left, || other.look_for(Kind::Notice)) else { return false };
            // Whatever it says, it is its last word.
            let _ = goodbye.receive_notice();
            left = left.saturating_sub(since.elapsed());
        }
        true
    }

    /// Kills all ranks, this one included; the job ends with this code.
    pub fn abort(&self, code: i32) -> ! {
        SimpleCommunicator::world().abort(code)
    }
}

/// The answer of the other ranks to the end of the job.
pub(crate) fn say_goodbye() {
    Address { rank: 0, number: 0 }.notify(&Notice::Ended(String::new()));
}

impl Drop for World {
    fn drop(&mut self) {
        if !self.end() {
            // MPI would wait for that rank for ever. A process that ends without MPI's end makes `mpirun` end the others.
            std::mem::forget(self.job.0.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}
