//! The report of a run: one file of HTML that needs no network, with summary and warnings, figures, statistics, spectra, costs, events, and
//! the machine in motion in three dimensions.
//!
//! ```no_run
//! use cosimo_results::Results;
//! let results = Results::open("out/walker")?;
//! std::fs::write("walker.html", cosimo_report::report(&results))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `page.rs` | the page: its modules in the folder `page`, joined |
//! | `content.rs` | what the page is told, as JSON |
//! | `columns.rs` | quantities over time, thinned to fit |
//! | `statistics.rs` | extremes, means and peaks of a quantity |
//! | `ground.rs` | planes that lie in each other |
//! | `scene.rs` | bodies and shapes; poses and forces as arrays |
//! | `arrays.rs` | arrays of numbers as compressed text |
//!
//! The page holds at most about 5 MB. Of long runs it shows every n-th row and frame, and says so; statistics are of all rows.

mod arrays;
mod columns;
mod content;
mod ground;
mod page;
mod scene;
mod statistics;

use cosimo_results::Results;

use arrays::Arrays;

/// Characters that data may have in the page, whose own are about 200 000.
const ROOM: usize = 4_600_000;

/// The page of a run.
#[must_use]
pub fn report(results: &Results) -> String {
    let scene = results.scene.as_ref().filter(|recorded| !recorded.frames.is_empty()).map(scene::encode);
    let energy = results.scene.as_ref().filter(|recorded| !recorded.frames.is_empty()).map(energies);
    let taken = scene.as_ref().map_or(0, |(_, text)| text.len()) + energy.as_ref().map_or(0, String::len);
    let columns = columns::choose(results, ROOM.saturating_sub(taken));
    let (shown, text) = columns.encode(&results.table);
    let frames = results.scene.as_ref().map_or(0, |recorded| recorded.frames.len());
    let content = content::Content::new(results, shown, scene.as_ref().map(|(scene, _)| scene), frames);
    page::fill(&page::Parts {
        title: results.title().unwrap_or("Cosimo"),
        data: &content.to_json(),
        columns: &text,
        scene: scene.as_ref().map_or("", |(_, text)| text),
        energy: energy.as_deref().unwrap_or(""),
    })
}

/// Times and energies of all frames.
fn energies(recorded: &cosimo_results::RecordedScene) -> String {
    let mut arrays = Arrays::default();
    arrays.doubles(recorded.frames.iter().map(|frame| frame.frame.time));
    for number in 0..cosimo_results::FrameEnergy::NAMES.len() {
        arrays.doubles(recorded.frames.iter().map(|frame| frame.energy.numbers()[number]));
    }
    arrays.to_text()
}
