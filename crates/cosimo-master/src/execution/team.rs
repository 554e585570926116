//! The threads that step subsystems, and what they do between two rounds of calls.
//!
//! A step is led by one of them. To wake another one takes longer than what the leader does alone between two rounds; so the
//! others look out for the next round for a while before they sleep.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cosimo_subsystem::cost::processor_seconds;
use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use super::spans;
use crate::SetupError;

/// How long a thread looks out for work: about what it takes to wake one, and not at all where there are more threads than processors.
const PATIENCE: Duration = Duration::from_micros(50);

thread_local! {
    /// Whether this thread looks out for work, or leads a step.
    static IS_ENGAGED: Cell<bool> = const { Cell::new(false) };
}

/// Threads that step subsystems together.
#[derive(Clone)]
pub(crate) struct Team {
    pool: Arc<ThreadPool>,
    /// How many threads look out for work, or do what they have found.
    awake: Arc<AtomicUsize>,
    /// Whether each of them can have a processor.
    has_processors: bool,
}

impl Team {
    /// A team of so many threads.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub(crate) fn new(threads: u32) -> Result<Self, SetupError> {
        let builder = ThreadPoolBuilder::new().num_threads(threads as usize);
        let builder = builder.thread_name(|index| format!("cosimo-{index}"));
        let pool =
            builder.build().map_err(|error| SetupError::Threads { threads, reason: error.to_string() })?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let has_processors = threads as usize <= processors;
        Ok(Self { pool: Arc::new(pool), awake: Arc::default(), has_processors })
    }

    /// How many threads they are.
    pub(crate) fn size(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Whether this thread leads a step of the team.
    pub(crate) fn is_led_here(&self) -> bool {
        self.pool.current_thread_index().is_some()
    }

    /// Processor time that the threads have taken so far (s).
    pub(crate) fn seconds(&self) -> f64 {
        self.pool.broadcast(|_| processor_seconds()).iter().sum()
    }

    /// Does a whole step as one of the threads: to hand over one round after the other from outside would put a thread to sleep, and wake
    /// another, as often.
    pub(crate) fn lead<T: Send>(&self, step: impl FnOnce() -> T + Send) -> T {
        let watched = spans::Watched::here();
        self.pool.install(|| engaged(|| watched.follow(step)))
    }

    /// Does `work` so many times at most, once in each thread that is free, with its number; each is to leave nothing undone for others.
    pub(crate) fn work(&self, times: usize, work: impl Fn(usize) + Sync) {
        let size = self.size();
        let work = || work(rayon::current_thread_index().unwrap_or(0));
        self.pool.install(|| spread(times.min(size), &work));
        if self.has_processors && self.awake.load(Ordering::Relaxed) + 1 < size {
            let awake = Arc::clone(&self.awake);
            self.pool.spawn_broadcast(move |_| look_out(&awake));
        }
    }
}

/// Does `action` in a thread that is engaged meanwhile.
fn engaged<T>(action: impl FnOnce() -> T) -> T {
    let before = IS_ENGAGED.replace(true);
    let result = action();
    IS_ENGAGED.set(before);
    result
}

/// Does `work` so many times, side by side where threads are free.
fn spread(times: usize, work: &(impl Fn() + Sync)) {
    if times <= 1 {
        return work();
    }
    let half = times / 2;
    rayon::join(|| spread(half, work), || spread(times - half, work));
}

/// Does the work that turns up, until there is none for a while.
fn look_out(awake: &AtomicUsize) {
    if IS_ENGAGED.get() {
        return;
    }
    awake.fetch_add(1, Ordering::Relaxed);
    engaged(|| {
        let mut since = Instant::now();
        while since.elapsed() < PATIENCE {
            match rayon::yield_now() {
                Some(Yield::Executed) => since = Instant::now(),
                _ => std::thread::yield_now(),
            }
        }
    });
    awake.fetch_sub(1, Ordering::Relaxed);
}
