//! All runs, over several threads.
//!
//! Every run is done by one thread from its model on, so that the rows do not depend on how many threads there are. The thread of the
//! caller takes the rows as they come.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use tracing::dispatcher::{self, Dispatch};
use tracing::subscriber::NoSubscriber;

use super::{Row, Runner, Study, single};

/// Rows that wait for the caller.
const WAITING: usize = 256;

impl Study {
    /// Does all runs but those that are done, and shows the rows as they come, in any order. A run that is stopped leaves no row.
    ///
    /// # Errors
    /// What `show` fails with; runs that go on are stopped.
    pub fn run<E>(
        &self,
        runner: &Runner<'_>,
        done: &BTreeSet<usize>,
        mut show: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let stop = || is_over.load(Ordering::Relaxed) || (runner.stop)();
        let own = Runner { stop: &stop, threads: self.threads(runner), ..*runner };
        let count = own.threads.get().min(self.cases.len() - done.len().min(self.cases.len()));
        thread::scope(|scope| {
            let (sender, rows) = sync_channel(WAITING);
            for _ in 0..count {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || quietly(|| self.work(&own, done, next, &sender)));
            }
            drop(sender);
            let mut shown = Ok(());
            for row in rows {
                if shown.is_ok() {
                    shown = show(row);
                    is_over.store(shown.is_err(), Ordering::Relaxed);
                }
            }
            shown
        })
    }

    /// How many runs go on at a time: one where a process can hold the units of one only, and there is no other process.
    fn threads(&self, runner: &Runner<'_>) -> NonZeroUsize {
        let is_alone = self.has_single_units && runner.server.is_none();
        if !is_alone || runner.threads == NonZeroUsize::MIN {
            return runner.threads;
        }
        tracing::warn!(
            "a process can hold one instance of an FMU of the model, and there is none to serve others: the runs are done one after the other"
        );
        NonZeroUsize::MIN
    }

    /// What a thread does: the next run, until there is none.
    fn work(&self, runner: &Runner<'_>, done: &BTreeSet<usize>, next: &AtomicUsize, rows: &SyncSender<Row>) {
        while !(runner.stop)() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.cases.len() {
                return;
            }
            if !done.contains(&number)
                && let Some(row) = single::run(self, number, runner)
                && rows.send(row).is_err()
            {
                return;
            }
        }
    }
}

/// Warnings of a thousand runs are counted, not told, where nobody has asked to hear them.
fn quietly(work: impl FnOnce()) {
    if dispatcher::has_been_set() {
        work();
    } else {
        dispatcher::with_default(&Dispatch::new(NoSubscriber::new()), work);
    }
}
