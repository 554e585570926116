//! Random models: none may create energy in silence.
//!
//! | file | what |
//! |---|---|
//! | `random` | numbers from a seed |
//! | `draft`, `draw`, `solvers` | what a model consists of, and how it is drawn |
//! | `rate` | its fastest vibration |
//! | `text`, `text_lines`, `text_planar`, `text_space` | its model file |
//! | `account` | the energy of a run, from what it shows |
//! | `judge`, `report` | the verdict, and tables |
//!
//! Masses are spread over six powers of ten, and the `ωh` of the fastest vibration over 0.01 to 50, both evenly in their logarithms.

pub mod account;
pub mod draft;
pub mod draw;
pub mod judge;
pub mod random;
pub mod rate;
pub mod report;
mod solvers;
pub mod text;
mod text_lines;
mod text_planar;
mod text_space;

use std::sync::atomic::{AtomicU64, Ordering};

pub use draw::draw;
pub use judge::{Judged, Verdict, judge};
pub use text::text;

/// Judges so many models of a seed on so many threads, in their order.
#[must_use]
pub fn judge_all(seed: u64, count: u64, threads: usize) -> Vec<Judged> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let model = next.fetch_add(1, Ordering::Relaxed);
            if model >= count {
                return own;
            }
            own.push(judge(seed, model));
        }
    };
    let mut all: Vec<Judged> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    all.sort_by_key(|judged| judged.model);
    all
}
