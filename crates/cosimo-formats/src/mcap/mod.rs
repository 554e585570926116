//! MCAP: messages over time.
//!
//! | topic | encoding | message |
//! |---|---|---|
//! | `/SUBSYSTEM` | JSON | its quantities at a row of the table, `t` besides; units in the metadata of the channel |
//! | `/contacts/events` | JSON | a row of the events |
//! | `/scene/frames` | Protobuf | `foxglove.FrameTransforms`, the poses of all bodies |
//! | `/scene/bodies` | Protobuf | `foxglove.SceneUpdate`, shapes that move with their frames, once |
//! | `/scene/moving` | Protobuf | `foxglove.SceneUpdate`, links and forces of contacts |
//!
//! Numbers that JSON does not have are the strings `NaN`, `Infinity` and `-Infinity`. Times are those of the run in ns; in a run that
//! begins before zero they count from its start.
//!
//! References: Foxglove, *MCAP file format* and *Message schemas*.

mod clock;
mod events;
mod foxglove;
mod json;
mod moving;
mod poses;
mod primitives;
mod quantities;
mod shapes;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use cosimo_results::Results;
use mcap::records::{MessageHeader, Metadata};
use mcap::{McapResult, WriteOptions, Writer};
use serde_json::Value;

use crate::scene::Film;
use crate::{Format, FormatError};
use clock::Clock;

type Output = Writer<BufWriter<File>>;

/// Writes `results.mcap` into a folder.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let path = folder.join("results.mcap");
    let file = File::create(&path).map_err(FormatError::write(&path))?;
    write_to(BufWriter::new(file), results).map_err(FormatError::encode(Format::Mcap))
}

/// What a message is made of.
enum Source {
    Row(usize),
    Event(usize),
    Frame(usize),
}

fn write_to(file: BufWriter<File>, results: &Results) -> McapResult<()> {
    let options = WriteOptions::new().library(format!("cosimo {}", env!("CARGO_PKG_VERSION")));
    let mut output = options.compression(None).create(file)?;
    let film = Film::of(results);
    let clock = Clock::of(results, film);
    output.write_metadata(&about(results))?;
    let quantities = quantities::Channels::add(&mut output, &results.table)?;
    let events = events::Channel::add(&mut output)?;
    let scene = film.map(|film| SceneChannels::add(&mut output, film)).transpose()?;
    let frames: Vec<_> = film.iter().flat_map(Film::frames).collect();

    let rows = results.table.times().iter().enumerate().map(|(k, time)| (*time, Source::Row(k)));
    let events_at = results.events.iter().enumerate().map(|(k, event)| (event.time, Source::Event(k)));
    let frames_at = frames.iter().enumerate().map(|(k, frame)| (frame.time, Source::Frame(k)));
    let mut sources: Vec<_> = rows.chain(events_at).chain(frames_at).collect();
    sources.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (time, source) in sources {
        let mut message = |channel_id, bytes: &[u8]| {
            let log_time = clock.nanoseconds(time);
            let header = MessageHeader { channel_id, sequence: 0, log_time, publish_time: log_time };
            output.write_to_known_channel(&header, bytes)
        };
        match source {
            Source::Row(row) => quantities.write(&results.table, row, &mut message)?,
            Source::Event(k) => events.write(&results.events[k], &mut message)?,
            Source::Frame(k) => {
                if let Some(scene) = &scene {
                    scene.write(frames[k], k == 0, clock.timestamp(frames[k].time), &mut message)?;
                }
            }
        }
    }
    output.finish()?;
    Ok(())
}

/// What is known of the run.
fn about(results: &Results) -> Metadata {
    let text = |key: &str| results.summary.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let pairs = ["title", "outcome", "reason", "cosimo_version"].map(|key| (key.to_owned(), text(key)));
    Metadata { name: "cosimo".to_owned(), metadata: BTreeMap::from(pairs) }
}

/// The channels of what is seen.
struct SceneChannels<'a> {
    poses: poses::Channel<'a>,
    shapes: shapes::Channel<'a>,
    moving: moving::Channel<'a>,
}

impl<'a> SceneChannels<'a> {
    fn add(output: &mut Output, film: Film<'a>) -> McapResult<Self> {
        Ok(Self {
            poses: poses::Channel::add(output, film)?,
            shapes: shapes::Channel::add(output, film)?,
            moving: moving::Channel::add(output, film)?,
        })
    }

    fn write(
        &self,
        frame: &cosimo_scene::Frame,
        is_first: bool,
        time: foxglove::Timestamp,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        self.poses.write(frame, time, message)?;
        if is_first {
            self.shapes.write(time, message)?;
        }
        self.moving.write(frame, time, message)
    }
}
