//! Motions over time.

use nalgebra::{UnitQuaternion, Vector3};
use serde_json::{Value, json};

use super::buffer::Buffer;
use crate::scene::Film;

/// Channels of nodes over the times of frames.
#[derive(Debug)]
pub(super) struct Animation {
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// The time of the first frame (s).
    start: f64,
    /// Numbers of the frames that are told apart in single precision.
    frames: Vec<usize>,
    /// Accessor of their times.
    times: usize,
}

impl Animation {
    /// An animation over the frames of a film.
    pub(super) fn of(film: Film<'_>, buffer: &mut Buffer) -> Self {
        let start = film.frames().next().map_or(0.0, |frame| frame.time);
        let (mut times, mut frames) = (Vec::new(), Vec::new());
        for (number, frame) in film.frames().enumerate() {
            let time = (frame.time - start) as f32;
            if times.last().is_none_or(|[last]: &[f32; 1]| time > *last) {
                times.push([time]);
                frames.push(number);
            }
        }
        let times = buffer.add_keys(&times);
        Self { channels: Vec::new(), samplers: Vec::new(), start, frames, times }
    }

    /// Moves a node; nothing is written of one that stays where it is. There is a vector for each frame of the film.
    pub(super) fn move_node(
        &mut self,
        node: usize,
        path: &str,
        vectors: &[Vector3<f64>],
        buffer: &mut Buffer,
    ) {
        let keys: Vec<[f32; 3]> = self.frames.iter().map(|k| vectors[*k].map(|x| x as f32).into()).collect();
        self.add(node, path, &keys, buffer);
    }

    /// Turns a node in the same way.
    pub(super) fn turn_node(&mut self, node: usize, turns: &[UnitQuaternion<f64>], buffer: &mut Buffer) {
        let mut keys: Vec<[f32; 4]> = Vec::new();
        let mut last = None;
        for turn in self.frames.iter().map(|k| turns[*k].coords) {
            // Two numbers stand for each rotation; neighbours are the nearer ones.
            let turn = if last.is_some_and(|last| turn.dot(&last) < 0.0) { -turn } else { turn };
            last = Some(turn);
            keys.push(turn.map(|x| x as f32).into());
        }
        self.add(node, "rotation", &keys, buffer);
    }

    fn add<const N: usize>(&mut self, node: usize, path: &str, keys: &[[f32; N]], buffer: &mut Buffer) {
        if keys.windows(2).all(|pair| pair[0] == pair[1]) {
            return;
        }
        let output = buffer.add_keys(keys);
        let sampler = self.samplers.len();
        self.samplers.push(json!({ "input": self.times, "interpolation": "LINEAR", "output": output }));
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// The animation with what happens at times of the run (s); `None` where nothing moves.
    pub(super) fn into_value(self, impacts: &[(f64, Value)]) -> Option<Value> {
        if self.channels.is_empty() {
            return None;
        }
        let impact = |(time, own): &(f64, Value)| {
            let mut impact = own.clone();
            impact["time"] = json!(time - self.start);
            impact
        };
        let impacts: Vec<Value> = impacts.iter().map(impact).collect();
        Some(json!({
            "name": "run",
            "channels": self.channels,
            "samplers": self.samplers,
            "extras": { "start": self.start, "impacts": impacts },
        }))
    }
}
