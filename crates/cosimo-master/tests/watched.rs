//! Spans of a run with several threads, seen by one who watches in the thread of the caller. In a file of its own: what others
//! watch in other threads of the process would be seen as well.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "suite/models/mod.rs"]
mod models;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cosimo_master::{Master, MasterConfig, NoObserver};
use cosimo_subsystem::Subsystem;
use models::bouncing_mass;
use models::witness::{Threads, Witness};
use tracing_subscriber::layer::SubscriberExt;

/// Six masses that take their time.
fn model(threads: u32, seen: &Threads) -> Master {
    let slow = |i: u32| -> Box<dyn Subsystem> {
        let inner = bouncing_mass(&format!("ball{i}"), 1.0, 1.0);
        let (threads, delay) = (seen.clone(), Duration::from_micros(50));
        Box::new(Witness { inner, threads, delay, fails_at: f64::INFINITY })
    };
    let config = MasterConfig { threads, ..MasterConfig::default() };
    Master::new((0..6).map(slow).collect(), vec![], config, 0.0).unwrap()
}

/// Counts the spans of calls to subsystems that are begun beside or under others.
#[derive(Default, Clone)]
struct Spans(Arc<[AtomicU64; 2]>);

impl<S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>>
    tracing_subscriber::Layer<S> for Spans
{
    fn on_new_span(
        &self,
        attributes: &tracing::span::Attributes<'_>,
        id: &tracing::span::Id,
        context: tracing_subscriber::layer::Context<'_, S>,
    ) {
        if attributes.metadata().name() == "subsystem" {
            let names: Vec<_> = context.span_scope(id).unwrap().map(|span| span.name()).collect();
            let is_nested = names == ["subsystem", "step", "scenario"];
            self.0[usize::from(is_nested)].fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn one_who_watches_in_a_thread_sees_the_calls_in_all_threads() {
    let [one, two] = [1, 2].map(|threads| {
        let (spans, seen) = (Spans::default(), Threads::default());
        let watcher = tracing_subscriber::registry().with(spans.clone());
        tracing::subscriber::with_default(watcher, || {
            let mut master = model(threads, &seen);
            master.run(0.05, 1e-3, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
        });
        let callers = seen
            .lock()
            .iter()
            .flat_map(|ids| ids.iter().map(|id| format!("{id:?}")))
            .collect::<BTreeSet<_>>();
        ([0, 1].map(|k| spans.0[k].load(Ordering::Relaxed)), callers.len())
    });
    assert!(one.0[0] == 0 && one.0[1] == 2 * 6 * 50, "{one:?}");
    assert_eq!(one.0, two.0);
    assert!(two.1 > 1, "{two:?}");
}
