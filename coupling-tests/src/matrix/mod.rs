//! Which rules go with which, by which law, scheme and treatment of impacts, on models whose motion is known.
//!
//! | file | what |
//! |---|---|
//! | `axes` | the axes: rules, kinds, laws, ports, schemes, impacts |
//! | `model` | what a model gives: a model file for a combination, and the right motion |
//! | `flow` | right motions: differential equations with events |
//! | `lumps`, `lump_text`, `lump_models` | point masses on a line, with springs, floors and ceilings |
//! | `rods` | a rod on a hinge with a point at its tip |
//! | `space` | bodies that turn freely |
//! | `slide` | a block with friction |
//! | `judge` | runs at several step sizes, errors, orders, the verdict |
//! | `cover` | all combinations, and a sample that covers all pairs of levels |
//! | `equal` | the motion with equal rules, kept in a table |
//! | `report` | tables |
//!
//! Nothing here knows how joints are made: a combination is a model file, and what counts is the motion that comes out.

pub mod axes;
pub mod cover;
pub mod equal;
pub mod flow;
pub mod judge;
mod lump_models;
mod lump_text;
pub mod lumps;
pub mod model;
pub mod report;
mod rods;
mod slide;
mod space;

use std::sync::atomic::{AtomicUsize, Ordering};

pub use axes::Combination;
pub use judge::{Verdict, judge};
pub use model::Model;

/// All models.
#[must_use]
pub fn models() -> Vec<Box<dyn Model>> {
    let mut models: Vec<Box<dyn Model>> = Vec::new();
    models.extend(lump_models::lump_models().into_iter().map(|model| Box::new(model) as Box<dyn Model>));
    models.extend(rods::rod_models().into_iter().map(|model| Box::new(model) as Box<dyn Model>));
    models.extend(space::space_models().into_iter().map(|model| Box::new(model) as Box<dyn Model>));
    models.extend(slide::slide_models().into_iter().map(|model| Box::new(model) as Box<dyn Model>));
    models
}

/// Judges combinations on so many threads; the results are in the order of the combinations.
#[must_use]
pub fn judge_all(
    models: &[Box<dyn Model>],
    combinations: &[Combination],
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<report::Result> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(combination) = combinations.get(index) else { return own };
            own.push((index, judge(&*models[combination.model], combination)));
            progress(index);
        }
    };
    let mut all: Vec<(usize, Verdict)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(index, verdict)| (combinations[index], verdict)).collect()
}
