//! How runs are done.

use std::num::NonZeroUsize;
use std::process::Command;
use std::thread;

/// A command that serves a subsystem in a process.
pub type Server<'a> = &'a (dyn Fn() -> Command + Sync);

/// How runs are done.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// How many at a time.
    pub threads: NonZeroUsize,
    /// What serves subsystems that run in processes.
    pub server: Option<Server<'a>>,
    /// Whether to stop; asked at every communication point.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Runner<'_> {
    /// As many threads as there are processors.
    #[must_use]
    pub fn all_threads() -> NonZeroUsize {
        thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
    }
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("threads", &self.threads).finish_non_exhaustive()
    }
}
